// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A date and a time of day in the Gregorian calendar, without a zone.
struct CivilTime: Sendable, Hashable, Comparable {
    var year: Int
    var month = 1
    var day = 1
    var hour = 0
    var minute = 0
    var second = 0
    var nanosecond = 0

    /// The seconds from 1970 to this time, as if it were in UTC.
    var seconds: Int {
        let days = Self.days(year: year, month: month, day: day)
        return days * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// Creates a time from its parts. Returns `nil` if there is no such time.
    init?(
        year: Int,
        month: Int,
        day: Int,
        hour: Int = 0,
        minute: Int = 0,
        second: Int = 0,
        nanosecond: Int = 0
    ) {
        guard (-99_999...99_999).contains(year), (1...12).contains(month),
            (1...Self.daysInMonth(year: year, month: month)).contains(day), (0..<24).contains(hour),
            (0..<60).contains(minute), (0..<60).contains(second), (0..<1_000_000_000).contains(nanosecond)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.nanosecond = nanosecond
    }

    /// Creates the time a number of seconds after the start of 1970.
    init(seconds: Int, nanosecond: Int = 0) {
        let days = (Double(seconds) / 86_400).rounded(.down)
        let rest = seconds - Int(days) * 86_400
        // Days since the start of March of the year 0, in eras of 400 years.
        let shifted = Int(days) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
        self.nanosecond = nanosecond
    }

    static func < (left: CivilTime, right: CivilTime) -> Bool {
        (left.seconds, left.nanosecond) < (right.seconds, right.nanosecond)
    }

    /// Returns the number of days of a month.
    static func daysInMonth(year: Int, month: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Returns the number of days from 1970 to a date.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Returns this time with a number of months added. If the month has no such day, it is the last day of the month.
    func adding(months: Int) -> CivilTime {
        let sum = year * 12 + month - 1 + max(-1_000_000, min(1_000_000, months))
        var result = self
        result.year = Int((Double(sum) / 12).rounded(.down))
        result.month = sum - result.year * 12 + 1
        result.day = min(day, Self.daysInMonth(year: result.year, month: result.month))
        return result
    }

    /// Returns this time with a number of seconds added.
    func adding(seconds added: Int) -> CivilTime { CivilTime(seconds: seconds + added, nanosecond: nanosecond) }
}

/// A time of a request or a stub, with or without an offset from UTC.
struct DatedTime: Sendable, Hashable {
    /// The local time.
    var civil: CivilTime
    /// The seconds that the local time is ahead of UTC; `nil` if the zone is unknown.
    var offset: Int?

    /// The same moment in UTC.
    func inUTC(assuming zone: Int) -> CivilTime { civil.adding(seconds: -(offset ?? zone)) }
}
