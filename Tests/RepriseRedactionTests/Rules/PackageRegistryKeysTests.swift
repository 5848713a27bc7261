// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct PackageRegistryKeysTests {
    @Test(arguments: [
        RuleExample("token npm_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8.", "token [redacted]."),
        RuleExample("pypi-A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y5", "[redacted]"),
        RuleExample("dckr_pat_A1b2C3d4E5f6G7h8I9j0", "[redacted]"),
        RuleExample("npm_run_build"),
        RuleExample("pypi-package"),
        RuleExample("dckr_pat_short"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: SecretPattern.packageRegistries) == example.expected)
    }
}
