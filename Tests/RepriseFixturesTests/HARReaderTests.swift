import Testing

@testable import RepriseCassettes
// SPDX-License-Identifier: Apache-2.0
@testable import RepriseDocuments
@testable import RepriseFixtures
@testable import RepriseMatching
@testable import RepriseText

@Suite struct HARReaderTests {
    /// The text of a HAR file with one entry.
    private func harFile(
        request: String = #""method": "GET", "url": "https://example.com/""#,
        response: String = #""status": 200, "content": {"text": "hi"}"#,
        more: String = ""
    ) -> String {
        #"{"log": {"version": "1.2", "entries": [{"request": {\#(request)}, "response": {\#(response)}\#(more)}]}}"#
    }

    private func read(_ text: String) throws -> HARReader.Result {
        try HARReader.read(Array(text.utf8), file: "a.har")
    }

    private func response(_ response: String, request: String? = nil, more: String = "") throws -> RecordedResponse {
        let text = request.map { harFile(request: $0, response: response, more: more) }
        let exchange = try #require(try read(text ?? harFile(response: response, more: more)).exchanges.first)
        guard case .response(let response) = exchange.outcome else {
            throw JSONError(offset: 0, message: "no response")
        }
        return response
    }

    private func request(_ members: String) throws -> RecordedRequest {
        let text = #""method": "POST", "url": "https://example.com/", "# + members
        return try #require(try read(harFile(request: text)).exchanges.first).request
    }

