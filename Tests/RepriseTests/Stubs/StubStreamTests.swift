// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import Reprise

@Suite(.timeLimit(.minutes(5))) struct StubStreamTests {
    @Test func playsChunksAndPausesOnClock() async throws {
        let clock = ManualClock(passesBySleeping: true)
        let stub = StubTransport(clock: clock) {
            $0.get("/chat", .events("data: a\n\n", .pause(.seconds(1)), "", .pause(.seconds(60)), "data: b\n\n"))
        }
        let response = try await stub.send(.get, "/chat")
        #expect(response.headers[.contentType] == "text/event-stream")
        #expect(response.headers[.contentLength] == nil)
        #expect(response.ending == nil)
        var received: [(String, Duration)] = []
        for try await chunk in response.body {
            received.append((String(decoding: chunk, as: UTF8.self), clock.now.offset))
        }
        #expect(received.map(\.0) == ["data: a\n\n", "data: b\n\n"])
        #expect(received.map(\.1) == [.zero, .seconds(61)])
        #expect(response.ending == .complete)
    }

    @Test func delaysHeadOnAmbientClock() async throws {
        let clock = ManualClock(passesBySleeping: true)
        let stub = StubTransport { $0.get("/", .text("late").delayed(.seconds(5))) }
        let text = try await Ambient.$clock.withValue(clock) { try await stub.send(.get, "/").text() }
        #expect(text == "late")
        #expect(clock.sleeps == [.seconds(5)])
    }

    @Test(arguments: [
        (Ending.truncated, TransportError.Code.truncated), (.reset, .reset), (.timedOut, .timedOut),
    ])
    func playsConfiguredEnding(ending: Ending, code: TransportError.Code) async throws {
        let stub = StubTransport { $0.get("/", .stream("a", "b", ending: ending)) }
        let response = try await stub.send(.get, "/")
        var received: [[UInt8]] = []
        let error = await #expect(throws: TransportError.self) {
            for try await chunk in response.body { received.append(chunk) }
        }
        #expect(received == [Array("a".utf8), Array("b".utf8)])
        #expect(error?.code == code)
        #expect(response.ending == ending)
    }

    @Test func deliversTrailerFields() async throws {
        let stub = StubTransport { $0.get("/", .stream("a", .bytes([0xFF]), trailers: ["X-Sum: 1", "X-Sum: 2"])) }
        let response = try await stub.send(.get, "/")
        #expect(response.trailers == nil)
        #expect(try await response.body.collect() == [0x61, 0xFF])
        #expect(response.trailers?[fields: .init("X-Sum")!].map(\.value) == ["1", "2"])
    }

    @Test func cancellationEndsDelay() async throws {
        let clock = ManualClock()
        let stub = StubTransport(clock: clock) { $0.get("/", .status(.ok).delayed(.seconds(1))) }
        let task = Task { try await stub.send(.get, "/") }
        await clock.waitForSleepers()
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func acceptsDelayOfAnyLength() async throws {
        let stub = StubTransport { $0.get("/", .status(.ok).delayed(.seconds(Int64.max))) }
        let task = Task { try await stub.send(.get, "/") }
        while stub.requests.isEmpty, !Task.isCancelled { await Task.yield() }
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func cancellationEndsPause() async throws {
        let clock = ManualClock()
        let stub = StubTransport(clock: clock) { $0.get("/", .stream("a", .pause(.seconds(1)), "b")) }
        let response = try await stub.send(.get, "/")
        let task = Task { try await response.body.collect() }
        await clock.waitForSleepers()
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(response.ending == nil)
    }

    @Test func doesNotAnswerCanceledTask() async throws {
        let stub = StubTransport { $0.get("/", .status(.ok)) }
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await stub.send(.get, "/")
        }
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(stub.requests.isEmpty)
    }
}
