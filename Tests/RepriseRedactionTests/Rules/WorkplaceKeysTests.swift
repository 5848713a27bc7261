// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct WorkplaceKeysTests {
    @Test(arguments: [
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
