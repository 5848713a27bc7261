// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct MailKeysTests {
    @Test(arguments: [
        RuleExample("a key-d2292513d3ed27d093ab2ec357332cd3 b", "a [redacted] b"),
        RuleExample(
            "a 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 b",
            "a [redacted] b"
        ),
        RuleExample("a re_1LRDv6UH_GuTSNYYakKFPaIYEXD1xcoIa b", "a [redacted] b"),
        RuleExample("key-words-with-hyphens"),
        RuleExample("re_engagement_campaign_2024_of_the_spring"),
        RuleExample("key SG.A1b2C3d4E5f6G7h8.A1b2C3d4E5f6G7h8I9j0", "key [redacted]"),
        RuleExample("SG.short.short"),
        RuleExample("SG.A1b2C3d4E5f6G7h8"),
        RuleExample("MSG.A1b2C3d4E5f6G7h8.A1b2C3d4E5f6G7h8I9j0"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: SecretPattern.mail) == example.expected)
    }
}
