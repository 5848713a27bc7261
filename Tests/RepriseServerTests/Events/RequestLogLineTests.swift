// SPDX-License-Identifier: Apache-2.0

import RepriseRedaction
import Testing

@testable import RepriseServer

struct RequestLogLineTests {
    @Test func containsTheStatusTheRequestTheAnswerAndTheTime() {
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
    @Test func isTheFirstLineOfTheHeadWithoutTheVersion() {
        var shown = ShownRequestLine()
        #expect(shown.text(ofHead: Self.head("GET /a HTTP/1.1").span) == "GET /a")
        #expect(shown.text(ofHead: Self.head("GET /a HTTP/1.1").span) == "GET /a")
        #expect(shown.text(ofHead: Self.head("GET /b HTTP/1.1").span) == "GET /b")
        #expect(shown.text(ofHead: Self.head("GET /b HTTP/1.0").span) == "GET /b HTTP/1.0")
        #expect(shown.text(ofHead: Array("GET /b".utf8).span) == "GET /b")
    }

    @Test func hidesSecretsEachTime() {
        var shown = ShownRequestLine()
        let head = Self.head("GET /a?access_token=7Hq2vXk91LmZ04tBw&b=1 HTTP/1.1")
        for _ in 1...2 { #expect(shown.text(ofHead: head.span) == "GET /a?access_token=[redacted]&b=1") }
    }

    @Test func hidesAValueThatBecomesKnownAfterTheLineWasShown() {
        var shown = ShownRequestLine()
        let value = "k\(UInt64.random(in: .min ... .max))x"
        let head = Self.head("GET /a?about=\(value) HTTP/1.1")
        #expect(shown.text(ofHead: head.span) == "GET /a?about=\(value)")
        SecretMemory.shared.remember(Array(value.utf8))
        #expect(shown.text(ofHead: head.span) == "GET /a?about=[redacted]")
    }

    private static func head(_ line: String) -> [UInt8] { Array("\(line)\r\nHost: a\r\n\r\n".utf8) }
}
