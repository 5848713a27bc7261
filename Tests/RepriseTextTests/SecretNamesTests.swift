// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseText

@Suite struct SecretNamesTests {
    @Test(arguments: [
        "password", "Password", "PASSWORD", "userPassword", "user_password", "new-password", "user[password]",
        "password2",
        "secret", "client_secret", "clientSecret", "CLIENT-SECRET", "api_key", "apiKey", "apikey", "APIKey",
        "x-api-key",
        "X-API-KEY", "stripe.api.key", "accessToken", "access_token", "accesstoken", "refresh_token", "id_token",
        "OAuth2Token", "aws_secret_access_key", "privateKey", "authorization", "proxy-authorization", "jwt", "passwd",
        "Ocp-Apim-Subscription-Key", "X-Amz-Security-Token", "_session_token_",
        "passwords", "apiKeys", "client_secrets", "credentials", "password_confirmation", "API_KEY_PROD",
        "passwordHash", "access_token]", "filter[password]", "psk", "wifi_psk", "snmp_community", "preSharedKey",
        "requirepass",
    ])
    func recognizesNamesOfSecrets(name: String) {
        for field in [SecretNames.Fields.header, .query, .form, .json] {
            let verdict = verdict(of: name, in: field)
            #expect(verdict?.kind == .sure || (verdict?.kind == .group && field == .json), "\(field)")
        }
    }

    @Test(arguments: [
        "key", "my_token", "X-Tracker-Token", "hub.signature", "session", "sid", "nonce", "webhookUrl",
        "WEBHOOK_URL", "sas", "signature", "assertion", "stripe-signature", "dsn",
        "SecretId", "client-key-data", "routing_key", "ConnectionString",
    ])
    func namesThatHintDependOnValue(name: String) {
        for field in [SecretNames.Fields.header, .query, .form, .json] {
            #expect(verdict(of: name, in: field)?.isLikely == true, "\(field)")
        }
    }

    @Test(arguments: ["X-ClickHouse-Key", "X-Goog-Hmac-Key", "X-Acme-Token"])
    func headersOfVendorsContainCredentials(name: String) {
        #expect(verdict(of: name, in: .header) == SecretNames.Verdict(.credential))
        #expect(verdict(of: name, in: .json)?.kind == .likely)
    }

    @Test func tokenOfCloudMetadataIsSecret() {
        #expect(verdict(of: "X-aws-ec2-metadata-token", in: .header)?.kind == .sure)
    }

    @Test(arguments: ["dsn", "ConnectionString", "DATABASE_URL", "dataSource"])
    func recognizesNamesOfConnections(name: String) {
        #expect(verdict(of: name, in: .json) == SecretNames.Verdict(.connection))
    }

    @Test(arguments: ["Idempotency-Key", "X-Cache-Key", "X-Idempotency-Key", "Sec-WebSocket-Key"])
    func keysOfRequestsAreHarmless(name: String) {
        #expect(verdict(of: name, in: .header) == nil)
    }

    @Test(arguments: ["state", "code_challenge", "RelayState"])
    func headersDoNotHintAtCodes(name: String) {
        #expect(verdict(of: name, in: .query) == SecretNames.Verdict(.likely))
        #expect(verdict(of: name, in: .header) == nil)
    }

    @Test(arguments: [
        "pin", "tan", "scaAuthenticationData", "otp", "cvv2", "card[cvc]", "mfa_code", "smsCode", "user_code",
        "backupCodes", "twoFactorToken",
    ])
    func recognizesNamesOfCodes(name: String) {
        #expect(verdict(of: name, in: .json) == SecretNames.Verdict(.code))
    }

    /// Each of these names has two meanings: a `primaryKey` is an Azure key or a record's identifier, a `mac` is a message
    /// authentication code or a device's address, and a `community` is an SNMP password or a group of people.
    @Test(arguments: [("primaryKey", 28), ("primary_key", 28), ("mac", 20), ("community", 8)])
    func valueOfNameForKeysAndIdentifiersMustBeLong(name: String, minimum: Int) {
        #expect(verdict(of: name, in: .json) == SecretNames.Verdict(.long(minimum)))
        #expect(verdict(of: name, in: .header) == nil)
    }

