// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

/// Private keys are redacted without any rule.
@Suite struct PrivateKeyTests {
    @Test(arguments: [
        RuleExample("a\n-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\nb", "a\n[redacted]\nb"),
        RuleExample("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nMIIB", "[redacted]"),
        RuleExample("-----BEGIN PGP PRIVATE KEY BLOCK-----\nlQOY\n-----END PGP PRIVATE KEY BLOCK-----.", "[redacted]."),
        RuleExample(
            #"{"k":"-----BEGIN EC PRIVATE KEY-----\nMHc\n-----END EC PRIVATE KEY-----\n"}"#,
            #"{"k":"[redacted]\n"}"#
        ),
        RuleExample("-----BEGIN+PRIVATE+KEY-----%0AMIIB%0A-----END+PRIVATE+KEY-----%0A", "[redacted]%0A"),
        RuleExample("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"),
        RuleExample("-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: []) == example.expected)
    }
}
