// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct WebTokensTests {
    @Test(arguments: [
        RuleExample("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "[redacted]"),
        RuleExample("Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "Bearer [redacted]"),
        RuleExample("eyJhbGciOiJkaXIifQ..aXYxMjM0NTY3.Y2lwaGVy.dGFn", "[redacted]"),
        RuleExample("eyJhbGciOiJIUzI1NiJ9"),
        RuleExample("eyJhbGciOi.."),
        RuleExample("eyJhbGciOiJIUzI1NiJ9..."),
        RuleExample("eyJ.a.b"),
        RuleExample("-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: SecretPattern.webTokens) == example.expected)
    }
}
