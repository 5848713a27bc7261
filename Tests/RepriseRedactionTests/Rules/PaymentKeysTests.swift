// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct PaymentKeysTests {
    @Test(arguments: [
        RuleExample("a sq0atp-1fLte7ysAgkwO8Bfv3nwRg b", "a [redacted] b"),
        RuleExample(
            "a A21AADug13FucR9CS37dMo4stqD04GHwGGf2GK4CAQmNUz7BhieCu4ctYxAM8LglaCjUtcKgLWS5de7fsOssBQocBDskSvH b",
            "a [redacted] b"
        ),
        RuleExample("a access_token$sandbox$682494bf1509cd4i$ba3cce844eb855d0ca864de39c166c7f b", "a [redacted] b"),
        RuleExample("a access-sandbox-8b0e7153-bf7c-3706-d85c-524e44006655 b", "a [redacted] b"),
        RuleExample("a FLWSECK_TEST-4LQGb5hXJtgvvNwk27acmFcrEHnc6ovY b", "a [redacted] b"),
        RuleExample("a shippo_live_a7be0136393723ba8d5892c57f09f716c39f180e b", "a [redacted] b"),
        RuleExample("a EZAKjhVf7puxp9NFa1SVaL8uHzwurOn21YLsCjRaLLmo6aKtfopnyQPLns b", "a [redacted] b"),
        RuleExample("access-sandbox-short"),
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
