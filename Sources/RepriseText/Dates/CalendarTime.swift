// SPDX-License-Identifier: Apache-2.0

/// A date and a time of day in the Gregorian calendar, without a zone.
package struct CalendarTime: Sendable, Hashable, Comparable {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour = 0
    package var minute = 0
    package var second = 0
    package var nanosecond = 0

    /// Creates the start of a day.
    package init(year: Int, month: Int = 1, day: Int = 1) {
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Creates the time a number of seconds after the start of 1970.
    package init(seconds: Int, nanosecond: Int = 0) {
        let days = Self.quotient(seconds, 86_400)
        let rest = seconds - days * 86_400
        // Years begin in March here, so that a leap day is the last day of its year, and 400 years have 146,097 days.
        let shifted = days + 719_468
        let era = Self.quotient(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
        self.nanosecond = nanosecond
    }

    /// Creates the time a number of milliseconds after the start of 1970.
    package init(milliseconds: Int) {
        let seconds = Self.quotient(milliseconds, 1000)
        let rest = milliseconds % 1000
        self.init(seconds: seconds, nanosecond: (rest < 0 ? rest + 1000 : rest) * 1_000_000)
    }

    /// The seconds from the start of 1970 to this time, as if it were in UTC.
    package var seconds: Int { dayNumber * 86_400 + hour * 3600 + minute * 60 + second }

    /// The number of days since January 1, 1970.
    private var dayNumber: Int {
        let year = month <= 2 ? year - 1 : year
        let era = Self.quotient(year, 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// 1 for Monday, 7 for Sunday.
    package var weekday: Int { dayNumber + 3 - Self.quotient(dayNumber + 3, 7) * 7 + 1 }

    package var dayOfYear: Int { dayNumber - CalendarTime(year: year).dayNumber + 1 }

    package var daysInMonth: Int { Self.daysInMonth(year, month) }

    package static func daysInMonth(_ year: Int, _ month: Int) -> Int {
        if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
        return [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Whether there is such a time, in a year of at most five digits.
    package var isValid: Bool {
        -99_999...99_999 ~= year && 1...12 ~= month && 1...daysInMonth ~= day && 0..<24 ~= hour && 0..<60 ~= minute
            && 0..<60 ~= second && 0..<1_000_000_000 ~= nanosecond
    }

    package static func < (left: CalendarTime, right: CalendarTime) -> Bool {
        (left.seconds, left.nanosecond) < (right.seconds, right.nanosecond)
    }

    /// Returns the quotient, rounded down.
    private static func quotient(_ number: Int, _ divisor: Int) -> Int {
        number >= 0 ? number / divisor : (number + 1) / divisor - 1
    }

    // MARK: Changes

    /// Adds months. A day that the month lacks becomes its last.
    package mutating func add(months: Int) {
        let count = year * 12 + month - 1 + months
        year = Self.quotient(count, 12)
        month = count - year * 12 + 1
        day = min(day, daysInMonth)
    }

    package mutating func add(seconds added: Int) {
        self = CalendarTime(seconds: seconds + added, nanosecond: nanosecond)
    }

    /// Adds an amount of at most a few billion of a unit.
    package mutating func add(_ amount: Int, _ unit: DateUnit) {
        switch unit {
        case .seconds: add(seconds: amount)
        case .minutes: add(seconds: amount * 60)
        case .hours: add(seconds: amount * 3600)
        case .days: add(seconds: amount * 86_400)
        case .months: add(months: amount)
        case .years: add(months: amount * 12)
        }
    }

    // MARK: Text

    package static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    /// Returns the number of the month with a name of three letters, in any case.
    package static func month(_ name: Substring) -> Int? {
        months.firstIndex { $0.prefix(3).lowercased() == name.lowercased() }.map { $0 + 1 }
    }

    package static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// The text in ISO 8601, to the second and without a zone: `2026-11-23T03:01:41`.
    package var text: String { "\(zeroPadded(year, 4))-\(zeroPadded(month, 2))-\(zeroPadded(day, 2))T\(clock)" }

    /// The text as an IMF-fixdate (RFC 9110 section 5.6.7), if the time is in UTC: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var httpText: String {
        let (weekday, month) = (Self.weekdays[weekday - 1].prefix(3), Self.months[month - 1].prefix(3))
        return "\(weekday), \(zeroPadded(day, 2)) \(month) \(zeroPadded(year, 4)) \(clock) GMT"
    }

    private var clock: String { [hour, minute, second].map { zeroPadded($0, 2) }.joined(separator: ":") }
}
