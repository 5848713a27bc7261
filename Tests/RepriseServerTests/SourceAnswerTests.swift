// SPDX-License-Identifier: Apache-2.0

import RepriseAnswers
import RepriseFixtures
import RepriseIO
import RepriseTestSupport
import RepriseText
import RepriseWire
import Testing

@testable import RepriseServer

/// Answers of a source that the test controls, through a real socket.
@Suite struct SourceAnswerTests {
    /// Calls `answer` when the request's content is complete.
    private final class ScriptedSource: ResponseSource {
        let name = "script"
        let isRecorded: Bool
        private(set) var sink: (any ResponseSink)?
        private let answer: (any ResponseSink) -> Void

        init(isRecorded: Bool, _ answer: @escaping (any ResponseSink) -> Void) {
            self.isRecorded = isRecorded
            self.answer = answer
        }

        func start(_ request: IncomingRequest, for sink: any ResponseSink) {
            self.sink = sink
            sink.sendContinue()
        }

        func contentIsComplete() {
            if let sink { answer(sink) }
        }
    }

    private let post = "POST /source HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
    private let get = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"
    private let hello = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

    private static let answer = ServerResponse(status: 204, reason: "No Content")
    private static let answerBytes = "HTTP/1.1 204 No Content\r\n\r\n"

    /// Runs `body` with a client whose POST waits for a source, which answers by calling `answer`.
    private func withSource(
        isRecorded: Bool = false,
        _ answer: @escaping @Sendable (any ResponseSink, HTTP1Session) -> Void,
        _ body: (RawClient, LoopBound<LoopState>) async throws -> Void
    ) async throws {
        let configuration = MockServer.Configuration()
        let fixtures = [Fixture.recorded("https://api.example.com/hello", response: .text("hi"))]
        let loop = try EventLoop(name: "source")
        let socket = try ListeningSocket.bind(host: "127.0.0.1", port: 0)[0]
        let state = LoopState(
            loop: loop,
            shared: SharedState(ServingState(fixtures, configuration: configuration)),
            subscribers: [],
            tls: nil,
            configuration: configuration
        )
        let worker = LoopBound(state, on: loop)
        try await worker.run { state throws(SystemError) in try state.listen(on: socket) }
        let client = try await RawClient.connect(port: socket.port)
        try await client.send(post)
        // The server sends 100 Continue twice: first to read the content itself, then because of the source.
        try await client.read(until: "\r\n\r\n")
        await worker.run { state in
            guard let session = state.connections.first?.session as? HTTP1Session else { return }
            let head = session.machine.pendingHead[...]
            let source = ScriptedSource(isRecorded: isRecorded) { answer($0, session) }
            session.exchange.start(
                source,
                for: IncomingRequest(
                    head.span,
                    session.machine.head,
                    isContentComplete: false,
                    contentFollows: true,
                    peer: "127.0.0.1"
                )
            )
        }
        try await client.read(until: "\r\n\r\n")
        try await body(client, worker)
        await worker.stop(grace: .zero)
        await loop.shutDown()
    }

    /// An answer sent within the call that passes on the content doesn't affect the requests after it.
    @Test func answersPipelinedRequestsAfterImmediateAnswer() async throws {
        try await withSource { sink, session in
            // The client may have closed its side by then.
            if let socket = session.connection.socket { session.connection.socketReachedEnd(socket) }
            sink.respond(with: Self.answer)
        } _: { client, _ in
            try await client.send("ab" + get + get)
            await client.finishWriting()
            #expect(try await client.readToEnd().text.withoutDateLines == Self.answerBytes + hello + hello)
        }
    }

    /// The exchanges recorded in the turn are written first.
    @Test func sendsRecordedAnswerOnlyAtEndOfTurn() async throws {
        try await withSource(isRecorded: true) { sink, session in
            let earlier = AtEndOfTurn { #expect(session.machine.phase == .responding) }
            session.worker.loop.atEndOfTurn(earlier)
            sink.respond(with: Self.answer)
            // As if the client had read all earlier output.
            session.becameWritable()
            #expect(session.machine.phase == .responding)
        } _: { client, _ in
            try await client.send("ab" + get)
            #expect(try await client.read(until: "hi").text.withoutDateLines == Self.answerBytes + hello)
        }
    }

    private final class AtEndOfTurn: LoopWork {
        private let body: () -> Void

        init(_ body: @escaping () -> Void) {
            self.body = body
        }

        func run() { body() }
    }

    /// Sends back what it receives.
    private final class EchoSession: ConnectionSession {
        private let connection: Connection
        private let hasEnded: Locked<Bool>?
        let deadline: MonotonicTime? = nil

        init(_ connection: Connection, hasEnded: Locked<Bool>? = nil) {
            (self.connection, self.hasEnded) = (connection, hasEnded)
        }

        func start() {}
        func receive(_ bytes: Span<UInt8>) { _ = try? connection.socket?.send(bytes) }
        func peerFinished() { connection.close() }
        func becameWritable() {}
        func deadlinePassed() {}
        func stop() { connection.close() }
        func end() { hasEnded?.withLock { $0 = true } }
    }

    /// What follows the request belongs to the new protocol, also if it arrived with the request.
    @Test(arguments: [true, false], [true, false])
    func handsOverAfterSwitchingProtocols(isAnsweredAtOnce: Bool, isRecorded: Bool) async throws {
        let switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n"
        let lines = ["Upgrade: echo", "Connection: Upgrade"].compactMap { HeaderLine($0) }
        try await withSource(isRecorded: isRecorded) { sink, session in
            let answer = {
                sink.begin(ResponseHead(status: 101, reason: "Switching Protocols", headers: lines), framing: .none)
                sink.end(switchingTo: { EchoSession($0) })
            }
            if isAnsweredAtOnce { return answer() }
            _ = session.worker.loop.schedule(Later(answer), at: session.worker.loop.now())
        } _: { client, worker in
            try await client.send("abGET /hello")
            #expect(try await client.read(until: "hello").text == switching + "GET /hello")
            try await client.send("ping")
            #expect(try await client.read(until: "ping").text == "ping")
            #expect(await worker.run { $0.connections.first?.session is EchoSession })
            await client.finishWriting()
            #expect(try await client.readToEnd().text.isEmpty)
        }
    }

    /// The session may own a connection to another server.
    @Test func endsSessionThatTheConnectionDoesNotReach() async throws {
        let hasEnded = Locked(false)
        // A recorded answer is sent at the end of the turn.
        try await withSource(isRecorded: true) { sink, session in
            sink.end { EchoSession($0, hasEnded: hasEnded) }
            session.connection.close()
        } _: { client, _ in
            try await client.send("ab")
            try await client.readToEnd()
            #expect(hasEnded.withLock { $0 })
        }
    }

    private final class Later: TimerTarget {
        private let body: () -> Void

        init(_ body: @escaping () -> Void) {
            self.body = body
        }

        func timerFired(_ token: TimerToken) { body() }
    }

    @Test func ignoresOutputOfSourceAfterItsAnswer() async throws {
        try await withSource { sink, _ in
            sink.respond(with: Self.answer)
            sink.respond(with: Self.answer)
            sink.begin(ResponseHead(status: 200, reason: "OK", headers: []), framing: .untilClose)
            let content: [UInt8] = [0x78]
            sink.append(content.span, leftOfChunk: 0)
            sink.flush()
            sink.cutOff(.reset)
        } _: { client, _ in
            try await client.send("ab" + get)
            #expect(try await client.read(until: "hi").text.withoutDateLines == Self.answerBytes + hello)
        }
    }
}
