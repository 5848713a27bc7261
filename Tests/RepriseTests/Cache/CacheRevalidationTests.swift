// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import RepriseTestSupport
    import Testing

    @testable import Reprise

    /// Conditional requests over real sockets (RFC 9110 section 13, RFC 9111 section 4.3).
    @Suite(.timeLimit(.minutes(3))) struct CacheRevalidationTests {
        private let clock = ManualClock()

        /// The answer to one request, and what the request must and must not contain.
        private struct Turn {
            var expected: [String] = []
            var unexpected: [String] = []
            let answer: String
        }

        private func cache() -> CachingTransport {
            CachingTransport(SocketTransport(.init(proxies: .none, connectTimeout: .seconds(180))), .init(clock: clock))
        }

        private func play(_ turns: [Turn], on server: ScriptedServer) async throws {
            let connection = try await server.accept()
            for turn in turns {
                let head = try await connection.read(until: "\r\n\r\n").text.lowercased()
                for line in turn.expected { #expect(head.contains("\r\n\(line.lowercased())\r\n"), "\(line): \(head)") }
                for name in turn.unexpected { #expect(!head.contains("\r\n\(name.lowercased()):"), "\(name): \(head)") }
                try await connection.send(turn.answer)
            }
        }

        private static let unconditional = ["If-None-Match", "If-Modified-Since"]

        @Test func revalidatesExpiredResponseByETag() async throws {
            let server = try await ScriptedServer.start()
            async let played: Void = play(
                [
                    Turn(
                        unexpected: Self.unconditional,
                        answer: "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nX-Step: 1\r\nContent-Length: 3\r\n\r\none"
                    ),
                    Turn(
                        expected: ["If-None-Match: \"v1\""],
                        answer: "HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\nX-Step: 2\r\n\r\n"
                    ),
                    Turn(
                        expected: ["If-None-Match: \"v1\""],
                        answer: "HTTP/1.1 200 OK\r\nETag: \"v2\"\r\nContent-Length: 3\r\n\r\ntwo"
                    ),
                    Turn(
                        expected: ["If-None-Match: \"v2\""],
                        answer: "HTTP/1.1 304 Not Modified\r\n\r\n"
                    ),
                ],
                on: server
            )
            let cache = cache()
            let step = try #require(HTTPField.Name("X-Step"))
            for (text, value) in [("one", "1"), ("one", "2"), ("two", nil), ("two", nil)] {
                // The second time, it is fresh again.
                for _ in 1...2 {
                    let response = try await cache.send(server.request())
                    #expect(response.status == .ok)
                    #expect(response.headers[step] == value)
                    #expect(try await response.text() == text)
                }
                clock.advance(by: .seconds(300))
            }
            try await played
            #expect(cache.statistics.confirmations == 2)
            #expect((cache.statistics.hits, cache.statistics.misses) == (6, 2))
        }

        @Test func revalidatesByDateWithoutETag() async throws {
            let server = try await ScriptedServer.start()
            let date = "Sun, 06 Nov 1994 08:49:37 GMT"
            async let played: Void = play(
                [
                    Turn(answer: "HTTP/1.1 200 OK\r\nLast-Modified: \(date)\r\nContent-Length: 3\r\n\r\none"),
                    Turn(
                        expected: ["If-Modified-Since: \(date)"],
                        unexpected: ["If-None-Match"],
                        answer: "HTTP/1.1 304 Not Modified\r\n\r\n"
                    ),
                ],
                on: server
            )
            let cache = cache()
            for _ in 1...2 {
                #expect(try await cache.send(server.request()).text() == "one")
                clock.advance(by: .seconds(300))
            }
            try await played
        }

        @Test func refetchesWhen304HasAnotherETag() async throws {
            let server = try await ScriptedServer.start()
            async let played: Void = play(
                [
                    Turn(answer: "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 3\r\n\r\none"),
                    Turn(answer: "HTTP/1.1 304 Not Modified\r\nETag: \"v7\"\r\n\r\n"),
                    Turn(
                        unexpected: Self.unconditional,
                        answer: "HTTP/1.1 200 OK\r\nETag: \"v7\"\r\nContent-Length: 3\r\n\r\ntwo"
                    ),
                ],
                on: server
            )
            let cache = cache()
            #expect(try await cache.send(server.request()).text() == "one")
            clock.advance(by: .seconds(300))
            #expect(try await cache.send(server.request()).text() == "two")
            try await played
        }

        @Test func doesNotTakeConnectionFieldsOf304() async throws {
            let server = try await ScriptedServer.start()
            async let played: Void = play(
                [
                    Turn(answer: "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nX-Step: 1\r\nContent-Length: 3\r\n\r\none"),
                    Turn(
                        answer: """
                            HTTP/1.1 304 Not Modified\r\nConnection: X-Step\r\nX-Step: 2\r\nKeep-Alive: timeout=5\r\n\
                            X-New: 1\r\n\r\n
                            """
                    ),
                ],
                on: server
            )
            let cache = cache()
            _ = try await cache.send(server.request())
            clock.advance(by: .seconds(300))
            let response = try await cache.send(server.request())
            #expect(response.headers.map(\.name.canonicalName) == ["etag", "x-step", "content-length", "x-new"])
            #expect(response.header("X-Step") == "1")
            try await played
        }

        @Test func revalidationRestartsAge() async throws {
            let server = try await ScriptedServer.start()
            let fields = "ETag: \"v1\"\r\nCache-Control: max-age=60\r\n"
            async let played: Void = play(
                [
                    Turn(answer: "HTTP/1.1 200 OK\r\n\(fields)Age: 50\r\nContent-Length: 3\r\n\r\none"),
                    Turn(answer: "HTTP/1.1 304 Not Modified\r\n\(fields)\r\n"),
                ],
                on: server
            )
            let cache = cache()
            for seconds in [0, 10, 59] {
                clock.advance(by: .seconds(seconds))
                #expect(try await cache.send(server.request()).text() == "one")
            }
            try await played
        }

        /// The ETag belongs to the redirect's target, and the next redirect may have another target.
        @Test func doesNotRevalidateRedirectedResponse() async throws {
            let server = try await ScriptedServer.start()
            func redirection(_ place: String) -> Turn {
                Turn(
                    unexpected: Self.unconditional,
                    answer: "HTTP/1.1 302 Found\r\nLocation: \(place)\r\nContent-Length: 0\r\n\r\n"
                )
            }
            func answer(_ text: String) -> Turn {
                Turn(
                    unexpected: Self.unconditional,
                    answer: "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 3\r\n\r\n\(text)"
                )
            }
            async let played: Void = play(
                [redirection("/v1"), answer("one"), redirection("/v2"), answer("two")],
                on: server
            )
            let cache = cache()
            for text in ["one", "two"] {
                #expect(try await cache.send(server.request(.get, "/latest")).text() == text)
                #expect(cache.statistics.count == 0)
            }
            try await played
        }

        @Test func rejects304FromRedirectTarget() async throws {
            let server = try await ScriptedServer.start()
            let fields = "ETag: \"1\"\r\nContent-Length: 3\r\n"
            let redirection = Turn(answer: "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
            async let played: Void = play(
                [
                    Turn(answer: "HTTP/1.1 200 OK\r\n\(fields)\r\none"),
                    redirection, Turn(answer: "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n"),
                    redirection, Turn(unexpected: Self.unconditional, answer: "HTTP/1.1 200 OK\r\n\(fields)\r\ntwo"),
                ],
                on: server
            )
            let cache = cache()
            for text in ["one", "two"] {
                #expect(try await cache.send(server.request(.get, "/a")).text() == text)
                clock.advance(by: .seconds(300))
            }
            try await played
        }

        @Test func refetchesExpiredResponseWithoutValidator() async throws {
            let server = try await ScriptedServer.start()
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none"
            async let played: Void = play(
                [Turn(answer: answer), Turn(unexpected: Self.unconditional, answer: answer)],
                on: server
            )
            let cache = cache()
            for _ in 1...2 {
                #expect(try await cache.send(server.request()).text() == "one")
                clock.advance(by: .seconds(300))
            }
            try await played
        }

        @Test func revalidatesNoCacheResponseEachTime() async throws {
            let server = try await ScriptedServer.start()
            let fields = "ETag: \"v1\"\r\nCache-Control: no-cache\r\n"
            let confirmation = Turn(
                expected: ["If-None-Match: \"v1\""],
                answer: "HTTP/1.1 304 Not Modified\r\n\(fields)\r\n"
            )
            async let played: Void = play(
                [Turn(answer: "HTTP/1.1 200 OK\r\n\(fields)Content-Length: 3\r\n\r\none"), confirmation, confirmation],
                on: server
            )
            let cache = cache()
            for _ in 1...3 { #expect(try await cache.send(server.request()).text() == "one") }
            try await played
        }
    }
#endif
