// SPDX-License-Identifier: Apache-2.0

import RepriseRedaction
import Testing

@testable import RepriseServer

struct RequestLogLineTests {
    @Test func containsStatusRequestAnswerAndTime() {
        let line = RequestLogLine(status: 200, requestLine: "GET /users", answeredBy: "users.json #2")
        #expect(Self.text(line, after: .microseconds(12_345)) == "200 GET /users  users.json #2  12.3 ms\n")
        #expect(Self.text(line, after: nil) == "200 GET /users  users.json #2  cut off\n")
        let unanswered = RequestLogLine(status: 0, requestLine: "GET /users", answeredBy: "a webhook")
        #expect(Self.text(unanswered, after: .zero) == "--- GET /users  a webhook  0.0 ms\n")
    }

    @Test(arguments: [(201, 32), (404, 33), (100, 31), (500, 31)])
    func colorsTheStatusByItsClass(status: Int, color: Int) {
        let line = RequestLogLine(status: status, requestLine: "GET /", answeredBy: "mockserver")
        let text = Self.text(line, after: .milliseconds(1), isColored: true)
        #expect(text == "\u{1B}[\(color)m\(status)\u{1B}[0m GET /  mockserver  1.0 ms\n")
    }

    private static func text(_ line: RequestLogLine, after duration: Duration?, isColored: Bool = false) -> String {
        String(decoding: line.text(after: duration, isColored: isColored), as: UTF8.self)
    }
}

struct ShownRequestLineTests {
    @Test func omitsVersion() {
        var shown = ShownRequestLine(.standard)
        #expect(shown.text(ofHead: Self.head("GET /a HTTP/1.1").span) == "GET /a")
        #expect(shown.text(ofHead: Self.head("GET /a HTTP/1.1").span) == "GET /a")
        #expect(shown.text(ofHead: Self.head("GET /b HTTP/1.1").span) == "GET /b")
        #expect(shown.text(ofHead: Self.head("GET /b HTTP/1.0").span) == "GET /b HTTP/1.0")
        #expect(shown.text(ofHead: Array("GET /b".utf8).span) == "GET /b")
    }

    @Test func hidesSecretsEachTime() {
        var shown = ShownRequestLine(.standard)
        let head = Self.head("GET /a?access_token=7Hq2vXk91LmZ04tBw&b=1 HTTP/1.1")
        for _ in 1...2 { #expect(shown.text(ofHead: head.span) == "GET /a?access_token=[redacted]&b=1") }
    }

    @Test func hidesValueThatBecomesKnownLater() {
        var shown = ShownRequestLine(.standard)
        let value = "k\(UInt64.random(in: .min ... .max))x"
        let head = Self.head("GET /a?about=\(value) HTTP/1.1")
        #expect(shown.text(ofHead: head.span) == "GET /a?about=\(value)")
        SecretMemory.shared.remember(Array(value.utf8))
        #expect(shown.text(ofHead: head.span) == "GET /a?about=[redacted]")
    }

    private static func head(_ line: String) -> [UInt8] { Array("\(line)\r\nHost: a\r\n\r\n".utf8) }
}

struct RequestLineTextTests {
    private static let query = "GET /a?access_token="

    /// Returns a new value that the memory knows as a secret, and that no name marks as one.
    private static func rememberedValue() -> String {
        let value = "k" + (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined() + "x"
        SecretMemory.shared.remember(Array(value.utf8))
        return value
    }

    private static func shown(_ line: String) -> String {
        let line = Array(line.utf8.prefix(RequestLineText.longestSearched))
        return String(decoding: RequestLineText.withoutSecrets(line, .standard), as: UTF8.self)
    }

    @Test func showsWholeLineIfAllWasSearched() {
        let value = Self.rememberedValue()
        #expect(Self.shown("\(Self.query)a&b=\(value)&c=1 HTTP/1.1").hasSuffix("&b=[redacted]&c=1 HTTP/1.1"))
    }

    @Test(arguments: [0, 6, 20, 30])
    func showsNoPartOfCutSecret(cut: Int) {
        let value = Self.rememberedValue()
        // What is redacted before the value is so long that the value would move into the shown part.
        let long = RequestLineText.longestSearched - Self.query.utf8.count - "&about=".utf8.count - cut
        let line = Self.query + String(repeating: "7Hq2vXk91L", count: long / 10 + 1).prefix(long) + "&about=\(value)"
        #expect(Self.shown(line) == Self.query + "…")
        // Nothing is redacted before it, but it is near the end of what is searched.
        let path = "GET /" + String(repeating: "a/", count: (RequestLineText.longestSearched - 5 - cut) / 2) + value
        let shown = Self.shown(path)
        #expect(!shown.contains(value.prefix(4)))
        #expect(shown.last == "…" && path.hasPrefix(shown.dropLast()))
    }

    @Test func aLineEndsAtTheFirstLineEnding() {
        #expect(RequestLineText.length(ofLineIn: Array("GET / HTTP/1.1\r\nA: b".utf8).span) == 14)
        #expect(RequestLineText.length(ofLineIn: Array("\r\nGET /\n".utf8).span, from: 2) == 5)
        #expect(RequestLineText.length(ofLineIn: Array("GET".utf8).span) == 3)
        #expect(RequestLineText.length(ofLineIn: [UInt8]().span) == 0)
        let long = [UInt8](repeating: 0x61, count: 100_000)
        #expect(RequestLineText.length(ofLineIn: long.span) == RequestLineText.longestSearched)
    }
}
