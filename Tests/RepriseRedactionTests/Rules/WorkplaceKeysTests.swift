// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct WorkplaceKeysTests {
    @Test(arguments: [
        RuleExample("a secret_hZc1We1BC6l8hWbvYXBIQHOW3vTokFGF2Q5JudX9Lua b", "a [redacted] b"),
        RuleExample("a lin_oauth_f16688977e2ff7ad86bd0a347a97b793f8381433e947aa51ddc038c230a9e44b b", "a [redacted] b"),
        RuleExample(
            "a pat9J3trfBB9HaDEt.f3927d337c6fb64003cd0ea7af867ff82829d1e1517d46b72d57ef4e5bf3e92e b",
            "a [redacted] b"
        ),
        RuleExample(
            "a ATATT3xFfGF0uQ7x1M7UpeGrQPx6tRHcVwxwYk2oyHAxMrAA18oMlWT76bv4cgXm6VBWHN4EQUhBmxozhKcy8u8owkAvr1YtFuko4575cWDuofOFw9tftjMvGSFWRkEm8zCYr7PN5LbYZTMmgAWkGbTRKvSqXb2b3QJw8BRR46hSHoQWlSLPusS4nNzTkiM1 b",
            "a [redacted] b"
        ),
        RuleExample("a CFPAT-EsNzVDuTquvcsQzEMJXPpqYeZgfLgMAPNg2xiF4AcEM b", "a [redacted] b"),
        RuleExample("a LTAIxuWQKqh29HYVOJmL8KTh b", "a [redacted] b"),
        RuleExample("a pat-na1-8b0e7153-bf7c-3706-d85c-524e44006655 b", "a [redacted] b"),
        RuleExample("a phx_Fi5UewsiO0MVoWdyhiCWen6QCSerVagLHYnLMQoLU5B b", "a [redacted] b"),
        RuleExample("path/to/file.html"),
        RuleExample("pattern.0123456789abcdef"),
        RuleExample("secret_name"),
        RuleExample("sl.short"),
        RuleExample("phc_GLFthoiJFMx6PM2FbPiO3AOriRcyWcAkwLRDPEFA0ou"),
        RuleExample("key PMAK-0a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0c1d2e3f4a.", "key [redacted]."),
        RuleExample("lin_api_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6", "[redacted]"),
        RuleExample("figd_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5", "[redacted]"),
        RuleExample("ntn_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5", "[redacted]"),
        RuleExample("PMAK-short"),
        RuleExample("lin_api_short"),
        RuleExample("figd_short"),
        RuleExample("ntn_short"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: SecretPattern.workplace) == example.expected)
    }
}
