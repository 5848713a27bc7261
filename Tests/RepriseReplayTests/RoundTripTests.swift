// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Reprise
    import RepriseReplay
    import RepriseTestSupport
    import Testing

    /// From the cassette, a client sees exactly what it saw over a real connection during the recording.
    @Suite struct RoundTripTests {
        private static let ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json"
        private static let events = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nCACHE-CONTROL: no-store"
        private static let json = #"{"id": 1, "tags": ["a", 1.0, 1e2], "n": null}"#

        /// A name, the server's answers, and the requests to send.
        struct Case: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let answers: [String: [WireAnswer]]
            var method = HTTPRequest.Method.get
            var count = 1

            init(_ name: String, _ answers: WireAnswer...) {
                testDescription = name
                self.answers = ["/x": answers]
                count = answers.count
            }

            init(_ name: String, redirecting answers: [String: [WireAnswer]]) {
                testDescription = name
                self.answers = answers
            }
        }

        static let cases: [Case] =
            [
                ("compact JSON", #"{"id":1,"tags":["a",1.0,1e2],"n":null}"#), ("spaced JSON", json),
                ("JSON in two columns", "{\n  \"id\": 1,\n  \"tags\": [\n    \"a\"\n  ]\n}"),
                ("JSON in four columns", "{\n    \"id\": 1,\n    \"tags\": [\n        \"a\"\n    ]\n}\n"),
                ("JSON in no layout", "{ \"id\" :1,\n\"tags\":[ ]}  \n"), ("invalid JSON", "{\"id\": 1,,}"),
                ("JSON with a key twice", #"{"a":1,"a":2}"#), ("empty JSON", ""),
            ].map { Case($0, WireAnswer(ok, content: Array($1.utf8))) } + [
                Case(
                    "binary",
                    WireAnswer("HTTP/1.1 200 OK\r\nContent-Type: image/png", content: (0...255).map { UInt8($0) })
                ),
                Case(
                    "Latin-1",
                    WireAnswer(
                        Array("HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=latin1\r\nX-Name: Andr".utf8)
                            + [0xE9, 0x0D, 0x0A] + Array("Content-Length: 3\r\n\r\n".utf8) + [0xE9, 0x20, 0xFF]
                    )
                ),
                Case("gzip", WireAnswer("\(ok)\r\nContent-Encoding: gzip", content: Gzip.sample)),
                Case(
                    "headers twice, in mixed case, in an odd order",
                    WireAnswer(
                        "HTTP/1.1 200 Fine, thanks\r\nx-ONE:  1 \r\nLink: </a>\r\nX-One: 2\r\nlink: </b>"
                            + "\r\nContent-Length: 2\r\nX-Last:\r\n\r\nok"
                    )
                ),
                Case("204", WireAnswer("HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n")),
                Case("304", WireAnswer("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nContent-Length: 99\r\n\r\n")),
                Case("no reason", WireAnswer("HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n")),
                Case("until the end", WireAnswer("HTTP/1.1 200 OK\r\n\r\nall there is", .closed)),
                Case(
                    "chunks with trailers",
                    WireAnswer(
                        "HTTP/1.1 200 OK\r\nTrailer: X-Sum",
                        chunks: [Array("ab".utf8), Array("c".utf8), Array("defg".utf8)],
                        trailers: "X-Sum:  7 \r\nx-more: 1\r\n"
                    )
                ),
                Case(
                    "events cut inside a character",
                    WireAnswer(
                        events,
                        chunks: [Array("data: caf".utf8) + [0xC3], [0xA9, 0x0A, 0x0A], Array("data: 2\r\n\r\n".utf8)]
                    )
                ),
                Case(
                    "NDJSON",
                    WireAnswer(
                        "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson",
                        chunks: [Array("{\"n\": 1}\n{\"n".utf8), Array("\": 2}\n".utf8)]
                    )
                ),
                Case("cut short", WireAnswer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345", .closed)),
                Case(
                    "chunks cut short",
                    WireAnswer(events, chunks: [Array("data: 1\n\n".utf8)], ending: .closed)
                ),
                Case("reset before the head", WireAnswer("", .reset)),
                Case(
                    "three answers",
                    WireAnswer(ok, content: [0x31]),
                    WireAnswer(ok, content: [0x32]),
                    WireAnswer("HTTP/1.1 503 Not now\r\nContent-Length: 0\r\n\r\n")
                ),
                Case(
                    "a redirection",
                    redirecting: [
                        "/x": [WireAnswer("HTTP/1.1 302 Found\r\nLocation: /y?z=1\r\nX-Hop: 1", content: [0x31])],
                        "/y?z=1": [WireAnswer("HTTP/1.1 307 Again\r\nLocation: ../w", chunks: [[0x32], [0x33]])],
                        "/w": [WireAnswer(ok, content: Array(json.utf8))],
                    ]
                ),
            ]

        @Test(.timeLimit(.minutes(3)), arguments: cases)
        func replayMatchesLiveResponses(_ example: Case) async throws {
            let folder = try TemporaryFolder()
            let server = try await ScriptedServer.answering(example.answers)
            let path = folder.path("a.cassette.json")
            let recording = try RecordingTransport(over: SocketTransport(.init(proxies: .none)), to: path)
            var live: [Observation] = []
            for _ in 0..<example.count {
                live.append(await Observation(of: server.request(example.method, "/x"), with: recording))
            }
            try recording.finish()
            #expect(recording.summary.notes == [])
            let replay = try ReplayingTransport(path)
            for seen in live {
                #expect(await Observation(of: server.request(example.method, "/x"), with: replay) == seen)
            }
            #expect(throws: Never.self) { try replay.finish() }
        }
    }
#endif
