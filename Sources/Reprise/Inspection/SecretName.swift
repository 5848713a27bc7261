// SPDX-License-Identifier: Apache-2.0

/// Names of header fields and parameters, by whether their values let someone in.
enum SecretName {
    /// Whether one of the name's words says so, in any case. Words are compared whole, so that `keyword` and `author`
    /// are none; between them stands what is no letter, as in `X-Api-Key`, `auth[token]` and `password1`, or they begin with
    /// a capital letter, as in `userToken` and `APIToken`.
    static func isSecret(_ name: some StringProtocol) -> Bool {
        isSecret(words: name.lowercased())
            || name.contains(where: \.isUppercase)
                && isSecret(words: ParameterStyle.Keys.snakeCase.spelling(of: String(name)))
    }

    private static func isSecret(words text: String) -> Bool {
        let words = text.split { !$0.isLetter }.map(String.init)
        if words.contains(where: secret.contains) { return true }
        if words.contains("token") { return harmlessTokens.isDisjoint(with: words) }
        return words.last == "key" && harmlessKeys.isDisjoint(with: words)
    }

    private static let secret: Set<String> = [
        "authorization", "authentication", "auth", "cookie", "cookies", "secret", "secrets", "clientsecret", "password",
        "passwords", "passwd", "passphrase", "passcode", "passwort", "pswd", "pwd", "otp", "totp", "jwt", "assertion",
        "session", "sessionid", "jsessionid", "phpsessid", "signature", "sig", "apikey", "accesskey", "authkey",
        "secretkey", "subscriptionkey", "accesstoken", "apitoken", "authtoken", "refreshtoken", "idtoken",
        "sessiontoken",
    ]

    /// Tokens against forged requests let nobody in by themselves; others say where a list goes on.
    private static let harmlessTokens: Set<String> = ["csrf", "xsrf", "page", "next", "continuation"]

    /// Keys that tell one request from another: Idempotency-Key, Sec-WebSocket-Key (RFC 6455 section 11.3.1).
    private static let harmlessKeys: Set<String> = ["idempotency", "websocket"]
}
