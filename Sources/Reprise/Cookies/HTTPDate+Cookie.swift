// SPDX-License-Identifier: Apache-2.0

extension HTTPDate {
    /// Creates a date from the Expires attribute of a cookie, such as `Sat, 15-Apr-17 21:01:22`. Returns nil if the
    /// text is not a date.
    ///
    /// Servers write these dates in many forms. Only the parts count, in any order (RFC 6265 section 5.1.1).
    init?(cookie text: String) {
        var parts = CookieDateParts()
        for token in text.utf8.split(whereSeparator: CookieDateParts.isDelimiter) { parts.take(token) }
        guard let time = parts.time, let day = parts.day, let month = parts.month, let digits = parts.year,
            time[0] < 24, time[1] < 60, time[2] < 60
        else { return nil }
        let year = digits < 70 ? digits + 2000 : digits < 100 ? digits + 1900 : digits
        let start = Self.days(year: year, month: month, day: 1)
        let end = Self.days(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
        guard year > 1600, (1...end - start).contains(day) else { return nil }
        self.init(seconds: (start + day - 1) * 86_400 + (time[0] * 60 + time[1]) * 60 + time[2])
    }
}

/// The parts of a cookie's date. The first token that has the form of a part is that part.
private struct CookieDateParts {
    private(set) var time: [Int]?
    private(set) var day: Int?
    private(set) var month: Int?
    private(set) var year: Int?

    static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    mutating func take(_ token: Substring.UTF8View) {
        if time == nil, let found = Self.time(token) {
            time = found
        } else if day == nil, let found = Self.number(token, digits: 1...2) {
            day = found
        } else if month == nil, let found = Self.month(token) {
            month = found
        } else if year == nil, let found = Self.number(token, digits: 2...4) {
            year = found
        }
    }

    /// Returns the hours, minutes, and seconds, which may be out of range.
    private static func time(_ token: Substring.UTF8View) -> [Int]? {
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, let hours = HTTPDate.number(fields[0], digits: 1...2),
            let minutes = HTTPDate.number(fields[1], digits: 1...2), let seconds = number(fields[2], digits: 1...2)
        else { return nil }
        return [hours, minutes, seconds]
    }

    private static func month(_ token: Substring.UTF8View) -> Int? {
        let name = String(Substring(token.prefix(3))).lowercased()
        return HTTPDate.months.firstIndex { $0.lowercased() == name }.map { $0 + 1 }
    }

    /// Returns the number at the start of a token. Other text may follow its digits.
    private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        HTTPDate.number(token.prefix { (0x30...0x39).contains($0) }, digits: digits)
    }
}
