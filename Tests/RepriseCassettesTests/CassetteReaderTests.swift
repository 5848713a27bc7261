// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RepriseCassettes
@testable import RepriseText

@Suite struct CassetteReaderTests {
    /// Reads the exchange of a cassette with the given request, response, and body files.
    private func exchange(
        request: String = #"{"method": "GET", "url": "/"}"#,
        response: String = #"{"status": "200"}"#,
        files: [String: [UInt8]] = [:]
    ) throws -> Exchange {
        let text = #"{"reprise": 1, "exchanges": [{"request": \#(request), "response": \#(response)}]}"#
        let read = try CassetteReader.read(Array(text.utf8), file: "a.cassette.json", bodies: .inMemory(files))
        return try #require(read.cassette.exchanges.first)
    }

    private func body(_ body: String, files: [String: [UInt8]] = [:]) throws -> RecordedBody? {
        try exchange(request: #"{"method": "GET", "url": "/", "body": \#(body)}"#, files: files).request.body
    }

    private func problems(_ text: String, files: [String: [UInt8]] = [:]) -> [String] {
        do {
            _ = try CassetteReader.read(Array(text.utf8), file: "a", bodies: .inMemory(files))
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func readsAndWritesCanceledRequest() throws {
        func text(_ outcome: String) -> String {
            #"{"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "/"}, \#(outcome)}]}"#
        }
        let bytes = Array(text(#""end": "cancelled""#).utf8)
        let cassette = try CassetteReader.read(bytes, file: "a", bodies: .inMemory([:])).cassette
        #expect(cassette.exchanges.map(\.outcome) == [.failure(.cancelled)])
        #expect(problems(text(#""failure": "cancelled""#)).count == 1)
        #expect(
            problems(text(#""end": "complete""#)) == [#"a:1:80: expected "cancelled" for "end", found "complete""#]
        )
        #expect(
            problems(text(#""end": "cancelled", "failure": "dns""#)) == [
                #"a:1:30: expected only one of "response", "failure", and "end", found more"#
            ]
        )
    }

    @Test func readsExampleOfFormat() throws {
        let text = #"""
            {
              "reprise": 1,
              "exchanges": [
                {
                  "request": {
                    "method": "POST",
                    "url": "https://staging.example.com/v1/chat?stream=true",
                    "headers": [
                      "Content-Type: application/json",
                      "Authorization: [redacted]"
                    ],
                    "body": {"json": {"prompt": "hi", "temperature": 1.0}}
                  },
                  "response": {
                    "status": "200 OK",
                    "headers": [
                      "Content-Type: text/event-stream",
                      "Transfer-Encoding: chunked"
                    ],
                    "stream": [
                      {"after": 41.2, "text": "data: {\"t\":\"He\"}\n\n"},
                      {"after": 22.0, "text": "data: {\"t\":\"y\"}\n\n"},
                      {"after": 0.1, "end": "complete"}
                    ]
                  },
                  "recorded": {"at": "2026-11-21T09:00:00Z", "milliseconds": 71.3}
                }
              ]
            }
            """#
        let read = try CassetteReader.read(Array(text.utf8), file: "chat", bodies: .inMemory([:]))
        let expected = Exchange(
            request: RecordedRequest(
                method: "POST",
                url: "https://staging.example.com/v1/chat?stream=true",
                headers: [
                    try #require(HeaderLine("Content-Type: application/json")),
                    try #require(HeaderLine("Authorization: [redacted]")),
                ],
                body: RecordedBody(.bytes(Array(#"{"prompt":"hi","temperature":1.0}"#.utf8)))
            ),
            outcome: .response(
                RecordedResponse(
                    status: 200,
                    reason: "OK",
                    headers: [
                        try #require(HeaderLine("Content-Type: text/event-stream")),
                        try #require(HeaderLine("Transfer-Encoding: chunked")),
                    ],
                    content: .stream([
                        StreamStep(after: .microseconds(41_200), .bytes(Array("data: {\"t\":\"He\"}\n\n".utf8))),
                        StreamStep(after: .milliseconds(22), .bytes(Array("data: {\"t\":\"y\"}\n\n".utf8))),
                        StreamStep(after: .microseconds(100), .end(.complete)),
                    ])
                )
            ),
            recorded: RecordingTime(at: "2026-11-21T09:00:00Z", milliseconds: 71.3)
        )
        #expect(read.cassette == Cassette(exchanges: [expected]))
        #expect(read.locations == [FilePosition(line: 4, column: 5)])
    }

    @Test func readsFailuresAndNotes() throws {
        let text = """
            {"note": "n0", "reprise": 1, "exchanges": [
              {"note": "n1", "failure": "timedOut", "request": {"note": "n2", "method": "GET", "url": "/"}},
              {"request": {"method": "GET", "url": "/", "body": {"text": "", "note": "n3"}},
               "response": {"note": "n4", "status": "404 ", "http": "2", "after": 5,
                            "headers": [{"base64": "WDog/w==", "note": "n5"}], "trailers": ["T: 1"]},
               "recorded": {"at": "2026-11-21T09:00:00.5+01:00", "note": "n6"}}
            ]}
            """
        let read = try CassetteReader.read(Array(text.utf8), file: "a", bodies: .inMemory([:]))
        #expect(read.cassette.note == "n0")
        #expect(read.locations == [FilePosition(line: 2, column: 3), FilePosition(line: 3, column: 3)])
        let first = read.cassette.exchanges[0]
        #expect(first.note == "n1" && first.request.note == "n2" && first.outcome == .failure(.timedOut))
        let second = read.cassette.exchanges[1]
        #expect(second.request.body == RecordedBody(.bytes([]), note: "n3"))
        var line = try #require(HeaderLine(bytes: [0x58, 0x3A, 0x20, 0xFF]))
        line.note = "n5"
        let response = RecordedResponse(
            status: 404,
            httpVersion: "2",
            headers: [line],
            delay: .milliseconds(5),
            trailers: [try #require(HeaderLine("T: 1"))],
            note: "n4"
        )
        #expect(second.outcome == .response(response))
        #expect(second.recorded == RecordingTime(at: "2026-11-21T09:00:00.5+01:00", note: "n6"))
    }

    @Test(arguments: [
        (#"{"json": {"a" : [ 1.0, {} , [ ] ], "b\u0041" : 1E+2 }}"#, #"{"a":[1.0,{},[]],"b\u0041":1E+2}"#),
        (#"{"layout": "spaced", "json": {"a":[1,2]}}"#, #"{"a": [1, 2]}"#),
        (
            #"{"json": {"a":[1,{"b":[]}]}, "layout": "pretty2"}"#,
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ]\n}"
        ),
        (#"{"json": [{"a":1}], "layout": "pretty4-newline"}"#, "[\n    {\n        \"a\": 1\n    }\n]\n"),
        (#"{"json": null, "layout": "compact-newline"}"#, "null\n"),
        (#"{"json": "\ud800 \" { ,", "layout": "spaced-newline"}"#, #""\ud800 \" { ,""# + "\n"),
        (#"{"text": "a\u0000\n😀"}"#, "a\0\n😀"),
        (#"{"base64": "aGk="}"#, "hi"),
        (#"{"base64": ""}"#, ""),
        (#"{"file": "x/y.bin"}"#, "file"),
    ])
    func readsBodies(written: String, bytes: String) throws {
        let body = try body(written, files: ["x/y.bin": Array("file".utf8)])
        #expect(body == RecordedBody(.bytes(Array(bytes.utf8))))
    }

    @Test func readsChunkSizes() throws {
        #expect(try body(#"{"text": "abc", "chunks": [1, 2]}"#)?.chunks == [1, 2])
    }

    @Test func readsComparesBody() throws {
        let request = #"{"method": "POST", "url": "/", "comparesBody": false}"#
        #expect(try exchange(request: request).request.comparesBody == false)
    }

    @Test(arguments: [
        ("0", 0), ("41.2", 41_200), ("0.0004", 0), ("0.0005", 1), ("1e3", 1_000_000), ("1.5E-1", 150), ("-0", 0),
        ("0.1234565", 123), ("2678400000", 2_678_400_000_000), ("0e999999999999999999999", 0),
        ("1e-99999999999999999999", 0), ("12345678.901234567890123", 12_345_678_901),
    ])
    func readsMilliseconds(spelling: String, microseconds: Int64) throws {
        let response = try exchange(response: #"{"status": "200", "after": \#(spelling)}"#).outcome
        #expect(response == .response(RecordedResponse(status: 200, delay: .microseconds(microseconds))))
    }

    @Test(arguments: ["-1", "2678400000.001", "1e99", "1e99999999999999999999", "-1e-3"])
    func rejectsMillisecondsOutOfRange(spelling: String) {
        #expect(throws: FixtureProblems.self) {
            try exchange(response: #"{"status": "200", "after": \#(spelling)}"#)
        }
    }

    @Test func rejectsNewerFormat() {
        let text = #"{"exchanges": [{"stauts": 1}], "reprise": 3}"#
        #expect(problems(text) == ["a:1:43: format 3 is newer than this release can read (2); upgrade Reprise"])
    }

    @Test func reportsAllProblemsInOrder() {
        let text = """
            {"reprise": 1, "exchanges": [
              {"request": {"method": "GET", "url": "/"}, "response": {"stauts": "200 OK"}},
              {"request": {"url": "ftp://x"}, "response": {"status": "200"}},
              17,
              {"request": {"method": "GET", "url": "/", "headers": ["A"]}, "failure": "dsn"},
              {"request": {"method": "GET", "url": "/"}}
            ]
            """
        #expect(
            problems(text) == [
                #"a:2:59: "stauts": unknown key; did you mean "status"?"#,
                #"a:3:15: expected "method" in the request, found none"#,
                #"a:3:23: expected an http or https URL, or a path that starts with '/', found neither in "ftp://x""#,
                #"a:4:3: expected an object for the exchange, found the number 17"#,
                #"a:5:57: expected a header line such as "Content-Type: text/plain", found no colon in "A""#,
                #"a:5:75: expected one of "connectionRefused", "connectionLost", "timedOut", "dns", "tls" for "failure", "#
                    + #"found "dsn"; did you mean "dns"?"#,
                #"a:6:3: expected "response" or "failure" in the exchange, found none"#,
                "a:7:2: expected ',' or '}' after the value, found the end of the text",
            ]
        )
    }

    @Test(arguments: [
        (
            #"{"status": "200", "body": {}}"#, 76,
            #"expected exactly one of "json", "text", "base64", "file" in the body, found none"#
        ),
        (
            #"{"status": "200", "body": {"text": "", "json": 1}}"#, 76,
            #"expected exactly one of "json", "text", "base64", "file" in the body, found "json" and "text""#
        ),
        (
            #"{"status": "200", "body": {"text": "", "layout": "spaced"}}"#, 76,
            #"expected "json" beside "layout", found none"#
        ),
    ])
    func rejectsBodyWithoutExactlyOneForm(response: String, column: Int, message: String) {
        let prefix = #"{"reprise":1,"exchanges":[{"request":{"method":"GET","url":"/"},"response":"#
        #expect(problems(prefix + response + "}]}") == ["a:1:\(prefix.count + 27): \(message)"])
    }

    /// Each response has one mistake.
    @Test(arguments: [
        (#"[]"#, "expected an object for the response, found an array"),
        (#"{"status": 200}"#, #"expected a status such as "200 OK" or "404", from 200 to 999, found the number 200"#),
        (#"{"status": "99 X"}"#, #"expected a status such as "200 OK" or "404", from 200 to 999, found "99 X""#),
        (#"{"status": "099"}"#, #"expected a status such as "200 OK" or "404", from 200 to 999, found "099""#),
        (#"{"status": "2000"}"#, #"expected a status such as "200 OK" or "404", from 200 to 999, found "2000""#),
        (#"{"status": "200 a\r\nb"}"#, "expected a status without control characters, found the byte 0x0D"),
        (#"{"status": "200 O\u0001K"}"#, "expected a status without control characters, found the byte 0x01"),
        (#"{"status": "200 O\u007FK"}"#, "expected a status without control characters, found the byte 0x7F"),
        (
            #"{"status": "100 Continue"}"#,
            "expected a final status, from 200 to 999, found 100: "
                + "a 1xx response precedes the final one, in \"informational\""
        ),
        (
            #"{"status": "199"}"#,
            "expected a final status, from 200 to 999, found 199: "
                + "a 1xx response precedes the final one, in \"informational\""
        ),
        (#"{"status": "200", "http": "1.1.1"}"#, #"expected a version such as "2" or "1.0" for "http", found "1.1.1""#),
        (#"{"status": "200", "after": "1"}"#, #"expected a number of milliseconds, found the string "1""#),
        (
            #"{"status": "200", "headers": "A: b"}"#,
            #"expected an array of header lines such as ["Content-Type: text/plain"], found the string "A: b""#
        ),
        (
            #"{"status": "200", "headers": [1]}"#,
            #"expected a header line such as "Content-Type: text/plain", found the number 1"#
        ),
        (
            #"{"status": "200", "headers": [": b"]}"#,
            #"expected a header line such as "Content-Type: text/plain", found no name before the colon in ": b""#
        ),
        (
            #"{"status": "200", "headers": ["A: b\r\nC: d"]}"#,
            #"expected a header line such as "Content-Type: text/plain", found a CR, LF, or NUL in "A: bC: d""#
        ),
        (#"{"status": "200", "headers": [{"base64": "QQ"}]}"#, #"expected base64 with padding, found "QQ""#),
        (
            #"{"status": "200", "headers": ["A: \ud800"]}"#,
            #"expected a character, found half of a surrogate pair (\ud800)"#
        ),
        (#"{"status": "200", "note": null}"#, #"expected a string for "note", found null"#),
        (#"{"status": "200", "status": "200"}"#, #"expected "status" once in the response, found it again"#),
        (
            #"{"status": "200", "body": {"text": ""}, "stream": [{"end": "reset"}]}"#,
            #"expected either "body" or "stream", found both"#
        ),
        (#"{"status": "200", "body": {"base64": "a"}}"#, #"expected base64 with padding, found "a""#),
        (
            #"{"status": "200", "body": {"json": 1, "layout": "prety2"}}"#,
            #"expected the name of a layout, such as "pretty2", for "layout", found "prety2"; did you mean "pretty2"?"#
        ),
        (
            #"{"status": "200", "body": {"text": "", "chunks": [1, -1]}}"#,
            "expected the size of a chunk in bytes, found the number -1"
        ),
        (
            #"{"status": "200", "body": {"text": "", "chunks": [1.5]}}"#,
            "expected the size of a chunk in bytes, found the number 1.5"
        ),
        (#"{"status": "200", "body": {"file": "nope.bin"}}"#, #"expected the file "nope.bin", found none"#),
        (
            #"{"status": "200", "body": {"file": "../x"}}"#,
            #"expected a file in the cassette's bodies folder, without '.' and '..', found "../x""#
        ),
        (
            #"{"status": "200", "body": {"file": "/etc/passwd"}}"#,
            #"expected a file in the cassette's bodies folder, without '.' and '..', found "/etc/passwd""#
        ),
        (
            #"{"status": "200", "stream": []}"#,
            #"expected a last step such as {"end": "complete"} in the stream, found none"#
        ),
        (
            #"{"status": "200", "stream": [{"text": "a"}]}"#,
            #"expected a last step such as {"end": "complete"} in the stream, found none"#
        ),
        (
            #"{"status": "200", "stream": [{"end": "reset"}, {"end": "reset"}]}"#,
            #"expected "end" only in the last step, found a step after it"#
        ),
        (
            #"{"status": "200", "stream": [{"after": 1, "text": "a", "base64": ""}, {"end": "reset"}]}"#,
            #"expected exactly one of "text", "base64", "end" in the step, found "text" and "base64""#
        ),
        (
            #"{"status": "200", "stream": [{"end": "done"}]}"#,
            #"expected one of "complete", "truncated", "reset", "timeout", "cancelled" for "end", found "done""#
        ),
    ])
    func rejectsInvalidResponses(response: String, message: String) throws {
        let error = #expect(throws: FixtureProblems.self) { try exchange(response: response) }
        #expect(error?.problems.map(\.message) == [message])
    }

    @Test(arguments: [
        (#"{"method": "G T", "url": "/"}"#, #"expected a method such as "GET", found "G T""#),
        (#"{"method": "", "url": "/"}"#, #"expected a method such as "GET", found """#),
        (#"{"method": "GET", "url": "/a b"}"#, #"found whitespace or a control character in "/a b""#),
        (#"{"method": "GET", "url": "/a#b"}"#, ##"found a fragment, which is never sent, in "/a#b""##),
        (#"{"method": "GET", "url": "https:///a"}"#, #"found no host in "https:///a""#),
        (#"{"method": "GET", "url": "http://?h/a"}"#, #"found no host in "http://?h/a""#),
        (#"{"method": "GET", "url": "http://a@:80/"}"#, #"found no host in "http://a@:80/""#),
        (#"{"method": "GET", "url": "*"}"#, #"found neither in "*""#),
        (#"{"url": "h:443", "method": "GET"}"#, #"found neither in "h:443""#),
        (#"{"method": "CONNECT", "url": "h"}"#, #"found neither in "h""#),
        (#"{"method": "CONNECT", "url": ":443"}"#, #"found neither in ":443""#),
        (#"{"method": "CONNECT", "url": "h/a:443"}"#, #"found neither in "h/a:443""#),
        (#"{"method": "CONNECT", "url": "h:443456"}"#, #"found neither in "h:443456""#),
        (#"{"method": "GET", "url": "users"}"#, #"found neither in "users""#),
    ])
    func rejectsInvalidRequests(request: String, message: String) throws {
        let error = #expect(throws: FixtureProblems.self) { try exchange(request: request) }
        #expect(error?.problems.count == 1)
        #expect(error?.problems.first?.message.hasSuffix(message) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: ["/", "/a?b=[redacted]&c=%20", "http://x", "HTTPS://x?y", "http://[::1]:80/é"])
    func acceptsURLs(url: String) throws {
        #expect(try exchange(request: #"{"method": "GET", "url": "\#(url)"}"#).request.url == url)
    }

    @Test(arguments: [("OPTIONS", "*"), ("CONNECT", "h:443"), ("CONNECT", "[::1]:8080"), ("CONNECT", "http://h/")])
    func acceptsOtherTargetForms(method: String, url: String) throws {
        #expect(try exchange(request: #"{"url": "\#(url)", "method": "\#(method)"}"#).request.url == url)
    }

    /// Invalid header lines and their faults.
    @Test(arguments: [
        (" folded: x", "whitespace before the name"), ("A : x", "whitespace before the colon"),
        ("Bad Name: y", "\\x20 in the name"),
        ("A(b): y", "'(' in the name"),
    ])
    func reportsFaultInHeaderLine(line: String, fault: String) {
        // HeaderLine decides which lines are valid.
        guard HeaderLine(line) == nil else { return }
        let error = #expect(throws: FixtureProblems.self) {
            try exchange(response: #"{"status": "200", "headers": ["\#(line)"]}"#)
        }
        let message = #"expected a header line such as "Content-Type: text/plain", found \#(fault) in "\#(line)""#
        #expect(error?.problems.map(\.message) == [message])
    }

    @Test func locatesExchangesOnOneLine() throws {
        let exchange = #"{"request": {"method": "GET", "url": "/é"}, "failure": "dns"}"#
        let start = #"{"reprise": 1, "exchanges": ["#
        let text = start + exchange + ", " + exchange + "]}"
        let read = try CassetteReader.read(Array(text.utf8), file: "a", bodies: .inMemory([:]))
        #expect(
            read.locations == [
                FilePosition(line: 1, column: start.count + 1),
                FilePosition(line: 1, column: start.count + exchange.count + 3),
            ]
        )
    }

    @Test(arguments: [
        ("[]", "a:1:1: expected an object for the cassette, found an array"),
        ("{}", #"a:1:1: expected "reprise" in the cassette, found none"#),
        (
            #"{"reprise": "1", "exchanges": []}"#,
            #"a:1:13: expected the format number, 1 or 2, for "reprise", found the string "1""#
        ),
        (
            #"{"reprise": 1, "exchanges": {}}"#,
            #"a:1:29: expected an array of exchanges for "exchanges", found an object"#
        ),
        (
            #"{"reprise": 1, "exchanges": [], "foo": [1]}"#,
            #"a:1:33: "foo": unknown key; expected one of "reprise", "note", "exchanges", "standIns""#
        ),
        (#"{"reprise": 1, "exchanges": []} x"#, "a:1:33: expected nothing after the value, found 'x'"),
        ("", "a:1:1: expected a value, found the end of the text"),
    ])
    func rejectsInvalidFiles(text: String, problem: String) {
        #expect(problems(text).first == problem)
    }

    @Test(arguments: [
        "2026-11-21", "2026-11-21T09:00:00", "2026-11-21T09:00:00.Z", "2026-11-21T09:00:00+0100", "", "now",
        "2026-13-01T09:00:00Z", "2026-02-29T09:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T09:00:00+24:00",
    ])
    func rejectsInvalidTimes(time: String) {
        let text = """
            {"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "/"}, "failure": "dns",
            "recorded": {"at": "\(time)"}}]}
            """
        #expect(problems(text).count == 1)
    }

    @Test func headerLineCacheKeepsLinesApart() throws {
        // Equal in length, start, middle, and end, so that they collide in the cache.
        let lines = (0..<40).flatMap {
            [
                "X-Request-Id: 0000000\($0 + 10)-----------------------0000", "X-Request-Id: 000000000\(-$0)", "A: b",
            ]
        }
        let list = (lines + lines).map { "\"\($0)\"" }.joined(separator: ",")
        let request = try exchange(request: #"{"method": "GET", "url": "/", "headers": [\#(list)]}"#).request
        #expect(request.headers.map { String(decoding: $0.bytes, as: UTF8.self) } == lines + lines)
    }

    @Test func readsEscapedKeys() throws {
        #expect(try exchange(request: #"{"m\u0065thod": "GET", "url": "/"}"#).request.method == "GET")
    }

    /// The start of a cassette, a mistake to repeat, and the column of the 101st mistake.
    @Test(arguments: [
        (#"{"reprise": 1, "exchanges": ["#, "1,", 230),
        (#"{"reprise": 1, "#, #""a":1,"#, 622),
        (#"{"reprise": 1, "exchanges": [{"request": {"headers": ["#, #""a","#, 459),
        (#"{"reprise": 1, "exchanges": [{"response": {"stream": ["#, "1,", 255),
        (#"{"reprise": 1, "exchanges": [{"request": {"body": {"chunks": ["#, "-1,", 363),
    ])
    func stopsReadingAfter100Problems(start: String, mistake: String, column: Int) {
        // After the mistakes, the file is not even JSON.
        let problems = problems(start + String(repeating: mistake, count: 102) + "?")
        #expect(problems.count == 101)
        #expect(problems.last == "a:1:\(column): and more; the first 100 are shown")
    }

    @Test func newerFormatHidesAllOtherProblems() {
        let text = #"{"reprise": 3, "exchanges": [\#(String(repeating: "1,", count: 500))?"#
        #expect(problems(text) == ["a:1:13: format 3 is newer than this release can read (2); upgrade Reprise"])
    }
}

extension CassetteReaderTests {
    private static func stream(_ steps: String) -> String {
        """
        {"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "/"}, "response": {"status": "200 OK",
        "headers": ["Transfer-Encoding: chunked"], "stream": [\(steps)]}}]}
        """
    }

    @Test func roundTripsMissingBytesOfChunk() throws {
        let text = Self.stream(#"{"text": "he"}, {"after": 1, "end": "truncated", "missing": 3}"#)
        let read = try CassetteReader.read(Array(text.utf8), file: "a", bodies: .inMemory([:]))
        let exchange = try #require(read.cassette.exchanges.first)
        guard case .response(let response) = exchange.outcome, case .stream(let steps) = response.content else {
            Issue.record("expected a stream")
            return
        }
        #expect(
            steps == [
                StreamStep(.bytes(Array("he".utf8))), StreamStep(after: .milliseconds(1), .end(.truncated), missing: 3),
            ]
        )
        let written = try CassetteWriter.write(read.cassette).bytes
        #expect(String(decoding: written, as: UTF8.self).contains(#""end": "truncated", "missing": 3}"#))
        let again = try CassetteReader.read(written, file: "a", bodies: .inMemory([:]))
        #expect(again.cassette == read.cassette)
    }

    @Test(arguments: [
        #"{"text": "he"}, {"end": "complete", "missing": 3}"#,
        #"{"text": "he", "missing": 3}, {"end": "truncated"}"#,
        #"{"text": "he"}, {"end": "truncated", "missing": 0}"#,
        #"{"text": "he"}, {"end": "truncated", "missing": "3"}"#,
    ])
    func rejectsInvalidMissingBytes(steps: String) {
        #expect(throws: FixtureProblems.self) {
            try CassetteReader.read(Array(Self.stream(steps).utf8), file: "a", bodies: .inMemory([:]))
        }
    }
}
