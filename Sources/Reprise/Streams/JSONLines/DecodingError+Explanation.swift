// SPDX-License-Identifier: Apache-2.0

extension DecodingError {
    /// What was expected, what was found, and where: the place as a JSON Pointer (RFC 6901), if it is not the whole.
    var explanation: String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            Self.sentence(context.debugDescription, at: context.codingPath)
        case .keyNotFound(let key, let context):
            Self.sentence("No value for the key '\(key.stringValue)'", at: context.codingPath)
        case .dataCorrupted(let context):
            Self.sentence(context.debugDescription, at: context.codingPath, because: context.underlyingError)
        @unknown default: "\(self)"
        }
    }

    private static func sentence(
        _ text: String,
        at path: [any CodingKey],
        because underlying: (any Error)? = nil
    ) -> String {
        var sentence = text.hasSuffix(".") ? String(text.dropLast()) : text
        if !path.isEmpty { sentence += " at \(pointer(path))" }
        if let underlying { sentence += " (\(underlying))" }
        return sentence
    }

    private static func pointer(_ path: [any CodingKey]) -> String {
        path.reduce(into: "") { pointer, key in
            pointer += "/"
            for character in key.intValue.map(String.init) ?? key.stringValue {
                switch character {
                case "~": pointer += "~0"
                case "/": pointer += "~1"
                default: pointer.append(character)
                }
            }
        }
    }
}
