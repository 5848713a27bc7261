// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct AmazonKeysTests {
    @Test(arguments: [
        RuleExample("id AKIAABCDEFGHIJKLMNOP.", "id [redacted]."),
        RuleExample("ASIAABCDEFGHIJKLMNOP", "[redacted]"),
        RuleExample("ABIAABCDEFGHIJKLMNOP", "[redacted]"),
        RuleExample("ACCAABCDEFGHIJKLMNOP", "[redacted]"),
        RuleExample("AKIAABCDEFGHIJKLMNO"),
        RuleExample("AKIAABCDEFGHIJKLMNOPQ"),
        RuleExample("xAKIAABCDEFGHIJKLMNOP"),
        RuleExample("AKIAabcdefghijklmnop"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: SecretPattern.amazon) == example.expected)
    }
}
