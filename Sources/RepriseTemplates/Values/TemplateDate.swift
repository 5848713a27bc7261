// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A date with the way to print it.
package struct TemplateDate: Sendable {
    /// The time since 1970 in UTC.
    package let milliseconds: Int64
    /// Java's letters, `epoch`, or `unix`; `nil` for ISO 8601.
    let format: String?
    /// The zone to print the date in.
    let zone: TimeZone?

    init(_ milliseconds: Int64, format: String? = nil, zone: TimeZone? = nil) {
        self.milliseconds = milliseconds
        self.format = format
        self.zone = zone
    }

    /// The text of the date.
    func text(_ localZone: TimeZone) -> String { "" }
}