    private func problems(_ text: String) -> [String] {
        do {
            _ = try HARReader.read(Array(text.utf8), file: "a")
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func readsEntry() throws {
        let text = """
            \u{FEFF}{"log": {"creator": {"name": "x"}, "pages": [], "entries": [
              {"_initiator": {"type": "other"}, "startedDateTime": "2026-11-21T09:00:00.123Z", "time": 24.5,
               "request": {
                 "method": "GET", "url": "https://example.com/a?b=c#d", "httpVersion": "http/2.0",
                 "headers": [{"name": ":authority", "value": "example.com"}, {"name": "accept", "value": "*/*"}],
                 "queryString": [{"name": "b", "value": "c"}], "headersSize": -1, "bodySize": 0},
               "response": {
                 "status": 200, "statusText": "OK", "httpVersion": "h3",
                 "headers": [{"name": ":status", "value": "200"},
                   {"name": "Content-Encoding", "value": "br"}, {"name": "content-length", "value": "7"},
                   {"name": "connection", "value": "close"}, {"name": "Keep-Alive", "value": "timeout=5"},
                   {"name": "transfer-encoding", "value": "chunked"}, {"name": "ETag", "value": "x"},
                   {"name": "Content-Length", "value": "7"}],
                 "content": {"size": 5, "mimeType": "text/plain", "text": "h\\u00e9llo", "compression": 1},
                 "redirectURL": null, "headersSize": -1, "bodySize": 7},
               "cache": {}, "timings": {"blocked": -1, "wait": 12.25, "receive": 1}}]}}
            """
        let result = try read(text)
        let expected = Exchange(
            request: RecordedRequest(
                method: "GET",
                url: "https://example.com/a?b=c",
                headers: [HeaderLine(name: "accept", value: "*/*")]
            ),
            outcome: .response(
                RecordedResponse(
                    status: 200,
                    reason: "OK",
                    httpVersion: "3",
                    headers: [
                        HeaderLine(name: "content-length", value: "6"), HeaderLine(name: "ETag", value: "x"),
                        HeaderLine(name: "Content-Type", value: "text/plain"),
                    ],
                    delay: .microseconds(12_250),
                    content: .body(RecordedBody(.bytes(Array("héllo".utf8))))
                )
            ),
            recorded: RecordingTime(at: "2026-11-21T09:00:00.123Z", milliseconds: 24.5)
        )
        #expect(result.exchanges == [expected])
        #expect(result.locations == [FilePosition(line: 2, column: 3)])
        #expect(result.notes.isEmpty)
    }

    /// The content in the HAR file, and the bytes that are served.
    @Test(
        arguments: [
            (#""text": "a\n\u00e9😀""#, Array("a\né😀".utf8)),
            (#""encoding": "base64", "text": "AP8=""#, [0x00, 0xFF]),
            (#""text": "AP8", "encoding": "BASE64""#, [0x00, 0xFF]),
            (#""text": "A P\/\n8=", "encoding": "base64""#, [0x00, 0xFF, 0xFC]),
            (#""text": "plain", "encoding": """#, Array("plain".utf8)),
            (#""text": "plain", "encoding": null, "size": null"#, Array("plain".utf8)),
            (#""text": "\ud800!""#, Array("\u{FFFD}!".utf8)),
            (#""text": "é", "size": 2"#, Array("é".utf8)),
            (#""text": "é", "size": 1"#, Array("é".utf8)),
            (#""text": "é€", "size": 2"#, Array("é€".utf8)),
            (#""text": "four", "size": 23866"#, Array("four".utf8)),
        ] as [(String, [UInt8])]
    )
    func readsContent(content: String, bytes: [UInt8]) throws {
        let response = try response(#""status": 200, "content": {\#(content)}"#)
        #expect(response.content == .body(RecordedBody(.bytes(bytes))))
        #expect(response.headers == [HeaderLine(name: "Content-Length", value: "\(bytes.count)")])
    }

    /// A media type, the text in the HAR file, its size, and the bytes that are served. Some tools count characters.
    @Test(
        arguments: [
            ("application/json; charset=utf-8", "Zoë", 3, Array("Zoë".utf8)),
            ("application/json", "Zoë", 3, Array("Zoë".utf8)),
            ("application/vnd.api+json", "Zoë", 3, Array("Zoë".utf8)),
            ("text/html", "Zoë", 3, Array("Zoë".utf8)),
            ("text/xml", "Zoë", 3, Array("Zoë".utf8)),
            ("image/svg+xml", "Zoë", 3, Array("Zoë".utf8)),
            ("application/atom+xml", "Zoë", 3, Array("Zoë".utf8)),
            ("application/javascript", "Zoë", 3, Array("Zoë".utf8)),
            ("application/x-javascript", "Zoë", 3, Array("Zoë".utf8)),
            ("application/x-ndjson", "Zoë", 3, Array("Zoë".utf8)),
            ("application/x-www-form-urlencoded", "Zoë", 3, Array("Zoë".utf8)),
            ("application/octet-stream; charset=utf-8", "Zoë", 3, Array("Zoë".utf8)),
            // An explicit charset.
            ("text/html; charset=ISO-8859-1", "Zoë", 3, Array("Zo".utf8) + [0xEB]),
            ("text/html; charset=\"latin1\"", "Zoë", -1, Array("Zo".utf8) + [0xEB]),
            ("text/html; charset=windows-1252", "ë€", 2, [0xEB, 0x80]),
            ("text/html; charset=windows-1252", "ë€", 5, Array("ë€".utf8)),
            ("text/html; charset=windows-1252", "ë😀", 2, Array("ë😀".utf8)),
            // Media types without characters.
            ("image/png", "Zoë", 3, Array("Zo".utf8) + [0xEB]),
            ("application/octet-stream", "Zoë", 3, Array("Zo".utf8) + [0xEB]),
            ("application/wasm", "Zoë", 4, Array("Zoë".utf8)),
            ("image/png", "Zoë", 0, Array("Zoë".utf8)),
            ("image/png", "Z€", 2, Array("Z€".utf8)),
        ] as [(String, String, Int, [UInt8])]
    )
    func encodesTextByMediaTypeAndSize(type: String, text: String, size: Int, bytes: [UInt8]) throws {
        let quoted = type.replacing("\"", with: "\\\"")
        let content = #""content": {"mimeType": "\#(quoted)", "text": "\#(text)", "size": \#(size)}"#
        #expect(try response(#""status": 200, \#(content)"#).content == .body(RecordedBody(.bytes(bytes))))
        let header = #""headers": [{"name": "content-type", "value": "\#(quoted)"}]"#
        let part = #"{"mimeType": "text/plain; charset=x", "text": "\#(text)", "size": \#(size)}"#
        #expect(
            try response(#""status": 200, \#(header), "content": \#(part)"#).content
                == .body(RecordedBody(.bytes(bytes)))
        )
        let postData = #""postData": {"mimeType": "\#(quoted)", "text": "\#(text)"}, "bodySize": \#(size)"#
        #expect(try request(postData).body == RecordedBody(.bytes(bytes)))
    }

    /// Members of a request, and its header lines.
    @Test(arguments: [
        (#""postData": {"mimeType": "application/json", "text": "{}"}"#, ["Content-Type: application/json"]),
        (
            #""headers": [{"name": "content-type", "value": "text/a"}], "postData": {"mimeType": "b/c", "text": "x"}"#,
            ["content-type: text/a"]
        ),
        (
            #""postData": {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "a", "value": "b"}]}"#,
            ["Content-Type: application/x-www-form-urlencoded"]
        ),
        (
            #""postData": {"params": [{"name": "a", "value": "b"}]}"#,
            ["Content-Type: application/x-www-form-urlencoded"]
        ),
        (#""postData": {"mimeType": "text/plain", "text": ""}"#, []),
        (#""postData": {"mimeType": "x-unknown", "text": "a"}"#, []),
        (#""postData": {"mimeType": "a/b\r\nc: d", "text": "a"}"#, []),
    ])
    func addsContentTypeOfRequestBody(members: String, lines: [String]) throws {
        #expect(try request(members).headers == lines.compactMap { HeaderLine($0) })
    }

    @Test(arguments: [
        (#""mimeType": "application/x-www-form-urlencoded", "text": "b=2&a=1""#, BodyPattern.Kind.form),
        (#""mimeType": "application/json", "text": "1.0""#, .json),
        (
            #""mimeType": "multipart/form-data; boundary=x", "#
                + #""text": "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--x--\r\n""#, .multipart
        ),
        (#""mimeType": "text/plain", "text": "a=1""#, .bytes),
    ])
    func comparesRequestBodyByMediaType(members: String, kind: BodyPattern.Kind) throws {
        let pattern = RequestPattern(recorded: try request(#""postData": {\#(members)}"#))
        guard case .equal(let found, _) = pattern.body else { return #expect(Bool(false)) }
        #expect(found == kind)
    }

    /// Members of a response, and its header lines.
    @Test(arguments: [
        (#""content": {"mimeType": "text/html", "text": "a"}"#, ["Content-Type: text/html", "Content-Length: 1"]),
        (
            #""content": {"mimeType": "text/html", "text": "a"}, "headers": [{"name": "content-type", "value": "b/c"}]"#,
            ["content-type: b/c", "Content-Length: 1"]
        ),
        (#""content": {"mimeType": "text/html", "text": ""}"#, ["Content-Length: 0"]),
        (#""content": {"mimeType": "x-unknown", "text": "a"}"#, ["Content-Length: 1"]),
    ])
    func addsContentTypeOfResponseBody(members: String, lines: [String]) throws {
        #expect(try response(#""status": 200, \#(members)"#).headers == lines.compactMap { HeaderLine($0) })
    }

    @Test func readsNonStringHeaderValues() throws {
        let members = #"""
            "status": 204, "headers": [{"name": "Age", "value": 12.50}, {"name": "X", "value": true},
            {"name": "Y", "value": [1]}]
            """#
        #expect(try response(members).headers == ["Age: 12.50", "X: true", "Y: 1"].compactMap { HeaderLine($0) })
    }

    @Test func notesHeadersOfWrongType() throws {
        let result = try read(harFile(response: #""status": 204, "headers": {"Age": "1"}"#))
        #expect(result.exchanges.count == 1)
        #expect(
            result.notes.map(\.message) == [#"expected an array for "headers", found an object; it is ignored"#]
        )
    }

    @Test(arguments: ["[    ]", "false", "null", "{}", "\"    \"", "12345"])
    func readsEntryWithoutWebSocketMessages(messages: String) throws {
        #expect(try read(harFile(more: #", "_webSocketMessages": \#(messages)"#)).exchanges.count == 1)
    }

    @Test func locatesEntriesOnSameLine() throws {
        let entry = #"{"request": {"method": "GET", "url": "http://h/é"}, "response": {"status": 204}}"#
        let start = #"{"log": {"entries": ["#
        let result = try read(start + entry + ", " + entry + "]}}")
        #expect(
            result.locations == [
                FilePosition(line: 1, column: start.count + 1),
                FilePosition(line: 1, column: start.count + entry.count + 3),
            ]
        )
    }

    @Test(arguments: [
        #""status": 200, "content": {"size": 0}"#, #""status": 200"#,
        #""status": 200, "content": null, "bodySize": -1"#,
        #""status": "200", "content": {"text": ""}, "headers": null"#,
    ])
    func readsEmptyContent(members: String) throws {
        let response = try response(members)
        #expect(response.content == .none)
        #expect(response.headers == [HeaderLine(name: "Content-Length", value: "0")])
    }

    @Test(arguments: [
        (#""method": "HEAD", "url": "http://h/""#, 200, ["Content-Length: 9"]),
        (#""method": "GET", "url": "http://h/""#, 304, ["Content-Length: 9"]),
        (#""method": "GET", "url": "http://h/""#, 204, []),
    ])
    func readsResponsesWithoutContent(request: String, status: Int, headers: [String]) throws {
        let members = #""status": \#(status), "headers": [{"name": "Content-Length", "value": "9"}]"#
        let result = try response(members, request: request)
        #expect(result.content == .none)
        #expect(result.headers == headers.compactMap { HeaderLine($0) })
    }

    @Test func notesCachedBodyOfNotModifiedResponse() throws {
        let result = try read(harFile(response: #""status": 304, "content": {"text": "cached"}"#))
        #expect(result.exchanges.count == 1)
        #expect(result.notes.count == 1)
    }

    /// Requests and responses that can't be replayed, and the reason.
    @Test(arguments: [
        (#""method": "GET", "url": "https://h/""#, #""status": 0"#, "", "the HAR file has no response"),
        (#""method": "GET", "url": "https://h/""#, #""status": -1"#, "", "the HAR file has no response"),
        (#""method": "GET", "url": "https://h/""#, "", "", "the HAR file has no response"),
        (#""method": "GET", "url": "https://h/""#, #""status": 101"#, "", "it is a WebSocket"),
        (#""method": "GET", "url": "https://h/""#, #""status": 103"#, "", "103 is not a final status"),
        (#""method": "GET", "url": "https://h/""#, #""status": 200"#, #", "_webSocketMessages": []"#, "200"),
        (
            #""method": "GET", "url": "https://h/""#, #""status": 200"#, #", "_webSocketMessages": [{}, {}]"#,
            "WebSocket"
        ),
        (
            #""method": "GET", "url": "wss://h/""#, #""status": 200"#, "",
            "only URLs that start with http:// or https://"
        ),
        (#""method": "GET", "url": "https:///a""#, #""status": 200"#, "", "its URL has no host"),
        (#""method": "GET", "url": "http://?h/a b'c""#, #""status": 200"#, "", "its URL has no host"),
        (#""method": "GET", "url": "http://:80/""#, #""status": 200"#, "", "its URL has no host"),
        (#""method": "GET", "url": "//h/a""#, #""status": 200"#, "", "only URLs that start with"),
        (#""method": "GET", "url": "h/a""#, #""status": 200"#, "", "only URLs that start with"),
        (#""method": "GET", "url": "/a""#, #""status": 200"#, "", "only URLs that start with"),
        (#""method": "CONNECT", "url": "h:443""#, #""status": 200"#, "", "only URLs that start with"),
        (
            #""method": "GET", "url": "data:text/plain,hi""#, #""status": 200"#, "",
            "only URLs that start with http:// or https://"
        ),
        (
            #""method": "GET", "url": "blob:https://h/1""#, #""status": 200"#, "",
            "only URLs that start with http:// or https://"
        ),
        (
            #""method": "GET", "url": "chrome-extension://x""#, #""status": 200"#, "",
            "only URLs that start with http:// or https://"
        ),
    ])
    func skipsEntriesThatCannotBeReplayed(request: String, response: String, more: String, reason: String) throws {
        let result = try read(harFile(request: request, response: response, more: more))
        guard reason != "200" else { return #expect(result.exchanges.count == 1) }
        #expect(result.exchanges.isEmpty && result.locations.isEmpty)
        #expect(result.notes.count == 1)
        #expect(result.notes.first?.message.contains(reason) == true)
        #expect(result.notes.first?.location == FilePosition(line: 1, column: 40))
    }

    @Test func skipsEntryWithoutResponse() throws {
        let text = #"{"log": {"entries": [{"request": {"method": "GET", "url": "http://h/"}, "response": null}]}}"#
        #expect(try read(text).notes.count == 1)
    }

    @Test func splitsJoinedHeadersAndDropsInvalidOnes() throws {
        let members = #"""
            "status": 302, "headers": [{"name": "Set-Cookie", "value": "a=1\nb=2\r\nc=3"}, {"name": "", "value": "x"},
            {"name": "x y", "value": "z"}, {"name": "Empty", "value": ""}, {"name": "Null", "value": null},
            {"name": "NUL", "value": "a\u0000b"}, {"value": "v"}, 5, {"name": "location", "value": "/caf\u00e9"}]
            """#
        let result = try read(harFile(response: members))
        let response = try response(members)
        #expect(
            response.headers.map { String(decoding: $0.bytes, as: UTF8.self) } == [
                "Set-Cookie: a=1", "Set-Cookie: b=2", "Set-Cookie: c=3", "Empty:", "Null:", "location: /café",
                "Content-Length: 0",
            ]
        )
        #expect(result.notes.count == 4)
    }

    @Test(arguments: [
        (#""httpVersion": "HTTP/1.1""#, nil), (#""httpVersion": "http/2.0""#, "2"), (#""httpVersion": "h3""#, "3"),
        (#""httpVersion": "HTTP/1.0""#, "1.0"), (#""httpVersion": "unknown""#, nil), (#""x": 1"#, nil),
    ])
    func readsHTTPVersion(member: String, version: String?) throws {
        #expect(try response(#""status": 200, \#(member)"#).httpVersion == version)
    }

    @Test func removesLineBreaksFromStatusText() throws {
        #expect(try response(#""status": 200, "statusText": "O\r\nK""#).reason == "OK")
        #expect(try response(#""status": 200, "statusText": """#).reason == "")
    }

    // MARK: Streams

    private static let events = """
        "_eventSourceMessages": [
            {"time": 1732180000.5, "eventName": "message", "eventId": "", "data": "one"},
            {"time": 1732180000.75, "eventName": "add", "eventId": "7", "data": "two\\nlines"}]
        """

    @Test func convertsEventSourceMessagesToStream() throws {
        let members = #"""
            "status": 200, "headers": [{"name": "Content-Type", "value": "text/event-stream; charset=utf-8"},
            {"name": "Content-Length", "value": "3"}], "content": {"size": 0}
            """#
        let response = try response(members, more: ", " + Self.events)
        let steps = [
            StreamStep(.bytes(Array("data: one\n\n".utf8))),
            StreamStep(after: .milliseconds(250), .bytes(Array("event: add\nid: 7\ndata: two\ndata: lines\n\n".utf8))),
            StreamStep(.end(.complete)),
        ]
        #expect(response.content == .stream(steps))
        #expect(
            response.headers == [
                HeaderLine(name: "Content-Type", value: "text/event-stream; charset=utf-8"),
                HeaderLine(name: "Transfer-Encoding", value: "chunked"),
            ]
        )
    }

    /// The text of a stream, and the chunks that are sent at the times of two messages and after them.
    @Test(arguments: [
        ("data:1\n\ndata:2\n\n", ["data:1\n\n", "data:2\n\n"]),
        // Anything that isn't a message is sent with the next message.
        (":c\n\ndata:1\n\nretry: 5\n\nid: 2\ndata\n\n", [":c\n\ndata:1\n\n", "retry: 5\n\nid: 2\ndata\n\n"]),
        ("event: a\n\ndata:1\r\n\r\ndata:2\r\r", ["event: a\n\ndata:1\r\n\r\n", "data:2\r\r"]),
        ("\u{FEFF}data:1\n\ndataset: x\n\ndata:2\n\n", ["\u{FEFF}data:1\n\n", "dataset: x\n\ndata:2\n\n"]),
        ("data:1\n\ndata:2\n\n: end\n\n", ["data:1\n\n", "data:2\n\n", ": end\n\n"]),
        // A tool may have removed the last blank line, or the stream may have ended within an event.
        ("data:1\n\ndata:2", ["data:1\n\n", "data:2"]),
        ("data:1\n\ndata:2\n\ndata:3\n", ["data:1\n\n", "data:2\n\n", "data:3\n"]),
    ])
    func playsStreamTextAtTimesOfMessages(text: String, chunks: [String]) throws {
        let escaped = text.unicodeScalars.map { $0 == "\n" ? "\\n" : $0 == "\r" ? "\\r" : String($0) }.joined()
        let members = #""status": 200, "content": {"mimeType": "text/event-stream", "text": "\#(escaped)"}"#
        func steps(_ pauses: [Duration]) -> RecordedResponse.Content {
            .stream(
                zip(pauses, chunks).map { StreamStep(after: $0, .bytes(Array($1.utf8))) } + [
                    StreamStep(.end(.complete))
                ]
            )
        }
        #expect(try response(members, more: ", " + Self.events).content == steps([.zero, .milliseconds(250), .zero]))
        #expect(try response(members).content == steps([.zero, .zero, .zero]))
    }

    @Test func playsStreamWithoutPausesIfMessagesDiffer() throws {
        let members = #""status": 200, "content": {"mimeType": "text/event-stream", "text": "data:1\n\n:c\n\n"}"#
        let steps = [
            StreamStep(.bytes(Array("data:1\n\n".utf8))), StreamStep(.bytes(Array(":c\n\n".utf8))),
            StreamStep(.end(.complete)),
        ]
        #expect(try response(members, more: ", " + Self.events).content == .stream(steps))
    }

    // MARK: Requests

    @Test(arguments: [
        (#""postData": {"mimeType": "application/json", "text": "{\"a\":1}"}, "bodySize": 7"#, #"{"a":1}"#),
        (#""postData": {"mimeType": "application/json", "text": "é"}, "bodySize": 2"#, "é"),
        (
            #""postData": {"params": [{"name": "a b", "value": "1&é"}, {"name": "c"}]}, "bodySize": 9"#,
            "a+b=1%26%C3%A9&c="
        ),
        (#""postData": {"params": [{"name": "a", "value": "1"}], "text": "a=%31"}"#, "a=%31"),
        (#""postData": {"mimeType": "", "text": "aGk=", "encoding": "base64"}"#, "hi"),
        (#""postData": {"mimeType": "", "text": "aGk=", "_encoding": "base64"}"#, "hi"),
        (#""postData": {"encoding": "base64", "mimeType": "", "text": "aGk=", "_encoding": null}"#, "hi"),
    ])
    func readsRequestBodies(members: String, body: String) throws {
        let request = try request(members)
        #expect(request.body == RecordedBody(.bytes(Array(body.utf8))))
        #expect(request.comparesBody)
    }

    @Test(arguments: [
        #""bodySize": 5"#, #""postData": {"mimeType": "text/plain", "text": ""}, "bodySize": 5"#,
        #""postData": null, "headers": [{"name": "content-length", "value": "5"}], "bodySize": -1"#,
        #""postData": {"mimeType": "multipart/form-data; boundary=x", "params": [{"name": "f", "fileName": "p.png"}]}"#,
        #""postData": {"mimeType": "multipart/form-data; boundary=x", "text": "--x\r\n"}, "bodySize": 500"#,
        #""postData": {"params": [{"name": "f", "fileName": "p.png"}]}"#,
    ])
    func doesNotCompareMissingRequestBody(members: String) throws {
        let request = try request(members)
        #expect(request.body == nil)
        #expect(!request.comparesBody)
    }

    @Test(arguments: [
        #""bodySize": 0"#, #""bodySize": -1"#, #""postData": {"mimeType": "", "text": ""}, "bodySize": 0"#,
    ])
    func readsRequestsWithoutBody(members: String) throws {
        let request = try request(members)
        #expect(request.body == nil)
        #expect(request.comparesBody)
    }

    @Test(arguments: [
        ("https://h/a b", "https://h/a%20b"), ("https://h/é?ü#x", "https://h/%C3%A9?%C3%BC"),
        ("http://é/é", "http://é/%C3%A9"),
    ])
    func percentEncodesURLs(url: String, sent: String) throws {
        let result = try read(harFile(request: #""method": "GET", "url": "\#(url)""#))
        #expect(result.exchanges.first?.request.url == sent)
    }

    // MARK: Malformed files

    @Test(arguments: [
        ("", "a:1:1: expected a value, found the end of the text"),
        ("[]", "a:1:1: expected an object for the HAR file, found an array"),
        (#"{"reprise": 1}"#, #"a:1:1: expected "log" in the HAR file, found none; export it again as HAR"#),
        (#"{"log": 1}"#, #"a:1:9: expected an object for "log", found the number 1"#),
        (#"{"log": {}}"#, #"a:1:9: expected "entries" in "log", found none"#),
        (#"{"log": {"entries": {}}}"#, #"a:1:21: expected an array for "entries", found an object"#),
        (#"{"log": {"entries": [],}}"#, "a:1:24: expected a key after ',', found '}'"),
    ])
    func rejectsMalformedFiles(text: String, problem: String) {
        #expect(problems(text) == [problem])
    }

    @Test func malformedEntriesAreLeftOut() throws {
        let text =
            #"{"log": {"entries": [1, {"request": {"method": "GET", "url": "http://h"}, "response": {"status": 200,"#
            + "\n" + #""content": {"encoding": "base64", "text": "?"}}}, {}, {"request": {"url": "/"}},"# + "\n"
            + #"{"request": {"method": "a b", "url": "/"}}, {"request": {"method": "GET"}}, "#
            + #"{"request": {"method": "GET", "url": "http://h/good"}, "response": {"status": 200}}]}}"#
        let result = try read(text)
        #expect(result.exchanges.map(\.request.url) == ["http://h/good"])
        #expect(
            result.notes.map { $0.description.dropFirst(6) } == [
                "1:22: left out an entry: it is not an object, but the number 1",
                "1:25: left out GET http://h: its body is not base64, but \"?\"",
                "2:51: left out an entry: it has no request", "2:55: left out /: it has no method",
                "3:1: left out a b /: its method is invalid", "3:45: left out GET: it has no URL",
            ]
        )
    }

    @Test func limitsNumberOfNotes() throws {
        let text = #"{"log": {"entries": [\#(String(repeating: "1,", count: 5000))1]}}"#
        let notes = try read(text).notes
        #expect(notes.count == 1001)
        #expect(notes.last?.message == "and more; the first 1000 notes are shown")
    }

    /// A wait that is negative or longer than 31 days is ignored.
    @Test(
        arguments: [
            ("0", .zero), ("12.25", .microseconds(12_250)), ("2678400000", .seconds(31 * 24 * 60 * 60)),
            ("2678400000.5", nil), ("-1", nil), ("1e300", nil),
        ] as [(String, Duration?)]
    )
    func readsWaitOfUpToAMonth(wait: String, delay: Duration?) throws {
        let members = #""status": 200, "content": {"text": "hi"}"#
        #expect(try response(members, more: #", "timings": {"wait": \#(wait)}"#).delay == delay)
    }
}
