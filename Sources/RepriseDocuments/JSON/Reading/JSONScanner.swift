// SPDX-License-Identifier: Apache-2.0

public import RepriseText

/// Reads one JSON text (RFC 8259) token by token. The scanner does not store the text, which the caller passes to each
/// call and only has to borrow.
///
/// The scanner is strict. It requires valid UTF-8 and a single value, or several if it reads a sequence. It rejects
/// comments, trailing commas, leading zeros, and bare control characters. A byte order mark at the start is skipped, as
/// section 8.1 allows. An escape may be a lone surrogate, as the grammar allows; only decoding it as text fails. The
/// nesting depth is limited, and reading neither recurses nor allocates memory for tokens.
public struct JSONScanner: Sendable {
    /// The maximum number of open arrays and objects.
    public static let maximumDepth = 512

    /// The index at which the search for the next token starts.
    public private(set) var position = 0
    /// The place of the last token that ``next(in:)`` returned. For a key or a string, the place of its opening
    /// quote.
    public private(set) var tokenPlace = TextPlace(offset: 0, line: 1, lineStart: 0)
    /// The number of open arrays and objects.
    public var depth: Int { containers.count }

    /// Whether the last token, a key or a string, contains escapes.
    private(set) var tokenHasEscapes = false

    private var line = 1
    private var lineStart = 0
    private var state = State.start
    private var containers: [Container] = []
    private let isSequence: Bool

    private enum Container { case object, array }

    private enum State {
        case start
        case value
        case valueOrEnd
        case key
        case keyOrEnd
        case afterValue
        case end
    }

    /// Creates a scanner at the start of a text.
    ///
    /// - Parameter isSequence: Whether the text can consist of several JSON texts, such as the changes that a watch of
    ///   the Kubernetes API sends. The default is `false`.
    public init(isSequence: Bool = false) {
        self.isSequence = isSequence
    }

    /// Returns the next token of `bytes`, which must be the same bytes in each call.
    public mutating func next(in bytes: Span<UInt8>) throws(JSONError) -> JSONToken {
        if state == .start {
            if bytes.startsWithByteOrderMark { position = 3 }
            state = .value
        }
        skipWhiteSpace(bytes)
        if state == .afterValue {
            if position < bytes.count, bytes[position] == UInt8(ascii: ",") {
                position += 1
                state = containers.last == .object ? .key : .value
                skipWhiteSpace(bytes)
            } else {
                return try endOfContainer(bytes)
            }
        }
        tokenPlace = TextPlace(offset: position, line: line, lineStart: lineStart)
        switch state {
        case .value, .start, .afterValue:
            return try value(bytes)
        case .valueOrEnd:
            if position < bytes.count, bytes[position] == UInt8(ascii: "]") { return try endOfContainer(bytes) }
            return try value(bytes)
        case .keyOrEnd:
            if position < bytes.count, bytes[position] == UInt8(ascii: "}") { return try endOfContainer(bytes) }
            return try key(bytes)
        case .key:
            return try key(bytes)
        case .end:
            guard position < bytes.count else { return .end }
            if isSequence { return try value(bytes) }
            throw JSONError(at: position, in: bytes, "expected nothing after the value")
        }
    }

    /// Skips the next value and returns its range.
    public mutating func skipValue(in bytes: Span<UInt8>) throws(JSONError) -> Range<Int> {
        let token = try next(in: bytes)
        return try skipRest(of: token, in: bytes)
    }

    /// Skips the rest of the value that starts with `token`, the last token read, and returns the range of the value.
    public mutating func skipRest(of token: JSONToken, in bytes: Span<UInt8>) throws(JSONError) -> Range<Int> {
        let start = tokenPlace.offset
        switch token {
        case .beginObject, .beginArray:
            let outer = depth - 1
            while depth > outer { _ = try next(in: bytes) }
        default:
            break
        }
        return start..<position
    }
}

extension JSONScanner {
    @inline(__always)
    private mutating func skipWhiteSpace(_ bytes: Span<UInt8>) {
        var index = position
        while index < bytes.count {
            let byte = bytes[index]
            if byte > 0x20 { break }
            index &+= 1
            if byte == 0x0A || byte == 0x0D {
                // In a CRLF, the LF ends the line. A valid text has no other line endings.
                if byte == 0x0D, index < bytes.count, bytes[index] == 0x0A { index &+= 1 }
                line &+= 1
                lineStart = index
                // Skips indentation eight spaces at a time.
                while index &+ 8 <= bytes.count, bytes.word(at: index) == 0x2020_2020_2020_2020 { index &+= 8 }
            } else if byte != 0x20, byte != 0x09 {
                index &-= 1
                break
            }
        }
        position = index
    }

    private mutating func value(_ bytes: Span<UInt8>) throws(JSONError) -> JSONToken {
        guard position < bytes.count else { throw JSONError(at: position, in: bytes, "expected a value") }
        switch bytes[position] {
        case UInt8(ascii: "\""):
            let range = try string(bytes)
            didReadValue()
            return .string(range)
        case UInt8(ascii: "{"):
            try open(.object, .keyOrEnd)
            return .beginObject
        case UInt8(ascii: "["):
            try open(.array, .valueOrEnd)
            return .beginArray
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let start = position
            position = try JSONScalar.endOfNumber(at: start, in: bytes)
            didReadValue()
            return .number(start..<position)
        case UInt8(ascii: "t"):
            position = try JSONScalar.endOfWord("true", at: position, in: bytes)
            didReadValue()
            return .true
        case UInt8(ascii: "f"):
            position = try JSONScalar.endOfWord("false", at: position, in: bytes)
            didReadValue()
            return .false
        case UInt8(ascii: "n"):
            position = try JSONScalar.endOfWord("null", at: position, in: bytes)
            didReadValue()
            return .null
        default:
            throw JSONError(at: position, in: bytes, "expected a value")
        }
    }

    private mutating func key(_ bytes: Span<UInt8>) throws(JSONError) -> JSONToken {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
            throw JSONError(
                at: position,
                in: bytes,
                state == .key ? "expected a key after ','" : "expected a key or '}'"
            )
        }
        let range = try string(bytes)
        skipWhiteSpace(bytes)
        guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
            throw JSONError(at: position, in: bytes, "expected ':' after the key")
        }
        position += 1
        state = .value
        return .key(range)
    }

    private mutating func open(_ container: Container, _ inner: State) throws(JSONError) {
        guard containers.count < Self.maximumDepth else {
            throw JSONError(
                offset: position,
                message: "expected arrays and objects nested at most \(Self.maximumDepth) deep, found more"
            )
        }
        containers.append(container)
        position += 1
        state = inner
    }

    private mutating func endOfContainer(_ bytes: Span<UInt8>) throws(JSONError) -> JSONToken {
        let container = containers.last ?? .array
        let close = container == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")
        guard position < bytes.count, bytes[position] == close else {
            throw JSONError(
                at: position,
                in: bytes,
                "expected ',' or '\(Character(Unicode.Scalar(close)))' after the value"
            )
        }
        tokenPlace = TextPlace(offset: position, line: line, lineStart: lineStart)
        position += 1
        containers.removeLast()
        didReadValue()
        return container == .object ? .endObject : .endArray
    }

    @inline(__always)
    private mutating func didReadValue() {
        state = containers.isEmpty ? .end : .afterValue
    }

    /// Returns the range between the quotes.
    @inline(__always)
    private mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> Range<Int> {
        let start = position + 1
        tokenHasEscapes = false
        let end = try JSONScalar.endOfString(at: start, in: bytes, hasEscapes: &tokenHasEscapes)
        position = end + 1
        return start..<end
    }
}
