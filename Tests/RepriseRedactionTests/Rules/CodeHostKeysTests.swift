// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct CodeHostKeysTests {
    @Test(arguments: [
        RuleExample("a glptt-su9mI4ROnl89Sm995ytb b", "a [redacted] b"),
        RuleExample("a glcbt-64_xAk7jqevt0MLaMRTvetw b", "a [redacted] b"),
        RuleExample("a gloas-9fa5ff5180bc0dbc0e15637ebb8e3b91d26ab4a829a95249f512c17b8ed411fa b", "a [redacted] b"),
        RuleExample("a GR13489411niUK8iO5YAgkBxjd2As b", "a [redacted] b"),
        RuleExample("a ATBBjD7N2kHD9FSUuErsEz5jhy0I9lO7F3vl b", "a [redacted] b"),
        RuleExample("a ATCTT3xFfGN0fFrGYJ3GxeYYXwSLQcWtxJTQr1FqXSTs98vPlL2aEJXquQrDs0GPRZwwrPwV b", "a [redacted] b"),
        RuleExample("a sgp_db5eba456bf92d5d98065e5751f75143a5f61deb b", "a [redacted] b"),
        RuleExample("a CCIPAT_yQNeLnpT5xawz8r2A3hS1J_b1939a9b4ddbe45cf642b0c3a4acdd7f9fcc589f b", "a [redacted] b"),
        RuleExample("glptt-short"),
        RuleExample("ATBBshort"),
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
