// SPDX-License-Identifier: Apache-2.0

extension SecretNames {
    /// The names whose values are removed from recordings.
    package static let standard: SecretNames = {
        var names = SecretNames()
        for name in Self.endings {
            for word in [""] + qualifiers.map({ " " + $0 }) {
                names.add(name + word, in: .all, Verdict(), isEnding: true)
            }
            names.add(name + "s", in: .all, Verdict(), isEnding: true)
        }
        for name in wholeNames { names.add(name, in: .all, Verdict()) }
        for name in likelyNames { names.add(name, in: .all, Verdict(isLikely: true)) }
        for name in headerNames { names.add(name, in: .header, Verdict()) }
        for name in likelyHeaderNames { names.add(name, in: .header, Verdict(isLikely: true)) }
        for name in queryNames { names.add(name, in: [.query, .form], Verdict()) }
        for name in likelyQueryNames { names.add(name, in: [.query, .form], Verdict(isLikely: true)) }
        for name in countNames { names.add(name, in: .all, nil) }
        return names
    }()

    /// The names whose values are hidden in log lines and curl commands: everything in ``standard``, plus names that
    /// are often secret. Hiding a value unnecessarily is harmless there, but in a recording the value would be
    /// missing.
    package static let shown: SecretNames = {
        var names = SecretNames.standard
        names.add("key", in: .all, Verdict(isLikely: true), isEnding: true)
        names.add("key", in: .all, Verdict())
        for name in shownEndings { names.add(name, in: .all, Verdict(), isEnding: true) }
        for name in harmlessEndings { names.add(name, in: .all, nil, isEnding: true) }
        names.words = Set(shownWords.map { Array($0.utf8) })
        return names
    }()

    /// The names that are secret in any field, alone or after other words: `password`, `userPassword`, `X-Api-Key`.
    ///
    /// Their plurals are secret too: `passwords`, `apiKeys`. Names that are not listed are kept, such as counts,
    /// pages, and CSRF fields: `max_tokens`, `nextPageToken`, `csrfToken`.
    static let endings = [
        "access key", "access token", "account key", "api key", "api token", "app key", "application key", "auth key",
        "auth token", "bearer token", "bot token", "client assertion", "client token", "confirmation token",
        "consumer key", "deploy token", "device token", "encryption key", "id token", "identity token",
        "invitation token", "invite token", "job token", "jwt assertion", "link token", "login token", "master key",
        "oauth token", "passcode", "passphrase", "passwd", "password", "password token", "passwort", "private key",
        "private token", "pswd", "pwd", "refresh token", "reset token", "secret", "secret key", "secret token",
        "security token", "server token", "session key", "session token", "shared key", "signing key", "ssh key",
        "subscription key", "user token", "vault token", "verification token",
    ]

    /// The words that may follow those of ``endings``: `password_confirmation`, `secretValue`, `API_KEY_PROD`. Other
    /// words mean that the value only describes the secret: `secretName`, `passwordHint`.
    static let qualifiers = [
        "again", "base", "check", "confirm", "confirmation", "current", "dev", "development", "encoded", "encrypted",
        "hash", "live", "new", "old", "plain", "plaintext", "prod", "production", "raw", "repeat", "retype", "staging",
        "test", "text", "v", "val", "value", "verification", "verify",
    ]

    /// The names that are secret in any field if they are the whole name, or follow an `X-`.
    static let wholeNames = [
        "authorization", "code verifier", "connection string", "cookie", "cookies", "credential", "credentials",
        "device code", "jwt", "jwts", "otp", "pass", "proxy authorization", "set cookie", "totp", "user pass",
    ]

    /// Like ``wholeNames``, but only for values that could be a secret, with at least twelve visible characters. For
    /// example, a `token` in the output of a language model is just a piece of text.
    static let likelyNames = [
        "auth", "auth code", "authorization code", "bearer", "mfa code", "pw", "session id", "sid", "token", "tokens",
    ]

    /// The names that are secret only in header lines. Those of ``likelyHeaderNames`` are secret only if the value
    /// could be a secret.
    static let headerNames = [
        "amzn oidc data", "authentication", "circle token", "figma token", "functions key", "gitlab token",
        "plex token", "rapidapi key", "token",
    ]
    static let likelyHeaderNames = ["assertion", "jsessionid", "phpsessid", "session", "sig", "signature"]

    /// The names that are secret only in queries and forms. Those of ``likelyQueryNames`` are secret only if the value
    /// could be a secret. All of them name the signature of a URL or, commonly, an API key.
    static let queryNames = ["amz credential", "amz signature", "goog credential", "goog signature"]
    static let likelyQueryNames = [
        "appid", "assertion", "authentication", "code", "hapikey", "hmac", "jsessionid", "key", "oauth signature",
        "phpsessid", "session", "sig", "signature",
    ]

    /// The additional names of ``shown``, alone or after other words. `key` is listed only as a whole name; after
    /// other words it may be a sort key.
    static let shownEndings = [
        "assertion", "auth", "authentication", "authorization", "cookie", "functions key", "jsessionid", "jwt", "otp",
        "phpsessid", "session", "session id", "sig", "signature", "token", "totp", "xapi key",
    ]

    /// The words for which ``shown`` hides a value wherever they occur in a name. The client also uses ``shown`` to
    /// decide which header fields must not be sent to another origin, such as `X-Auth-User`.
    static let shownWords = [
        "assertion", "auth", "authentication", "authorization", "cookie", "cookies", "jwt", "otp", "passcode",
        "passphrase", "passwd", "password", "passwords", "passwort", "pswd", "pwd", "secret", "secrets", "session",
        "sig", "signature", "totp",
    ]

    /// Names that end like secrets and count the tokens of a language model: `x-ratelimit-reset-tokens: 6ms`.
    static let countNames = ["ratelimit reset token", "ratelimit reset tokens"]

    /// The exceptions to the endings. CSRF tokens do not grant access by themselves, other tokens are positions in a
    /// list, and some keys distinguish requests: Idempotency-Key, Sec-WebSocket-Key (RFC 6455 section 11.3.1).
    static let harmlessEndings = [
        "continuation token", "csrf token", "idempotency key", "next token", "page token", "websocket key",
        "xsrf token",
    ]
}
