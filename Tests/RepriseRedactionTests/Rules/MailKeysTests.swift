// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct MailKeysTests {
    @Test(arguments: [
        RuleExample("key SG.A1b2C3d4E5f6G7h8.A1b2C3d4E5f6G7h8I9j0", "key [redacted]"),
        RuleExample("SG.short.short"),
        RuleExample("SG.A1b2C3d4E5f6G7h8"),
        RuleExample("MSG.A1b2C3d4E5f6G7h8.A1b2C3d4E5f6G7h8I9j0"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: SecretPattern.mail) == example.expected)
    }
}
