// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

extension EKNetworkParityTests {
    /// Streamed responses, over real connections and from stubs.
    @Suite struct Streams {
        private struct Match: Decodable, Equatable {
            var name: String?
            var isEnd: Bool?
        }

        private struct Search: Endpoint {
            typealias Response = EmptyResponse
            let text: String
            var path: Path { "/players" }

            func configure(_ call: Call) -> Call {
                call.query(["q": text, "stream": true]).header("X-Device", "d-1").authorized()
            }
        }

        private struct Refusal: Error, Decodable, Equatable {
            var reason: String
        }

        private func collect<Elements: AsyncSequence>(_ elements: Elements) async throws -> [Elements.Element] {
            var all: [Elements.Element] = []
            for try await element in elements { all.append(element) }
            return all
        }

        private func stubbed(_ answer: StubTransport.Answer) -> Call {
            Client("https://api.example.com", transport: StubTransport { $0.get("/log", answer) }).get("/log")
        }

        // MARK: Content

        /// The first example of EKNetwork's documentation: an ordinary request, values as they arrive, and a loop that
        /// ends early.
        @Test func decodesNDJSONAsItArrivesAndStopsEarly() async throws {
            let server = try await ScriptedServer.start()
            let api = server.client(.init(tokenProvider: Tokens("t-1")))
            async let names = {
                var names: [String?] = []
                for try await match in try await api.call(Search(text: "Ada L")).ndjson(as: Match.self) {
                    names.append(match.name)
                    if match.isEnd == true { break }
                }
                return names
            }()
            let connection = try await server.accept()
            let request = try await connection.readRequest()
            #expect(request.line == "GET /players?q=Ada%20L&stream=true HTTP/1.1")
            #expect(request["Authorization"] == "Bearer t-1")
            #expect(request["X-Device"] == "d-1")
            try await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            // Split a line, and a character of two bytes.
            try await connection.send("10\r\n{\"name\": \"Ada\"}\n\r\nd\r\n{\"name\": \"Zo")
            try await connection.send([0xC3] + Array("\r\n4\r\n".utf8) + [0xAB] + Array("\"}\n\r\n".utf8))
            try await connection.send("10\r\n{\"isEnd\": true}\n\r\n")
            #expect(try await names == ["Ada", "Zoë", nil])
            // The content has no end: leaving the loop closes the connection.
            try await connection.waitForEnd()
        }

        @Test func readsServerSentEvents() async throws {
            let call = stubbed(.events("data: one\n", "\nid: 7\nevent: t", "ick\ndata: two\ndata: more\n\n"))
            let events = try await collect(call.events())
            #expect(events.map(\.data) == ["one", "two\nmore"])
            #expect(events.map(\.name) == ["message", "tick"])
            #expect(events.last?.id == "7")
        }

        @Test func readsEventsLineByLine() async throws {
            var texts: [Substring] = []
            for try await line in try await stubbed(.stream("data: one\n\n: note\ndata: two\r\n\r\n")).lines() {
                let field = line.split(separator: ": ", maxSplits: 1)
                if field.first == "data" { texts += field.dropFirst() }
            }
            #expect(texts == ["one", "two"])
        }

        /// Blank lines end events. EKNetwork omits them; Reprise returns them as lines.
        @Test func preservesBlankLinesAndTrimsCRLF() async throws {
            let lines = try await collect(stubbed(.stream("a\r", "\n\r\n", "b")).lines())
            #expect(lines == ["a", "", "b"])
        }

        @Test func returnsStatusAndHeadersBeforeBytes() async throws {
            let response = try await stubbed(.stream("ab", "c").header("X-Node", "7")).stream()
            #expect(response.status == .ok)
            #expect(response.headers[HTTPField.Name("X-Node")!] == "7")
            #expect(response.ending == nil)
            // Chunks. EKNetwork returns single bytes, or chunks since version 1.7.
            #expect(try await collect(response.body) == [Array("ab".utf8), Array("c".utf8)])
        }

