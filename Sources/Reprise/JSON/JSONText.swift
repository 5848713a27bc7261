// SPDX-License-Identifier: Apache-2.0

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
        let start = text.position
        text.skipValue()
        return start < text.position ? Array(bytes[start..<text.position]) : nil
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
            skipText()
            let isFound = Self.name(bytes[start..<position]) == name
            skipSpace()
            guard byte == UInt8(ascii: ":") else { return false }
            position += 1
            if isFound { return true }
            skipSpace()
            skipValue()
            skipSpace()
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
            skipSpace()
            guard byte == UInt8(ascii: ",") else { return false }
            position += 1
        }
        return true
    }

    private mutating func skipSpace() {
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Goes behind the value that begins here, however deep it is.
    private mutating func skipValue() {
        var depth = 0
        while let byte {
            switch byte {
            case UInt8(ascii: "\""): skipText()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
                position += 1
            case UInt8(ascii: ","), 0x20, 0x0A, 0x0D, 0x09:
                if depth == 0 { return }
                position += 1
            default:
                position += 1
                // A number or a word goes on to what cannot be in it.
                continue
            }
            if depth == 0 { return }
        }
    }

    /// Goes behind the closing quotation mark.
    private mutating func skipText() {
        position += 1
        while let byte, byte != UInt8(ascii: "\"") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
        position = min(position + 1, bytes.count)
    }

    /// A name as it is meant.
    private static func name(_ quoted: ArraySlice<UInt8>) -> String? {
        guard quoted.contains(UInt8(ascii: "\\")) else {
            return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        }
        return (try? JSONValue(parsing: Array(quoted)))?.string
    }
}
