// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// Finds values in a JSON text (RFC 8259) that has already been parsed and is known to be valid.
///
/// The original bytes keep details that ``JSONValue`` loses: integers beyond 64 bits, and digits beyond the precision
/// of a double.
struct JSONText {
    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the bytes of the value at a path, or nil if there is no such value or the text is not UTF-8.
    static func value(at path: JSONPointer, in bytes: [UInt8]) -> [UInt8]? {
        var text = JSONText(bytes)
        for token in path.tokens {
            guard text.enter(token) else { return nil }
        }
        text.skipSpace()
        let end = bytes.span.endOfJSONValue(from: text.position)
        return text.position < end ? Array(bytes[text.position..<end]) : nil
    }

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Moves to the value that a token names in the object or array that begins here.
    private mutating func enter(_ token: String) -> Bool {
        skipSpace()
        switch byte {
        case UInt8(ascii: "{"): return enter(member: token)
        case UInt8(ascii: "["): return JSONPointer.index(token).map { enter(element: $0) } ?? false
        default: return false
        }
    }

    /// Moves to the first member with the given name, which is the one that decoders use.
    private mutating func enter(member name: String) -> Bool {
        repeat {
            position += 1
            skipSpace()
            let start = position
            guard byte == UInt8(ascii: "\"") else { return false }
            position = bytes.span.endOfJSONString(from: start)
            let isFound = JSONReader.text(of: bytes[start..<position]) == name
            skipSpace()
            guard byte == UInt8(ascii: ":") else { return false }
            position += 1
            if isFound { return true }
            skipSpace()
            skipValue()
        } while byte == UInt8(ascii: ",")
        return false
    }

    private mutating func enter(element index: Int) -> Bool {
        position += 1
        skipSpace()
        if byte == UInt8(ascii: "]") { return false }
        for _ in 0..<index {
            skipSpace()
            skipValue()
            guard byte == UInt8(ascii: ",") else { return false }
            position += 1
        }
        return true
    }

    private mutating func skipSpace() {
        position = bytes.span.endOfJSONSpace(from: position)
    }

    /// Moves past the value that begins here, however deeply nested it is, and past the whitespace after it.
    private mutating func skipValue() {
        position = bytes.span.endOfJSONValue(from: position)
        skipSpace()
    }
}