    /// Logs and redirects are stricter than recordings.
    @Test(arguments: ["Primary-Key", "X-Primary-Key", "primary_key"])
    func primaryKeyIsHidden(name: String) {
        #expect(SecretNames.shown.isSecret(name, in: .header))
        #expect(SecretNames.shown.hidesContents(of: name, in: .json))
    }

    /// The quick check of the last letters accepts names with letters outside ASCII, and their case is ignored too.
    @Test(arguments: [
        "contraseña", "CONTRASEÑA", "hasło", "HASŁO", "lösenord", "Lösenord", "пароль", "Пароль", "ПАРОЛЬ", "密码",
    ])
    func recognizesNamesInOtherLanguages(name: String) {
        #expect(verdict(of: name, in: .json) == SecretNames.Verdict())
    }

    @Test(arguments: [SecretNames.Fields.query, .form, .json])
    func tokenCanBeCode(field: SecretNames.Fields) {
        #expect(verdict(of: "token", in: field) == SecretNames.Verdict(.likelyCode))
    }

    @Test(arguments: [
        "pass", "smtp_pass", "MYSQL_PASS", "dbPass", "ansible_become_pass", "db_master_pass", "cryptopass", "authpass",
        "pw", "Pw", "$pw", "db_pw",
    ])
    func passIsPasswordUnlessItCounts(name: String) {
        #expect(verdict(of: name, in: .json) == SecretNames.Verdict(.sureUnlessDigit))
    }

    @Test(arguments: [
        "pass_rate", "pass_type", "bypass", "compass", "encompass", "auth_bypass", "passes", "passed", "kpw",
    ])
    func wordsWithPassAreHarmless(name: String) {
        #expect(verdict(of: name, in: .json) == nil)
    }

    @Test(arguments: ["boarding_pass", "tests_pass", "seasonPass"])
    func passCanBeTicketOrResult(name: String) {
        #expect(verdict(of: name, in: .json) == SecretNames.Verdict(.likely))
    }

    @Test(arguments: ["SecretString", "secretBinary"])
    func kindOfValueCanFollowName(name: String) {
        #expect(verdict(of: name, in: .json) == SecretNames.Verdict())
    }

    @Test(arguments: [
        ("482913", true), ("WDJB-MJHT", true), ("3f9a1-77c2b", true), ("G7KQ2M", true), ("x7k2mp", true),
        ("XXXX-XXXX", false), ("left", false), ("gpio4", false), ("not-given", false), ("D13", false), ("USB-C", false),
    ])
    func codesHaveDigitsOrGroups(value: String, isCode: Bool) {
        let utf8 = Array(value.utf8)[...]
        let found = CodeValue.isCode(utf8.span)
        #expect(found == isCode)
    }

    @Test(arguments: ["existingSecret", "imagePullSecrets", "pull_secrets", "from_secret"])
    func namesOfSecretsInClustersAreHarmless(name: String) {
        #expect(verdict(of: name, in: .json) == nil)
    }

    @Test(arguments: ["dbpassword", "PGPASSWORD", "myapikey", "adminpasswd"])
    func recognizesEndOfWord(name: String) {
        #expect(verdict(of: name, in: .json) == SecretNames.Verdict())
    }

    @Test(arguments: [
        "", "_", "id", "name", "max_tokens", "maxTokens", "nextPageToken", "next_page_token", "pageToken", "csrfToken",
        "csrf_token", "_csrf", "xsrf-token", "X-CSRF-Token", "total_tokens", "password_hint", "secretName", "keyboard",
        "secretary", "x-ratelimit-reset-tokens",
        "public_key", "keys", "tokenizer", "Sec-WebSocket-Key", "description", "authorizationUrl", "pwdx",
        "valid_token", "authorizations", "ключ", "pass word count",
        "key_fingerprint", "tracking_code", "resume_token", "continueToken", "PublicKeyToken", "excludeCredentials",
        "Jenkins-Crumb", "_csrf",
    ])
    func ignoresOtherNames(name: String) {
        for field in [SecretNames.Fields.header, .query, .form, .json] {
            #expect(verdict(of: name, in: field) == nil, "\(field)")
        }
    }

