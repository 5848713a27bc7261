// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseRedaction
@testable import RepriseText

@Suite struct BodyRedactorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var type: String
        var body: String
        var expected: String

        init(_ type: String, _ body: String, _ expected: String) {
            self.type = type
            self.body = body
            self.expected = expected
        }

        var testDescription: String { "\(type) \(body)" }
    }

    static let token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
    static let key = "sk-abcdEFGH1234ijklMNOP"
    static let pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIB+/=\nabcd\n-----END RSA PRIVATE KEY-----"

    static let json: [Case] = [
        Case("application/json", #"{"password":"x"}"#, #"{"password":"[redacted]"}"#),
        Case(
            "application/json",
            #"{ "user" : { "apiKey" : "a\"b\\" } , "n": 1.0e5 }"#,
            #"{ "user" : { "apiKey" : "[redacted]" } , "n": 1.0e5 }"#
        ),
        Case(
            "application/json",
            #"{"pass\u0077ord":"x","a":"\"password\":\"y\""}"#,
            #"{"pass\u0077ord":"[redacted]","a":"\"password\":\"[redacted]\""}"#
        ),
        Case("application/problem+json", "[{\"secret\":\n\t\"é😀\"}]", "[{\"secret\":\n\t\"[redacted]\"}]"),
        Case(
            "application/json",
            #"{"password":["a","b",["c"],{"d":"e"}],"f":"g"}"#,
            #"{"password":["[redacted]","[redacted]",["[redacted]"],{"d":"[redacted]"}],"f":"g"}"#
        ),
        Case(
            "application/json",
            #"{"password":"","secret":null,"api_key":5,"client_secret":true,"x":"y"}"#,
            #"{"password":"","secret":null,"api_key":5,"client_secret":true,"x":"y"}"#
        ),
        Case(
            "application/json",
            #"{"password":{"a":"b"},"c":"password","d":"e"}"#,
            #"{"password":{"a":"[redacted]"},"c":"password","d":"e"}"#
        ),
        Case(
            "application/json",
            #"{"password":"[redacted]","secret":"[redacted:bob]","jwt":"[redactee]"}"#,
            #"{"password":"[redacted]","secret":"[redacted:bob]","jwt":"[redacted]"}"#
        ),
        Case(
            "application/json",
            #"{"token":" Hello","logprob":-0.5,"max_tokens":"100","nextPageToken":"abcdefghijklmnop"}"#,
            #"{"token":" Hello","logprob":-0.5,"max_tokens":"100","nextPageToken":"abcdefghijklmnop"}"#
        ),
        Case("application/json", #"{"token":"0123456789ab"}"#, #"{"token":"[redacted]"}"#),
        Case(
            "application/json",
            #"{"to":"+1","text":"Your OTP is 733597, valid for 5 minutes","n": 1234}"#,
            #"{"to":"+1","text":"Your OTP is [redacted], valid for 5 minutes","n": 1234}"#
        ),
        Case(
            "application/json",
            #"{"entityToken":{"entityToken":"0123456789ab","password":"x"}}"#,
            #"{"entityToken":{"entityToken":"[redacted]","password":"[redacted]"}}"#
        ),
        Case(
            "application/json",
            #"{"credentials":{"id":"a8f5f167f44f","type":"a8f5f167f44f"},"id":"a8f5f167f44f"}"#,
            #"{"credentials":{"id":"[redacted]","type":"a8f5f167f44f"},"id":"a8f5f167f44f"}"#
        ),
        Case(
            "application/json",
            #"{"credentials":{"user":"bob","port":5432,"key_id":"a8f5f167f44f","x":"a8f5f167f44f"},"x":"a8f5f167f44f"}"#,
            #"{"credentials":{"user":"bob","port":5432,"key_id":"a8f5f167f44f","x":"[redacted]"},"x":"a8f5f167f44f"}"#
        ),
        Case(
            "application/json",
            #"{"pin":1234,"otp":482913,"cvc":"123","password":12345678,"code":"not_found","count":1234}"#,
            #"{"pin":[redacted],"otp":[redacted],"cvc":"[redacted]","password":[redacted],"code":"not_found","count":1234}"#
        ),
        Case(
            "application/json",
            #"{"card":{"number":"4242 4242 4242 4242","number":4111111111111111},"number":"4242424242424241"}"#,
            #"{"card":{"number":"[redacted]","number":[redacted]},"number":"4242424242424241"}"#
        ),
        Case(
            "application/json",
            #"{"state":"af0ifjsldkj","signature":"dozjgNryP4J3jVmNHl0w5N","session":{"id":"cs_9f8e7d6c5b4a3","x":"9f8e7d6c5b4a3"}}"#,
            #"{"state":"[redacted]","signature":"[redacted]","session":{"id":"cs_9f8e7d6c5b4a3","x":"[redacted]"}}"#
        ),
        Case(
            "application/json",
            #"{"next":"https://x.example/?page=2&access_token=0123456789#end","url":"/b?X-Amz-Signature=0123abcd"}"#,
            #"{"next":"https://x.example/?page=2&access_token=[redacted]#end","url":"/b?X-Amz-Signature=[redacted]"}"#
        ),
        Case("application/json", #"{"password":"a"["b":""]"c"}"#, #"{"password":"[redacted]"["b":""]"c"}"#),
        Case(
            "application/json",
            "{\"\"\n          :\"a\",\"password\"            :\"b\"}",
            "{\"\"\n          :\"a\",\"password\"            :\"[redacted]\"}"
        ),
        Case("application/json", #"{"password":"open"#, #"{"password":"[redacted]"#),
        Case(
            "application/json",
            #"{password:"a","secret""b",:"password","#,
            #"{password:"[redacted]","secret""b",:"password","#
        ),
        Case("text/plain", " \r\n{\"password\":\"x\"}", " \r\n{\"password\":\"[redacted]\"}"),
        Case("application/x-www-form-urlencoded", #"{"password":"x"}"#, #"{"password":"[redacted]"}"#),
        Case(
            "application/json",
            "{\"a\":\"\(key)\",\"b\":\"x \(token) y\"}",
            #"{"a":"[redacted]","b":"x [redacted] y"}"#
        ),
        Case("application/json", #"{"a":"\nsk-abcdEFGH1234ijkl\u0022"}"#, #"{"a":"\n[redacted]\u0022"}"#),
        Case("application/json", "{\"\(key)\":1}", #"{"[redacted]":1}"#),
        Case(
            "application/json",
            #"{"k":"-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n","b":"c"}"#,
            #"{"k":"[redacted]\n","b":"c"}"#
        ),
        Case("application/json", "{\"password\":\"before \(key) after\"}", #"{"password":"[redacted]"}"#),
    ]

    static let forms: [Case] = [
        // Only the members of the group are redacted.
        Case(
            "application/x-www-form-urlencoded",
            "a=%7B%22auth%22%3A%7B%22sess%22%3A%22x7Rk2mT9vLpW4nB8sD1q%22%7D%2C%22price%22%3A%22EUR19%22%7D&v=3",
            "a=%7B%22auth%22%3A%7B%22sess%22%3A%22[redacted]%22%7D%2C%22price%22%3A%22EUR19%22%7D&v=3"
        ),
        Case(
            "application/x-www-form-urlencoded",
            "user=a&password=b%26c&next=%2F",
            "user=a&password=[redacted]&next=%2F"
        ),
        Case(
            "application/x-www-form-urlencoded",
            "user%5Bpassword%5D=x&&=&pass+word=b&client_secret=",
            "user%5Bpassword%5D=[redacted]&&=&pass+word=[redacted]&client_secret="
        ),
        Case(
            "application/x-www-form-urlencoded",
            "password=[redacted]&secret=%5Bredacted%3Abob%5D&x",
            "password=[redacted]&secret=%5Bredacted%3Abob%5D&x"
        ),
        Case(
            "application/x-www-form-urlencoded",
            "refresh_token=1//0abc&grant_type=refresh_token",
            "refresh_token=[redacted]&grant_type=refresh_token"
        ),
        Case(
            "application/x-www-form-urlencoded",
            "pem=-----BEGIN+PRIVATE+KEY-----%0AMIIB%0A-----END+PRIVATE+KEY-----%0A&a=b",
            "pem=[redacted]%0A&a=b"
        ),
        Case(
            "application/x-www-form-urlencoded",
            "a=%20\(key)&csrf_token=abcdefghijklmnop",
            "a=%20[redacted]&csrf_token=abcdefghijklmnop"
        ),
    ]

    static let texts: [Case] = [
        Case("text/plain", "\(key)", "[redacted]"),
        Case("text/plain", "The key \(key), and \(token).", "The key [redacted], and [redacted]"),
        Case("text/html", "<b>\(token)</b><i>\(key)</i>", "<b>[redacted]</b><i>[redacted]</i>"),
        Case("image/png", "\u{1}\u{89}AKIAABCDEFGHIJKLMNOP\u{0}", "\u{1}\u{89}[redacted]\u{0}"),
        Case("text/plain", "a\n\(pem)\nb", "a\n[redacted]\nb"),
        Case("text/plain", "\(pem)\(pem)", "[redacted][redacted]"),
        Case(
            "text/plain",
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----"
        ),
        Case("text/plain", "-----BEGIN PRIVATE KEY-----\nMIIB", "[redacted]"),
        Case(
            "text/plain",
            "AKIAABCDEFGHIJKLMNOPQ xAKIAABCDEFGHIJKLMNOP task-force-of-words sk-SK sk-spinner-wave-of-joy",
            "AKIAABCDEFGHIJKLMNOPQ xAKIAABCDEFGHIJKLMNOP task-force-of-words sk-SK sk-spinner-wave-of-joy"
        ),
        Case(
            "text/plain",
            "eyJhbGciOiJIUzI1NiJ9 eyJhbGciOi.. eyJhbGciOiJIUzI1NiJ9... eyJ.a.b",
            "eyJhbGciOiJIUzI1NiJ9 eyJhbGciOi.. eyJhbGciOiJIUzI1NiJ9... eyJ.a.b"
        ),
        Case("text/plain", "sk-live-key-with-words-1 sk-ant-api03-abcdefghijklmnop-AA", "[redacted] [redacted]"),
        Case("text/plain", "password=hunter2&x", "password=[redacted]&x"),
        Case("text/plain", "ghp_abcdefghijklmnopqrstuvwxyz0123456789/xoxb-1234567890-abc", "[redacted]/[redacted]"),
        Case(
            "application/octet-stream",
            "SG.abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz0123456789_-ABCDE;",
            "[redacted];"
        ),
        Case("text/plain", "", ""),
        Case("text/plain", "s", "s"),
    ]

    static let streams: [Case] = [
        Case(
            "text/event-stream",
            "data: {\"pass\nid: 123456789\ndata: word\":\"x\"}\n: 123456\ndata: ,\"b\":\"c\"}\n\n",
            "data: {\"pass\nid: 123456789\ndata: word\":\"[redacted]\"}\n: 123456\ndata: ,\"b\":\"c\"}\n\n"
        ),
        Case(
            "text/event-stream",
            "event: a\ndata: {\"password\":\"x\"}\nid: 1\n\ndata:{\"b\":\"c\"}\n\n",
            "event: a\ndata: {\"password\":\"[redacted]\"}\nid: 1\n\ndata:{\"b\":\"c\"}\n\n"
        ),
        Case(
            "text/event-stream",
            "data: {\"password\":\r\ndata: \"x\"}\r\n\r\n: {\"password\":\"y\"}\r\rdata",
            "data: {\"password\":\r\ndata: \"[redacted]\"}\r\n\r\n: {\"password\":\"[redacted]\"}\r\rdata"
        ),
        Case(
            "text/event-stream",
            "data: {\"secret\":\"open\n\ndata: {\"a\":\"b\"}\n\n",
            "data: {\"secret\":\"[redacted]\n\ndata: {\"a\":\"b\"}\n\n"
        ),
        Case(
            "text/event-stream",
            "data: {\"t\":\"key sk-ab\"}\n\ndata: {\"t\":\"cdEFGH12\"}\n\ndata: {\"t\":\"34ijklMNOP. ok\"}\n\n",
            "data: {\"t\":\"key [redacted]\"}\n\ndata: {\"t\":\"[redacted]\"}\n\ndata: {\"t\":\"[redacted]. ok\"}\n\n"
        ),
        Case(
            "text/event-stream",
            "data: {\"t\":\"sk-abcdEFGH1234ijklMNOP\"}\n\ndata: {\"t\":\"56\"}\n\ndata: {\"t\":\"78 x\"}\n\n",
            "data: {\"t\":\"[redacted]\"}\n\ndata: {\"t\":\"[redacted]\"}\n\ndata: {\"t\":\"[redacted] x\"}\n\n"
        ),
        Case(
            "text/event-stream",
            "data: sk-ab\n\ndata: cdEFGH1234ijkl\n\ndata:  x\n\n",
            "data: [redacted]\n\ndata: [redacted]\n\ndata:  x\n\n"
        ),
        Case("text/event-stream", "data: sk-ab\ndata: cdEFGH1234ijkl\n\n", "data: sk-ab\ndata: cdEFGH1234ijkl\n\n"),
        Case(
            "text/event-stream",
            "data: {\"a\":\"sk-ab\"}\n\ndata: {\"b\":\"cdEFGH1234ijkl\"}\n\ndata: [DONE]\n\n",
            "data: {\"a\":\"sk-ab\"}\n\ndata: {\"b\":\"cdEFGH1234ijkl\"}\n\ndata: [DONE]\n\n"
        ),
        Case(
            "text/event-stream",
            "data: {\"i\":1,\"c\":[{\"d\":{\"t\":\"eyJhbGciOiJI\"}}]}\n\ndata: {\"i\":2,\"c\":[{\"d\":{\"t\":\"UzI1NiJ9.eyJz\"}}]}\n\ndata: {\"c\":[{\"d\":{\"t\":\"dWIi.abc\"}}]}\n\n",
            "data: {\"i\":1,\"c\":[{\"d\":{\"t\":\"[redacted]\"}}]}\n\ndata: {\"i\":2,\"c\":[{\"d\":{\"t\":\"[redacted]\"}}]}\n\ndata: {\"c\":[{\"d\":{\"t\":\"[redacted]\"}}]}\n\n"
        ),
        Case(
            "text/event-stream",
            "data: {\"t\":\"s\"}\n\ndata: {\"t\":\"k\"}\n\ndata: {\"t\":\"-\"}\n\ndata: {\"t\":\"abcdEFGH1234ijkl\"}",
            "data: {\"t\":\"[redacted]\"}\n\ndata: {\"t\":\"[redacted]\"}\n\ndata: {\"t\":\"[redacted]\"}\n\ndata: {\"t\":\"[redacted]\"}"
        ),
        Case(
            "application/x-ndjson",
            "{\"password\":\"x\"}\n{\"token\":\"0123456789abcdef\"}\n{\"a\":\"open\n{\"secret\":\n\"y\"}",
            "{\"password\":\"[redacted]\"}\n{\"token\":\"[redacted]\"}\n{\"a\":\"open\n{\"secret\":\n\"[redacted]\"}"
        ),
        Case(
            "application/x-ndjson",
            "{\"k\":\"sk-abcdEFGH1234ijklMNOP\"}\n{\"k\":\"sk-bbcdEFGH1234ijklMNOP\"}\n{\"k\":\"AKIAABCDEFGHIJKLMNOP\"}\n{\"k\":\"AKIAABCDEFGHIJKLMNOP\"}\n",
            "{\"k\":\"[redacted]\"}\n{\"k\":\"[redacted]\"}\n{\"k\":\"[redacted]\"}\n{\"k\":\"[redacted]\"}\n"
        ),
        Case(
            "application/x-ndjson",
            "{\"m\":{\"t\":\"a ghp_abcdefghijklmnop\"}}\n{\"m\":{\"t\":\"qrstuvwxyz012345\"}}\n{\"m\":{\"t\":\" b\"}}\n",
            "{\"m\":{\"t\":\"a [redacted]\"}}\n{\"m\":{\"t\":\"[redacted]\"}}\n{\"m\":{\"t\":\" b\"}}\n"
        ),
    ]

    /// Found by a fuzzer: a marker must not turn the text around it into a secret, and must not be read as a name.
    static let found: [Case] = [
        Case(
            "application/x-ndjson",
            "{xyz\"jwt\":\"a-----BEGIN PRIVATE KEY-----\nMIIB\n{#t\":\"W\"}\n",
            "{xyz\"jwt\":\"[redacted]\n[redacted]\n{#t\":\"W\"}\n"
        ),
        Case(
            "text/event-stream",
            "[,\"[redacted:password]\":\"y\",\"[redacted:password]\"=x",
            "[,\"[redacted:password]\":\"y\",\"[redacted:password]\"=x"
        ),
        Case(
            "application/x-www-form-urlencoded",
            #"password=a\"password\":\"&secret=b"#,
            "password=[redacted][redacted]"
        ),
        Case("application/json", #"{"[redacted:password]":"y"}"#, #"{"[redacted:password]":"y"}"#),
    ]

    static let multipart: [Case] = [
        // A line of white space continues the header line before it.
        Case(
            "multipart/form-data; boundary=b",
            "--b\r\nX: a\r\n \r\n c\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\none\r\n--b--",
            "--b\r\nX: a\r\n \r\n c\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n[redacted]\r\n--b--"
        ),
        Case(
            "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\none\r\n--two\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nthree\r\n--b--\r\n",
            "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n[redacted]\r\n--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nthree\r\n--b--\r\n"
        ),
        Case(
            "multipart/mixed; boundary=\"b c\"",
            "pre\r\n--b c\nContent-Type: application/json\n\n{\"password\":\"x\",\n--b cd\n\"secret\":\"y\"\n--b c  \n\n{\"secret\":\"z\"}\n--b c--",
            "pre\r\n--b c\nContent-Type: application/json\n\n{\"password\":\"[redacted]\",\n--b cd\n\"secret\":\"[redacted]\"\n--b c  \n\n{\"secret\":\"[redacted]\"}\n--b c--"
        ),
        Case(
            "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=secret\r\n\r\n\r\n--b\r\nContent-Disposition: form-data; name=secret\r\n\r\n[redacted:x]\r\n--b\r\nContent-Disposition: form-data; name=f; filename=x\r\nContent-Type: image/png\r\n\r\n{\"password\":\"\(key)\"}\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=secret\r\n\r\n\r\n--b\r\nContent-Disposition: form-data; name=secret\r\n\r\n[redacted:x]\r\n--b\r\nContent-Disposition: form-data; name=f; filename=x\r\nContent-Type: image/png\r\n\r\n{\"password\":\"[redacted]\"}\r\n--b--"
        ),
        Case(
            "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=secret\r\n\r\ncut short",
            "--b\r\nContent-Disposition: form-data; name=secret\r\n\r\n[redacted]"
        ),
        Case(
            "multipart/form-data; boundary=b",
            "--b\r\n\r\na\r\n--b\r\nContent-Disposition: form-data; na",
            "--b\r\n\r\na\r\n--b\r\nContent-Disposition: form-data; na"
        ),
    ]

    @Test(arguments: json + forms + texts + streams + found + multipart)
    func redactsSecrets(_ example: Case) throws {
        let output = try BodyRedactions.redact(example.body, type: example.type)
        #expect(output.text == example.expected)
        #expect(output.pieces.count == 1)
        let again = try BodyRedactions.redact(example.expected, type: example.type)
        #expect(again.text == example.expected)
        #expect(again.count == 0)
    }

    @Test func rejectsOverlongPartHeader() {
        let body = "--b\r\nA: " + String(repeating: "x", count: 17 << 10)
        #expect(throws: BodyRedactor.Unscannable.self) {
            try BodyRedactions.redact(body, type: "multipart/form-data; boundary=b")
        }
    }

    @Test(arguments: json + forms + texts + streams + found + multipart)
    func outputIsIndependentOfSplits(_ example: Case) throws {
        let body = Array(example.body.utf8)
        let whole = try BodyRedactions.redact(example.body, type: example.type)
        for places in BodyRedactions.splits(body.count) {
            let pieces = BodyRedactions.pieces(body, cutAt: places)
            let output = try BodyRedactions.redact(pieces, headers: ["Content-Type: \(example.type)"])
            #expect(output.bytes == whole.bytes, "cut at \(places)")
            #expect(output.pieces.count == pieces.count, "cut at \(places)")
            #expect(output.count == whole.count, "cut at \(places)")
        }
    }

    /// Digits within a word are no number, wherever the text is cut. A fuzzer found the first one.
    @Test(arguments: [#"{"\secret#1[":{p"a7[":\u0022s"#, #"{"secret":[-4711,1.23456,a4711]}"#])
    func digitsInWordAreIndependentOfSplits(_ text: String) throws {
        let headers = ["Content-Type: application/x-ndjson"]
        let expected = try BodyRedactions.redact([Array(text.utf8)], headers: headers).text
        for split in BodyRedactions.splits(text.utf8.count) {
            let pieces = BodyRedactions.pieces(Array(text.utf8), cutAt: split)
            #expect(try BodyRedactions.redact(pieces, headers: headers).text == expected)
        }
    }

    /// A number directly after a string is malformed, but what follows it can still be secret.
    @Test func scansAfterNumberWithoutSeparator() throws {
        let body = #"{"password":{"a":""8,"b":"hunter22"}}"#
        let output = try BodyRedactions.redact(body, type: "application/json")
        #expect(output.text == body.replacing("hunter22", with: "[redacted]"))
    }

    @Test func insertsMarkerWhereSecretBegins() throws {
        let pieces = ["data sk-", "abcdEFGH", "1234ijkl", " end", "", "x"].map { Array($0.utf8) }
        let output = try BodyRedactions.redact(pieces, headers: [])
        #expect(
            output.pieces.map { String(decoding: $0, as: UTF8.self) } == ["data [redacted]", "", "", " end", "", "x"]
        )
        #expect(output.count == 1)
    }

    /// Bodies over this size are redacted as they arrive.
    static let budget = [UInt8](repeating: UInt8(ascii: " "), count: DecodedViews.budget)

    @Test func holdsBodiesWithinBudget() throws {
        var redactor = Redaction.standard.bodyRedactor(for: [])
        #expect(try redactor.append(Self.budget.dropLast() + []).isEmpty)
        #expect(try redactor.append(Array("x".utf8)).isEmpty)
        #expect(!redactor.hasPlainPart)
        #expect(try redactor.append(Array("y".utf8)).count == 3)
        #expect(redactor.hasPlainPart)
    }

    @Test func holdsBackOnlyPossibleSecretsOverBudget() throws {
        var redactor = Redaction.standard.bodyRedactor(for: [])
        #expect(try redactor.append(Self.budget + Array(" ".utf8)).count == 1)
        #expect(try redactor.append(Array("hello wor".utf8)) == [Array("hello wor".utf8)])
        #expect(try redactor.append(Array("ld sk-abc".utf8)).isEmpty)
        #expect(try redactor.append(Array("def".utf8)).isEmpty)
        #expect(try redactor.append(Array(" no lock".utf8)).count == 3)
        #expect(redactor.count == 0)
        #expect(try redactor.append(Array(" s".utf8)).isEmpty)
        #expect(try redactor.finish().pieces == [Array(" s".utf8)])
    }

    @Test(arguments: ["text/plain; charset=utf-7", "text/plain;charset=\"UTF-7\""])
    func rejectsUnsupportedCharsets(type: String) {
        #expect(throws: BodyRedactor.Unscannable.self) { try BodyRedactions.redact("x", type: type) }
        #expect(throws: Never.self) { try BodyRedactions.redact([], headers: ["Content-Type: \(type)"]) }
    }

    @Test func rejectsLongTextWithWideCharacters() {
        let headers = ["Content-Type: text/plain; charset=utf-16"]
        #expect(throws: Never.self) { try BodyRedactions.redact([Self.budget], headers: headers) }
        #expect(throws: BodyRedactor.Unscannable.self) {
            try BodyRedactions.redact([Self.budget, Self.budget], headers: headers)
        }
    }

    /// A character that is not ASCII hides the encoding, so that it must be declared.
    @Test func usesDeclaredEncoding() throws {
        let text = "\u{4E2D}\u{6587}\u{4E2D}\u{6587}\npassword: hunter2"
        let body = Array(text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        let output = try BodyRedactions.redact([body], headers: ["Content-Type: text/plain; charset=utf-16be"])
        let marker = TextEncoding.utf16BigEndian.encoded(Array("[redacted]".utf8))
        #expect(output.bytes == body.dropLast(14) + marker)
    }

    /// Large bodies pass through as they arrive: a secret of one megabyte isn't buffered, and neither is other text.
    @Test func doesNotBufferLongSecrets() throws {
        var redactor = Redaction.standard.bodyRedactor(for: [
            HeaderLine(name: "Content-Type", value: "application/json")
        ])
        #expect(try redactor.append(Self.budget + Array(" ".utf8)).count == 1)
        #expect(try redactor.append(Array("{\"password\":\"abc1defg".utf8)).count == 1)
        let filler = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 16)
        for _ in 0..<16 { #expect(try redactor.append(filler) == [[]]) }
        #expect(try redactor.append(Array("\"} eyJhbGciOiJIUzI1NiJ9.eyJ".utf8)).count == 1)
        for _ in 0..<16 { #expect(try redactor.append(filler) == [[]]) }
        #expect(try redactor.append(Array(" end".utf8)) == [Array(" end".utf8)])
        #expect(redactor.count == 2)
    }

    static let innocent: [(String, String)] = [
        ("application/json", #"{"a":"{\"max_tokens\":\"100\",\"nextPageToken\":\"abcdefghijklmnop\"}"}"#),
        (
            "application/json",
            #"{"password":["This field is required"],"a":{"password":{"type":"string","minLength":8,"format":"password"}}}"#
        ),
        ("application/json", #"{"password":"Password must have at least 8 characters","secret":"string"}"#),
        ("application/json", #"{"password":["can't be blank","is too short (minimum is 8 characters)"]}"#),
        ("application/json", #"{"api_key":"${API_KEY}","secret":"<your secret>","password":"********"}"#),
        ("application/json", #"{"token":1234567,"pin":12,"otp":true,"password":0.5,"secret":1e9,"key":12345}"#),
        ("application/json", #"{"code":"NOT_FOUND","state":"open","key":"PROJ-1234","session":"morning","sign":"+"}"#),
        ("application/json", #"{"url":"/a?token=short&page=2&password=","b":"c"}"#),
        ("application/json", #"{"a":"a=b","c":"password","d":"x: \"y\"","token_type":"bearer"}"#),
        ("application/javascript", "var a=1;token=b.getToken();password=document.querySelector('#p').value"),
        ("text/html", #"<a href="/x?token=" class="b">c</a><input name="password" type="password">"#),
        ("text/plain", "12:30 a=b, password == x, the password: none"),
    ]

    @Test(arguments: innocent)
    func leavesOtherTextUnchanged(type: String, body: String) throws {
        #expect(try BodyRedactions.redact(body, type: type).text == body)
    }
}
