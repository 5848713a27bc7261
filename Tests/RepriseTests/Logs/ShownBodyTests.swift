// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct ShownBodyTests {
    private func shown(_ text: String, _ type: String? = "application/json") -> String {
        Body(text).shown(type: type)
    }

    @Test(arguments: [
        (#"{"a": 1, "token": "x"}"#, #"{"a": 1, "token": "[redacted]"}"#),
        (#"{"password" : {"old": "x", "new": ["y", 3]}, "b":2}"#, #"{"password" : "[redacted]", "b":2}"#),
        (#"{"pin": "x", "apiKey": 5}"#, #"{"pin": "x", "apiKey": "[redacted]"}"#),
        (#"{"access_token]": "x"}"#, #"{"access_token]": "[redacted]"}"#),
        (#"{"secret":"a\"b,}","n":null}"#, #"{"secret":"[redacted]","n":null}"#),
        (#"{"p\u0061ssword": "x"}"#, #"{"p\u0061ssword": "[redacted]"}"#),
        (#"["token", "x", {"max_tokens": 5, "nextPageToken": "y"}]"#, nil),
        (#"{"value": "eyJhbGciOiJIUzI1NiJ9.e30.x"}"#, #"{"value": "[redacted]"}"#),
        (#"["Bearer x", "Basic y"]"#, #"["[redacted]", "[redacted]"]"#),
        // Truncated texts.
        (#"{"token": "x"#, #"{"token": "[redacted]""#),
        (#"{"token": ["x", {"y""#, #"{"token": "[redacted]""#), (#"{"tok"#, nil), (#"{"token""#, nil),
        (#"{"token":"#, #"{"token":"[redacted]""#), ("\"\\", nil), ("", nil),
    ])
    func redactsSecretsInJSON(text: String, expected: String?) {
        #expect(shown(text) == expected ?? text)
        #expect(shown(text, "application/problem+json; charset=utf-8") == expected ?? text)
    }

    @Test(arguments: [
        "password1", "passwords", "passphrase", "passcode", "otp", "client_assertion", "APIToken", "userAPIToken",
        "IDToken",
        "apiKEY", "XAPIKey", "apitoken", "oauth2Token", "clientSecret2",
    ])
    func redactsValuesOfSecretNames(name: String) {
        #expect(shown(#"{"\#(name)": "x"}"#) == #"{"\#(name)": "[redacted]"}"#)
    }

    @Test(arguments: [
        "keyword", "author", "passage", "max_tokens", "nextPageToken", "csrfToken", "monkey", "optionA", "utf8",
    ])
    func showsValuesOfHarmlessNames(name: String) {
        #expect(shown(#"{"\#(name)": "x"}"#) == #"{"\#(name)": "x"}"#)
    }

    @Test(arguments: [
        (#"{"sort_key": "name" , "sortKey": 5}"#, nil),
        (#"{"sort_key": "4f5d2c1b9a8e" }"#, #"{"sort_key": "[redacted]" }"#),
        (#"{"sort_key": ["a"]}"#, #"{"sort_key": "[redacted]"}"#),
        (#"{"sort_key": "4f5d"#, #"{"sort_key": "[redacted]""#),
    ])
    func redactsAmbiguousNamesByValue(text: String, expected: String?) {
        #expect(shown(text) == expected ?? text)
    }

    @Test func redactsSecretsInTruncatedJSON() {
        let text =
            #"{"user": {"password": "hunter2hunter2", "auth": ["hunter2hunter2", {"k": "hunter2hunter2"}]}, "z": 1}"#
        for count in 0...text.utf8.count {
            let cut = String(decoding: Array(text.utf8.prefix(count)), as: UTF8.self)
            #expect(!shown(cut).contains("hunter"))
        }
    }

    @Test func redactsSecretsInForms() {
        let shown = shown("name=a&client_secret=x&userToken=y", "application/x-www-form-urlencoded")
        #expect(shown.hasPrefix("name=a&client_secret="))
        #expect(!shown.contains("=x"))
        #expect(!shown.contains("=y"))
    }

    @Test(arguments: ["text/plain", "image/png", "text/html; charset=utf-8"])
    func hidesContentOfUnsupportedTypes(type: String) {
        #expect(shown("abc", type) == "(3 bytes of \(type))")
        #expect(shown("abc", nil) == "(3 bytes of no type)")
    }

    @Test func doesNotReadStreams() {
        let source = ScriptedSource([])
        #expect(Body(source).shown(type: "application/json") == "(a stream of application/json)")
        #expect(Body(source, length: 7).shown(type: nil) == "(7 bytes of no type)")
        #expect(source.asked == 0)
    }

    @Test func survivesRandomBytes() {
        var random = SeededGenerator(seed: 1)
        let alphabet = Array(#"{}[]",:\tokenpassword 12"#.utf8) + [0xFF, 0x0A]
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            }
            _ = SecretJSON.redacted(bytes)
        }
    }
}
