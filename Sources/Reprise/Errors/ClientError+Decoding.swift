// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension ClientError {
    /// Creates the error for a response whose content cannot be decoded as `type`.
    init(decoding type: Any.Type, from response: BufferedResponse, _ error: any Error) {
        let what = (error as? DecodingError)?.report ?? "\(error)"
        self.init(
            .decoding,
            "the content cannot be decoded as \(type): \(what); the content begins: \(response.excerpt)",
            response: response,
            underlying: error
        )
    }
}

extension DecodingError {
    /// The location of the failure, what was expected there, and what was found.
    var report: String {
        switch self {
        case .typeMismatch(let type, let context):
            "at \(context.codingPath.text): expected \(type)\(context.found.map { ", found \($0)" } ?? "; \(context.reason)")"
        case .valueNotFound(let type, let context):
            "at \(context.codingPath.text): expected \(type), found null"
        case .keyNotFound(let key, let context):
            "at \(context.codingPath.text): expected the key \(key.stringValue.debugDescription), found none"
        case .dataCorrupted(let context):
            // The description can contain the value, as that of a RawRepresentable type does.
            "at \(context.codingPath.text): \(context.codingPath.mayBeSecret ? "the value is invalid" : context.reason)"
        @unknown default:
            "\(self)"
        }
    }
}

extension DecodingError.Context {
    /// Foundation's description without its final period, because more text follows.
    fileprivate var reason: Substring {
        debugDescription.hasSuffix(".") ? debugDescription.dropLast() : debugDescription[...]
    }

    /// What was found according to Foundation: "a string" in "Expected to decode Int but found a string instead." Nil
    /// if the description has another form.
    fileprivate var found: Substring? {
        reason.wholeMatch(of: /Expected to decode .* but found (?<found>.+) instead/)?.found
    }
}

extension [any CodingKey] {
    fileprivate var mayBeSecret: Bool { contains { SecretNames.shown.isSecret($0.stringValue, in: .json) } }

    /// The path in Swift syntax, such as `users[0].name`.
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
