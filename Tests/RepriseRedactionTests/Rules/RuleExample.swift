// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@testable import RepriseRedaction

/// A text and its redacted form, for the tests of rules.
struct RuleExample: Sendable, CustomTestStringConvertible {
    var text: String
    var expected: String

    /// Creates an example, where `expected` is nil if the rule leaves the text unchanged.
    init(_ text: String, _ expected: String? = nil) {
        self.text = text
        self.expected = expected ?? text
    }

    var testDescription: String { text }

    /// The text as redacted by `rule` alone.
    func redacted(by rule: [SecretPattern]) -> String {
        let rules = RedactionRules(names: SecretNames(), patterns: SecretPatterns(rule))
        return String(
            decoding: TextRedaction(Redaction(rules)).withoutSecrets(Array(text.utf8)) ?? Array(text.utf8),
            as: UTF8.self
        )
    }
}
