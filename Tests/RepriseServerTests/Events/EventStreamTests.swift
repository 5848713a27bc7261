// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseAnswers
import RepriseFixtures
import RepriseIO
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// Streams of events, on a session's sink and through a real socket.
@Suite struct EventStreamTests {
    private static let hello = Fixture.recorded("https://api.example.com/hello", response: .text("hi"))

    /// Runs `body` with a server and a client that has asked for events.
    private func withStream(
        _ body: (MockServer, RawClient) async throws -> Void
    ) async throws {
        let server = try await MockServer.start(fixtures: [Self.hello])
        let client = try await RawClient.connect(port: server.port)
        try await client.send("GET /__admin/reprise/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try await client.read(until: "event: start\ndata: {}\n\n")
        try await body(server, client)
        await server.stop(grace: .zero)
    }

    @Test(arguments: ["Host: evil.example", "Host: localhost\r\nOrigin: http://localhost:3000"])
    func refusesPagesFromElsewhere(_ lines: String) async throws {
        let server = try await MockServer.start(fixtures: [Self.hello])
        let client = try await RawClient.connect(port: server.port)
        try await client.send("GET /__admin/reprise/events HTTP/1.1\r\n\(lines)\r\nConnection: close\r\n\r\n")
        #expect(try await client.readToEnd().text.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
        await server.stop()
    }

    @Test func headHasNoEvents() async throws {
        let server = try await MockServer.start(fixtures: [Self.hello])
        let client = try await RawClient.connect(port: server.port)
        try await client.send("HEAD /__admin/reprise/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let answer = try await client.readToEnd().text
        #expect(answer.contains("Content-Type: text/event-stream\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
        await server.stop()
    }

    private func get(_ path: String, _ server: MockServer) async throws {
        let client = try await RawClient.connect(port: server.port)
        try await client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        _ = try await client.readToEnd()
    }

    @Test func reportsRequestsAndChanges() async throws {
        try await withStream { server, client in
            try await get("/hello", server)
            try await get("/__admin/mappings", server)
            let answered = try await client.read(until: "event: completed\n").text
            #expect(!answered.contains("__admin"))
            #expect(answered.contains("event: request\n"))
            #expect(answered.contains(#""method": "GET", "url": "/hello""#))
            #expect(answered.contains("event: answer\n"))
            try await get("/none", server)
            let missed = try await client.read(until: "event: completed\n").text
            #expect(missed.contains("event: miss\n"))
            #expect(!missed.contains("__admin"))
            await server.reset()
            _ = try await client.read(until: "event: reset\n")
            try await server.reload(fixtures: [Self.hello, Self.hello])
            _ = try await client.read(until: "event: reload\n")
            _ = try await client.read(until: "\"fixtures\": 2}\n\n")
        }
    }

    /// What a stream sends, and how much of it the reader has not read.
    private final class Reader: ResponseSink {
        var backlog = OutputBuffer.limit
        private(set) var text = ""

        func begin(_ head: ResponseHead, framing: ResponsePlan.Framing) { text = "\(head.status)\n" }
        func append(_ content: Span<UInt8>, leftOfChunk: Int) { text += content.text(0..<content.count) }
        func flush() {}
        func end(trailers: [[UInt8]]) {}
        func cutOff(_ ending: Ending) {}
        func respond(with response: OwnResponse) {}
        func contentHasRoom() {}
        func sendContinue() {}
    }

    /// A stream to a reader that does not read, on a loop.
    private final class SlowStream {
        let reader = Reader()
        let stream: EventStream

        init(_ control: ServerControl, on loop: EventLoop, queue: EventQueue) {
            stream = EventStream(control, on: loop, queue: queue)
            stream.begin(reader)
        }

        func read() {
            reader.backlog = 0
            stream.outputHasRoom()
        }
    }

    @Test func slowReaderLosesEventsAndLearnsHowMany() async throws {
        let configuration = MockServer.Configuration()
        let shared = SharedState(ServingState([], configuration: configuration))
        let control = ServerControl(shared, loops: [], configuration: configuration)
        let loop = try EventLoop(name: "events")
        let queue = EventQueue(capacity: 2)
        let slow = await withCheckedContinuation { made in
            loop.execute {
                made.resume(returning: LoopBound(local: SlowStream(control, on: loop, queue: queue), on: loop))
            }
        }
        let start = "200\nevent: start\ndata: {}\n\n"
        while await slow.run({ $0.reader.text }) != start { await Task.yield() }
        for number in 1...5 { queue.append(.changed(.reloaded(fixtures: number))) }
        let before = await slow.run { $0.reader.text }
        #expect(before == start)
        await slow.run { $0.read() }
        while await !slow.run({ $0.reader.text }).hasSuffix("id: 5\nevent: lost\ndata: {\"events\": 3}\n\n") {
            await Task.yield()
        }
        let after = await slow.run { $0.reader.text }
        #expect(after.count(of: "event: reload\n") == 2)
        await slow.run { $0.stream.abandon() }
        await loop.shutDown()
    }

    @Test func stoppingEndsStreamAtOnce() async throws {
        try await withStream { server, client in
            await server.stop(grace: .seconds(600))
            let text = try await client.readToEnd().text
            #expect(text.hasSuffix("0\r\n\r\n"))
        }
    }

    @Test func closedStreamLeavesNoSubscriber() async throws {
        try await withStream { server, client in
            let worker = try #require(await server.control.loops.first)
            await worker.run { state in state.connections.first?.close() }
            // The task removes the feed after that.
            while await worker.run({ $0.events.hasSubscribers }) { await Task.yield() }
        }
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
