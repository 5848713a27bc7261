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
        let seconds = max(0, microseconds) / 1_000_000
        let (year, month, day) = civilDate(daysSince1970: seconds / 86_400)
        var text: [UInt8] = []
        text.reserveCapacity(27)
        append(year, 4, "-", to: &text)
        append(month, 2, "-", to: &text)
        append(day, 2, "T", to: &text)
        append(seconds / 3600 % 24, 2, ":", to: &text)
        append(seconds / 60 % 60, 2, ":", to: &text)
        append(seconds % 60, 2, ".", to: &text)
        append(max(0, microseconds) % 1_000_000, 6, "Z", to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the Gregorian date of a day. Years are counted from March so that the leap day is the last day of a
    /// year.
    private static func civilDate(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // 0000-03-01 is 719,468 days before 1970-01-01, and 400 years have 146,097 days.
        let shifted = days + 719_468
        let (cycle, dayOfCycle) = shifted.quotientAndRemainder(dividingBy: 146_097)
        let leapDays = dayOfCycle / 1460 - dayOfCycle / 36_524 + dayOfCycle / 146_096
        let yearOfCycle = (dayOfCycle - leapDays) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month, day)
    }

    /// Appends a number with at least `width` digits, followed by `end`.
    private static func append(_ number: Int64, _ width: Int, _ end: Unicode.Scalar, to text: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<width { divisor *= 10 }
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            text.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
        text.append(UInt8(ascii: end))
    }
}