    @Test func verdictOnAmbiguousNameDependsOnField() {
        #expect(verdict(of: "token", in: .json) == SecretNames.Verdict(.likelyCode))
        #expect(verdict(of: "tokens", in: .json) == SecretNames.Verdict(.likelyGroup))
        #expect(verdict(of: "token", in: .header) == SecretNames.Verdict())
        #expect(verdict(of: "key", in: .query) == SecretNames.Verdict(isLikely: true))
        #expect(verdict(of: "key", in: .json) == SecretNames.Verdict(.likely))
        #expect(verdict(of: "appid", in: .json) == nil)
        #expect(verdict(of: "X-Amz-Signature", in: .query) == SecretNames.Verdict())
    }

    @Test(arguments: [
        "authorization", "Auth[token]", "subscription-key", "pwd", "jwt", "sessionid", "JSESSIONID", "session_id",
        "x-functions-key", "access token", "X-Amz-Signature", "sig", "user[password]", "password1", "passwords",
        "passphrase", "otp", "client_assertion", "userAPIToken", "IDToken", "apiKEY", "XAPIKey", "apitoken",
        "oauth2Token", "clientSecret2", "X-Custom-Key", "key", "token", "cookies", "mySession", "X-Auth-User",
    ])
    func logsHideOftenSecretNames(name: String) {
        for field in [SecretNames.Fields.header, .query, .form, .json] {
            #expect(SecretNames.shown.isSecret(name, in: field), "\(field)")
        }
    }

    @Test(arguments: [
        "page", "nextPageToken", "next_page_token", "csrf_token", "xsrfToken", "idempotency-key", "keyword", "author",
        "Idempotency-Key", "Sec-WebSocket-Key", "signed", "monkey", "%", "", "max_tokens", "continuationToken", "utf8",
    ])
    func logsShowHarmlessNames(name: String) {
        for field in [SecretNames.Fields.header, .query, .form, .json] {
            #expect(!SecretNames.shown.isSecret(name, in: field), "\(field)")
        }
    }

    @Test(arguments: ["code", "appid", "sort_key", "sortKey", "session_state_key"])
    func ambiguousNameIsDecidedByValue(name: String) {
        #expect(hides("4f5d2c1b9a8e", of: name))
        #expect(hides("DE", of: name) == (name == "session_state_key"))
        #expect(hides("DE", of: "password"))
        #expect(!hides("4f5d2c1b9a8e", of: "page"))
    }

    @Test(arguments: ["code", "error_code", "errorCode", "errorcode", "decline_code", "Status-Code", "error.code"])
    func logsShowCodesOfErrors(name: String) {
        for value in [
            "insufficient_quota", "INVALID_ARGUMENT", "rate_limit_exceeded", "InvalidAuthenticationToken",
            "isv.BUSINESS_LIMIT_CONTROL", "AADSTS700016", "ERR_HTTP2_STREAM_ERROR", "PAYMENT_REQUIRED_402",
            "messaging/registration-token-not-registered", "404", "-32601", "100001",
        ] {
            #expect(!hides(value, of: name), "\(value)")
        }
        for value in ["SplxlOBeZQQYbYS6WxSbIA", "4/0AX4XfWgyVyz-uT0k8l4eFZ9UcRwQ", "4f5d2c1b9a8e"] {
            #expect(hides(value, of: name), "\(value)")
        }
    }

    @Test(arguments: [
        ("apiKey", ["api", "key"]), ("APIKey", ["api", "key"]), ("api_KEY2", ["api", "key"]), ("a", ["a"]),
        ("ABC", ["abc"]),
        ("x5cKey", ["xc", "key"]), ("user[first name]", ["user", "first", "name"]), ("--", []),
    ])
    func splitsNamesIntoWords(name: String, expected: [String]) {
        let utf8 = Array(name.utf8)[...]
        let words = NameWords(utf8.span)
        let ends = words.starts.dropFirst() + [words.letters.count]
        #expect(zip(words.starts, ends).map { String(decoding: words.letters[$0..<$1], as: UTF8.self) } == expected)
    }

    private func hides(_ value: String, of name: String) -> Bool {
        let utf8 = Array(value.utf8)[...]
        return SecretNames.shown.hides(utf8.span, of: name, in: .query)
    }

    private func verdict(of name: String, in field: SecretNames.Fields) -> SecretNames.Verdict? {
        let utf8 = Array(name.utf8)[...]
        return SecretNames.standard.verdict(of: utf8.span, in: field)
    }
}
