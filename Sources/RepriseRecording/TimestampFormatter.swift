// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseText

/// Writes timestamps in the format of ``RecordingTime/text(microsecondsSince1970:)``.
///
/// Many exchanges start in the same second, so its text is kept.
struct TimestampFormatter {
    /// The second of the last timestamp.
    private var second: UInt64?
    /// The text of that second, including the decimal point.
    private var text: [UInt8] = []

    /// Appends a timestamp.
    mutating func append(microsecondsSince1970 microseconds: Int64, to output: inout [UInt8]) {
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
        let fields: [(number: UInt64, separator: UInt8)] = [
            (UInt64(min(year, 9999)), UInt8(ascii: "-")), (UInt64(month), UInt8(ascii: "-")),
            (UInt64(day), UInt8(ascii: "T")), (seconds / 3600 % 24, UInt8(ascii: ":")),
            (seconds / 60 % 60, UInt8(ascii: ":")), (seconds % 60, UInt8(ascii: ".")),
        ]
        var text: [UInt8] = []
        text.reserveCapacity(20)
        for field in fields {
            text.append(decimal: field.number, width: text.isEmpty ? 4 : 2)
            text.append(field.separator)
        }
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
