// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import RepriseText
import Testing

@testable import Reprise

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct CallInspectionTests {
    private let transport = ClosureTransport()

    private var api: Client {
        Client(
            "https://api.example.com/v1",
            transport: transport,
            configuration: .init(headers: [.userAgent: "App/1", .authorization: "Bearer secret"])
        )
    }

    @Test func returnsRequestWithoutSending() throws {
        let request = try api.post("/users").query("a", 1).accept("text/plain").json(["b": 2]).request()
        #expect(request.method == .post)
        #expect(request.urlText == "https://api.example.com/v1/users?a=1")
        #expect(
            request.headerFields == [
                .userAgent: "App/1", .authorization: "Bearer secret", .contentType: "application/json",
                .accept: "text/plain",
            ]
        )
        #expect(transport.requests.isEmpty)
    }

    @Test func returnsURLRequestWithoutSending() throws {
        let call = api.post("/users").query("a", "b c").header(.cookie, "x=1").json(["b": 2]).timeout(
            .milliseconds(1500)
        )
        let request = try call.urlRequest()
        #expect(request.httpMethod == "POST")
        #expect(request.url?.absoluteString == "https://api.example.com/v1/users?a=b%20c")
        #expect(request.value(forHTTPHeaderField: "User-Agent") == "App/1")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer secret")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(request.httpBody == Data(#"{"b":2}"#.utf8))
        #expect(request.timeoutInterval == 1.5)
        #expect(try call.timeout(nil).urlRequest().timeoutInterval == 365 * 24 * 3600)
        #expect(throws: ClientError.self) { try api.get("/..").urlRequest() }
        #expect(transport.requests.isEmpty)
    }

    @Test func writesCurlCommand() throws {
        let line = try api.post("/users").query("a", "b c").body("it's\nme", contentType: "text/plain").curl()
        #expect(
            line == #"""
                curl \
                  -X POST \
                  'https://api.example.com/v1/users?a=b%20c' \
                  -H 'User-Agent: App/1' \
                  -H 'Authorization: [redacted]' \
                  -H 'Content-Type: text/plain' \
                  --data-raw 'it'\''s
                me'
                """#
        )
        #expect(transport.requests.isEmpty)
    }

    @Test func writesMinimalCurlCommandForGETAndHEAD() throws {
        #expect(try Client("https://h").get("/a").curl() == "curl \\\n  https://h/a")
        #expect(try Client("https://h").head("/a").curl() == "curl \\\n  --head \\\n  https://h/a")
    }

    @Test func redactsCredentials() throws {
        let line = try Client("https://h").get(
            "/?page=1&api_key=k1&x=%26&Access-Token=k2&nextPageToken=3&key=k4&secret"
        )
        .header(.cookie, "id=k5").header("X-Api-Key", "k6").header("Proxy-Authorization", "k7")
        .header("Idempotency-Key", "shown").curl()
        for number in 1...7 where number != 3 { #expect(!line.contains("k\(number)"), "k\(number) is in \(line)") }
        #expect(line.contains("page=1&api_key=%5Bredacted%5D&x=%26&Access-Token=%5Bredacted%5D&nextPageToken=3&key="))
        #expect(line.contains("Idempotency-Key: shown"))
    }

    @Test func redactsSecretsInBodies() throws {
        let call = api.post("/s")
        let secret = "p4ssw0rd-123"
        let json = try call.json(["user": "ada", "password": secret]).curl()
        #expect(json.contains(#"{"password":"[redacted]","user":"ada"}"#))
        let form = try call.form(["user": "ada", "password": secret]).curl()
        #expect(form.contains("user=ada&password=%5Bredacted%5D"))
        let parts = try call.multipart {
            $0.field("user", "ada")
            $0.field("password", secret)
            $0.json("more", ["token": secret])
        }.curl()
        #expect(parts.contains("ada") && parts.contains("[redacted]"))
        for line in [json, form, parts] { #expect(!line.contains(secret)) }
    }

    @Test func showsSecretsWhenRequested() throws {
        let call = api.post("/s?api_key=k1").json(["password": "p4ssw0rd-123"])
        let line = try call.curl(showsSecrets: true)
        for secret in ["api_key=k1", "Bearer secret", "p4ssw0rd-123"] { #expect(line.contains(secret)) }
        #expect(!line.contains("redacted"))
        let form = try api.post("/s").multipart { $0.field("password", "p4ssw0rd-123") }.curl(showsSecrets: true)
        #expect(form.contains("p4ssw0rd-123"))
    }

    @Test(arguments: [
        "authorization", "Auth%5Btoken%5D", "auth[token]", "subscription-key", "pwd", "jwt", "sessionid", "JSESSIONID",
        "session_id", "%61pi_key", "API%5fKEY", "x-functions-key", "access+token", "X-Amz-Signature", "sig",
        "user%5Bpassword%5D",
    ])
    func redactsSecretParameters(name: String) throws {
        let line = try Client("https://h").get("/?a=1&\(raw: name)=hunter2&b=2").curl()
        #expect(!line.contains("hunter2"))
        #expect(line.contains("?a=1&") && line.contains("=%5Bredacted%5D&b=2"))
    }

    @Test(arguments: [
        "page", "nextPageToken", "next_page_token", "csrf_token", "idempotency-key", "keyword", "author", "signed",
        "monkey", "%", "%zz", "",
    ])
    func showsOtherParameters(name: String) throws {
        #expect(try Client("https://h").get("/?a=1&\(raw: name)=shown&b=2").curl().contains("=shown&b=2"))
    }

    @Test(arguments: ["code=DE", "sort_key=name", "sortKey=created_at", "appid=web"])
    func showsShortValuesOfAmbiguousParameters(pair: String) throws {
        #expect(try Client("https://h").get("/?a=1&\(raw: pair)&b=2").curl().contains("?a=1&\(pair)&b=2"))
    }

    @Test(arguments: ["code", "sort_key", "appid"])
    func redactsSecretLikeValuesOfAmbiguousParameters(name: String) throws {
        let line = try Client("https://h").get("/?\(raw: name)=4f5d2c1b9a8e7766").curl()
        #expect(line.contains("\(name)=%5Bredacted%5D"))
    }

    @Test func writesBinaryBodyWithPrintf() throws {
        let line = try Client("https://h").post("/").body([0, 0x61, 0xFF, 0x27, 0x25, 0x5C, 0x0A, 0x31]).curl()
        #expect(line.hasPrefix(#"printf '\000a\377\047%%\\\n1' | curl"#))
        #expect(line.hasSuffix("--data-binary @-"))
        #expect(line.contains("-H 'Content-Type:'"))
    }

    @Test func commentsOnBodyNotInMemory() throws {
        let line = try Client("https://h").post("/").body(AsyncStream<[UInt8]> { $0.finish() }).curl()
        #expect(line.contains("--data-binary @-  #"))
    }

    @Test func preservesHeaderWithEmptyValue() throws {
        #expect(try Client("https://h").get("/").header("X-Empty", "").curl().contains("-H 'X-Empty;'"))
    }

    @Test func throwsErrorOfInvalidCall() {
        #expect(throws: ClientError.self) { try api.get("/").query("a", Double.nan).curl() }
        #expect(throws: ClientError.self) { try api.get("/..").request() }
    }

    @Test func roundTripsTextThroughShellQuoting() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<10_000 {
            let text = generator.text().replacing("\0", with: "")
            let words = shellWords("curl \(DisplayText.shellWord(text)) end")
            #expect(words == ["curl", text, "end"], "\(text.debugDescription)")
        }
    }

    @Test func roundTripsBytesThroughPrintf() throws {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
            let words = shellWords(DisplayText.printing(bytes))
            #expect(words.count == 2)
            #expect(printed(try #require(words.last)) == bytes)
        }
    }

    /// Splits a line as a POSIX shell does, as far as quotes and backslashes go.
    private func shellWords(_ line: String) -> [String] {
        var words: [String] = []
        var word: String.UnicodeScalarView?
        var scalars = line.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "'":
                word = word ?? .init()
                while let quoted = scalars.popFirst(), quoted != "'" { word?.append(quoted) }
            case "\\":
                if let next = scalars.popFirst() { word = (word ?? .init()) + CollectionOfOne(next) }
            case " ", "\t", "\n":
                if let complete = word { words.append(String(complete)) }
                word = nil
            case "$", "`", "\"", ";", "&", "|", "<", ">", "(", ")", "*", "?", "[", "#", "~":
                return ["\(scalar) is special outside quotes"]
            default:
                word = (word ?? .init()) + CollectionOfOne(scalar)
            }
        }
        if let word { words.append(String(word)) }
        return words
    }

    /// The output of printf for a format whose only conversion is `%%`.
    private func printed(_ format: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(format.utf8)[...]
        while let byte = rest.popFirst() {
            switch (byte, rest.first) {
            case (UInt8(ascii: "%"), _), (UInt8(ascii: "\\"), UInt8(ascii: "\\")): bytes.append(rest.removeFirst())
            case (UInt8(ascii: "\\"), UInt8(ascii: "n")):
                bytes.append(0x0A)
                rest.removeFirst()
            case (UInt8(ascii: "\\"), _):
                bytes.append(UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8) ?? 0)
                rest = rest.dropFirst(3)
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}
