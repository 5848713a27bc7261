// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RepriseDocuments
import RepriseFixtures
import RepriseIO
import RepriseStubs
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// Several exchanges on one connection, in a protocol with streams.
@Suite(.timeLimit(.minutes(5))) struct SessionSeamTests {
    private let hello = "HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nhi"

    /// A server that speaks ``StreamSession``, with one loop.
    private static func start(
        _ stubs: [StubMapping] = [],
        _ configure: (inout MockServer.Configuration) -> Void = { _ in }
    ) async throws -> MockServer {
        var configuration = MockServer.Configuration()
        configuration.threads = 1
        configure(&configuration)
        let fixtures: [Fixture] = [
            .recorded("https://api.example.com/hello", response: .text("hi")),
            .recorded("https://api.example.com/slow", response: .stream([(0, "a"), (20, "b")])),
            .recorded("https://api.example.com/paused", response: .stream([(0, "a"), (3_600_000, "b")])),
            .recorded("https://api.example.com/lost", response: .stream([(0, "a")], ending: .reset)),
        ]
        let server = try await MockServer.start(fixtures: fixtures, configuration: configuration)
        for stub in stubs { try await server.stub(stub) }
        for worker in await server.control.loops {
            await worker.run { $0.makeSession = { connection, _ in StreamSession(connection) } }
        }
        return server
    }

    /// Reads lines until the answers of these streams have ended. Returns the lines of each stream.
    private func read(_ streams: Int..., from client: RawClient) async throws -> [Int: [String]] {
        var lines: [Int: [String]] = [:]
        while !streams.allSatisfy({ lines[$0]?.last.map { !$0.hasPrefix("> ") } == true }) {
            let line = try await client.read(until: "\n").text
            let words = line.dropLast().split(separator: " ", maxSplits: 1)
            try #require(words.count == 2, "found '\(line)' after \(lines)")
            lines[Int(words[0]) ?? 0, default: []].append(String(words[1]))
        }
        return lines
    }

    @Test func exchangesInterleaveAndOneIsCanceled() async throws {
        let far = try await MockServer.start(
            stubs: [StubMapping(.get("/far"), .text("far"))],
            configuration: MockServer.Configuration()
        )
        let server = try await Self.start([StubMapping(.get("/far"), .proxy(to: "http://127.0.0.1:\(far.port)"))])
        let client = try await RawClient.connect(port: server.port)
        try await client.send(
            "1 GET /paused\n2 GET /slow\n3 GET /__admin/mappings\n4 GET /far\n5 GET /hello\n6 GET /lost\n7 GET /none\n"
        )
        let lines = try await read(2, 3, 4, 5, 6, 7, from: client)
        let head = "> HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n"
        #expect(lines[1] == [head + "1\\r\\na\\r\\n"])
        #expect(lines[2] == [head + "1\\r\\na\\r\\n", "> 1\\r\\nb\\r\\n0\\r\\n\\r\\n", "keepAlive"])
        #expect(lines[3]?.joined().contains("200 OK") == true)
        #expect(lines[4]?.joined().contains("far") == true)
        #expect(lines[5] == ["> " + hello, "keepAlive"])
        #expect(lines[6] == [head + "1\\r\\na\\r\\n", "reset"])
        #expect(lines[7]?.first?.contains("404 Not Found") == true)

        try await client.send("1 cancel\n8 GET /hello\n")
        #expect(try await read(8, from: client) == [8: ["> " + hello, "keepAlive"]])
        await client.finishWriting()
        #expect(try await client.readToEnd().text.isEmpty)
        // The journal doesn't contain requests to the admin API.
        let entries = await server.journal.entries
        #expect(
            entries.map { $0.requestLine.split(separator: " ")[1] } == [
                "/paused", "/slow", "/far", "/hello", "/lost", "/none", "/hello",
            ]
        )
        #expect(entries.filter { $0.duration == nil }.map(\.status) == [200, 200], "canceled, and reset")
        await server.stop()
        await far.stop()
    }

    /// A stop finishes what has arrived, on each stream.
    @Test func stopWaitsForAllStreams() async throws {
        let server = try await Self.start()
        let client = try await RawClient.connect(port: server.port)
        try await client.send("1 GET /slow\n2 GET /slow\n")
        _ = try await client.read(until: "2 > ")
        await server.stop()
        let rest = try await client.readToEnd().text
        #expect(rest.contains("1 keepAlive\n") && rest.contains("2 keepAlive\n"))
    }

    /// Slow answers of a connection wait for a thread, and one that is canceled meanwhile never gets one.
    @Test func connectionTakesOnlySomeOfTheThreads() async throws {
        let held = DispatchSemaphore(value: 0)
        let threads = WorkerThreads(name: "held", limit: 1)
        threads.submit { held.wait() }
        let text = "{{request.path}} {{#each (range 1 9)}}x{{/each}}"
        let server = try await Self.start([StubMapping(.get("/long"), .text(text).template())]) {
            $0.workerThreads = threads
            $0.workLimit = .nothing
        }
        let client = try await RawClient.connect(port: server.port)
        try await client.send((1...6).map { "\($0) GET /long\n" }.joined() + "6 cancel\n7 GET /hello\n")
        #expect(try await read(7, from: client) == [7: ["> " + hello, "keepAlive"]])
        let worker = try #require(await server.control.loops.first)
        let counts = await worker.run { state in
            state.connections.first.map { [$0.background.count, $0.background.waiting.count] }
        }
        #expect(counts == [BackgroundAnswers.limit, 1])
        held.signal()
        let lines = try await read(1, 2, 3, 4, 5, from: client)
        #expect(lines.values.allSatisfy { $0.joined().contains("/long xxxxxxxxx") })
        #expect(lines[6] == nil)
        #expect(await worker.run { $0.connections.first?.background.count } == 0)
        await client.finishWriting()
        await server.stop()
    }

    /// All streams together hold as much content as one request may have.
    @Test func streamsShareTheLimitOfHeldContent() async throws {
        let server = try await Self.start()
        let client = try await RawClient.connect(port: server.port)
        try await client.send("1 GET /paused\n2 GET /paused\n")
        _ = try await client.read(until: "2 > ")
        let worker = try #require(await server.control.loops.first)
        let granted = await worker.run { state in
            let streams = (state.connections.first?.session as? StreamSession)?.streams ?? [:]
            return [(1, 10), (2, state.bodyLimit), (2, state.bodyLimit - 10), (1, 11)].map {
                streams[$0]?.exchange.hold($1)
            }
        }
        #expect(granted == [true, false, true, false])
        try await client.send("1 cancel\n2 cancel\n3 GET /hello\n")
        _ = try await read(3, from: client)
        #expect(await worker.run { $0.connections.first?.heldCount } == 0)
        await client.finishWriting()
        await server.stop()
    }
}
