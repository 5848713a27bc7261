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
        appendText(microsecondsSince1970: microseconds, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends a time in the format of ``text(microsecondsSince1970:)``.
    static func appendText(microsecondsSince1970 microseconds: Int64, to output: inout [UInt8]) {
        let microseconds = UInt64(max(0, microseconds))
        let seconds = microseconds / 1_000_000
        let (year, month, day) = civilDate(daysSince1970: Int64(seconds / 86_400))
        let start = output.count
        output += Self.zero
        write(UInt64(min(year, 9999)), at: start + 0, digits: 4, of: &output)
        write(UInt64(month), at: start + 5, digits: 2, of: &output)
        write(UInt64(day), at: start + 8, digits: 2, of: &output)
        write(seconds / 3600 % 24, at: start + 11, digits: 2, of: &output)
        write(seconds / 60 % 60, at: start + 14, digits: 2, of: &output)
        write(seconds % 60, at: start + 17, digits: 2, of: &output)
        write(microseconds % 1_000_000, at: start + 20, digits: 6, of: &output)
    }

    private static let zero = Array("0000-00-00T00:00:00.000000Z".utf8)

    /// Overwrites `count` digits at `place` with the last digits of a number.
    private static func write(_ number: UInt64, at place: Int, digits count: Int, of text: inout [UInt8]) {
        var rest = UInt32(truncatingIfNeeded: number)
        var index = place + count
        while index > place {
            index -= 1
            text[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
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
}
