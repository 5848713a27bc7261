// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// The ways in which characters are escaped in a text.
enum TextEscapes: Sendable, Hashable {
    /// The text has no escapes.
    case none
    /// `\n`, `\"`, `\u0022`, `\x22`: strings of JSON and of programming languages.
    case backslash
    /// `%22`: URLs. A plus sign stays.
    case percent
    /// `%22`, and a plus sign is a space: forms.
    case form
    /// `&quot;`, `&#34;`, `&#x22;`: XML and HTML.
    case references
    /// Two quotes encode one: CSV and SQL.
    case doubledQuotes

    private struct Escape {
        /// The character that it encodes; `nil` if it encodes none.
        var code: UInt32?
        var end: Int
    }

    /// The byte with which each escape starts.
    private var sign: UInt8? {
        switch self {
        case .none: nil
        case .backslash: UInt8(ascii: "\\")
        case .percent, .form: UInt8(ascii: "%")
        case .references: UInt8(ascii: "&")
        case .doubledQuotes: UInt8(ascii: "\"")
        }
    }

    /// Returns the text in `range` without escapes, or `nil` if it has none.
    func decoded(_ text: Span<UInt8>, _ range: Range<Int>) -> DecodedText? {
        guard let sign, var next = firstEscape(text, range, sign) else { return nil }
        var decoded = DecodedText(capacity: range.count)
        var plain = range.lowerBound
        while next < range.upperBound {
            guard let escape = escape(text, at: next, before: range.upperBound) else {
                next += 1
                while next < range.upperBound, !isSign(text[next], sign) { next += 1 }
                continue
            }
            decoded.append(text, plain..<next)
            if let code = escape.code { decoded.append(code, for: next..<escape.end, isByte: sign == 0x25) }
            plain = escape.end
            next = escape.end
            while next < range.upperBound, !isSign(text[next], sign) { next += 1 }
        }
        decoded.append(text, plain..<range.upperBound)
        return decoded
    }

    private func firstEscape(_ text: Span<UInt8>, _ range: Range<Int>, _ sign: UInt8) -> Int? {
        for index in range where isSign(text[index], sign) {
            if escape(text, at: index, before: range.upperBound) != nil { return index }
        }
        return nil
    }

    @inline(__always)
    private func isSign(_ byte: UInt8, _ sign: UInt8) -> Bool {
        byte == sign || (self == .form && byte == UInt8(ascii: "+"))
    }

    /// Returns the escape at `index`, or `nil` if there is none.
    private func escape(_ text: Span<UInt8>, at index: Int, before end: Int) -> Escape? {
        switch self {
        case .none: return nil
        case .backslash: return Self.backslash(text, at: index, before: end)
        case .form where text[index] == UInt8(ascii: "+"): return Escape(code: 0x20, end: index + 1)
        case .percent, .form:
            guard index + 3 <= end, let byte = PercentEscape.byte(at: index, in: text) else { return nil }
            return Escape(code: UInt32(byte), end: index + 3)
        case .references: return Self.reference(text, at: index, before: end)
        case .doubledQuotes:
            guard index + 1 < end, text[index + 1] == UInt8(ascii: "\"") else { return nil }
            return Escape(code: 0x22, end: index + 2)
        }
    }

    // MARK: Backslashes

    private static func backslash(_ text: Span<UInt8>, at index: Int, before end: Int) -> Escape? {
        guard index + 1 < end else { return nil }
        switch text[index + 1] {
        case UInt8(ascii: "x"):
            let code = hexadecimal(text, index + 2..<index + 4, end)
            return Escape(code: code, end: code == nil ? index + 2 : index + 4)
        case UInt8(ascii: "u") where index + 2 < end && text[index + 2] == UInt8(ascii: "{"):
            var close = index + 3
            while close < end, close < index + 10, text[close] != UInt8(ascii: "}") { close += 1 }
            let code = close < end ? hexadecimal(text, index + 3..<close, end) : nil
            return Escape(code: code, end: code == nil ? index + 2 : close + 1)
        case 0x0A: return Escape(code: nil, end: index + 2)
        default:
            var next = index
            switch JSONEscape(in: text.extracting(0..<end), at: &next) {
            case .byte(let byte): return Escape(code: UInt32(byte), end: next)
            case .scalar(let scalar): return Escape(code: scalar.value, end: next)
            case .surrogate(let unit): return Escape(code: UInt32(unit), end: next)
            case .invalid: return Escape(code: 0x3F, end: index + 2)
            }
        }
    }

    private static func hexadecimal(_ text: Span<UInt8>, _ range: Range<Int>, _ end: Int) -> UInt32? {
        guard range.upperBound <= end, 1...8 ~= range.count else { return nil }
        var code: UInt32 = 0
        for index in range {
            guard let digit = hexadecimalValue(text[index]) else { return nil }
            code = code << 4 | UInt32(digit)
        }
        return code
    }

    // MARK: Character references

    private static let names: [(name: [UInt8], byte: UInt8)] = [
        ("quot", "\""), ("amp", "&"), ("lt", "<"), ("gt", ">"), ("apos", "'"), ("equals", "="), ("colon", ":"),
        ("nbsp", " "), ("lbrace", "{"), ("rbrace", "}"), ("lcub", "{"), ("rcub", "}"), ("commat", "@"),
        ("NewLine", "\n"), ("Tab", "\t"), ("semi", ";"), ("comma", ","),
    ].map { (Array(($0.0 as String).utf8), ($0.1 as Unicode.Scalar).utf8.first ?? 0) }

    private static func reference(_ text: Span<UInt8>, at index: Int, before end: Int) -> Escape? {
        var semicolon = index + 1
        while semicolon < end, semicolon < index + 12, text[semicolon] != UInt8(ascii: ";") { semicolon += 1 }
        guard semicolon < end, text[semicolon] == UInt8(ascii: ";"), semicolon > index + 1 else { return nil }
        if text[index + 1] == UInt8(ascii: "#") { return number(text, index + 2..<semicolon) }
        for (name, byte) in names where name.count == semicolon - index - 1 && text.has(name, at: index + 1) {
            return Escape(code: UInt32(byte), end: semicolon + 1)
        }
        return nil
    }

    private static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Escape? {
        guard let first = range.first else { return nil }
        if text[first] | 0x20 == UInt8(ascii: "x") {
            guard let code = hexadecimal(text, first + 1..<range.upperBound, range.upperBound) else { return nil }
            return Escape(code: code, end: range.upperBound + 1)
        }
        guard range.count <= 7 else { return nil }
        var code: UInt32 = 0
        for index in range {
            guard isDigit(text[index]) else { return nil }
            code = code * 10 + UInt32(text[index] - 0x30)
        }
        return Escape(code: code, end: range.upperBound + 1)
    }
}
