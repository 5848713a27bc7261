// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds values in a JSON text (RFC 8259) that was read before, so that it is known to be one: bytes as they came say
/// more than a ``JSONValue`` made of them, which has no number beyond 64 bits, and no more digits than a double.
struct JSONText {
    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The bytes of the value at a path; nil if none is found, as in a text that is not UTF-8.
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

    /// Goes to the value that a token names in the one that begins here.
    private mutating func enter(_ token: String) -> Bool {
        skipSpace()
        switch byte {
        case UInt8(ascii: "{"): return enter(member: token)
        case UInt8(ascii: "["): return JSONPointer.index(token).map { enter(element: $0) } ?? false
        default: return false
        }
    }

    /// Goes to the first member of that name: the one that decoders take.
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

    /// Goes behind the value that begins here, however deep it is, and the space after it.
    private mutating func skipValue() {
        position = bytes.span.endOfJSONValue(from: position)
        skipSpace()
    }
}
