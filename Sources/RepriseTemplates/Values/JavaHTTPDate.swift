// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The three forms of dates in HTTP (RFC 9110 section 5.6.7), as leniently as Java reads them: case does not matter,
/// but a day of the week must be the right one.
///
/// ```
/// Sun, 06 Nov 1994 08:49:37 GMT     the usual form, also with an offset such as +0100
/// Sunday, 06-Nov-94 08:49:37 GMT    the obsolete form of RFC 850; the year is in this century
/// Sun Nov  6 08:49:37 1994          the form of asctime, in UTC
/// ```
struct JavaHTTPDate {
    /// The milliseconds since 1970 in UTC.
    let milliseconds: Int64
    /// The seconds that the zone of the date is ahead of UTC.
    let offset: Int

    private struct Parts {
        var weekday: Substring?
        /// Whether the name of the day is written out.
        var hasLongWeekday = false
        var day: Substring
        var month: Substring
        var year: String
        var time: Substring
        var zone: Substring
    }

    /// Returns nil if the text is not a date.
    init?(_ text: String) {
        guard text.utf8.count <= 80, let parts = Self.parts(of: text), let offset = Self.offset(parts),
            let day = Int(digits: parts.day.utf8, 1...2), 1...31 ~= day, let year = Int(digits: parts.year.utf8, 4...4),
            let month = CalendarTime.month(parts.month), let seconds = Self.seconds(parts.time)
        else { return nil }
        // As in Java, the 31st of a shorter month is its last day.
        let date = CalendarTime(year: year, month: month, day: min(day, CalendarTime.daysInMonth(year, month)))
        if let weekday = parts.weekday {
            let name = CalendarTime.weekdays[date.weekday - 1].lowercased()
            guard weekday.lowercased() == (parts.hasLongWeekday ? name[...] : name.prefix(3)) else { return nil }
        }
        milliseconds = date.milliseconds + Int64(seconds - offset) * 1000
        self.offset = offset
    }

    private static func parts(of text: String) -> Parts? {
        var words = text.split(separator: " ", omittingEmptySubsequences: false)
        var weekday: Substring?
        if let first = words.first, first.hasSuffix(",") {
            weekday = first.dropLast()
            words.removeFirst()
        }
        if words.count == 5, weekday != nil || words[0].first?.isNumber == true {
            return Parts(
                weekday: weekday,
                day: words[0],
                month: words[1],
                year: String(words[2]),
                time: words[3],
                zone: words[4]
            )
        }
        if let weekday, words.count == 3 {
            let date = words[0].split(separator: "-", omittingEmptySubsequences: false)
            guard date.count == 3, date[0].count == 2, date[2].count == 2 else { return nil }
            return Parts(
                weekday: weekday,
                hasLongWeekday: true,
                day: date[0],
                month: date[1],
                year: "20" + date[2],
                time: words[1],
                zone: words[2]
            )
        }
        // The day is padded with a space or a zero.
        if words.count == 6, words[2].isEmpty, words[3].count == 1 {
            words.remove(at: 2)
        } else if words.count != 5 || words[2].count != 2 {
            return nil
        }
        return Parts(
            weekday: words[0],
            day: words[2],
            month: words[1],
            year: String(words[4]),
            time: words[3],
            zone: "GMT"
        )
    }

    /// Returns the offset of the zone. Names other than GMT are for the obsolete form only.
    private static func offset(_ parts: Parts) -> Int? {
        var zone = parts.zone
        if zone.uppercased() == "GMT" { return 0 }
        let isNumeric = zone.count == 5 && (zone.hasPrefix("+") || zone.hasPrefix("-"))
        guard isNumeric || parts.hasLongWeekday, let offset = DatePattern.takeOffset(&zone), zone.isEmpty else {
            return nil
        }
        return offset
    }

    /// Returns the seconds of `08:49:37` or `08:49`. `24:00` is the end of the day.
    private static func seconds(_ time: Substring) -> Int? {
        let numbers = time.split(separator: ":", omittingEmptySubsequences: false).map { Int(digits: $0.utf8, 2...2) }
        guard numbers.count == 2 || numbers.count == 3, let hour = numbers[0], let minute = numbers[1],
            let second = numbers.count == 3 ? numbers[2] : 0, minute < 60, second < 60
        else { return nil }
        let seconds = hour * 3600 + minute * 60 + second
        return seconds <= 86_400 ? seconds : nil
    }
}
