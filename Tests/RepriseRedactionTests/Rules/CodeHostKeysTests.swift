// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct CodeHostKeysTests {
    @Test(arguments: [
        RuleExample("token ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5.", "token [redacted]."),
        RuleExample("gho_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5", "[redacted]"),
        RuleExample("ghu_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5", "[redacted]"),
        RuleExample("ghs_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5", "[redacted]"),
        RuleExample("ghr_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5", "[redacted]"),
        RuleExample("github_pat_A1b2C3d4E5f6G7h8I9j0K1", "[redacted]"),
        RuleExample("glpat-A1b2C3d4E5f6G7h8I9j0", "[redacted]"),
        RuleExample("gldt-A1b2C3d4E5f6G7h8I9j0", "[redacted]"),
        RuleExample("glrt-A1b2C3d4E5f6G7h8I9j0", "[redacted]"),
        RuleExample("ghp_short"),
        RuleExample("github_pat_short"),
        RuleExample("glpat-short"),
        RuleExample("xghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: SecretPattern.codeHosts) == example.expected)
    }
}
