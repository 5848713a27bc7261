// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseCassettes
@testable import RepriseRedaction
@testable import RepriseText

@Suite struct RedactionRuleTests {
    @Test func fieldsEqualThoseOfSecretNames() {
        let pairs: [(SecretNames.Fields, Redaction.Fields)] = [
            (.header, .header), (.query, .query), (.form, .form), (.json, .json), (.all, .all),
        ]
        for (field, ruleField) in pairs { #expect(field.rawValue == ruleField.rawValue) }
    }

    @Test(arguments: [
        (
            Redaction.Rule.name("ssn"), #"{"userSSN":"1","password":"2"}"#,
            #"{"userSSN":"[redacted]","password":"[redacted]"}"#
        ),
        (.name("ssn", in: .query), #"{"ssn":"1"}"#, #"{"ssn":"1"}"#),
        (
            .name("customer number", in: .json, as: "c"), #"{"customerNumber":"1"}"#,
            #"{"customerNumber":"[redacted:c]"}"#
        ),
        (.name("password", as: "p"), #"{"password":"1"}"#, #"{"password":"[redacted:p]"}"#),
        (.name("pw"), #"{"pw":"1","new_pw":"2","pwx":"3"}"#, #"{"pw":"[redacted]","new_pw":"[redacted]","pwx":"3"}"#),
        (
            .allowName("session token"), #"{"session_token":"1","access_token":"2"}"#,
            #"{"session_token":"1","access_token":"[redacted]"}"#
        ),
        (.path("a.b"), #"{"a":{"b":"1","c":"2"},"b":"3"}"#, #"{"a":{"b":"[redacted]","c":"2"},"b":"3"}"#),
        (
            .path("$.a[*].b", as: "x"), #"{"a":[{"b":"1"},{"b":"2","c":{"b":"3"}}]}"#,
            #"{"a":[{"b":"[redacted:x]"},{"b":"[redacted:x]","c":{"b":"3"}}]}"#
        ),
        (.path("a[1]"), #"{"a":["0","1","2"],"b":["0","1"]}"#, #"{"a":["0","[redacted]","2"],"b":["0","1"]}"#),
        (.path("[*]"), #"["a",1,["b"],"c"]"#, #"["[redacted]",1,["b"],"[redacted]"]"#),
        (
            .path("*.b"), #"{"x":{"b":"1"},"b":"2","y":{"\u0062":"3","b":4}}"#,
            #"{"x":{"b":"[redacted]"},"b":"2","y":{"\u0062":"[redacted]","b":4}}"#
        ),
        (
            .pattern(#"acme_[a-z0-9]{4}"#, as: "acme"), #"{"a":"acme_ab12","b":"acme_ab123 xacme_ab12"}"#,
            #"{"a":"[redacted:acme]","b":"acme_ab123 xacme_ab12"}"#
        ),
        (
            .text("tok-alice", as: "alice"), #"{"a":"tok-alice","b":"tok-alicex","password":"tok-alice"}"#,
            #"{"a":"[redacted:alice]","b":"tok-alicex","password":"[redacted:alice]"}"#
        ),
        (
            .allowText("AKIAIOSFODNN7EXAMPLE"),
            #"["AKIAIOSFODNN7EXAMPLE","AKIAIOSFODNN7EXAMPLF","sk-abcdEFGH1234ijkl"]"#,
            #"["AKIAIOSFODNN7EXAMPLE","[redacted]","[redacted]"]"#
        ),
        (
            .allowText("sk-abcdEFGH1234ijkl"), #"["sk-abcdEFGH1234ijkl","sk-abcdEFGH1234ijklm"]"#,
            #"["sk-abcdEFGH1234ijkl","[redacted]"]"#
        ),
    ])
    func redactsBodiesByCustomRules(rule: Redaction.Rule, body: String, expected: String) throws {
        let redaction = try Redaction([rule])
        let bytes = Array(body.utf8)
        for places in BodyRedactions.splits(bytes.count) {
            let pieces = BodyRedactions.pieces(bytes, cutAt: places)
            let output = try BodyRedactions.redact(pieces, headers: ["Content-Type: application/json"], by: redaction)
            #expect(output.text == expected, "cut at \(places)")
        }
        #expect(try BodyRedactions.redact(expected, type: "application/json", by: redaction).text == expected)
    }

    @Test func usesNamedMarkersInHeadersAndURLs() throws {
        let redaction = try Redaction([
            .text("alice-token", as: "alice"), .text("bob-token", as: "bob"),
            .name("ssn", in: [.header, .query], as: "ssn"),
        ])
        let lines = [
            "Authorization: Bearer alice-token", "Authorization: Bearer bob-token", "Cookie: a=x-bob-token", "X-SSN: 1",
        ]
        let redacted = redaction.redacted(lines.compactMap { HeaderLine($0) })
        #expect(redacted.map(\.value) == ["[redacted:alice]", "[redacted:bob]", "a=[redacted:bob]", "[redacted:ssn]"])
        let request = RecordedRequest(
            method: "GET",
            url: "https://u:alice-token@x/bob-token?ssn=1&api_key=alice-token&a=b"
        )
        let url = "https://u:%5Bredacted%3Aalice%5D@x/[redacted:bob]?ssn=[redacted:ssn]&api_key=[redacted:alice]&a=b"
        #expect(redaction.redacted(request).url == url)
    }

    @Test(arguments: [
        Redaction.Rule.name("-"), .name("a", as: "a b"), .path(""), .path("a..b"), .path("a["), .path("a[x]"),
        .path("a."),
        .path("a[0]b"), .pattern("ab"), .pattern("[ab]bcd"), .pattern("abc("), .pattern("abc[z-a]"), .pattern("abc{0}"),
        .pattern("abc[]"), .pattern("abc\\"), .pattern("abc\\s"), .pattern("abc[a-z]{2000}"), .text("ab"),
        .allowText(String(repeating: "x", count: 5000)),
    ])
    func rejectsInvalidRules(rule: Redaction.Rule) {
        let error = #expect(throws: Redaction.RuleError.self) { try Redaction([rule]) }
        #expect(error?.description.hasPrefix("expected") == true)
    }

    @Test(arguments: [
        ("abc", "abc", 3), ("abc", "abd", nil), (#"abc\d"#, "abc1", 4), (#"a\.c\w{2,3}"#, "a.c_Zx", 6),
        ("abc[x-z-]+", "abcx-y", 6),
        (#"abc[\]a]*"#, "abc]a]", 6), (#"abc[\w.]{3}"#, "abca._", 6), ("abcd?e", "abce", 4), ("abcd?e", "abcd", nil),
        (#"abc[a-c]{2}"#, "abcabc", nil), (#"abc[a-c]{2}"#, "abcab-", 5),
    ])
    func parsesAndMatchesPatterns(spelling: String, text: String, end: Int?) throws {
        let pattern = try SecretPattern(spelling)
        let bytes = Array(text.utf8)[...]
        let outcome = pattern.outcome(in: bytes.span, at: 0, before: bytes.count, isLast: true)
        #expect(outcome == end.map { .secret($0) } ?? .none)
    }
}
