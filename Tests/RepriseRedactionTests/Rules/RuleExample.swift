// SPDX-License-Identifier: Apache-2.0

import RepriseText
import Testing

@testable import RepriseRedaction

/// A text and what a rule leaves of it, for the tests of rules.
struct RuleExample: Sendable, CustomTestStringConvertible {
    var text: String
    var expected: String

    /// A text that the rule changes; nil for `expected` where it does not.
    init(_ text: String, _ expected: String? = nil) {
        self.text = text
        self.expected = expected ?? text
    }

    var testDescription: String { text }

    /// What `rule` alone leaves of the text.
    func redacted(by rule: [SecretPattern]) -> String {
        let rules = RedactionRules(names: SecretNames(), patterns: SecretPatterns(rule))
        return String(
            decoding: TextRedaction(rules: rules).withoutSecrets(Array(text.utf8)) ?? Array(text.utf8),
            as: UTF8.self
        )
    }
}
