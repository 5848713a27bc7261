// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Reads dates whose format is not given: ISO 8601 and the formats of HTTP (RFC 9110 section 5.6.7).
enum DateText {
    /// Longer texts are not dates.
    static let maximumCount = 128

    /// Reads a whole text, or returns `nil` if it is not a date.
    static func read(_ text: String) -> DatedTime? {
        guard text.utf8.count <= maximumCount else { return nil }
        if let time = iso8601(text[...]) { return time }
        for format in formats {
            if let time = format.pattern.read(text[...]) {
                return format.isInUTC ? DatedTime(civil: time.civil, offset: 0) : time
            }
        }
        return nil
    }

    private static let formats: [(pattern: DateFormat, isInUTC: Bool)] = [
        ("EEE, d MMM yyyy HH:mm:ss z", false), ("EEEE, dd-MMM-yy HH:mm:ss z", false),
        ("EEE MMM dd HH:mm:ss yyyy", true), ("EEE MMM  d HH:mm:ss yyyy", true),
    ].compactMap { format, isInUTC in (try? DateFormat(format)).map { ($0, isInUTC) } }

    private static func iso8601(_ text: Substring) -> DatedTime? {
        var text = text
        // `2020-01-01T00:00+01:00[Europe/Paris]`: the offset is enough.
        if text.last == "]", let bracket = text.firstIndex(of: "["), text[..<bracket].contains("T") {
            text = text[..<bracket]
        }
        let dateEnd = text.firstIndex(of: "T") ?? text.endIndex
        guard let date = date(text[..<dateEnd]) else { return nil }
        guard dateEnd < text.endIndex else { return DatedTime(civil: date, offset: nil) }
        let rest = text[text.index(after: dateEnd)...]
        let clockEnd = rest.firstIndex { "Z+-".contains($0) } ?? rest.endIndex
        guard var time = clock(rest[..<clockEnd]) else { return nil }
        (time.year, time.month, time.day) = (date.year, date.month, date.day)
        guard clockEnd < rest.endIndex else { return DatedTime(civil: time, offset: nil) }
        return offset(rest[clockEnd...]).map { DatedTime(civil: time, offset: $0) }
    }

    /// Reads a date, a month, or a year.
    private static func date(_ text: Substring) -> CalendarTime? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let year = Int(digits: parts[0].utf8, 4...4) else { return nil }
        let month = parts.count > 1 ? Int(digits: parts[1].utf8, 2...2) : 1
        let day = parts.count > 2 ? Int(digits: parts[2].utf8, 2...2) : 1
        guard let month, let day else { return nil }
        let time = CalendarTime(year: year, month: month, day: day)
        return time.isValid ? time : nil
    }

    private static func clock(_ text: Substring) -> CalendarTime? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let hour = Int(digits: parts[0].utf8, 2...2),
            let minute = Int(digits: parts[1].utf8, 2...2)
        else { return nil }
        var time = CalendarTime(year: 1970)
        (time.hour, time.minute) = (hour, minute)
        if parts.count == 3 {
            let pieces = parts[2].split(separator: ".", omittingEmptySubsequences: false)
            guard pieces.count <= 2, let second = Int(digits: pieces[0].utf8, 2...2) else { return nil }
            time.second = second
            if pieces.count == 2 {
                guard let fraction = Int(digits: pieces[1].utf8, 1...9) else { return nil }
                time.nanosecond = (pieces[1].utf8.count..<9).reduce(fraction) { value, _ in value * 10 }
            }
        }
        return time.isValid ? time : nil
    }

    private static func offset(_ text: Substring) -> Int? {
        if text == "Z" { return 0 }
        let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int(digits: $0.utf8, 2...2) }
        guard 1...3 ~= parts.count, numbers.count == parts.count, numbers[0] <= 18, text.first != "Z" else {
            return nil
        }
        let seconds = zip(numbers, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        return text.first == "-" ? -seconds : seconds
    }
}

/// A time of a request or a stub, with or without an offset from UTC.
struct DatedTime: Sendable, Hashable {
    /// The local time.
    var civil: CalendarTime
    /// The seconds that the local time is ahead of UTC; `nil` if the zone is unknown.
    var offset: Int?

    /// The same moment in UTC.
    func inUTC(assuming zone: Int) -> CalendarTime {
        var time = civil
        time.add(seconds: -(offset ?? zone))
        return time
    }
}
