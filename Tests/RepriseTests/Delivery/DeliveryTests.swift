// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite struct DeliveryTests {
    /// Doesn't answer until the task is canceled.
    private func hanging(enforcesTimeout: Bool = false) -> ClosureTransport {
        ClosureTransport(enforcesTimeout: enforcesTimeout) { _, _, _ throws(TransportError) in
            await forever()
            throw TransportError(.cancelled, "cancelled")
        }
    }

    @Test func timesOutHangingRequest() async throws {
        let clock = ManualClock()
        let transport = ClosureTransport(enforcesTimeout: false) { _, _, options throws(TransportError) in
            clock.advance(by: options.timeout ?? .zero)
            await forever()
            throw TransportError(.cancelled, "cancelled")
        }
        let api = Client("https://h", transport: transport, configuration: .init(clock: clock))
        for isStream in [false, true] {
            let call = api.get("/").timeout(.seconds(3600))
            let error = await #expect(throws: ClientError.self) {
                if isStream { _ = try await call.stream() } else { try await call.send() }
            }
            #expect(error?.code == .timeout)
            #expect(error?.request?.path == "/")
        }
    }

    @Test func timesOutHangingBody() async throws {
        let (clock, source) = (ManualClock(), HangingSource())
        let transport = ClosureTransport(enforcesTimeout: false) { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(source))
        }
        let seen = Locked(false)
        let call = Client("https://h", transport: transport, configuration: .init(clock: clock)).get("/")
            .intercept { request, next in
                let response = try await next(request)
                seen.withLock { $0 = true }
                return response
            }
        let task = Task { try await call.send() }
        for await _ in source.started.stream { break }
        clock.advance(by: .seconds(60))
        let error = await #expect(throws: ClientError.self) { try await task.value }
        #expect(error?.code == .timeout)
        // The interceptor saw the head, as it does with a transport that enforces the timeout.
        #expect(seen.withLock { $0 })
    }

    @Test func doesNotTimeOutBodyOfStream() async throws {
        let clock = ManualClock()
        let transport = ClosureTransport(enforcesTimeout: false) { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(ScriptedSource([.bytes([1], endsChunk: true)])))
        }
        let api = Client("https://h", transport: transport, configuration: .init(clock: clock))
        let response = try await api.get("/").stream()
        clock.advance(by: .seconds(61))
        #expect(response.ending == nil)
        #expect(try await response.body.collect() == [1])
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(1e18), .seconds(200 * 365 * 86_400)])
    func acceptsHugeTimeouts(limit: Duration) async throws {
        for enforcesTimeout in [true, false] {
            let transport = ClosureTransport(.notFound, body: "no", enforcesTimeout: enforcesTimeout)
            for clock in [nil, ContinuousClock(), SuspendingClock(), ManualClock()] as [(any Clock<Duration>)?] {
                let api = Client("https://h", transport: transport, configuration: .init(timeout: limit, clock: clock))
                let call = api.get("/").connectTimeout(limit)
                let error = await #expect(throws: ClientError.self) { try await call.timeout(limit).send() }
                #expect(error?.code == .status)
                await #expect(throws: ClientError.self) { try await call.stream() }
            }
            #expect(transport.options.allSatisfy { $0.timeout == nil && $0.connectTimeout == .longest })
        }
    }

    @Test func negativeTimeoutExpiresImmediately() async throws {
        let call = Client("https://h", transport: hanging()).get("/").timeout(.seconds(Int64.min))
        let error = await #expect(throws: ClientError.self) { try await call.send() }
        #expect(error?.code == .timeout)
    }

    @Test(arguments: [nil, Duration.seconds(60)])
    func stubDelaysUseClientsClock(limit: Duration?) async throws {
        let clock = ManualClock(passesBySleeping: true)
        let stub = StubTransport {
            $0.get("/", .text("a").delayed(.seconds(3)))
            $0.get("/stream", .stream("a", .pause(.seconds(100)), "b").delayed(.seconds(5)))
        }
        let api = Client("https://h", transport: stub, configuration: .init(timeout: limit, clock: clock))
        #expect(try await api.get("/").send().text == "a")
        let response = try await api.get("/stream").stream()
        #expect(try await response.text() == "ab")
        #expect(clock.sleeps == [.seconds(3), .seconds(5), .seconds(100)])
    }

    @Test(.timeLimit(.minutes(3))) func timesOutOnManualClock() async throws {
        let clock = ManualClock()
        let transport = ClosureTransport(enforcesTimeout: true) { _, _, _ throws(TransportError) in
            clock.advance(by: .seconds(59))
            clock.advance(by: .seconds(1))
            await forever()
            throw TransportError(.cancelled, "cancelled")
        }
        let api = Client("https://h", transport: transport, configuration: .init(clock: clock))
        let error = await #expect(throws: ClientError.self) { try await api.get("/").send() }
        #expect(error?.code == .timeout)
    }

    @Test func timesOutOnAmbientClock() async throws {
        let clock = ManualClock()
        let transport = ClosureTransport(enforcesTimeout: true) { _, _, _ throws(TransportError) in
            clock.advance(by: .seconds(60))
            await forever()
            throw TransportError(.cancelled, "cancelled")
        }
        let error = await Ambient.$clock.withValue(clock) {
            await #expect(throws: ClientError.self) {
                try await Client("https://h", transport: transport).get("/").send()
            }
        }
        #expect(error?.code == .timeout)
    }

    @Test func doesNotAdvanceManualClock() async throws {
        let clock = ManualClock(passesBySleeping: true)
        let stub = StubTransport(clock: clock) { $0.get("/", .text("a").delayed(.seconds(3))) }
        let api = Client("https://h", transport: stub, configuration: .init(clock: clock))
        for _ in 0..<20 { try await api.get("/").send() }
        #expect(clock.sleeps == Array(repeating: .seconds(3), count: 20))
    }

    @Test(arguments: [true, false])
    func receivesBodyBeforeInterceptorsUnlessItIsStream(isStream: Bool) async throws {
        let source = ScriptedSource([.bytes([1], endsChunk: true)])
        let transport = ClosureTransport(enforcesTimeout: true) { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(source))
        }
        let call = Client("https://h", transport: transport).get("/").intercept { request, next in
            let response = try await next(request)
            // The part, and the end.
            #expect(source.asked == (isStream ? 0 : 2))
            return response
        }
        let bytes = isStream ? try await call.stream().body.collect() : try await call.send().bytes
        #expect(bytes == [1])
    }

    @Test func preservesPartsTrailersAndFailuresOfBody() async throws {
        let trailers = [Array("X-Sum: 1".utf8)]
        let parts: [Body.Part] = [.bytes([1], endsChunk: false), .bytes([2], endsChunk: true), .trailers(trailers)]
        let whole = try await deliver(ScriptedSource(parts))
        var received: [Body.Part] = []
        for try await part in whole.body.parts { received.append(part) }
        #expect(received == parts)
        #expect(whole.trailers == [.init("X-Sum")!: "1"])
        let broken = try await deliver(ScriptedSource([parts[0]], failing: TransportError(.reset, "so")))
        var iterator = broken.body.makeAsyncIterator()
        #expect(try await iterator.next() == [1])
        let error = await #expect(throws: ClientError.self) { try await iterator.next() }
        #expect((error?.underlying as? TransportError)?.code == .reset)
        #expect(broken.ending == .reset)
    }

    private func deliver(_ source: ScriptedSource) async throws -> Response {
        let transport = ClosureTransport(enforcesTimeout: false) { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(source))
        }
        let request = HTTPRequest(method: .get, scheme: "https", authority: "h", path: "/")
        return try await Delivery(transport: transport, clock: nil).send(request, body: nil, options: RequestOptions())
    }

    // MARK: Cancellation

    @Test(arguments: [true, false])
    func isCanceledImmediatelyBeforeHead(enforcesTimeout: Bool) async throws {
        let started = AsyncStream<Void>.makeStream()
        let transport = ClosureTransport(enforcesTimeout: enforcesTimeout) { _, _, _ throws(TransportError) in
            started.continuation.yield()
            await forever()
            throw TransportError(.cancelled, "cancelled")
        }
        let task = Task { try await Client("https://h", transport: transport).get("/").send() }
        for await _ in started.stream { break }
        task.cancel()
        let error = await #expect(throws: ClientError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(error?.request?.path == "/")
    }

    @Test(arguments: [true, false])
    func isCanceledImmediatelyInBody(enforcesTimeout: Bool) async throws {
        let source = HangingSource()
        let transport = ClosureTransport(enforcesTimeout: enforcesTimeout) { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(source))
        }
        let task = Task { try await Client("https://h", transport: transport).get("/").send() }
        for await _ in source.started.stream { break }
        task.cancel()
        let error = await #expect(throws: ClientError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func doesNotReportCancellationAsLostConnection() async throws {
        let started = AsyncStream<Void>.makeStream()
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            started.continuation.yield()
            await forever()
            throw TransportError(.reset, "the connection was closed")
        }
        let task = Task { try await Client("https://h", transport: transport).get("/").send() }
        for await _ in started.stream { break }
        task.cancel()
        let error = await #expect(throws: ClientError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(error?.isConnectivity == false)
    }

    @Test func isCanceledInWaitingInterceptor() async throws {
        let call = Client("https://h", transport: ClosureTransport()).get("/").intercept { request, next in
            try await Task.sleep(for: .seconds(3600))
            return try await next(request)
        }
        let task = Task { try await call.send() }
        task.cancel()
        let error = await #expect(throws: ClientError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func sendsNothingForCanceledTask() async throws {
        let transport = ClosureTransport()
        let task = Task {
            await forever()
            return try await Client("https://h", transport: transport).get("/").send()
        }
        task.cancel()
        let error = await #expect(throws: ClientError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(transport.requests.isEmpty)
    }
}

/// Waits until the task is canceled.
func forever() async {
    for await _ in AsyncStream<Void>(unfolding: { try? await Task.sleep(for: .seconds(3600)) }) {
        if Task.isCancelled { return }
    }
}

/// A body that never yields anything.
final class HangingSource: BodySource {
    let started = AsyncStream<Void>.makeStream()

    func next() async throws(TransportError) -> Body.Part? {
        started.continuation.yield()
        await forever()
        throw TransportError(.cancelled, "cancelled")
    }

    func cancel() {}
}
