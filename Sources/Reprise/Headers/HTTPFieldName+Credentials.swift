// SPDX-License-Identifier: Apache-2.0

extension HTTPField.Name {
    /// Whether the values of such a field let someone in: Authorization and Cookie (RFC 9110 section 11.6, RFC 6265),
    /// and what APIs made up beside them, such as X-Api-Key and X-Auth-Token.
    ///
    /// The name's words are compared whole, so that Idempotency-Key and Content-MD5 are none. Tokens against forged
    /// requests (X-CSRF-Token) let nobody in by themselves.
    var isCredential: Bool {
        let words = canonicalName.split(separator: "-")
        if words.contains(where: {
            ["authorization", "cookie", "cookie2", "apikey", "secret", "password"].contains($0)
        }) {
            return true
        }
        if words.contains("token") { return !words.contains("csrf") && !words.contains("xsrf") }
        return zip(words, words.dropFirst()).contains { [["api", "key"], ["access", "key"]].contains([$0, $1]) }
    }
}
