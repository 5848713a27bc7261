// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A date as header fields have it (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`, and the two obsolete forms
/// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. All are in UTC.
struct HTTPDate: Hashable, Sendable {
    /// Seconds since the beginning of 1970.
    var seconds: Int

    init(seconds: Int) {
        self.seconds = seconds
    }

    /// The time that it is.
    static var now: HTTPDate { HTTPDate(seconds: Int(Date().timeIntervalSince1970)) }

    /// The date that `text` is; nil if it is none.
    ///
    /// - Parameters:
    ///   - text: a date in any of the three forms.
    ///   - now: what a year of two digits is told by: it is not more than 50 years later.
    init?(_ text: String, now: @autoclosure () -> HTTPDate = .now) {
        let words = text.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "-") }
        let isAsctime = words.count == 5
        guard isAsctime || (words.count == 6 && words[5].elementsEqual("GMT".utf8)) else { return nil }
        let (month, day) = isAsctime ? (words[1], words[2]) : (words[2], words[1])
        let (time, yearText) = isAsctime ? (words[3], words[4]) : (words[4], words[3])
        guard Self.isDayName(words[0]),
            let month = Self.months.firstIndex(where: { month.elementsEqual($0.utf8) }),
            let day = Self.number(day, digits: 1...2), (1...31).contains(day),
            let year = Self.number(yearText, digits: 2...4), yearText.count != 3,
            let seconds = Self.secondsOfDay(time)
        else { return nil }
        func date(_ year: Int) -> HTTPDate {
            HTTPDate(seconds: Self.days(year: year, month: month + 1, day: day) * 86_400 + seconds)
        }
        self = date(yearText.count == 2 ? Self.year(ending: year, date: date, now: now()) : year)
    }

    /// The year that two digits mean: the latest that is not more than 50 years from now.
    private static func year(ending digits: Int, date: (Int) -> HTTPDate, now: HTTPDate) -> Int {
        let limit = now.seconds + 50 * 31_556_952
        var year = 1900 + digits
        while date(year + 100).seconds <= limit { year += 100 }
        return year
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static let dayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// Which day it is goes unread: it follows from the date.
    private static func isDayName(_ word: Substring.UTF8View) -> Bool {
        dayNames.contains { word.elementsEqual($0.utf8) || word.elementsEqual($0.utf8.prefix(3)) }
    }

    private static func number(_ word: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        guard digits.contains(word.count) else { return nil }
        var number = 0
        for byte in word {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }

    /// The seconds of `08:49:37`; the last one of a day may be a leap second.
    private static func secondsOfDay(_ word: Substring.UTF8View) -> Int? {
        let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = number(parts[0], digits: 2...2), hours < 24,
            let minutes = number(parts[1], digits: 2...2), minutes < 60,
            let seconds = number(parts[2], digits: 2...2), seconds <= 60
        else { return nil }
        return (hours * 60 + minutes) * 60 + seconds
    }

    /// Days since the beginning of 1970, in the Gregorian calendar. Counted in years that begin in March, so that the
    /// odd day is the last one.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let monthFromMarch = (month + 9) % 12
        let daysBeforeMonth = (153 * monthFromMarch + 2) / 5
        let daysBeforeYear = 365 * year + year / 4 - year / 100 + year / 400
        // From 1 March of the year 0 to 1 January 1970.
        return daysBeforeYear + daysBeforeMonth + day - 1 - 719_468
    }
}
