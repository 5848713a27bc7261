// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RepriseText

/// A date format of Java: `yyyy-MM-dd'T'HH:mm:ss.SSSZ`.
struct DatePattern: Sendable {
    let pieces: [DatePiece]

    /// Compiles a pattern.
    init(_ pattern: String) throws(DatePiece.Invalid) {
        pieces = try DatePiece.pieces(of: pattern, letters: "GyYMLwWDdFEuaHkKhmsSzZXQ", closesQuotes: true)
    }

    func text(of milliseconds: Int64, in zone: TimeZone, name: String? = nil) -> String {
        let offset = CalendarTime.offset(of: zone, at: milliseconds)
        let time = CalendarTime(milliseconds, offsetSeconds: offset)
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let run): text += run
            case .field("z", let count):
                text += ZoneName.text(zone, milliseconds, offset, isLong: count > 3, name: name)
            case .field("Z", _): text += ZoneName.offset(offset, separator: "")
            case .field("X", let count):
                text +=
                    offset == 0
                    ? "Z"
                    : count == 1
                        ? String(ZoneName.offset(offset, separator: "").prefix(3))
                        : ZoneName.offset(offset, separator: count == 2 ? "" : ":")
            case .field(let letter, let count): text += Self.field(letter, count, time)
            }
        }
        return text
    }

    private static func field(_ letter: Character, _ count: Int, _ time: CalendarTime) -> String {
        switch letter {
        case "G": time.year > 0 ? "AD" : "BC"
        case "y": year(time.year, count)
        case "Y": year(weekYear(time), count)
        case "M", "L": count < 3 ? padded(time.month, count) : named(CalendarTime.months[time.month - 1], count)
        case "E": named(CalendarTime.weekdays[time.weekday - 1], max(count, 3))
        case "d": padded(time.day, count)
        case "D": padded(time.dayOfYear, count)
        case "u": padded(time.weekday, count)
        case "w": padded(week(time), count)
        case "W": padded((time.day + firstWeekday(time.year, time.month) - 1) / 7 + 1, count)
        case "F": padded((time.day - 1) / 7 + 1, count)
        case "Q": padded((time.month - 1) / 3 + 1, count)
        case "a": time.hour < 12 ? "AM" : "PM"
        case "H": padded(time.hour, count)
        case "k": padded(time.hour == 0 ? 24 : time.hour, count)
        case "K": padded(time.hour % 12, count)
        case "h": padded(time.hour % 12 == 0 ? 12 : time.hour % 12, count)
        case "m": padded(time.minute, count)
        case "s": padded(time.second, count)
        case "S": padded(time.millisecond, count)
        default: ""
        }
    }

    private static func padded(_ value: Int, _ count: Int) -> String {
        zeroPadded(value, min(count, 100))
    }

    private static func named(_ name: String, _ count: Int) -> String { count > 3 ? name : String(name.prefix(3)) }

    private static func year(_ year: Int, _ count: Int) -> String {
        count == 2 ? padded(year % 100, 2) : padded(year, count)
    }

    /// The days from Sunday to the first of the month.
    private static func firstWeekday(_ year: Int, _ month: Int) -> Int {
        CalendarTime(year: year, month: month, day: 1).weekday % 7
    }

    /// The week as in the United States: weeks begin on Sunday, and the first contains the first of January.
    private static func week(_ time: CalendarTime) -> Int {
        if weekYear(time) > time.year { return 1 }
        return (time.dayOfYear + firstWeekday(time.year, 1) - 1) / 7 + 1
    }

    private static func weekYear(_ time: CalendarTime) -> Int {
        let daysToSaturday = 6 - time.weekday % 7
        return time.month == 12 && time.day + daysToSaturday > 31 ? time.year + 1 : time.year
    }
}

enum ZoneName {
    /// Returns `+0100` or `+01:00`.
    static func offset(_ seconds: Int, separator: String) -> String {
        let minutes = abs(seconds) / 60
        return (seconds < 0 ? "-" : "+") + zeroPadded(minutes / 60, 2) + separator + zeroPadded(minutes % 60, 2)
    }

    static func text(_ zone: TimeZone, _ milliseconds: Int64, _ offset: Int, isLong: Bool, name: String?) -> String {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        let isDaylight = zone.isDaylightSavingTime(for: date)
        if isLong {
            let style: NSTimeZone.NameStyle = isDaylight ? .daylightSaving : .standard
            return zone.localizedName(for: style, locale: Locale(identifier: "en_US")) ?? zone.identifier
        }
        if ["UTC", "GMT", "Z"].contains(zone.identifier) { return name == "GMT" ? "GMT" : "UTC" }
        for (prefixes, standard, daylight) in abbreviations where prefixes.contains(where: zone.identifier.hasPrefix) {
            return isDaylight ? daylight : standard
        }
        let short = zone.abbreviation(for: date) ?? "GMT"
        // Java writes GMT+02:00, and Foundation GMT+2.
        return short.hasPrefix("GMT") && offset != 0 ? "GMT" + Self.offset(offset, separator: ":") : short
    }

    private static let abbreviations: [([String], String, String)] = [
        (["America/New_York", "America/Detroit", "America/Toronto"], "EST", "EDT"),
        (["America/Chicago", "America/Winnipeg"], "CST", "CDT"),
        (["America/Denver", "America/Phoenix"], "MST", "MDT"), (["America/Los_Angeles"], "PST", "PDT"),
        (["Europe/London"], "GMT", "BST"), (["Europe/Dublin"], "GMT", "IST"), (["Europe/Lisbon"], "WET", "WEST"),
        (["Europe/Athens", "Europe/Helsinki", "Europe/Kyiv", "Europe/Bucharest", "Europe/Sofia"], "EET", "EEST"),
        (["Europe/Moscow"], "MSK", "MSK"), (["Europe/Istanbul"], "TRT", "TRT"), (["Europe/"], "CET", "CEST"),
        (["Australia/Sydney", "Australia/Melbourne", "Australia/Hobart"], "AEST", "AEDT"),
        (["Asia/Tokyo"], "JST", "JST"), (["Asia/Kolkata", "Asia/Calcutta"], "IST", "IST"),
        (["Asia/Shanghai"], "CST", "CST"),
    ]
}
