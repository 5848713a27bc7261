// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseText

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
        var text: [UInt8] = []
        text.reserveCapacity(27)
        text.append(decimal: UInt64(year), width: 4)
        text.append(UInt8(ascii: "-"))
        text.append(decimal: UInt64(month), width: 2)
        text.append(UInt8(ascii: "-"))
        text.append(decimal: UInt64(day), width: 2)
        text.append(UInt8(ascii: "T"))
        text.append(decimal: seconds / 3600 % 24, width: 2)
        text.append(UInt8(ascii: ":"))
        text.append(decimal: seconds / 60 % 60, width: 2)
        text.append(UInt8(ascii: ":"))
        text.append(decimal: seconds % 60, width: 2)
        text.append(UInt8(ascii: "."))
        text.append(decimal: microseconds % 1_000_000, width: 6)
        text.append(UInt8(ascii: "Z"))
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
}
