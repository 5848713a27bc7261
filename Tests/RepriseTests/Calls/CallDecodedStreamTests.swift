// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite(.timeLimit(.minutes(5))) struct CallDecodedStreamTests {
    private func collect<Elements: AsyncSequence>(_ elements: Elements) async throws -> [Elements.Element] {
        var all: [Elements.Element] = []
        for try await element in elements { all.append(element) }
        return all
    }

    private func api(_ answer: StubTransport.Answer) -> Client {
        Client("https://h", transport: StubTransport { $0.on(nil, "/", answer) })
    }

    // MARK: Lines and values

    @Test func yieldsBlankLinesAndUnterminatedLastLine() async throws {
        let api = api(.stream("a\r", "\n\nb", "\u{E4}".first.map { .bytes(Array("\($0)".utf8.prefix(1))) } ?? ""))
        #expect(try await collect(api.get("/").lines()) == ["a", "", "b\u{FFFD}"])
    }

    @Test func decodesLinesWithCallsDecoder() async throws {
        struct Entry: Decodable, Equatable { var userID: Int }
        let snake = JSONDecoder()
        snake.keyDecodingStrategy = .custom { path in
            path.last.map { AnyKey($0.stringValue == "user_id" ? "userID" : $0.stringValue) } ?? AnyKey("")
        }
        let call = api(.stream("{\"user_id\":1}\n\n{\"us", "er_id\":2}")).get("/").decoder(snake)
        #expect(try await collect(call.ndjson(as: Entry.self)) == [Entry(userID: 1), Entry(userID: 2)])
    }

    @Test func invalidLineEndsStreamWithLineNumber() async throws {
        var iterator = try await api(.stream("1\n2\nx\n4\n")).get("/").ndjson(as: Int.self).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        #expect(try await iterator.next() == 2)
        let error = await #expect(throws: ClientError.self) { try await iterator.next() }
        #expect(error?.code == .decoding)
        #expect(error?.message.contains("line 3") == true)
        #expect((error?.underlying as? StreamDecodingError)?.line == 3)
        #expect(error?.request?.path == "/")
        #expect(try await iterator.next() == nil)
    }

    @Test func throwsStatusErrorBeforeFirstElement() async throws {
        let call = api(.text("no", status: .notFound)).get("/")
        for stream in [
            { _ = try await call.lines() }, { _ = try await call.ndjson(as: Int.self) },
            { _ = try await call.events() },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: ClientError.self) { try await stream() }
            #expect(error?.code == .status)
            #expect(error?.response?.text == "no")
        }
    }

    @Test func errorOfBrokenStreamNamesRequest() async throws {
        var lines = try await api(.stream("a\nb", ending: .reset)).get("/").lines().makeAsyncIterator()
        #expect(try await lines.next() == "a")
        let error = await #expect(throws: ClientError.self) { try await lines.next() }
        #expect(error?.code == .transport)
        #expect(error?.isConnectivity == true)
        #expect(error?.request?.path == "/")
    }

    // MARK: Events

    @Test func yieldsEvents() async throws {
        let events = try await collect(api(.events("data: a\n", "\nid: 7\ndata: b\n\n")).get("/").events())
        #expect(events == [ServerSentEvent(data: "a"), ServerSentEvent(data: "b", id: "7")])
    }

    @Test func requestsEventsPastCachesWithAnyMethodAndBody() async throws {
        let stub = StubTransport { $0.post("/chat", .events("data: a\n\n")) }
        var api = Client("https://h", transport: stub)
        api.configuration.headers[.accept] = "application/json"
        _ = try await collect(api.post("/chat").json(["q": "x"]).events())
        let request = try #require(stub.requests.first)
        #expect(request.headers[.accept] == "text/event-stream")
        #expect(request.headers[.cacheControl] == "no-cache")
        #expect(request.text == #"{"q":"x"}"#)
    }

    @Test func preservesCallsAcceptAndCacheControl() async throws {
        let stub = StubTransport { $0.get("/", .events("data: a\n\n")) }
        let call = Client("https://h", transport: stub).get("/").accept("text/event-stream, */*")
            .header(.cacheControl, "no-store")
        _ = try await collect(call.events())
        #expect(stub.requests.first?.headers[.accept] == "text/event-stream, */*")
        #expect(stub.requests.first?.headers[.cacheControl] == "no-store")
    }

    @Test(arguments: ["text/event-stream", "Text/Event-Stream;charset=utf-8", "text/event-stream ; x=y"])
    func acceptsMediaTypeInAnyCaseWithParameters(type: String) async throws {
        let call = api(.stream("data: a\n\n", contentType: type)).get("/")
        #expect(try await collect(call.events()).map(\.data) == ["a"])
    }

    @Test(arguments: ["application/json", "text/event-streams", "text/html; x=text/event-stream", nil])
    func rejectsOtherContentTypes(type: String?) async throws {
        let call = api(.stream("data: a\n\n", contentType: type)).get("/")
        let error = await #expect(throws: ClientError.self) { _ = try await call.events() }
        #expect(error?.code == .contentType)
        #expect(error?.message.contains("expected text/event-stream; to read the events anyway, use") == true)
        #expect(error?.response?.status == .ok)
        #expect(error?.request?.path == "/")
    }

    @Test func yieldsNoEventsFor204() async throws {
        let call = api(.status(.noContent)).get("/")
        #expect(try await collect(call.events()).isEmpty)
    }

    @Test func hasNoTotalTimeout() async throws {
        let clock = ManualClock(passesBySleeping: true)
        let stub = StubTransport(clock: clock) {
            $0.get("/", .events("data: a\n\n", .pause(.seconds(3600)), "data: b\n\n"))
        }
        let api = Client("https://h", transport: stub, configuration: .init(clock: clock))
        #expect(try await collect(api.get("/").events()).map(\.data) == ["a", "b"])
    }

    @Test func cancelsRequestWhenLoopExits() async throws {
        let source = ScriptedSource([
            .bytes(Array("data: a\n\ndata: b\n\n".utf8), endsChunk: true), .bytes([0x0A], endsChunk: true),
        ])
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"]), body: Body(source))
        }
        for try await _ in try await Client("https://h", transport: transport).get("/").events() { break }
        #expect(source.isCancelled)
    }

    // MARK: Reconnecting

    @Test func reconnectsWithLastEventIDUntil204() async throws {
        let clock = ManualClock(passesBySleeping: true)
        let stub = StubTransport(clock: clock) {
            $0.get(
                "/",
                .events("retry: 5000\nid: 1\ndata: a\n\n", ending: .reset),
                .failure(.connectionRefused),
                .events("id: 2\ndata: b\n\n"),
                .status(.noContent)
            )
        }
        let states = Locked<[EventConnectionState]>([])
        let call = Client("https://h", transport: stub, configuration: .init(clock: clock)).get("/")
        let events = call.events(reconnecting: EventReconnectionPolicy()) { state in
            states.withLock { $0.append(state) }
        }
        #expect(stub.requests.isEmpty)
        #expect(try await collect(events).map(\.data) == ["a", "b"])
        #expect(stub.requests.map { $0.headers[.init("Last-Event-ID")!] } == [nil, "1", "1", "2"])
        #expect(clock.sleeps.count == 3)
        #expect(states.withLock { $0.first } == .connecting)
        #expect(states.withLock { $0.last } == .closed)
    }

    @Test(arguments: [true, false])
    func reconnectsAfter503OnlyIfConfigured(isConfigured: Bool) async throws {
        let clock = ManualClock(passesBySleeping: true)
        let stub = StubTransport(clock: clock) {
            $0.get("/", .status(.serviceUnavailable), .events("data: a\n\n"), .status(.noContent))
        }
        let call = Client("https://h", transport: stub, configuration: .init(clock: clock)).get("/")
        guard isConfigured else {
            let error = await #expect(throws: ClientError.self) {
                try await collect(call.events(reconnecting: .init()))
            }
            #expect(error?.status == .serviceUnavailable)
            return
        }
        let events = call.events(
            reconnecting: .init(),
            shouldReconnect: { ($0 as? ClientError)?.status == .serviceUnavailable }
        )
        #expect(try await collect(events).map(\.data) == ["a"])
    }

    @Test func reconnectsWithoutInvalidLastEventID() async throws {
        let stub = StubTransport(clock: ManualClock(passesBySleeping: true)) {
            $0.get(
                "/",
                .events("id: 1\ndata: a\n\n"),
                .events("id: 2\u{1}\ndata: b\n\n"),
                .events("data: c\n\n"),
                .status(.noContent)
            )
        }
        let clock = ManualClock(passesBySleeping: true)
        let call = Client("https://h", transport: stub, configuration: .init(clock: clock)).get("/")
        #expect(try await collect(call.events(reconnecting: .init())).map(\.data) == ["a", "b", "c"])
        #expect(stub.requests.map { $0.headers[.init("Last-Event-ID")!] } == [nil, "1", nil, nil])
    }

    @Test func capturesAmbientTransportAndClockAtCreation() async throws {
        let clock = ManualClock(passesBySleeping: true)
        let stub = StubTransport {
            $0.get("/", .failure(.connectionRefused), .events("data: a\n\n").delayed(.seconds(7)), .status(.noContent))
        }
        let call = Client("http://127.0.0.1:1").get("/")
        let events = Ambient.$clock.withValue(clock) {
            Ambient.$transport.withValue(stub) { call.events(reconnecting: .init(delay: .seconds(2))) }
        }
        let received = try await Ambient.$clock.withValue(ManualClock()) {
            try await Ambient.$transport.withValue(StubTransport { _ in }) { try await collect(events) }
        }
        #expect(received.map(\.data) == ["a"])
        #expect(stub.requests.count == 3)
        #expect(clock.sleeps == [.seconds(2), .seconds(7), .seconds(2)])
    }

    @Test(arguments: [StubTransport.Answer.status(.notFound), .text("no events")])
    func doesNotReconnectAfterPermanentFailure(answer: StubTransport.Answer) async {
        let call = api(answer).get("/")
        await #expect(throws: ClientError.self) { try await collect(call.events(reconnecting: .init())) }
    }

    @Test func rethrowsErrorOfInterceptor() async {
        struct Mine: Error, Equatable {}
        let call = api(.events("data: a\n\n")).get("/").intercept { _, _ in throw Mine() }
        await #expect(throws: Mine()) { try await collect(call.events()) }
        await #expect(throws: Mine()) { try await collect(call.events(reconnecting: .init())) }
    }

    @Test func isCanceledWhileWaitingToReconnect() async {
        let clock = ManualClock()
        let stub = StubTransport { $0.get("/", .failure(.connectionRefused)) }
        let call = Client("https://h", transport: stub, configuration: .init(clock: clock)).get("/")
        let task = Task { try await collect(call.events(reconnecting: .init())) }
        await clock.waitForSleepers()
        task.cancel()
        let error = await #expect(throws: ClientError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }
}

private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
