// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A date in a header field (RFC 9110 section 5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`. The two obsolete forms
/// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994` are also supported. All are in UTC. Case does not
/// matter (RFC 9111 section 4.2).
struct HTTPDate: Hashable, Sendable {
    /// The number of seconds since the beginning of 1970.
    var seconds: Int

    init(seconds: Int) {
        self.seconds = seconds
    }

    static var now: HTTPDate { HTTPDate(seconds: Int(Date().timeIntervalSince1970)) }

    /// Creates a date from text, or returns nil if the text is not a valid date.
    ///
    /// - Parameters:
    ///   - text: A date in any of the three forms.
    ///   - now: The current time. A year of two digits refers to a date at most 50 years after it.
    init?(_ text: String, now: @autoclosure () -> HTTPDate = .now) {
        let words = text.lowercased().utf8.split { " ,-".utf8.contains($0) }
        let isAsctime = words.count == 5
        guard isAsctime || (words.count == 6 && words[5].elementsEqual("gmt".utf8)) else { return nil }
        let (month, day) = isAsctime ? (words[1], words[2]) : (words[2], words[1])
        let (time, yearText) = isAsctime ? (words[3], words[4]) : (words[4], words[3])
        guard Self.isDayName(words[0]),
            let month = CalendarTime.month(Substring(month)), let day = Int(digits: day, 1...2), 1...31 ~= day,
            let year = Int(digits: yearText, 2...4), yearText.count != 3,
            let seconds = Self.secondsOfDay(time)
        else { return nil }
        func date(_ year: Int) -> HTTPDate {
            HTTPDate(seconds: CalendarTime(year: year, month: month, day: day).seconds + seconds)
        }
        self = date(yearText.count == 2 ? Self.year(ending: year, date: date, now: now()) : year)
    }

    /// Whether the text has one of the three forms exactly, with the separators and the numbers of digits.
    static func isExact(_ text: String) -> Bool {
        let shape = String(text.map { $0.isWholeNumber ? "0" : $0.isLetter ? "a" : $0 })
        return shape.hasSuffix("aaa, 00-aaa-00 00:00:00 aaa")
            || ["aaa, 00 aaa 0000 00:00:00 aaa", "aaa aaa 00 00:00:00 0000", "aaa aaa  0 00:00:00 0000"].contains(shape)
    }

    /// Returns the year that two digits refer to: the latest one that is at most 50 years from now.
    private static func year(ending digits: Int, date: (Int) -> HTTPDate, now: HTTPDate) -> Int {
        let limit = now.seconds + 50 * 31_556_952
        var year = 1900 + digits
        while date(year + 100).seconds <= limit { year += 100 }
        return year
    }

    /// Whether the word is the name of a day. Which day it is does not matter, because it follows from the date.
    private static func isDayName(_ word: Substring.UTF8View) -> Bool {
        CalendarTime.weekdays.map { $0.lowercased().utf8 }
            .contains { word.elementsEqual($0) || word.elementsEqual($0.prefix(3)) }
    }

    /// Returns the number of seconds for a time such as `08:49:37`. The last second of a day can be a leap second.
    private static func secondsOfDay(_ word: Substring.UTF8View) -> Int? {
        let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = Int(digits: parts[0], 2...2), hours < 24,
            let minutes = Int(digits: parts[1], 2...2), minutes < 60,
            let seconds = Int(digits: parts[2], 2...2), seconds <= 60
        else { return nil }
        return (hours * 60 + minutes) * 60 + seconds
    }
}
