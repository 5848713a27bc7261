// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseText

/// Writes times in the format of ``RecordingTime/text(microsecondsSince1970:)``.
struct RecordingClock {
    /// The second that was written last, and its text up to the decimals.
    private var second: UInt64?
    private var text: [UInt8] = []

    mutating func appendText(microsecondsSince1970 microseconds: Int64, to output: inout [UInt8]) {
        let microseconds = UInt64(max(0, microseconds))
        let second = microseconds / 1_000_000
        if second != self.second {
            self.second = second
            text = Self.text(secondsSince1970: second)
        }
        output += text
        output.append(decimal: microseconds % 1_000_000, width: 6)
        output.append(UInt8(ascii: "Z"))
    }

    private static func text(secondsSince1970 seconds: UInt64) -> [UInt8] {
        let (year, month, day) = civilDate(daysSince1970: Int64(seconds / 86_400))
        var text: [UInt8] = []
        func append(_ number: UInt64, width: Int, _ separator: Character) {
            text.append(decimal: number, width: width)
            text += String(separator).utf8
        }
        append(UInt64(min(year, 9999)), width: 4, "-")
        append(UInt64(month), width: 2, "-")
        append(UInt64(day), width: 2, "T")
        append(seconds / 3600 % 24, width: 2, ":")
        append(seconds / 60 % 60, width: 2, ":")
        append(seconds % 60, width: 2, ".")
        return text
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
