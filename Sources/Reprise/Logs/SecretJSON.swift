// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// JSON without the values of properties that let someone in.
///
/// It goes by the strings alone, so that it understands the beginning of a text that was cut, and what is not quite JSON.
struct SecretJSON {
    private let bytes: [UInt8]
    private var position = 0
    private var output: [UInt8] = []

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// The same text, with `[redacted]` for the values of such properties, whatever they are.
    static func redacted(_ bytes: [UInt8]) -> String {
        var json = SecretJSON(bytes: bytes)
        json.copy()
        return String(decoding: json.output, as: UTF8.self)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func copy() {
        while position < bytes.count {
            guard bytes[position] == Self.quote else {
                output.append(bytes[position])
                position += 1
                continue
            }
            let start = position
            let string = takeString()
            guard skipsColon() else {
                output += Self.isToken(string) ? Array("\"\(RedactionMarker.plain)\"".utf8) : Array(string)
                continue
            }
            output += bytes[start..<position]
            let name = Self.name(string)
            guard name.map({ SecretNames.shown.isSecret($0, in: .json) }) ?? true else { continue }
            let valueStart = position
            skipValue()
            while position > valueStart, Self.isSpace(bytes[position - 1]) { position -= 1 }
            let value = bytes[valueStart..<position]
            output += Self.hides(value, of: name) ? Array("\"\(RedactionMarker.plain)\"".utf8) : Array(value)
        }
    }

    /// Passes a string with its quotes, or what there is of it.
    private mutating func takeString() -> ArraySlice<UInt8> {
        let start = position
        position += 1
        while position < bytes.count, bytes[position] != Self.quote {
            position += bytes[position] == Self.backslash ? 2 : 1
        }
        position = min(position + 1, bytes.count)
        return bytes[start..<position]
    }

    /// Passes a colon, and the space around it.
    private mutating func skipsColon() -> Bool {
        var next = position
        while next < bytes.count, Self.isSpace(bytes[next]) { next += 1 }
        guard next < bytes.count, bytes[next] == UInt8(ascii: ":") else { return false }
        position = next + 1
        skipSpace()
        return true
    }

    /// Passes a value: a string, a number, or an object or an array to its end.
    private mutating func skipValue() {
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case Self.quote: _ = takeString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
                position += 1
                if depth == 0 { return }
                continue
            case UInt8(ascii: ","):
                if depth == 0 { return }
                position += 1
            default: position += 1
            }
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// A property's name; nil if it cannot be read.
    private static func name(_ string: ArraySlice<UInt8>) -> String? {
        guard string.contains(backslash) else { return String(decoding: string, as: UTF8.self) }
        return try? JSONDecoder().decode(String.self, from: Data(string))
    }

    /// Whether a value is hidden: one of a name that cannot be read is, and where the value counts, so is an object, an
    /// array, and a string that was cut.
    private static func hides(_ value: ArraySlice<UInt8>, of name: String?) -> Bool {
        guard let name, value.first != UInt8(ascii: "{"), value.first != UInt8(ascii: "[") else { return true }
        if value.first == quote {
            let isCut = value.count == 1 || value.last != quote
            let content = value.dropFirst().dropLast(isCut ? 0 : 1)
            return isToken(value) || isCut || SecretNames.shown.hides(content.span, of: name, in: .json)
        }
        return SecretNames.shown.hides(value.span, of: name, in: .json)
    }

    /// Whether a string is a JSON Web Token (RFC 7519), or credentials as Authorization has them, whatever it is called.
    private static func isToken(_ string: ArraySlice<UInt8>) -> Bool {
        let text = string.dropFirst()
        return ["eyJ", "Bearer ", "Basic "].contains { text.starts(with: $0.utf8) }
    }
}
