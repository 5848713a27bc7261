// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The shape of a text that usually differs in each run, such as an identifier or a timestamp.
///
/// Words, slugs, prices, versions, and counts have none. A wrong result only changes whether a report suggests ignoring
/// a value.
enum VolatileShape: Sendable, Hashable {
    /// A UUID (RFC 9562).
    case uuid
    /// A date, with or without a time (RFC 3339, ISO 8601, RFC 9110 section 5.6.7).
    case date
    /// The time since 1970, in an integer with this many digits.
    case unixTime(digits: Int)
    /// This number of random letters and digits.
    case token(count: Int)

    /// Whether both texts look volatile, and in the same way.
    static func isShared(by text: ArraySlice<UInt8>, and other: ArraySlice<UInt8>) -> Bool {
        switch (VolatileShape(text), VolatileShape(other)) {
        case (.token(let count)?, .token(let otherCount)?): 4 * abs(count - otherCount) <= max(count, otherCount)
        case (let shape?, let other?): shape == other
        default: false
        }
    }

    /// Returns the shape of a text, or `nil` if the text does not look volatile.
    init?(_ text: ArraySlice<UInt8>) {
        // Longer texts are content.
        guard text.count <= 512 else { return nil }
        if UUIDText.isUUID(text.span) {
            self = .uuid
        } else if Self.isDate(text) {
            self = .date
        } else if let digits = Self.unixTimeDigits(text) {
            self = .unixTime(digits: digits)
        } else if let count = Self.tokenCount(text) {
            self = .token(count: count)
        } else {
            return nil
        }
    }

    // MARK: Identifiers and times

    private static func isDate(_ text: ArraySlice<UInt8>) -> Bool {
        var basic = TemplateReader(text)
        if basic.take("99999999T999999Z") { return basic.isAtEnd }
        var http = TemplateReader(text)
        if http.take("aaa, 99 aaa 9999 99:99:99 GMT") { return http.isAtEnd }
        var rest = TemplateReader(text)
        guard rest.take("9999-99-99") else { return false }
        if rest.isAtEnd { return true }
        guard rest.take("T") || rest.take("t") || rest.take(" "), rest.take("99:99") else { return false }
        if rest.take(":99"), rest.take(".9") { rest.skipDigits() }
        if rest.isAtEnd || rest.take("Z") || rest.take("z") { return rest.isAtEnd }
        return (rest.take("+99:99") || rest.take("-99:99") || rest.take("+9999") || rest.take("-9999")) && rest.isAtEnd
    }

    /// Returns the number of digits of a time between 2008 and 2049 in seconds, milliseconds, microseconds, or
    /// nanoseconds. Seconds may have a fraction.
    private static func unixTimeDigits(_ text: ArraySlice<UInt8>) -> Int? {
        let digits = text.prefix(while: isDigit)
        let fraction = text.dropFirst(digits.count)
        var end = TemplateReader(fraction)
        if end.take(".9") { end.skipDigits() }
        guard end.isAtEnd, [10, 13, 16, 19].contains(digits.count) else { return nil }
        let start = String(decoding: digits.prefix(2), as: UTF8.self)
        return ("12"..<"25").contains(start) ? digits.count : nil
    }

    // MARK: Tokens

    /// Returns the number of letters and digits of a random-looking text: at least 8 in hexadecimal, or at least 16 in
    /// another alphabet of Base64, with or without a prefix such as `req_`.
    ///
    /// In random text, letters and digits alternate often. In words, slugs, and names with numbers, they do not.
    private static func tokenCount(_ text: ArraySlice<UInt8>) -> Int? {
        var classes: [CharacterClass] = []
        var isHexadecimal = true
        for byte in text {
            if let next = CharacterClass(byte) {
                classes.append(next)
                isHexadecimal = isHexadecimal && (next == .digit || (byte | 0x20) <= UInt8(ascii: "f"))
            } else {
                guard "-_.~+/=".utf8.contains(byte) else { return nil }
                isHexadecimal = false
            }
        }
        guard classes.count >= (isHexadecimal ? 8 : 16) else { return nil }
        let digits = classes.count { $0 == .digit }
        let changes = zip(classes, classes.dropFirst()).count { $0 != $1 }
        guard 10 * digits >= classes.count, digits < classes.count, 3 * changes >= classes.count - 1 else { return nil }
        return classes.count
    }

    private enum CharacterClass {
        case digit, small, capital

        init?(_ byte: UInt8) {
            if isDigit(byte) {
                self = .digit
            } else if byte &- 0x61 < 26 {
                self = .small
            } else if byte &- 0x41 < 26 {
                self = .capital
            } else {
                return nil
            }
        }
    }
}

/// Reads a text along templates.
private struct TemplateReader {
    private var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) {
        rest = text
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Skips text that fits a template, in which `9` is a digit, `a` a letter, and anything else itself.
    ///
    /// - Returns: Whether the text fits. If it doesn't, nothing is skipped.
    mutating func take(_ template: String) -> Bool {
        guard template.utf8.count <= rest.count, zip(template.utf8, rest).allSatisfy(Self.fits) else { return false }
        rest = rest.dropFirst(template.utf8.count)
        return true
    }

    mutating func skipDigits() {
        rest = rest.drop(while: isDigit)
    }

    private static func fits(_ template: UInt8, _ byte: UInt8) -> Bool {
        switch template {
        case UInt8(ascii: "9"): isDigit(byte)
        case UInt8(ascii: "a"): (byte | 0x20) &- 0x61 < 26
        default: byte == template
        }
    }
}
