// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

@Suite struct MissReportTests {
    private let index = FixtureIndex([
        .recorded("GET", "/users?page=2", file: "users.cassette.json"), .recorded("POST", "/users", body: #"{"a":1}"#),
    ])

    @Test func formatsText() {
        let report = MissReport(index, .get("/users?page=3"))
        #expect(
            String(decoding: report.text(), as: UTF8.self) == """
                No fixture answers GET /users?page=3.

                Nearest:

                  GET /users?page=2 (users.cassette.json)
                    query.page: expected 2, found 3

                  POST /users (test.cassette.json)
                    method: expected POST, found GET
                    query.page: expected nothing, found 3
                    body: expected {"a":1}, found nothing

                To see every candidate, run: swift run mockserver explain GET '/users?page=3' PATH…

                """
        )
    }

    /// The target of CONNECT is the host and port, which the parser returns as the authority.
    @Test func namesAuthorityOfCONNECT() {
        let head = Array("CONNECT h.example:443 HTTP/1.1\r\n\r\n".utf8)
        let ranges = RequestView.Ranges(method: 0..<7, path: 8..<8, authority: 8..<21)
        let report = MissReport(index, OwnedRequest(head: head, ranges: ranges))
        #expect(report.detail == "No fixture answers CONNECT h.example:443.")
    }

