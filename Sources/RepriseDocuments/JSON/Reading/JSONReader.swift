// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// Reads one JSON text (RFC 8259) token by token and preserves the spelling of every token.
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
/// For the accepted syntax, see ``JSONScanner``.
public struct JSONReader: Sendable {
    /// The JSON text.
    public let bytes: [UInt8]
    /// All bytes as a slice, whose span is also available before macOS 26 and related systems.
    public let slice: ArraySlice<UInt8>
    private var scanner = JSONScanner()

    /// Creates a reader at the start of `bytes`.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        slice = bytes[...]
    }

    /// The place of the last token that ``next()`` returned. For a key or a string, the place of its opening quote.
    public var tokenPlace: TextPlace { scanner.tokenPlace }

    /// Whether the last token, a key or a string, contains escapes.
    package var tokenHasEscapes: Bool { scanner.tokenHasEscapes }

    /// Returns the next token. After the value, returns ``JSONToken/end`` every time.
    public mutating func next() throws(JSONError) -> JSONToken {
        try Self.next(&scanner, slice)
    }

    /// Skips the next value and returns its range.
    public mutating func skipValue() throws(JSONError) -> Range<Int> {
        try Self.skipValue(&scanner, slice)
    }

    /// Skips the rest of the value that starts with `token`, the last token read, and returns the range of the value.
    @discardableResult
    public mutating func skipRest(of token: JSONToken) throws(JSONError) -> Range<Int> {
        try Self.skipRest(of: token, &scanner, slice)
    }

    /// Returns the text in `range` as written: the digits of a number, or a string with its escapes.
    public func spelling(of range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// Returns the decoded UTF-8 of the string token at `range`.
    ///
    /// - Throws: ``JSONError`` if an escape is a lone surrogate, which has no UTF-8.
    public func utf8(of range: Range<Int>) throws(JSONError) -> [UInt8] {
        guard mayHaveEscapes(range) else { return Array(bytes[range]) }
        var text: [UInt8] = []
        let half = JSONEscapes.append(slice.span.extracting(range), to: &text).map { range.lowerBound + $0 }
        guard let half else { return text }
        throw JSONError(
            offset: half,
            message: "expected a character, found half of a surrogate pair (\(spelling(of: half..<half + 6)))"
        )
    }

    /// Returns the decoded UTF-8 of the string token at `range`, with U+FFFD in place of lone surrogates.
    public func repairedUTF8(of range: Range<Int>) -> [UInt8] {
        guard mayHaveEscapes(range) else { return Array(bytes[range]) }
        return JSONEscapes.decoded(slice.span.extracting(range), replacement: "\u{FFFD}")
    }

    /// Returns the decoded text of the string token at `range`.
    public func string(of range: Range<Int>) throws(JSONError) -> String {
        guard mayHaveEscapes(range) else { return spelling(of: range) }
        return String(decoding: try utf8(of: range), as: UTF8.self)
    }

    /// Returns the decoded text of a string that includes its quotation marks, or `nil` if its escapes are invalid.
    package static func text(of string: ArraySlice<UInt8>) -> String? {
        guard string.contains(UInt8(ascii: "\\")) else {
            return String(decoding: string.dropFirst().dropLast(), as: UTF8.self)
        }
        var reader = JSONReader(Array(string))
        guard case .string(let range)? = try? reader.next() else { return nil }
        return try? reader.string(of: range)
    }

    private func mayHaveEscapes(_ range: Range<Int>) -> Bool {
        // Most calls ask for the last token, which was already checked for escapes.
        if range.lowerBound == scanner.tokenPlace.offset + 1 { return scanner.tokenHasEscapes }
        return bytes[range].contains(UInt8(ascii: "\\"))
    }

    // The bytes are a separate argument because a span of a property would access all of `self`.

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

extension JSONReader {
    /// Whether a text is JSON.
    package enum Validity: Sendable {
        case valid
        /// The text ends too early.
        case cut
        case invalid
    }

    /// Reads a whole text and returns whether it is JSON.
    package static func validity(of bytes: [UInt8]) -> Validity {
        var reader = JSONReader(bytes)
        do throws(JSONError) {
            while try reader.next() != .end {}
            return .valid
        } catch {
            // The error is at the end, or at the start of a word or a character that is cut off.
            return error.offset >= bytes.count - 4 ? .cut : .invalid
        }
    }
}
