// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RepriseText

/// A time in a zone, by the Gregorian calendar.
struct CalendarTime {
    var year: Int
    var month: Int
    var day: Int
    var hour = 0
    var minute = 0
    var second = 0
    var millisecond = 0

    init(year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Creates the time at an offset from UTC.
    init(_ milliseconds: Int64, offsetSeconds: Int) {
        let local = milliseconds + Int64(offsetSeconds) * 1000
        let days = Int((local >= 0 ? local : local - 86_399_999) / 86_400_000)
        let rest = Int(local - Int64(days) * 86_400_000)
        (year, month, day) = Self.date(ofDay: days)
        hour = rest / 3_600_000
        minute = rest / 60_000 % 60
        second = rest / 1000 % 60
        millisecond = rest % 1000
    }

    /// The days since 1970.
    var dayNumber: Int { Self.dayNumber(year, month, day) }

    /// The milliseconds since 1970, if the time is in UTC.
    var milliseconds: Int64 {
        Int64(dayNumber) * 86_400_000 + Int64(hour * 3_600_000 + minute * 60_000 + second * 1000 + millisecond)
    }

    /// 1 for Monday, 7 for Sunday.
    var weekday: Int { ((dayNumber + 3) % 7 + 7) % 7 + 1 }

    var dayOfYear: Int { dayNumber - Self.dayNumber(year, 1, 1) + 1 }

    var daysInMonth: Int { Self.daysInMonth(year, month) }

    static func daysInMonth(_ year: Int, _ month: Int) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Adds months. A day that the month lacks becomes its last.
    mutating func add(months: Int) {
        let count = year * 12 + month - 1 + months
        year = count >= 0 ? count / 12 : (count - 11) / 12
        month = count - year * 12 + 1
        day = min(day, daysInMonth)
    }

    /// Returns the milliseconds since 1970 of this time in a zone.
    func milliseconds(in zone: TimeZone) -> Int64 {
        let guess = milliseconds - Int64(Self.offset(of: zone, at: milliseconds)) * 1000
        return milliseconds - Int64(Self.offset(of: zone, at: guess)) * 1000
    }

    /// Returns the seconds that a zone is ahead of UTC.
    static func offset(of zone: TimeZone, at milliseconds: Int64) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }

    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(ofDay day: Int) -> (Int, Int, Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
