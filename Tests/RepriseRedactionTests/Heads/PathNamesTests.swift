// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction
@testable import RepriseText

@Suite struct PathNamesTests {
    private static let random = "x7Rk2mT9vLpW4nB8sD1qZxa7"

    private func redacted(_ body: String, at url: String, isRequest: Bool = false) throws -> String {
        let path = PathNames(url).names(inRequest: isRequest)
        return try BodyRedactions.redact(body, type: "application/json", at: path).text
    }

    @Test(arguments: ["https://x.example/secrets/db/1?v=7", "/v1/secrets/db/versions/3:access", "/secret/a"])
    func valueOfSecretIsSecret(url: String) throws {
        #expect(try redacted(#"{"value":"maple","name":"db"}"#, at: url) == #"{"value":"[redacted]","name":"db"}"#)
        let data = #"{"data":"\#(Self.random)"}"#
        #expect(try redacted(data, at: url) == #"{"data":"[redacted]"}"#)
    }

    @Test(arguments: ["/tunnels/1/token", "/users/me/accessTokens?page=2"])
    func valueOfTokenIsSecretIfItLooksRandom(url: String) throws {
        let text = #"{"result":"\#(Self.random)","value":"maple"}"#
        #expect(try redacted(text, at: url) == #"{"result":"[redacted]","value":"maple"}"#)
    }

    @Test func bodyOfTokenIsSecretIfItLooksRandom() throws {
        for (body, expected) in [("\(Self.random)\n", "[redacted]\n"), ("\"\(Self.random)\"", "\"[redacted]\"")] {
            #expect(try redacted(body, at: "/api/token") == expected)
            #expect(try redacted(expected, at: "/api/token") == expected)
            #expect(try redacted(body, at: "/api/version") == body)
        }
        let markup = "<string xmlns='a'>\(Self.random)</string>"
        #expect(try redacted(markup, at: "/Service.asmx/GetToken") == "<string xmlns='a'>[redacted]</string>")
        #expect(try redacted("grant=x&page=\(Self.random)", at: "/token") == "grant=x&page=\(Self.random)")
        #expect(try redacted("not ready yet, 42 in line", at: "/api/token") == "not ready yet, 42 in line")
    }

    @Test(arguments: ["/items/token-bucket", "/items/secretary", "/secretaries", "/"])
    func otherPathsSayNothing(url: String) throws {
        let text = #"{"result":"\#(Self.random)","value":"maple"}"#
        #expect(try redacted(text, at: url) == text)
    }

    @Test func publicKeyStays() throws {
        let text = #"{"key_id":"1","key":"\#(Self.random)"}"#
        #expect(try redacted(text, at: "/repos/a/b/actions/secrets/public-key") == text)
        #expect(try redacted(text, at: "/repos/a/b/keys") == #"{"key_id":"1","key":"[redacted]"}"#)
    }

    private static let signInPaths = [
        "/v1/accounts:signInWithPhoneNumber", "/api/signIn", "/sign-in", "/users/log_in", "/confirm", "/api/v2/confirm",
        "/sms/check", "/auth/phone", "/account/activate", "/users/confirmSignUp", "/auth/email", "/phone/validate",
        "/api/2fa",
    ]
    private static let otherPaths = [
        "/currencies", "/promo", "/countries/confirm", "/orders/42/confirm", "/promo/check",
        "/users/7/coupons/activate", "/health/check", "/auth/callback", "/catalog/in", "/design/inputs", "/activities",
        "/users", "/checkout/confirm",
    ]

    @Test(arguments: signInPaths.map { ($0, true) } + otherPaths.map { ($0, false) })
    func codeIsSecretOnlyInRequestThatSignsIn(url: String, isSecret: Bool) throws {
        let text = #"{"code":"482913"}"#
        #expect(try redacted(text, at: url, isRequest: true) == (isSecret ? #"{"code":"[redacted]"}"# : text))
        #expect(try redacted(text, at: url) == text)
    }

    @Test func codeThatIsSentToVerificationIsSecret() throws {
        let text = #"{"code":"4821","id":7}"#
        #expect(try redacted(text, at: "/v1/verify", isRequest: true) == #"{"code":"[redacted]","id":7}"#)
        #expect(try redacted(text, at: "/v1/verify") == text)
        #expect(try redacted(text, at: "/v1/orders", isRequest: true) == text)
    }

    @Test(arguments: [
        "https://vault-secrets.example/v1/items", "http://secrets:8200/v1/items", "/v1/messages/count_tokens",
        "/models/a:countTokens",
    ])
    func hostsAndCountsSayNothing(url: String) throws {
        let text = #"{"value":"maple","data":"\#(Self.random)"}"#
        #expect(try redacted(text, at: url) == text)
    }

    @Test(arguments: ["https://login.example/orders", "/fa/checkout"])
    func codeOfAnotherPathStays(url: String) throws {
        let text = #"{"code":"4821"}"#
        #expect(try redacted(text, at: url, isRequest: true) == text)
        #expect(try redacted(text, at: "/users/2fa", isRequest: true) == #"{"code":"[redacted]"}"#)
    }

    @Test func listOfSecretsKeepsItsIdentifiers() throws {
        let text = #"{"value":[{"id":"https://v.example/secrets/db","attributes":{"enabled":true}}]}"#
        #expect(try redacted(text, at: "/secrets") == text)
    }

    @Test func ownRuleForSameNameIsKept() throws {
        let rules = try Redaction([.name("data", in: .json)]).rules.rules(at: .token)
        let name = Array("data".utf8)
        #expect(rules.names.verdict(of: name.span, in: .json)?.kind == .sure)
    }

    @Test func rulesOfUsersTakePrecedence() throws {
        let rules = try Redaction([.allowName("value")]).rules.rules(at: .secret)
        let name = Array("value".utf8)[...]
        let isAllowed = rules.names.allows(name.span, in: .json)
        #expect(isAllowed)
    }
}
