// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct GoogleKeysTests {
    @Test(arguments: [
        RuleExample("key AIzaA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r.", "key [redacted]."),
        RuleExample("ya29.A1b2C3d4E5f6G7h8I9j0", "[redacted]"),
        RuleExample("1//0A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5", "[redacted]"),
        RuleExample("GOCSPX-A1b2C3d4E5f6G7h8I9j0", "[redacted]"),
        RuleExample("AIzaShort"),
        RuleExample("ya29.short"),
        RuleExample("1//0short"),
        RuleExample("GOCSPX-short"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: SecretPattern.google) == example.expected)
    }
}
