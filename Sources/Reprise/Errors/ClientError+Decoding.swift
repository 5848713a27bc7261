// SPDX-License-Identifier: Apache-2.0

extension ClientError {
    /// The content of `response` is no `type`.
    init(decoding type: Any.Type, from response: BufferedResponse, _ error: any Error) {
        let what = (error as? DecodingError)?.report ?? "\(error)"
        self.init(
            .decoding,
            "expected \(type), found otherwise: \(what). The content begins: \(response.excerpt)",
            response: response,
            underlying: error
        )
    }
}

extension DecodingError {
    /// Where it went wrong, what was expected there and what was found.
    var report: String {
        switch self {
        case .typeMismatch(let type, let context):
            "at \(context.codingPath.text): expected \(type); \(context.debugDescription)"
        case .valueNotFound(let type, let context):
            "at \(context.codingPath.text): expected \(type), found null; \(context.debugDescription)"
        case .keyNotFound(let key, let context):
            "at \(context.codingPath.text): expected the key \(key.stringValue.debugDescription), found none"
        case .dataCorrupted(let context):
            "at \(context.codingPath.text): \(context.debugDescription)"
        @unknown default:
            "\(self)"
        }
    }
}

extension [any CodingKey] {
    /// As one would write it: `users[0].name`.
    var text: String {
        guard !isEmpty else { return "the top level" }
        return reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
