// SPDX-License-Identifier: Apache-2.0

extension SecretNames {
    /// The names whose values are removed from recordings.
    package static let standard: SecretNames = {
        var names = SecretNames()
        for name in likelyEndings { names.add(name, in: .all, Verdict(.likely), isEnding: true) }
        for name in connectionEndings { names.add(name, in: .all, Verdict(.connection), isEnding: true) }
        for name in linkEndings.flatMap({ [$0 + " link", $0 + " uri", $0 + " url"] }) {
            names.add(name, in: [.query, .form, .json], Verdict(.link), isEnding: true)
        }
        for name in likelyFieldEndings {
            names.add(name, in: [.query, .form, .json], Verdict(.likely), isEnding: true)
        }
        for name in codeEndings { names.add(name, in: .all, Verdict(.code), isEnding: true) }
        for name in cardEndings { names.add(name, in: [.query, .form, .json], Verdict(.card), isEnding: true) }
        for name in Self.endings {
            for word in [""] + qualifiers.map({ " " + $0 }) {
                names.add(name + word, in: .all, Verdict(), isEnding: true)
            }
            names.add(name + "s", in: .all, Verdict(), isEnding: true)
        }
        for name in tails { names.add(tail: name) }
        names.add(tail: "pass", in: [.query, .form, .json], Verdict(.sureUnlessDigit), isPartOfWord: true)
        for name in passWords { names.add(name, in: .all, nil, isEnding: true) }
        for name in wholeNames { names.add(name, in: .all, Verdict()) }
        names.add("pass", in: .all, Verdict(.sureUnlessDigit))
        names.add("pass", in: [.query, .form, .json], Verdict(.sureUnlessDigit), isEnding: true)
        names.add("pw", in: .all, Verdict(.sureUnlessDigit), isEnding: true)
        for name in passOwners { names.add(name + " pass", in: .all, Verdict(.sureUnlessDigit), isEnding: true) }
        for name in passKinds { names.add(name + " pass", in: .all, Verdict(.likely), isEnding: true) }
        for name in groupEndings { names.add(name, in: .json, Verdict(.group), isEnding: true) }
        for name in likelyNames { names.add(name, in: .all, Verdict(.likely)) }
        for name in likelyGroups { names.add(name, in: .json, Verdict(.likelyGroup)) }
        for name in likelyGroupEndings { names.add(name, in: .json, Verdict(.likelyGroup), isEnding: true) }
        names.add("mac", in: [.query, .form, .json], Verdict(.long(20)))
        names.add("primary key", in: [.query, .form, .json], Verdict(.long(28)), isEnding: true)
        names.add("primary key", in: .header, nil, isEnding: true)
        for name in headerEndings { names.add(name, in: .header, Verdict(), isEnding: true) }
        for name in headerNames { names.add(name, in: .header, Verdict()) }
        for name in queryNames { names.add(name, in: [.query, .form], Verdict()) }
        for name in likelyQueryNames { names.add(name, in: [.query, .form], Verdict(.likely)) }
        names.add("code", in: [.query, .form], Verdict(.likelyCode))
        names.add("card code", in: [.query, .form, .json], Verdict(.cardCode), isEnding: true)
        names.add("community", in: [.query, .form, .json], Verdict(.long(8)))
        // The header field of this name redirects.
        names.add("refresh", in: [.form, .json], Verdict(.likely))
        // The value can also be a one-time password.
        names.add("token", in: [.query, .form, .json], Verdict(.likelyCode))
        for name in countNames { names.add(name, in: .all, nil) }
        for name in harmlessEndings + recordKeys { names.add(name, in: .all, nil, isEnding: true) }
        return names
    }()

    /// The names whose values are hidden in log lines and curl commands: everything in ``standard``, plus names that
    /// are often secret. Hiding a value unnecessarily is harmless there, but in a recording the value would be
    /// missing.
    package static let shown: SecretNames = {
        var names = SecretNames.standard
        for name in recordKeys + ["key", "primary key"] {
            names.add(name, in: .all, Verdict(.likelyGroup), isEnding: true)
        }
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
        "access key", "access license number", "access token", "account key", "api key", "api token", "app key",
        "application key", "auth key", "auth token", "auth user info", "bearer token", "bot token", "client assertion",
        "client token", "confirmation token",
        "consumer key", "contrasena", "contraseña", "deploy token", "device token", "encryption key",
        "haslo", "hasło",
        "id token", "identity token",
        "invitation token", "invite token", "job token", "jwt assertion", "kennwort", "link token", "login token",
        "lösenord", "master key", "mot de passe", "oauth token", "passcode", "passphrase", "passwd",
        "password",
        "password token",
        "passwort", "passord", "private key", "private token", "psk", "pswd", "pwd", "recovery answer", "refresh token",
        "reset token",
        "secret", "secret key", "secret answer", "secret block", "secret data", "secret token", "secure value",
        "security token", "senha", "server token", "session key", "session token", "shared key", "signing key",
        "snmp community", "community string",
        "subscription key", "user token", "vault token", "verification token", "verify token", "wachtwoord",
    ]