        @Test func endsAtInvalidLine() async throws {
            var matches = try await stubbed(.stream("{\"name\": \"Ada\"}\n\n}\n")).ndjson(as: Match.self)
                .makeAsyncIterator()
            #expect(try await matches.next() == Match(name: "Ada"))
            let error = await #expect(throws: ClientError.self) { try await matches.next() }
            #expect(error?.code == .decoding)
            #expect(error?.message.contains("line 3") == true)
            #expect(try await matches.next() == nil)
        }

        @Test func cancellationEndsRequest() async throws {
            let server = try await ScriptedServer.start()
            let api = server.client()
            let first = Signal()
            let task = Task {
                for try await _ in try await api.get("/log").lines() { first.set() }
            }
            let connection = try await server.accept()
            _ = try await connection.readRequest()
            try await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na\n\r\n")
            await first.wait()
            task.cancel()
            let error = await #expect(throws: ClientError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            try await connection.waitForEnd()
        }

        // MARK: Compared with complete responses

        @Test func refreshesTokenBeforeFirstByte() async throws {
            let tokens = Locked<[String?]>([])
            let server = try await ScriptedServer.answering { request in
                tokens.withLock { $0.append(request["Authorization"]) }
                return request["Authorization"] == "Bearer new"
                    ? RawRequest.response(body: "one\ntwo\n") : RawRequest.response("401 Unauthorized", body: "who?")
            }
            let call = server.client(.init(tokenProvider: Tokens("old") { "new" })).get("/log").authorized()
            #expect(try await collect(call.lines()) == ["one", "two"])
            #expect(tokens.withLock { $0 } == ["Bearer old", "Bearer new"])
            withExtendedLifetime(server) {}
        }

        @Test func decodesServerErrorOfStream() async throws {
            let call = stubbed(.stream("{\"reason\": ", "\"full\"}", status: .serviceUnavailable))
            await #expect(throws: Refusal(reason: "full")) {
                _ = try await call.serverError(Refusal.self).ndjson(as: Match.self)
            }
            let error = await #expect(throws: ClientError.self) { _ = try await call.lines() }
            #expect(error?.code == .status)
            #expect(error?.response?.text == #"{"reason": "full"}"#)
        }

        @Test(arguments: [(1 << 20, ClientError.Code.status), (1 << 20 + 1, .errorBodyTooLarge)])
        func readsUpToOneMebibyteOfError(size: Int, code: ClientError.Code) async throws {
            let server = try await ScriptedServer.start { connection in
                _ = try await connection.readRequest()
                try await connection.send("HTTP/1.1 500 Internal Server Error\r\nContent-Length: \(size)\r\n\r\n")
                try await connection.send([UInt8](repeating: 0x61, count: size))
                try await connection.waitForEnd()
            }
            let error = await #expect(throws: ClientError.self) { _ = try await server.client().get("/log").lines() }
            #expect(error?.code == code)
            withExtendedLifetime(server) {}
        }

        @Test func doesNotRetryStreamAfterItStarts() async throws {
            let stub = StubTransport {
                $0.get("/log", .status(503), .stream("one\n", "tw", ending: .reset), .stream("three\n"))
            }
            let configuration = Client.Configuration(timeout: nil, clock: ManualClock(passesBySleeping: true))
            let api = Client("https://api.example.com", transport: stub, configuration: configuration)
            var lines: [String] = []
            let error = await #expect(throws: ClientError.self) {
                for try await line in try await api.get("/log").retry(.fixed()).lines() { lines.append(line) }
            }
            #expect(error?.isConnectivity == true)
            #expect(lines == ["one"])
            // EKNetwork never retries streams. Here, the 503 was retried, but the interrupted stream was not.
            #expect(stub.requests.count == 2)
        }

        @Test func reportsDownloadProgress() async throws {
            let seen = Locked<[TransferProgress]>([])
            let call = stubbed(.stream("ab", "c")).onProgress { progress in seen.withLock { $0.append(progress) } }
            for try await _ in try await call.stream().body {}
            #expect(seen.withLock { $0.map(\.bytes) }.last == 3)
            #expect(seen.withLock { $0.last?.fraction } == 1)
        }
    }
}
