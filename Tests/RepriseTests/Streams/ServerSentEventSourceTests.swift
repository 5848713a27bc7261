// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite(.timeLimit(.minutes(1))) struct ServerSentEventSourceTests {
    @Test func reconnectsWithLastEventIDUntil204() async throws {
        let server = ScriptedConnections([
            .events("id: 1\ndata: a\n\nretry: 500\ndata: cut off"), .events("data: b\n\n"), .noContent,
        ])
        let clock = ManualClock()
        let reading = Task { try await read(server.source(clock)) }
        #expect(await clock.passNextSleep() == .milliseconds(500))
        #expect(await clock.passNextSleep() == .milliseconds(500))
        #expect(try await reading.value == ["a", "b"])
        #expect(server.ids == [nil, "1", "1"])
        let states: [EventConnectionState] = [
            .connecting, .open, .waiting(.milliseconds(500)), .connecting, .open, .waiting(.milliseconds(500)),
            .connecting, .closed,
        ]
        #expect(server.states == states)
        #expect(clock.elapsed == .seconds(1))
    }

    @Test func startsWithGivenLastEventID() async throws {
        let server = ScriptedConnections([.noContent])
        #expect(try await read(server.source(ManualClock(), lastEventID: "41")).isEmpty)
        #expect(server.ids == ["41"])
    }

    @Test func reconnectsAfterConnectivityFailures() async throws {
        let server = ScriptedConnections([
            .refusal(TransportError(.connectionRefused, "connection refused")),
            .refusal(TransportError(.connectionRefused, "connection refused")),
            .events("data: a\n\n", failing: TransportError(.reset, "broken")),
            .events("data: b\n\n", failing: ClientError(.timeout, "silent")), .noContent,
        ])
        let clock = ManualClock()
        let reading = Task { try await read(server.source(clock)) }
        var delays: [Duration] = []
        for _ in 0..<4 { delays.append(await clock.passNextSleep()) }
        #expect(delays == [.seconds(3), .seconds(6), .seconds(3), .seconds(3)])
        #expect(try await reading.value == ["a", "b"])
    }

    /// A wrong status or content type is an error, not the end of a stream.
    @Test func throwsPermanentFailures() async throws {
        for script in [
            ScriptedConnections.Answer.refusal(TransportError(.malformedResponse, "404")),
            .events("", failing: TransportError(.malformedResponse, "bad chunk")),
            .refusal(ClientError(.status, "404")), .refusal(CancellationError()),
        ] {
            let server = ScriptedConnections([script, .events("data: x\n\n")])
            var iterator = server.source(ManualClock()).makeAsyncIterator()
            await #expect(throws: (any Error).self) { try await iterator.next() }
            #expect(server.states.last == .closed)
            #expect(try await iterator.next() == nil)
            #expect(server.ids.count == 1)
        }
    }

    @Test func throwsStreamDecodingError() async throws {
        let server = ScriptedConnections([.events("data: 1\n\ndata: 12345\n\n")])
        var iterator = server.source(ManualClock(), limit: 8).makeAsyncIterator()
        #expect(try await iterator.next()?.data == "1")
        let error = await #expect(throws: StreamDecodingError.self) { try await iterator.next() }
        #expect(error?.code == .lineTooLong)
        #expect(try await iterator.next() == nil)
        #expect(server.states == [.connecting, .open, .closed])
    }

    @Test func reconnectsIfClosureAllows() async throws {
        struct Odd: Error {}
        let server = ScriptedConnections([.refusal(Odd()), .events("data: x\n\n"), .noContent])
        let clock = ManualClock()
        let source = server.source(clock, shouldReconnect: { $0 is Odd })
        let reading = Task { try await read(source) }
        await clock.passNextSleep()
        await clock.passNextSleep()
        #expect(try await reading.value == ["x"])
    }

    @Test func cancellationEndsWait() async throws {
        let server = ScriptedConnections([.events("data: x\n\n"), .events("data: y\n\n")])
        let clock = ManualClock()
        let reading = Task { try await read(server.source(clock)) }
        await clock.waitForSleepers()
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        #expect(clock.pendingSleeps.isEmpty)
        #expect(server.states == [.connecting, .open, .waiting(.seconds(3)), .closed])
    }

    @Test func doesNotReconnectInCanceledTask() async throws {
        for error in [CancellationError(), TransportError(.reset, "closed")] as [any Error] {
            let server = ScriptedConnections([.refusal(error), .events("data: x\n\n")])
            let source = server.source(ManualClock(), shouldReconnect: { _ in true })
            await #expect(throws: (any Error).self) {
                try await withThrowingTaskGroup(of: [String].self) { group in
                    group.cancelAll()
                    group.addTask { try await read(source) }
                    _ = try await group.next()
                }
            }
            #expect(server.ids.count == 1)
            #expect(server.states == [.connecting, .closed])
        }
    }

    @Test func closesConnectionWhenLoopEndsEarly() async throws {
        let body = ScriptedSource([.bytes(Array("data: x\n\ndata: y\n\n".utf8), endsChunk: true)])
        let states = Locked<[EventConnectionState]>([])
        let source = ServerSentEventSource(onState: { state in states.withLock { $0.append(state) } }) { _ in Body(body)
        }
        for try await event in source {
            #expect(event.data == "x")
            break
        }
        #expect(body.isCancelled)
        #expect(states.withLock { $0 } == [.connecting, .open, .closed])
    }

    @Test func doesNotConnectBeforeFirstNext() async {
        let server = ScriptedConnections([])
        _ = server.source(ManualClock()).makeAsyncIterator()
        #expect(server.ids.isEmpty)
        #expect(server.states.isEmpty)
    }

    private func read(_ source: ServerSentEventSource<ScriptedChunks>) async throws -> [String] {
        var data: [String] = []
        for try await event in source { data.append(event.data) }
        return data
    }
}