    /// The words that may follow those of ``endings``: `password_confirmation`, `secretValue`, `API_KEY_PROD`. Other
    /// words mean that the value only describes the secret: `secretName`, `passwordHint`.
    static let qualifiers = [
        "again", "base", "binary", "check", "confirm", "confirmation", "current", "dev", "development", "encoded",
        "encrypted", "hash", "live", "new", "old", "plain", "plaintext", "prod", "production", "raw", "repeat",
        "retype", "staging", "string", "test", "text", "v", "val", "value", "verification", "verify",
    ]

    /// The words before a `pass` that is a password, even in header lines: `DB_PASS`.
    static let passOwners = [
        "admin", "auth", "basic", "database", "db", "email", "ftp", "http", "imap", "ldap", "login", "mail", "mongo",
        "mysql", "pg", "postgres", "rabbitmq", "redis", "root", "smtp", "ssh", "user", "wifi",
    ]

    /// The words before a `pass` that is a ticket, a result, or a run of a program: `boarding_pass`, `tests_pass`.
    static let passKinds = [
        "all", "battle", "boarding", "bus", "check", "checks", "city", "compiler", "compute", "day", "depth", "did",
        "does", "event", "fast", "final", "first", "game", "hall", "light", "media", "monthly", "mountain", "multi",
        "museum", "next", "optimization", "park", "parking", "post", "pre", "press", "qa", "quality", "rail", "render",
        "season", "second", "shadow", "should", "single", "ski", "test", "tests", "third", "train", "transit", "travel",
        "visitor", "week", "weekly",
    ]

    /// Words that end in `pass` and are not the name of a password: `bypass`.
    static let passWords = [
        "allpass", "bandpass", "bypass", "compass", "encompass", "highpass", "keepass", "lastpass", "lowpass",
        "multipass", "onepass", "overpass", "prepass", "singlepass", "surpass", "trespass", "twopass", "underpass",
    ]

    /// The endings of header fields of one vendor that contain credentials: `X-ClickHouse-Key`, `X-Acme-Token`.
    static let vendorEndings: Set<[UInt8]> = Set(["auth", "key", "token"].map { Array($0.utf8) })

    /// Letters that are the name of a secret even at the end of a word: `dbpassword`, `PGPASSWORD`.
    static let tails = [
        "accesstoken", "apikey", "authtoken", "clientsecret", "passphrase", "passwd", "password", "secretkey",
    ]

    /// The names that are secret in any field if they are the whole name, or follow an `X-`.
    static let wholeNames = [
        "authorization", "code verifier", "concealed", "cookie", "cookies", "credential", "credentials", "device code",
        "jwt",
        "jwts", "masterauth", "mnemonic", "oauth verifier", "pre shared key", "preshared key", "protected settings",
        "proxy authorization", "recovery phrase", "requirepass", "saml response", "secure json data",
        "secure settings", "secure string", "security answer", "seed phrase", "set cookie", "пароль",
        "密码",
    ]

    /// The names of objects and arrays in JSON that contain secrets among other values, alone or after other words.
    static let groupEndings = [
        "access keys", "access tokens", "api keys", "api tokens", "auth tokens", "cookies", "credential", "credentials",
        "keys base64", "recovery keys", "refresh tokens", "secrets", "unseal keys",
    ]

    /// The names that only hint at a secret, alone or after other words. Their values must look random, see
    /// ``RandomValue``.
    static let likelyEndings = [
        "account sid", "assertion", "auth", "auth code", "authentication", "authorization code",
        "bearer", "cookie", "credential", "credentials", "grant", "hmac", "hmac sha", "invite code", "jwt", "key",
        "key data", "key material", "key pem", "link token", "nonce", "oob code", "passkey", "pat", "proof", "sas",
        "secret id", "seed", "session", "session data", "session id", "sessionid", "session key",
        "session state", "shared access", "sid", "sig", "sign", "signature", "ticket", "token", "token hash",
        "token value", "webhook",
        "webhook url",
    ]

    /// The names of connections to databases, alone or after other words.
    static let connectionEndings = [
        "connect descriptor", "connect string", "connection string", "connection strings", "connection uri",
        "connection url", "data source", "database url", "db url", "dsn", "jdbc url",
    ]

    /// The names of secret links, without the last word `link`, `uri`, or `url`, alone or after other words.
    static let linkEndings = [
        "action", "activate", "activation", "confirm", "confirmation", "hook", "invitation", "invite", "login", "magic",
        "password", "recovery", "reset", "response", "sign in", "signin", "unsubscribe", "verification", "verify",
        "webhook",
    ]

    /// Like ``likelyEndings``, but not for header lines.
    static let likelyFieldEndings = ["challenge", "code", "relay state", "request uri", "saml request", "state"]

