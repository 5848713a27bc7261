// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct PackageRegistryKeysTests {
    @Test(arguments: [
        RuleExample("a dckr_oat_EhVmkk2GpQ1zPgyAP3oPr6anQpLeV7Gx b", "a [redacted] b"),
        RuleExample("a rubygems_d973be1804d1e06635eeff920e60e62a63b257c01d196cc5 b", "a [redacted] b"),
        RuleExample("a cioX9h5ySmniz5CjA9brDHXmSS31RrWf3o6 b", "a [redacted] b"),
        RuleExample("a oy21092mmuqcm8kxg1xjsla8j1ga93uf5jxadx4q2v80kz b", "a [redacted] b"),
        RuleExample("a AKCpBJC0boEsg0GeXIEofQPMugfUuAluw2XXctORXh7H4fWP36ROfcFG4EnCtjBrNCKeRHp4s b", "a [redacted] b"),
        RuleExample("rubygems_short"),
        RuleExample("ciopfs"),
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
