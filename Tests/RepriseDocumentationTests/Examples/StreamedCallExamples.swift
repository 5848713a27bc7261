// SPDX-License-Identifier: Apache-2.0

import Reprise
import Testing

struct LogEntry: Decodable, Sendable {
    var text: String
}

struct ChatMessage: Decodable, Sendable {
    var text: String
}

/// The examples in the documentation of a call's streams, with a stub.
@Suite struct StreamedCallExamples {
    private let api = Client(
        "https://api.example.com",
        transport: StubTransport {
            $0.get("/log", .stream("{\"text\": \"a\"}\n"))
            $0.post("/chat", .events("data: a\n\n"))
            $0.get("/chat", .events("event: typing\ndata: Ada\n\n", "data: {\"text\": \"a\"}\n\n"))
            $0.get("/news", .events("data: b\n\n"), .status(.noContent))
        }
    )

    @Test func readsLinesAndValues() async throws {
        var shown: [String] = []
        func show(_ entry: LogEntry) { shown.append(entry.text) }
        for try await line in try await api.get("/log").lines() { print(line) }
        for try await entry in try await api.get("/log").ndjson(as: LogEntry.self) { show(entry) }
        #expect(shown == ["a"])
    }

    @Test func readsEvents() async throws {
        var rendered: [String] = []
        func render(_ text: String) { rendered.append(text) }
        let question = ["q": "x"]
        for try await event in try await api.post("/chat").json(question).events() { render(event.data) }
        #expect(rendered == ["a"])
    }

    @Test func decodesEvents() async throws {
        var shown: [String] = []
        func show(_ message: ChatMessage) { shown.append(message.text) }
        for try await event in try await api.get("/chat").events() where event.name == "message" {
            show(try event.decode(as: ChatMessage.self))
        }
        #expect(shown == ["a"])
    }

    @Test func reconnects() async throws {
        var rendered: [String] = []
        func render(_ text: String) { rendered.append(text) }
        try await Ambient.$clock.withValue(ImmediateClock()) {
            for try await event in api.get("/news").events(reconnecting: .init()) { render(event.data) }
            let news = api.get("/news").idleTimeout(.seconds(60))
            for try await event in news.events(reconnecting: .init()) { render(event.data) }
        }
        #expect(rendered == ["b"])
    }

    @Test func reconnectsIfServiceIsUnavailable() async throws {
        let news = api.get("/news").events(
            reconnecting: .init(),
            shouldReconnect: { error in
                EventReconnectionPolicy.isConnectivity(error) || (error as? ClientError)?.status == .serviceUnavailable
            }
        )
        var received: [String] = []
        try await Ambient.$clock.withValue(ImmediateClock()) {
            for try await event in news { received.append(event.data) }
        }
        #expect(received == ["b"])
    }
}

/// A clock whose sleeps return immediately.
private struct ImmediateClock: Clock {
    typealias Instant = ContinuousClock.Instant

    var now: Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
    }
}
