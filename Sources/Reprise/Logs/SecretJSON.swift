// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// Redacts the values of secret properties in JSON.
///
/// It looks only at strings, so it also handles text that was cut off and text that is not quite valid JSON.
struct SecretJSON {
    private let bytes: [UInt8]
    private var position = 0
    private var output: [UInt8] = []

    private static let quote = UInt8(ascii: "\"")

    /// Returns the text with `[redacted]` in place of the values of secret properties, whatever their type.
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
            position = bytes.span.endOfJSONString(from: start)
            let string = bytes[start..<position]
            guard skipColon() else {
                output += Self.isToken(string) ? Array("\"\(RedactionMarker.plain)\"".utf8) : Array(string)
                continue
            }
            output += bytes[start..<position]
            let name = JSONReader.text(of: string)
            guard name.map({ SecretNames.shown.isSecret($0, in: .json) }) ?? true else { continue }
            // Under a name that only hints, an object or array is searched.
            if let name, startsContainer, !SecretNames.shown.hidesContents(of: name, in: .json) { continue }
            let end = bytes.span.endOfJSONValue(from: position)
            let value = bytes[position..<end]
            output += Self.hides(value, of: name) ? Array("\"\(RedactionMarker.plain)\"".utf8) : Array(value)
            position = end
        }
    }

    private var startsContainer: Bool {
        position < bytes.count && (bytes[position] == UInt8(ascii: "{") || bytes[position] == UInt8(ascii: "["))
    }

    /// Skips a colon and the whitespace around it. Returns false if there is no colon.
    private mutating func skipColon() -> Bool {
        let colon = bytes.span.endOfJSONSpace(from: position)
        guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { return false }
        position = bytes.span.endOfJSONSpace(from: colon + 1)
        return true
    }

    /// Whether the value of a secret property is redacted. For some names this depends on the value. It always is if
    /// the name cannot be decoded, or if the value is an object, an array, or a string that was cut off.
    private static func hides(_ value: ArraySlice<UInt8>, of name: String?) -> Bool {
        guard let name, value.first != UInt8(ascii: "{"), value.first != UInt8(ascii: "[") else { return true }
        if value.first == quote {
            let isCut = value.count == 1 || value.last != quote
            let content = value.dropFirst().dropLast(isCut ? 0 : 1)
            return isToken(value) || isCut || SecretNames.shown.hides(content.span, of: name, in: .json)
        }
        return SecretNames.shown.hides(value.span, of: name, in: .json)
    }

    /// Whether a string looks like a JSON Web Token (RFC 7519) or Authorization credentials, whatever its property is
    /// called.
    private static func isToken(_ string: ArraySlice<UInt8>) -> Bool {
        let text = string.dropFirst()
        return ["eyJ", "Bearer ", "Basic "].contains { text.starts(with: $0.utf8) }
    }
}
