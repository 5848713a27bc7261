// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct ShopifyKeysTests {
    @Test(arguments: [
        RuleExample("a shprt_4653f7e9825e3bf090559c8fa46e630f b", "a [redacted] b"),
        RuleExample("token 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.", "token [redacted]."),
        RuleExample("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", "[redacted]"),
        RuleExample("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", "[redacted]"),
        RuleExample("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", "[redacted]"),
        RuleExample("shpat_0a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5"),
        RuleExample("shpxx_0a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d"),
        RuleExample("shpat_gggggggggggggggggggggggggggggggg"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: SecretPattern.shopify) == example.expected)
    }
}
