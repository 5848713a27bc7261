// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct LanguageModelKeysTests {
    @Test(arguments: [
        RuleExample("a 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 b", "a [redacted] b"),
        RuleExample("a 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 b", "a [redacted] b"),
        RuleExample("a pcsk_OYpSqL44C651lMiKd5VwJhaDcS0NFR3PcbLAhAUHNCNKoI8ShTeURLfceTDt b", "a [redacted] b"),
        RuleExample("a jina_PH5IU1e9PR1rhzWtqDtta4WuHQ5FDyjPn8qu8NnDfjwfOBCNHP b", "a [redacted] b"),
        RuleExample("a fw_zlmi6FkRGC7Kw6bjBrKFGI85 b", "a [redacted] b"),
        RuleExample("a ek_nJpQkAJYq1usNgmqBw24HqFOTPf90hSX b", "a [redacted] b"),
        RuleExample("a api_org_hvgg3Os2WLldXIylOvUXqgA2v4gtesTvA3 b", "a [redacted] b"),
        RuleExample("fw_update"),
        RuleExample("ek_short"),
        RuleExample("key sk-A1b2C3d4E5f6G7h8I9j0.", "key [redacted]."),
        RuleExample("sk-ant-api03-A1b2C3d4E5f6G7h8", "[redacted]"),
        RuleExample("sk-proj-A1b2C3d4E5f6G7h8I9j0", "[redacted]"),
        RuleExample("gsk_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0", "[redacted]"),
        RuleExample("xai-A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0", "[redacted]"),
        RuleExample("pplx-A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0", "[redacted]"),
        RuleExample("r8_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S", "[redacted]"),
        RuleExample("hf_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5", "[redacted]"),
        RuleExample("sk-live-key-with-words-1", "[redacted]"),
        RuleExample("sk-SK"),
        RuleExample("sk-spinner-wave-of-joy"),
        RuleExample("task-sk"),
        RuleExample("gsk_short"),
        RuleExample("hf_short"),
        RuleExample("xsk-A1b2C3d4E5f6G7h8I9j0"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: SecretPattern.languageModels) == example.expected)
    }
}
