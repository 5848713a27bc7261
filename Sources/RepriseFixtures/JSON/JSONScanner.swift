// SPDX-License-Identifier: Apache-2.0

/// The state of reading one JSON text (RFC 8259) token by token, without the bytes: for bytes that are only borrowed.
///
/// Strict: one value, valid UTF-8, no comments, no trailing commas, no leading zeros, no bare control characters. A
/// byte order mark at the start is skipped, as section 8.1 allows. An escape may name a lone surrogate, as the grammar
/// allows; only decoding it as text fails. Depth is limited, nothing recurses, and no token allocates.
public struct JSONScanner: Sendable {
    /// How many arrays and objects may be open at once.
    public static let maximumDepth = 512

    /// The byte at which the search for the next token starts.
    public private(set) var position = 0
    /// The first byte of the token that ``next(in:)`` returned last; the quote, for a key or a string.
    public private(set) var tokenOffset = 0
    /// How many arrays and objects are open.
    public var depth: Int { containers.count }

    private var state = State.start
    private var containers: [Container] = []

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

    /// A scanner at the start of a text.
    public init() {}

    /// The next token of `bytes`, which must be the same bytes in each call.
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
        tokenOffset = position
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
            guard position == bytes.count else {
                throw unexpected(bytes, "expected nothing after the value")
            }
            return .end
        }
    }

    /// Reads the next value whole, whatever it is, and returns where it stands.
    public mutating func skipValue(in bytes: Span<UInt8>) throws(JSONError) -> Range<Int> {
        let token = try next(in: bytes)
        return try skipRest(of: token, in: bytes)
    }

    /// Reads on to the end of the value that `token`, the last one, began, and returns where the value stands.
    public mutating func skipRest(of token: JSONToken, in bytes: Span<UInt8>) throws(JSONError) -> Range<Int> {
        let start = tokenOffset
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

// MARK: - Structure

extension JSONScanner {
    @inline(__always)
    private mutating func skipWhiteSpace(_ bytes: Span<UInt8>) {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }

    private mutating func value(_ bytes: Span<UInt8>) throws(JSONError) -> JSONToken {
        guard position < bytes.count else { throw unexpected(bytes, "expected a value") }
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
            let range = try number(bytes)
            didReadValue()
            return .number(range)
        case UInt8(ascii: "t"):
            try literal("true", bytes)
            return .true
        case UInt8(ascii: "f"):
            try literal("false", bytes)
            return .false
        case UInt8(ascii: "n"):
            try literal("null", bytes)
            return .null
        default:
            throw unexpected(bytes, "expected a value")
        }
    }

    private mutating func key(_ bytes: Span<UInt8>) throws(JSONError) -> JSONToken {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
            throw unexpected(bytes, state == .key ? "expected a key after ','" : "expected a key or '}'")
        }
        let range = try string(bytes)
        skipWhiteSpace(bytes)
        guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
            throw unexpected(bytes, "expected ':' after the key")
        }
        position += 1
        state = .value
        return .key(range)
    }

    private mutating func open(_ container: Container, _ inner: State) throws(JSONError) {
        guard containers.count < Self.maximumDepth else {
            throw JSONError(
                offset: position,
                message: "expected at most \(Self.maximumDepth) arrays and objects inside each other, found more"
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
            throw unexpected(bytes, "expected ',' or '\(Character(Unicode.Scalar(close)))' after the value")
        }
        tokenOffset = position
        position += 1
        containers.removeLast()
        didReadValue()
        return container == .object ? .endObject : .endArray
    }

    @inline(__always)
    private mutating func didReadValue() {
        state = containers.isEmpty ? .end : .afterValue
    }
}

// MARK: - Scalars

extension JSONScanner {
    private mutating func literal(_ word: StaticString, _ bytes: Span<UInt8>) throws(JSONError) {
        var index = position
        for byte in String(describing: word).utf8 {
            guard index < bytes.count, bytes[index] == byte else {
                throw unexpected(bytes, "expected a value")
            }
            index += 1
        }
        if index < bytes.count, isWordByte(bytes[index]) { throw unexpected(bytes, "expected a value") }
        position = index
        didReadValue()
    }

    /// RFC 8259 section 6.
    private mutating func number(_ bytes: Span<UInt8>) throws(JSONError) -> Range<Int> {
        let start = position
        var index = start
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        if index < bytes.count, bytes[index] == UInt8(ascii: "0") {
            index += 1
            if index < bytes.count, isDigit(bytes[index]) {
                throw JSONError(offset: index - 1, message: "expected a number without leading zeros")
            }
        } else {
            try digits(&index, bytes, "expected a digit after '-'")
        }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            try digits(&index, bytes, "expected a digit after '.'")
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            try digits(&index, bytes, "expected a digit in the exponent")
        }
        position = index
        return start..<index
    }

    @inline(__always)
    private func digits(
        _ index: inout Int,
        _ bytes: Span<UInt8>,
        _ expectation: StaticString
    ) throws(JSONError) {
        guard index < bytes.count, isDigit(bytes[index]) else {
            throw Self.unexpected(bytes, at: index, String(describing: expectation))
        }
        while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    }

    /// RFC 8259 section 7. Returns what is between the quotes.
    private mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> Range<Int> {
        let start = position + 1
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte >= 0x80 {
                let length = UTF8Sequence.length(at: index, in: bytes)
                guard length > 0 else {
                    throw JSONError(offset: index, message: "expected UTF-8, found \(found(bytes, at: index))")
                }
                index += length
            } else if byte == UInt8(ascii: "\"") {
                position = index + 1
                return start..<index
            } else if byte == UInt8(ascii: "\\") {
                try escape(&index, bytes)
            } else if byte < 0x20 {
                throw JSONError(
                    offset: index,
                    message: byte == 0x0A || byte == 0x0D
                        ? "expected '\"' before the end of the line (a line end in a string is written \\n or \\r)"
                        : "expected no control character in a string, found \(found(bytes, at: index)): "
                            + "write it as \\u00\(hexadecimal(byte))"
                )
            } else {
                index += 1
            }
        }
        throw JSONError(offset: index, message: "expected '\"' at the end of the string, found the end of the text")
    }

    private func escape(_ index: inout Int, _ bytes: Span<UInt8>) throws(JSONError) {
        guard index + 1 < bytes.count else {
            throw JSONError(
                offset: bytes.count,
                message: "expected an escape after '\\', found the end of the text"
            )
        }
        switch bytes[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            index += 2
        case UInt8(ascii: "u"):
            for digit in index + 2..<index + 6 where digit >= bytes.count || hexadecimalValue(bytes[digit]) == nil {
                throw Self.unexpected(bytes, at: digit, "expected four hexadecimal digits after \\u")
            }
            index += 6
        default:
            throw Self.unexpected(
                bytes,
                at: index + 1,
                "expected one of \" \\ / b f n r t u after '\\'"
            )
        }
    }

    private func unexpected(_ bytes: Span<UInt8>, _ expectation: String) -> JSONError {
        Self.unexpected(bytes, at: position, expectation)
    }

    private static func unexpected(_ bytes: Span<UInt8>, at offset: Int, _ expectation: String) -> JSONError {
        JSONError(offset: offset, message: "\(expectation), found \(found(bytes, at: offset))")
    }
}
