// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

extension RecordingTime {
    /// Returns the system clock in microseconds since 1970.
    static func now() -> Int64 {
        Int64((Date().timeIntervalSince1970 * 1_000_000).rounded())
    }

    /// Returns a time in RFC 3339 format with six decimals, so that the times in a cassette sort as text.
    ///
    /// - Parameter microseconds: The time in microseconds since 1970, not before 1970.
    static func text(microsecondsSince1970 microseconds: Int64) -> String {
        var text: [UInt8] = []
        var formatter = TimestampFormatter()
        formatter.append(microsecondsSince1970: microseconds, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
