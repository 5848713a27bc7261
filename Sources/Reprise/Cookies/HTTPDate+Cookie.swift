// SPDX-License-Identifier: Apache-2.0

private import RepriseText

extension HTTPDate {
    /// Creates a date from the Expires attribute of a cookie, such as `Sat, 15-Apr-17 21:01:22`. Returns nil if the
    /// text is not a date.
    ///
    /// Servers write these dates in many forms. The first token that has the form of a part is that part (RFC 6265
    /// section 5.1.1).
    init?(cookie text: String) {
        var tokens = text.utf8.split(whereSeparator: Self.isCookieDelimiter)
        guard let time = tokens.take(Self.cookieTime), let day = tokens.take({ Self.leadingNumber($0, digits: 1...2) }),
            let month = tokens.take(Self.cookieMonth),
            let digits = tokens.take({ Self.leadingNumber($0, digits: 2...4) })
        else { return nil }
        let year = digits < 70 ? digits + 2000 : digits < 100 ? digits + 1900 : digits
        var date = CalendarTime(year: year, month: month, day: day)
        (date.hour, date.minute, date.second) = (time[0], time[1], time[2])
        guard year > 1600, date.isValid else { return nil }
        self.init(seconds: date.seconds)
    }

    private static func isCookieDelimiter(_ byte: UInt8) -> Bool {
        "\t !\"#$%&'()*+,-./;<=>?@[\\]^_`{|}~".utf8.contains(byte)
    }

    /// Returns the hours, minutes, and seconds, which may be out of range.
    private static func cookieTime(_ token: Substring.UTF8View) -> [Int]? {
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        let numbers = fields.dropLast().compactMap { Int(digits: $0, 1...2) }
        guard numbers.count == 2, let seconds = leadingNumber(fields[2], digits: 1...2) else { return nil }
        return numbers + [seconds]
    }

    private static func cookieMonth(_ token: Substring.UTF8View) -> Int? {
        CalendarTime.month(Substring(token.prefix(3)))
    }

    /// Returns the number at the start of a token. Other text may follow its digits.
    private static func leadingNumber(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        Int(digits: token.prefix(while: isDigit), digits)
    }
}

extension [Substring.UTF8View] {
    /// Removes the first token that `read` accepts, and returns its value.
    fileprivate mutating func take<Part>(_ read: (Element) -> Part?) -> Part? {
        guard let index = firstIndex(where: { read($0) != nil }) else { return nil }
        return read(remove(at: index))
    }
}
