// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction

@Suite struct SecretParametersTests {
    @Test(arguments: [
        RuleExample("?a=b&access_token=abcdefgh12&c", "?a=b&access_token=[redacted]&c"),
        RuleExample("refresh_token=abcdefgh12", "refresh_token=[redacted]"),
        RuleExample("id_token=abcdefgh12", "id_token=[redacted]"),
        RuleExample("client_secret=abcdefgh12", "client_secret=[redacted]"),
        RuleExample("api_key=abcdefgh12", "api_key=[redacted]"),
        RuleExample("apikey=abcdefgh12", "apikey=[redacted]"),
        RuleExample("X-Amz-Signature=0123abcd", "X-Amz-Signature=[redacted]"),
        RuleExample("X-Amz-Security-Token=abc%2Fdefgh", "X-Amz-Security-Token=[redacted]"),
        RuleExample("X-Goog-Signature=0123abcd", "X-Goog-Signature=[redacted]"),
        RuleExample("'/pay;jsessionid=52B24C62920C23A68C0ED661CFB305CA?x=1'", "'/pay;jsessionid=[redacted]?x=1'"),
        RuleExample("/pay;jsessionid=none"),
        RuleExample("access_token=short"),
        RuleExample("access_token=%5Bredacted%5D"),
        RuleExample("my_access_tokens=abcdefgh12"),
    ])
    func redactsOnlySecrets(_ example: RuleExample) {
        #expect(example.redacted(by: SecretPattern.parameters) == example.expected)
    }
}
