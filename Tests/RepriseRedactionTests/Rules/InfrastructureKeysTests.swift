// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct InfrastructureKeysTests {
    @Test(arguments: [
        RuleExample("token dop_v1_0a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b.", "token [redacted]."),
        RuleExample("hvs.A1b2C3d4E5f6G7h8I9j0", "[redacted]"),
        RuleExample("AGE-SECRET-KEY-1ABCDEFGH1234567890IJKLMNOPQRSTUVWXYZ1234567890ABCD", "[redacted]"),
        RuleExample("dop_v1_gggggggggggggggggggggggggggggggggggggggg"),
        RuleExample("hvs.short"),
        RuleExample("AGE-SECRET-KEY-1SHORT"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: SecretPattern.infrastructure) == example.expected)
    }
}
