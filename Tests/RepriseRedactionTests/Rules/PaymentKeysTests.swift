// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct PaymentKeysTests {
    @Test(arguments: [
        RuleExample("key sk_live_A1b2C3d4E5f6G7h8.", "key [redacted]."),
        RuleExample("sk_test_A1b2C3d4E5f6G7h8", "[redacted]"),
        RuleExample("rk_live_A1b2C3d4E5f6G7h8", "[redacted]"),
        RuleExample("rk_test_A1b2C3d4E5f6G7h8", "[redacted]"),
        RuleExample("whsec_A1b2C3d4E5f6G7h8I9j0==", "[redacted]"),
        RuleExample("sq0csp-A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5", "[redacted]"),
        RuleExample("EAAAEA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5", "[redacted]"),
        RuleExample("sk_live_short"),
        RuleExample("pk_live_A1b2C3d4E5f6G7h8"),
        RuleExample("whsec_short"),
        RuleExample("sq0csp-short"),
        RuleExample("EAAAEshort"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: SecretPattern.payments) == example.expected)
    }
}
