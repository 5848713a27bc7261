// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A date with the way to print it.
package struct TemplateDate: Sendable {
    /// How a date is printed.
    enum Format: Sendable {
        /// ISO 8601, to seconds.
        case standard
        /// Milliseconds since 1970.
        case epoch
        /// Seconds since 1970.
        case unix
        case pattern(DatePattern)
    }

    /// The time since 1970 in UTC.
    package let milliseconds: Int64
    /// The times that dates can have, 146 million years before and after 1970. With these, no zone or truncation
    /// overflows 64 bits.
    static let range: ClosedRange<Int64> = -(1 << 62)...(1 << 62)
    let format: Format
    /// The zone to print the date in.
    let zone: TimeZone?
    let zoneName: String?

    init(_ milliseconds: Int64, format: Format = .standard, zone: TimeZone? = nil, zoneName: String? = nil) {
        self.milliseconds = milliseconds
        self.format = format
        self.zone = zone
        self.zoneName = zoneName
    }

    func text(_ localZone: TimeZone) -> String {
        switch format {
        case .epoch: return String(milliseconds)
        case .unix: return String(milliseconds / 1000)
        case .pattern(let pattern): return pattern.text(of: milliseconds, in: zone ?? localZone, name: zoneName)
        case .standard: return standardText
        }
    }

    private static let standardPattern = try? DatePattern("yyyy-MM-dd'T'HH:mm:ssXXX")

    private var standardText: String {
        let zone = zone ?? TimeZone(secondsFromGMT: 0) ?? .current
        return Self.standardPattern?.text(of: milliseconds, in: zone) ?? ""
    }
}