    @Test func formatsProblemDetails() {
        let report = MissReport(index, .get("/users?page=\"3"))
        #expect(
            String(decoding: report.problem(), as: UTF8.self) == #"""
                {
                  "type": "urn:reprise:problem:no-fixture",
                  "title": "No fixture answers this request",
                  "status": 404,
                  "detail": "No fixture answers GET /users?page=\"3. Nearest: GET /users?page=2 (users.cassette.json): query.page: expected 2, found \"3.",
                  "method": "GET",
                  "target": "/users?page=\"3",
                  "nearest": [
                    {
                      "fixture": "users.cassette.json",
                      "request": "GET /users?page=2",
                      "matching": ["method", "path", "body"],
                      "differing": [
                        {"field": "query.page", "expected": "2", "found": "\"3"}
                      ]
                    },
                    {
                      "fixture": "test.cassette.json",
                      "request": "POST /users",
                      "matching": ["path"],
                      "differing": [
                        {"field": "method", "expected": "POST", "found": "GET"},
                        {"field": "query.page", "expected": "nothing", "found": "\"3"},
                        {"field": "body", "expected": "{\"a\":1}", "found": "nothing"}
                      ]
                    }
                  ]
                }

                """#
        )
    }

    @Test func reportsExhaustedSequence() {
        let index = FixtureIndex(recorded: ["GET /a", "GET /a"], options: MatchingOptions(afterLast: .miss))
        _ = index.fixtures(for: .get("/a"), count: 2)
        let report = MissReport(index, .get("/a"))
        #expect(report.nearMisses.exhausted?.fixtures == [0, 1])
        #expect(
            String(decoding: report.text(), as: UTF8.self) == """
                All 2 answers to GET /a were given already.

                  GET /a (test.cassette.json)
                  GET /a (test.cassette.json)

                To answer it again, set --after-last (afterLast in code) to repeat or restart.

                To see every candidate, run: swift run mockserver explain GET '/a' PATH…

                """
        )
        #expect(
            String(decoding: report.problem(), as: UTF8.self) == #"""
                {
                  "type": "urn:reprise:problem:sequence-exhausted",
                  "title": "All recorded answers were given",
                  "status": 404,
                  "detail": "All 2 answers to GET /a were given already.",
                  "method": "GET",
                  "target": "/a",
                  "given": ["test.cassette.json", "test.cassette.json"],
                  "nearest": []
                }

                """#
        )
    }

    @Test func reportsExhaustedSequenceForHEAD() {
        let index = FixtureIndex(recorded: ["GET /a", "GET /b"], options: MatchingOptions(afterLast: .miss))
        _ = index.fixtures(for: .get("/a"), count: 1)
        let report = MissReport(index, OwnedRequest(method: "HEAD", url: "/a"))
        #expect(report.nearMisses.exhausted?.fixtures == [0])
        #expect(report.nearMisses.nearest.map(\.fixture) == [1])
        #expect(report.detail == "The one answer to HEAD /a was given already.")
    }

    @Test(arguments: [
        ("GET", "/a", "GET '/a'"), ("A'B", "/a?b=$c'd", "'A'\\''B' '/a?b=$c'\\''d'"), ("A|B", "/a*", "'A|B' '/a*'"),
        ("GET", "/a\u{1B}", #"GET "$(printf '/a\033')""#), ("GET", "/" + String(repeating: "a", count: 4096), nil),
        (String(repeating: "A", count: 4096), "/", nil), ("--help", "/a", nil),
    ])
    func suggestsExplainCommandIfPossible(method: String, url: String, words: String?) {
        let text = String(decoding: MissReport(index, OwnedRequest(method: method, url: url)).text(), as: UTF8.self)
        if let words {
            #expect(text.hasSuffix("\n\nTo see every candidate, run: swift run mockserver explain \(words) PATH…\n"))
        } else {
            #expect(!text.contains("mockserver explain"))
        }
    }

    @Test func suggestedCommandHasHeadersBodyAndOptions() {
        let headers = ["Host: h", "X-A: it's", "Content-Length: 2", "Connection: close"].compactMap { HeaderLine($0) }
        let request = OwnedRequest(method: "PUT", url: "/a", headers: headers, body: Array("a\n".utf8))
        var tool = ToolInvocation(paths: ["f"])
        tool.options = ["--ignore-query", "t"]
        let text = String(decoding: MissReport(index, request).text(tool), as: UTF8.self)
        let words = #"PUT '/a' -H 'Host: h' -H 'X-A: it'\''s' -d @- --ignore-query t f"#
        #expect(text.hasSuffix("run: printf 'a\\n' | swift run mockserver explain \(words)\n"))
    }

    /// The command needs the decoded body, and secrets are not found in a coded one.
    @Test(arguments: [
        ("gzip", false, false), ("br", false, false), ("identity, zstd", false, false), ("gzip", true, true),
        ("identity", false, true), ("Identity ,", false, true), ("", false, true), ("aws-chunked", false, true),
        ("gzip, aws-chunked", false, false),
    ])
    func bodyIsShownOnlyWithoutItsCoding(coding: String, isDecoded: Bool, isShown: Bool) {
        let headers = [HeaderLine("Content-Encoding: \(coding)")].compactMap { $0 }
        let request = OwnedRequest(method: "PUT", url: "/a", headers: headers, body: Array("a\n".utf8))
        let text = String(decoding: MissReport(index, request, isDecoded: isDecoded).text(), as: UTF8.self)
        #expect(text.contains("printf 'a\\n' | ") == isShown)
        #expect(text.contains("save the request's body as BODY") == !isShown)
    }

    @Test func reportsEmptyIndex() {
        let report = MissReport(FixtureIndex([]), .get("/a"))
        #expect(String(decoding: report.text(), as: UTF8.self) == "There are no fixtures.\n")
    }

    @Test func escapesAndShortensTextForTerminals() {
        let report = MissReport(
            index,
            OwnedRequest(method: "GET", url: "/a'b\u{1B}[2J\u{202E}?" + String(repeating: "é", count: 500))
        )
        let text = String(decoding: report.text(), as: UTF8.self)
        #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E })
        #expect(text.contains(#"/a'b\x1B[2J\xE2\x80\xAE?éé"#))
        #expect(text.utf8.count < 4000)
        let problem = String(decoding: report.problem(), as: UTF8.self)
        #expect(problem.contains(#"/a'b\\x1B[2J\\xE2\\x80\\xAE?éé"#))
    }
}
