// SPDX-License-Identifier: Apache-2.0

/// Reads one JSON text (RFC 8259) token by token, keeping every token as it is spelled.
///
/// ```swift
/// var reader = JSONReader(Array(#"{"n": 1.0}"#.utf8))
/// while true {
///     switch try reader.next() {
///     case .number(let range): print(reader.spelling(of: range))   // 1.0
///     case .end: return
///     default: continue
///     }
/// }
/// ```
///
/// What it accepts is told at ``JSONScanner``.
public struct JSONReader: Sendable {
    /// The text.
    public let bytes: [UInt8]
    /// All of them: a slice gives a span where an array does not yet, before macOS 26 and its kin.
    public let slice: ArraySlice<UInt8>
    private var scanner = JSONScanner()

    /// A reader at the start of `bytes`.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        slice = bytes[...]
    }

    /// The place of the token that ``next()`` returned last; of the quote, for a key or a string.
    public var tokenPlace: JSONPlace { scanner.tokenPlace }

    /// Whether that token, a key or a string, holds escapes.
    package var tokenHasEscapes: Bool { scanner.tokenHasEscapes }

    /// How many arrays and objects are open.
    public var depth: Int { scanner.depth }

    /// The next token; after the value, ``JSONToken/end`` each time.
    public mutating func next() throws(JSONError) -> JSONToken {
        try Self.next(&scanner, slice)
    }

    /// Reads the next value whole, whatever it is, and returns where it stands.
    public mutating func skipValue() throws(JSONError) -> Range<Int> {
        try Self.skipValue(&scanner, slice)
    }

    /// Reads on to the end of the value that `token`, the last one, began, and returns where the value stands.
    @discardableResult
    public mutating func skipRest(of token: JSONToken) throws(JSONError) -> Range<Int> {
        try Self.skipRest(of: token, &scanner, slice)
    }

    /// What the bytes in `range` are, as they are written: the digits of a number, a string with its escapes.
    public func spelling(of range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The UTF-8 that the string token at `range` stands for.
    ///
    /// - Throws: An error where an escape names a lone surrogate, which no text can hold.
    public func utf8(of range: Range<Int>) throws(JSONError) -> [UInt8] {
        guard mayHaveEscapes(range) else { return Array(bytes[range]) }
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        try appendUTF8(of: range, to: &text)
        return text
    }

    /// The UTF-8 that the string token at `range` stands for, with U+FFFD where an escape names a lone surrogate.
    public func repairedUTF8(of range: Range<Int>) -> [UInt8] {
        guard mayHaveEscapes(range) else { return Array(bytes[range]) }
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        // Repairing leaves nothing to throw.
        try? appendUTF8(of: range, to: &text, repairing: true)
        return text
    }

    /// Appends the UTF-8 that the string token at `range` stands for.
    ///
    /// - Parameter repairing: Whether an escape that names a lone surrogate stands for U+FFFD, and is no error.
    public func appendUTF8(
        of range: Range<Int>,
        to text: inout [UInt8],
        repairing: Bool = false
    ) throws(JSONError) {
        var index = range.lowerBound
        while let backslash = bytes[index..<range.upperBound].firstIndex(of: UInt8(ascii: "\\")) {
            text.append(contentsOf: bytes[index..<backslash])
            index = backslash
            try appendEscape(at: &index, before: range.upperBound, to: &text, repairing: repairing)
        }
        text.append(contentsOf: bytes[index..<range.upperBound])
    }

    /// The text that the string token at `range` stands for.
    public func string(of range: Range<Int>) throws(JSONError) -> String {
        guard mayHaveEscapes(range) else { return spelling(of: range) }
        return String(decoding: try utf8(of: range), as: UTF8.self)
    }

    /// What a string stands for, which is written with its quotation marks; `nil` if its escapes cannot be read.
    package static func text(of string: ArraySlice<UInt8>) -> String? {
        guard string.contains(UInt8(ascii: "\\")) else {
            return String(decoding: string.dropFirst().dropLast(), as: UTF8.self)
        }
        var reader = JSONReader(Array(string))
        guard case .string(let range)? = try? reader.next() else { return nil }
        return try? reader.string(of: range)
    }

    private func mayHaveEscapes(_ range: Range<Int>) -> Bool {
        // The last token is asked for most, and its string has been looked at already.
        if range.lowerBound == scanner.tokenPlace.offset + 1 { return scanner.tokenHasEscapes }
        return bytes[range].contains(UInt8(ascii: "\\"))
    }

    private func appendEscape(
        at index: inout Int,
        before end: Int,
        to text: inout [UInt8],
        repairing: Bool
    ) throws(JSONError) {
        let letter = bytes[index + 1]
        if letter == UInt8(ascii: "u") {
            let start = index
            guard let scalar = scalar(at: &index, before: end) ?? (repairing ? "\u{FFFD}" : nil) else {
                throw JSONError(
                    offset: start,
                    message: "expected a character, found half of a surrogate pair "
                        + "(\(spelling(of: start..<start + 6)))"
                )
            }
            text.append(contentsOf: String(scalar).utf8)
            return
        }
        index += 2
        switch letter {
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        default: text.append(letter)
        }
    }

    /// The character that the escape at `index`, or the pair of escapes, stands for; `nil` for a lone surrogate.
    private func scalar(at index: inout Int, before end: Int) -> Unicode.Scalar? {
        let unit = codeUnit(at: index)
        index += 6
        if unit & 0xFC00 == 0xD800, index + 6 <= end, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u"), case let low = codeUnit(at: index), low & 0xFC00 == 0xDC00
        {
            index += 6
            return Unicode.Scalar(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF)))
        }
        return Unicode.Scalar(unit)
    }

    /// The number in `\uXXXX` at `index`; the scanner has seen that the digits are there.
    private func codeUnit(at index: Int) -> UInt16 {
        bytes[index + 2..<index + 6].reduce(0) { $0 << 4 | UInt16(hexadecimalValue($1) ?? 0) }
    }

    // The bytes are passed beside the scanner because a span of one property would be an access to all of `self`.

    private static func next(_ scanner: inout JSONScanner, _ bytes: ArraySlice<UInt8>) throws(JSONError) -> JSONToken {
        try scanner.next(in: bytes.span)
    }

    private static func skipValue(_ scanner: inout JSONScanner, _ bytes: ArraySlice<UInt8>) throws(JSONError) -> Range<
        Int
    > {
        try scanner.skipValue(in: bytes.span)
    }

    private static func skipRest(
        of token: JSONToken,
        _ scanner: inout JSONScanner,
        _ bytes: ArraySlice<UInt8>
    ) throws(JSONError) -> Range<Int> {
        try scanner.skipRest(of: token, in: bytes.span)
    }
}