    /// The names of codes that are read or typed by people, alone or after other words.
    static let codeEndings = [
        "access code", "activation code", "authentication data", "authenticator code", "backup code", "backup codes",
        "confirmation code", "csc", "cvc", "cvn", "cvv", "fa code", "factor code", "factor token",
        "login code", "mfa code",
        "mfa token",
        "one time code", "otp", "otp code", "otp token", "otps", "pairing code", "passcodes", "pin", "puk",
        "recovery code", "recovery codes", "reset code", "security code", "sms code", "tan", "totp", "unlock code",
        "user code", "verification code", "verification value", "verify code",
    ]

    /// The names of numbers of payment cards, alone or after other words.
    static let cardEndings = ["card no", "card number", "cardnumber", "cc number", "number", "pan"]

    /// Names that hint at a secret only if they are the whole name.
    static let likelyNames = [
        "auth req id", "clientkey", "encrypted value", "plaintext", "samlart", "sess", "sess id", "sessid",
        "sesskey",
        "session info", "srp a", "temp auth", "tempauth", "token", "tokens",
    ]

    /// Names of objects and arrays in JSON whose values only hint at a secret.
    static let likelyGroups = ["auth", "authentication", "creds", "login", "session", "token", "tokens"]

    /// Like ``likelyGroups``, alone or after other words.
    static let likelyGroupEndings = [
        "activation keys", "admin keys", "function keys", "functions keys", "join tokens", "licence keys",
        "license keys", "listen keys", "oauth", "push tokens", "query keys", "read keys", "registration keys",
        "registration tokens", "root tokens", "runner tokens", "service keys", "service tokens", "system keys",
        "webhook keys", "write keys",
    ]

    /// The last words of names that describe a secret: `type`, `createdAt`, `key_id`, `minLength`.
    static let descriptiveWords: Set<[UInt8]> = Set(
        [
            "address", "algorithm", "alg", "arn", "at", "by", "class", "code", "contract", "count", "created", "date",
            "default",
            "description", "detail", "details", "email", "enabled", "enum", "error", "errors", "etag", "example",
            "expires", "expiry", "fingerprint", "format", "help", "hint", "host", "hostname", "href", "id", "ids", "in",
            "kid", "kind", "label", "last", "length", "level", "location", "message", "messages", "mode", "name",
            "names", "namespace", "note", "object", "on", "origin", "owner", "path", "pattern", "placeholder", "port",
            "prefix",
            "provider", "purpose", "reason", "region", "required", "role", "roles", "scheme", "scope", "scopes",
            "status", "symbol", "tag", "tags", "timestamp", "title", "typ", "type", "updated", "url", "use", "user",
            "username",
            "uri", "uuid", "version",
        ].map { Array($0.utf8) }
    )

    /// The names that are secret only in header lines.
    static let headerEndings = ["authorization", "auth header"]
    static let headerNames = [
        "amzn oidc data", "authentication", "aws ec metadata token", "circle token", "figma token", "functions key",
        "gitlab token",
        "once authentication", "plex token", "rapidapi key", "token",
    ]

    /// The names that are secret only in queries and forms. Those of ``likelyQueryNames`` are secret only if the value
    /// looks random. They name the signatures of URLs, invitations, and, commonly, API keys.
    static let queryNames = ["amz credential", "amz signature", "goog credential", "goog signature", "id token hint"]
    static let likelyQueryNames = [
        "appid", "confirmation", "hapikey", "hm", "invitation", "invite", "jsessionid", "phpsessid", "reset", "s",
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

    /// Keys that identify a record or are public, and codes that say what happened. Logs hide their values if they
    /// could be secret.
    static let recordKeys = [
        "cache key", "deduplication key", "dedup key", "distinct key", "evaluated key", "event key", "foreign key",
        "group key", "hash key", "index key", "issue key", "item key", "lookup key", "message key", "object key",
        "parent key", "partition key", "project key", "public key", "publishable key", "range key",
        "row key", "shard key", "site key", "sort key", "start key", "storage key", "translation key",
        "country code", "currency code", "error code", "language code", "postal code", "qr code", "reason code",
        "response code", "source code", "status code", "tracking code", "zip code",
        // Plus codes, which stand for places on a map.
        "compound code", "global code", "plus code",
    ]

    /// The exceptions to the endings. CSRF tokens do not grant access by themselves, other tokens are positions in a
    /// list, and some keys distinguish requests: Idempotency-Key, Sec-WebSocket-Key (RFC 6455 section 11.3.1).
    static let harmlessEndings = [
        "csrf", "csrf prevention token", "csrf token", "xsrf", "xsrf token", "authenticity token", "anti forgery token",
        "antiforgery token",
        "request verification token", "crumb",
        "continuation token", "cursor token", "delta token", "next token", "page token",
        "pagination token",
        "resume token", "continue token", "ms continuation", "sync token",
        "token type", "valid token",
        // Their values are the names of Kubernetes secrets.
        "existing secret", "from secret", "image pull secret", "image pull secrets", "pull secrets",
        "idempotency key", "idempotency token", "websocket key",
        // What identifies a key or stands for it in public.
        "allow credentials", "exclude credentials", "fingerprint", "public key token",
    ]
}