/// Answers each connection with the next scripted answer.
private final class ScriptedConnections: Sendable {
    enum Answer: Sendable {
        case events(String, failing: (any Error)? = nil)
        case refusal(any Error)
        case noContent
    }

    private struct State {
        var answers: ArraySlice<Answer>
        var ids: [String?] = []
        var states: [EventConnectionState] = []
    }

    private let state: Locked<State>

    init(_ answers: [Answer]) {
        state = Locked(State(answers: answers[...]))
    }

    /// The last event ID of each connection.
    var ids: [String?] { state.withLock { $0.ids } }
    /// The states that were reported.
    var states: [EventConnectionState] { state.withLock { $0.states } }

    func source(
        _ clock: ManualClock,
        lastEventID: String? = nil,
        limit: Int = LineDecoder.defaultMaxLineLength,
        shouldReconnect: (@Sendable (any Error) -> Bool)? = nil
    ) -> ServerSentEventSource<ScriptedChunks> {
        let onState: @Sendable (EventConnectionState) -> Void = { [state] new in
            state.withLock { $0.states.append(new) }
        }
        let connect: @Sendable (String?) async throws -> ScriptedChunks? = { [self] in try answer($0) }
        guard let shouldReconnect else {
            return ServerSentEventSource(
                lastEventID: lastEventID,
                maxEventLength: limit,
                clock: clock,
                onState: onState,
                connect: connect
            )
        }
        return ServerSentEventSource(
            clock: clock,
            shouldReconnect: shouldReconnect,
            onState: onState,
            connect: connect
        )
    }

    private func answer(_ id: String?) throws -> ScriptedChunks? {
        let answer = state.withLock { state in
            state.ids.append(id)
            return state.answers.popFirst()
        }
        switch answer {
        case .events(let text, let failure): return ScriptedChunks([text], failing: failure)
        case .refusal(let error): throw error
        case .noContent: return nil
        case nil: throw TransportError(.noStub, "one connection too many")
        }
    }
}
