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
        let microseconds = UInt64(max(0, microseconds))
        let seconds = microseconds / 1_000_000
        let (year, month, day) = civilDate(daysSince1970: Int64(seconds / 86_400))
        var text = Self.zero
        write(UInt64(min(year, 9999)), at: 0..<4, of: &text)
        write(UInt64(month), at: 5..<7, of: &text)
        write(UInt64(day), at: 8..<10, of: &text)
        write(seconds / 3600 % 24, at: 11..<13, of: &text)
        write(seconds / 60 % 60, at: 14..<16, of: &text)
        write(seconds % 60, at: 17..<19, of: &text)
        write(microseconds % 1_000_000, at: 20..<26, of: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static let zero = Array("0000-00-00T00:00:00.000000Z".utf8)

    /// Writes a number in place of the digits at `places`.
    private static func write(_ number: UInt64, at places: Range<Int>, of text: inout [UInt8]) {
        var rest = number
        for index in places.reversed() {
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
