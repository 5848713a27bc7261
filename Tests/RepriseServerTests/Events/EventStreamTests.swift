// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseAnswers
import RepriseFixtures
import RepriseIO
import RepriseStubs
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// Streams of events, on a session's sink and through a real socket.
@Suite(.timeLimit(.minutes(5))) struct EventStreamTests {
    private static let hello = Fixture.recorded("https://api.example.com/hello", response: .text("hi"))

    /// Runs `body` with a server and a client that has requested events.
    private func withStream(
        _ body: (MockServer, RawClient) async throws -> Void
    ) async throws {
        let server = try await MockServer.start(fixtures: [Self.hello])
        let client = try await Self.events(port: server.port)
        try await body(server, client)
        await server.stop(grace: .zero)
    }

    /// Returns a client that has requested events.
    private static func events(_ query: String = "", port: Int, prefix: String = "") async throws -> RawClient {
        let client = try await RawClient.connect(port: port)
        try await client.send("GET \(prefix)/__admin/reprise/events\(query) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try await client.read(until: "event: start\ndata: {}\n\n")
        return client
    }

    @Test func reportsChangesOfStubs() async throws {
        try await withStream { server, client in
            var mapping = StubMapping(.get("/a"), .text("a"))
            mapping.id = "11111111-0000-4000-8000-000000000001"
            let id = try await server.stub(mapping)
            _ = try await client.read(until: #""change": "added", "stubs": 1, "ids": ["\#(id)"]}"#)
            try await server.control.replace(id, with: mapping)
            _ = try await client.read(until: #""change": "replaced", "stubs": 1, "ids": ["\#(id)"]}"#)
            await server.remove(stub: id)
            _ = try await client.read(until: #""change": "removed", "stubs": 1, "ids": ["\#(id)"]}"#)
            try await server.stub((0..<200).map { StubMapping(.get("/\($0)"), .text("a")) })
            let many = try await client.read(until: "]}\n").text
            #expect(many.contains(#""stubs": 200, "#))
            #expect(many.count(of: "\"") < 250)
            let session = try await server.control.openSession()
            await server.control.removeAll(in: session.id)
            _ = try await client.read(until: #""session": "\#(session.id)"}"#)
        }
    }

    /// Each address of a session selects the session's events, and so does the parameter. Otherwise, the stream has the
    /// server's own events.
    @Test func sessionStreamHasOnlyItsEvents() async throws {
        let server = try await MockServer.start(fixtures: [Self.hello])
        let (one, other) = (try await server.control.openSession(), try await server.control.openSession())
        let readers = [
            try await Self.events(port: one.port),
            try await Self.events(port: server.port, prefix: "/__session/\(one.id)"),
            try await Self.events("?session=\(one.id)", port: server.port),
        ]
        let root = try await Self.events("?session=", port: server.port)
        try await server.stub([StubMapping(.get("/root"), .text("a"))])
        try await server.control.add([StubMapping(.get("/other"), .text("a"))], in: other.id)
        try await get("/hello?other", port: other.port)
        try await get("/hello?root", server)
        try await server.control.add([StubMapping(.get("/one"), .text("a"))], in: one.id)
        try await get("/hello?one", port: one.port)
        for reader in readers {
            let text = try await reader.read(until: "event: completed\n").text
            #expect(text.count(of: "event: ") == 4)
            #expect(text.contains("event: stub\n"))
            #expect(text.contains(#""url": "/hello?one", "session": "\#(one.id)"}"#))
        }
        let text = try await root.read(until: "event: completed\n").text
        #expect(text.count(of: "event: ") == 4)
        #expect(text.contains(#""url": "/hello?root"}"#))
        await server.control.resetToFiles()
        _ = try await root.read(until: "event: reset\n")
        await server.stop(grace: .zero)
    }

    @Test(arguments: ["", "http://localhost", "HTTP://LOCALHOST:80"])
    func requestsOfTheAdminAPIAreNotReported(_ base: String) async throws {
        try await withStream { server, reader in
            for path in ["/__admin/version", "/__admin", "/hello"] {
                let client = try await RawClient.connect(port: server.port)
                try await client.send("GET \(base)\(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                _ = try await client.readToEnd()
            }
            let text = try await reader.read(until: "event: completed\n").text
            #expect(text.count(of: "event: ") == 3)
            #expect(!text.contains("__admin"))
        }
    }

    @Test func streamHasOnlyRequestedKinds() async throws {
        let server = try await MockServer.start(fixtures: [Self.hello])
        let client = try await Self.events("?kind=miss,stub&kind=reset", port: server.port)
        try await get("/hello", server)
        try await get("/none", server)
        try await server.stub(StubMapping(.get("/a"), .text("a")))
        await server.reset()
        let text = try await client.read(until: "event: reset\n").text
        #expect(text.count(of: "event: ") == 3)
        #expect(text.contains("event: miss\ndata: "))
        #expect(text.contains(#""method": "GET", "url": "/none", "status": 404}"#))
        #expect(text.contains("event: stub\n"))
        await server.stop(grace: .zero)
    }

    @Test(arguments: [
        ("?kind=mis", "422", "did you mean 'miss'?"), ("?session=none", "404", "expected an open session"),
    ])
    func invalidFilterIsRefused(_ query: String, _ status: String, _ reason: String) async throws {
        let server = try await MockServer.start(fixtures: [Self.hello])
        let client = try await RawClient.connect(port: server.port)
        try await client.send(
            "GET /__admin/reprise/events\(query) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
        let answer = try await client.readToEnd().text
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(answer.contains(reason), "\(answer)")
        await server.stop()
    }

    @Test(arguments: ["Host: evil.example", "Host: localhost\r\nOrigin: http://localhost:3000"])
    func refusesPagesOfOtherOrigins(_ lines: String) async throws {
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
        try await get(path, port: server.port)
    }

    private func get(_ path: String, port: Int) async throws {
        let client = try await RawClient.connect(port: port)
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

    /// The text that a stream sends, and the number of bytes that the reader has not read.
    private final class Reader: ResponseSink {
        var backlog = OutputBuffer.limit
        private(set) var text = ""

        func inform(_ head: ResponseHead) {}
        func begin(_ head: ResponseHead, template: HeadTemplate?, framing: ResponsePlan.Framing) {
            text = "\(head.status)\n"
        }
        func append(_ content: Span<UInt8>, leftOfChunk: Int) { text += content.text(0..<content.count) }
        func flush() {}
        func end(trailers: [[UInt8]]) {}
        func end(status: Int, switchingTo makeSession: @escaping (Connection) -> any ConnectionSession) {}
        func cutOff(_ ending: Ending) {}
        func respond(with response: ServerResponse) {}
        func contentHasRoom() {}
        func sendContinue() {}
    }

    /// A stream to a reader that does not read, on a loop.
    private final class SlowStream {
        let reader = Reader()
        let stream: EventStream

        init(_ control: ServerControl, on loop: EventLoop) {
            stream = EventStream(control, among: EventStreams(on: loop))
            stream.begin(reader, ResponseHead(status: 200, reason: "OK", headers: []))
        }

        func read() {
            reader.backlog = 0
            stream.send()
        }
    }

    @Test func slowReaderLosesEventsAndReceivesTheirNumber() async throws {
        let configuration = MockServer.Configuration()
        let shared = SharedState(ServingState([], configuration: configuration))
        let control = ServerControl(shared, loops: [], configuration: configuration)
        let loop = try EventLoop(name: "events")
        let slow = await withCheckedContinuation { made in
            loop.execute { made.resume(returning: LoopBound(local: SlowStream(control, on: loop), on: loop)) }
        }
        let start = "200\nevent: start\ndata: {}\n\n"
        while await slow.run({ $0.reader.text }) != start, !Task.isCancelled { await Task.yield() }
        let channel = try #require(await control.eventChannel)
        for number in 1...3000 {
            channel.queue.append(.changed(.reloaded(fixtures: number)))
            // The task that writes the events must not lose any itself.
            var place = number
            while channel.text(from: &place, EventFilter(), limit: .max).isEmpty, !Task.isCancelled {
                await Task.yield()
            }
        }
        #expect(await slow.run { $0.reader.text } == start)
        await slow.run { $0.read() }
        while await !slow.run({ $0.reader.text }).hasSuffix("\"fixtures\": 3000}\n\n"), !Task.isCancelled {
            await Task.yield()
        }
        let after = await slow.run { $0.reader.text }
        #expect(after.hasPrefix("\(start)id: 2000\nevent: lost\ndata: {\"events\": 2000}\n\nid: 2001\n"))
        #expect(after.count(of: "event: reload\n") == 1000)
        await slow.run { $0.stream.finish() }
        while await control.eventChannel != nil, !Task.isCancelled { await Task.yield() }
        await loop.shutDown()
    }

    /// The streams of all readers share one subscriber of a loop.
    @Test func readersShareTheirEvents() async throws {
        let server = try await MockServer.start(fixtures: [Self.hello])
        var readers: [RawClient] = []
        for _ in 0..<20 { readers.append(try await Self.events(port: server.port)) }
        try await get("/hello", server)
        var texts: Set<String> = []
        for reader in readers {
            // The events may arrive in one chunk or in several.
            let lines = try await reader.read(until: "event: completed\n").text.split(whereSeparator: \.isNewline)
            texts.insert(lines.filter { $0.contains(": ") }.joined(separator: "\n"))
        }
        #expect(texts.count == 1)
        #expect(await server.control.eventReaders == 20)
        await server.stop(grace: .zero)
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
            while await worker.run({ $0.events.hasSubscribers }), !Task.isCancelled { await Task.yield() }
        }
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
