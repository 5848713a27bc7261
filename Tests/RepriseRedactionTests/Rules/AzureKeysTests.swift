// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct AzureKeysTests {
    @Test(arguments: [
        RuleExample(
            "AccountName=a;AccountKey=A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2==;x",
            "AccountName=a;[redacted];x"
        ),
        RuleExample("SharedAccessKey=A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v=", "[redacted]"),
        RuleExample("AccountKey=short"),
        RuleExample("AccountName=A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: SecretPattern.azure) == example.expected)
    }
}
