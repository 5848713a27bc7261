// SPDX-License-Identifier: Apache-2.0

/// A local time, with or without its offset from UTC.
package struct DatedTime: Sendable, Hashable {
    package var civil: CalendarTime
    /// The seconds that the local time is ahead of UTC; `nil` if the zone is unknown.
    package var offset: Int?

    package init(civil: CalendarTime, offset: Int?) {
        (self.civil, self.offset) = (civil, offset)
    }

    /// The same moment in UTC.
    package func inUTC(assuming zone: Int = 0) -> CalendarTime {
        var time = civil
        time.add(seconds: -(offset ?? zone))
        return time
    }

    /// Parses a date and a time with an offset (RFC 3339 section 5.6), such as `2026-01-31T12:00:00.25+01:30`. A space
    /// may stand in place of the `T`.
    package init?(rfc3339 text: String) {
        self.init(text, isFull: true)
    }

    /// Parses a date in ISO 8601 as Java does. The month, the day, the time, its seconds, and the offset may be absent,
    /// and the offset may have seconds: `2026-01`, `2026-01-31`, `2026-01-31T12:00`, `2026-01-31T12:00:00+01`.
    package init?(iso8601 text: String) {
        self.init(text, isFull: false)
    }

    private init?(_ text: String, isFull: Bool) {
        var rest = Array(text.utf8)[...]
        guard let date = rest.takeNumbers(isFull ? 3...3 : 1...3, separator: "-", firstWidth: 4) else {
            return nil
        }
        civil = CalendarTime(year: date.0, month: date.1 ?? 1, day: date.2 ?? 1)
        if isFull || !rest.isEmpty {
            guard rest.take(isFull ? "Tt " : "Tt") != nil, rest.takeClock(into: &civil, isFull: isFull)
            else {
                return nil
            }
            if isFull || !rest.isEmpty {
                guard let offset = rest.takeOffset(isFull: isFull) else { return nil }
                self.offset = offset
            }
        }
        var checked = civil
        // The second 60 ends a day in UTC.
        if isFull, civil.second == 60, (civil.seconds - (offset ?? 0)) % 86_400 == 0 {
            checked.second = 59
        }
        guard rest.isEmpty, checked.isValid else { return nil }
    }
}

extension ArraySlice<UInt8> {
    /// Removes the first byte if it is one of the given characters.
    fileprivate mutating func take(_ characters: String) -> UInt8? {
        guard let first, characters.utf8.contains(first) else { return nil }
        return removeFirst()
    }

    /// Removes up to three numbers with a separator between them. All but the first have two digits.
    fileprivate mutating func takeNumbers(
        _ counts: ClosedRange<Int>,
        separator: String,
        firstWidth: Int = 2
    ) -> (Int, Int?, Int?)? {
        guard let first = takeNumber(firstWidth) else { return nil }
        guard counts.upperBound > 1, take(separator) != nil else {
            return counts.contains(1) ? (first, nil, nil) : nil
        }
        guard let second = takeNumber(2) else { return nil }
        guard counts.upperBound > 2, take(separator) != nil else {
            return counts.contains(2) ? (first, second, nil) : nil
        }
        return takeNumber(2).map { (first, second, $0) }
    }

    private mutating func takeNumber(_ width: Int) -> Int? {
        var number = 0
        for _ in 0..<width {
            guard let digit = popFirst(), isDigit(digit) else { return nil }
            number = number * 10 + Int(digit & 0x0F)
        }
        return number
    }

    /// Removes a time of day, with or without a fraction of a second.
    fileprivate mutating func takeClock(into time: inout CalendarTime, isFull: Bool) -> Bool {
        guard let clock = takeNumbers(isFull ? 3...3 : 2...3, separator: ":") else { return false }
        (time.hour, time.minute, time.second) = (clock.0, clock.1 ?? 0, clock.2 ?? 0)
        guard clock.2 != nil, take(".") != nil else { return true }
        let digits = prefix(while: isDigit)
        self = self[digits.endIndex...]
        // Java reads up to nine digits, or none.
        guard isFull ? !digits.isEmpty : digits.count <= 9 else { return false }
        time.nanosecond = digits.prefix(9).reduce(0) { $0 * 10 + Int($1 & 0x0F) }
        for _ in digits.count..<Swift.max(9, digits.count) { time.nanosecond *= 10 }
        return true
    }

    /// Removes `Z`, or an offset such as `+01:30`. Unless it must be full, the offset can have only hours, or seconds too.
    fileprivate mutating func takeOffset(isFull: Bool) -> Int? {
        guard let sign = take("Zz+-") else { return nil }
        if sign | 0x20 == UInt8(ascii: "z") { return 0 }
        guard let parts = takeNumbers(isFull ? 2...2 : 1...3, separator: ":"), parts.0 < 24,
            parts.1 ?? 0 < 60, parts.2 ?? 0 < 60
        else { return nil }
        let seconds = parts.0 * 3600 + (parts.1 ?? 0) * 60 + (parts.2 ?? 0)
        // In Java, an offset is at most 18 hours.
        guard isFull || seconds <= 18 * 3600 else { return nil }
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }
}
