// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite(.timeLimit(.minutes(3))) struct CallRetryTests {
    private let clock = ManualClock(passesBySleeping: true)

    /// Answers with the statuses in order, then repeats the last one.
    private func transport(_ statuses: HTTPResponse.Status..., headers: HTTPFields = [:]) -> ClosureTransport {
        let rest = Locked(statuses[...])
        return ClosureTransport { _, _, _ throws(TransportError) in
            let status = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? .ok }
            return Response(HTTPResponse(status: status, headerFields: headers), body: Body("body of \(status.code)"))
        }
    }

    private func api(_ transport: some Transport, retry: RetryPolicy? = nil) -> Client {
        Client("https://h", transport: transport, configuration: .init(timeout: nil, clock: clock, retry: retry))
    }

    private let second = RetryPolicy.fixed(delay: .seconds(1))

    @Test func doesNotRetryByDefault() async {
        let transport = transport(.serviceUnavailable)
        await #expect(throws: ClientError.self) { try await api(transport).get("/").send() }
        #expect(transport.requests.count == 1)
    }

    @Test func retriesUntilSuccess() async throws {
        let transport = transport(.serviceUnavailable, .internalServerError, .ok)
        let response = try await api(transport).get("/").retry(.exponential(jitter: .none)).send()
        #expect(response.text == "body of 200")
        #expect(clock.sleeps == [.seconds(1), .seconds(2)])
    }

    @Test func throwsLastErrorAfterFinalAttempt() async {
        let transport = transport(.serviceUnavailable, .badGateway, .internalServerError)
        let error = await #expect(throws: ClientError.self) {
            try await api(transport).get("/a").retry(second).send()
        }
        #expect(error?.code == .status)
        #expect(error?.response?.status == .internalServerError)
        #expect(error?.request?.path == "/a")
        #expect(transport.requests.count == 3)
    }

    @Test func doesNotRetryPermanentFailures() async {
        let notFound = transport(.notFound)
        await #expect(throws: ClientError.self) { try await api(notFound).get("/").retry(second).send() }
        #expect(notFound.requests.count == 1)
        let noJSON = transport(.ok)
        await #expect(throws: ClientError.self) {
            try await api(noJSON).get("/").retry(second).value(as: [Int].self)
        }
        #expect(noJSON.requests.count == 1)
    }

    @Test func retriesPostOnlyIfAllowed() async throws {
        let once = transport(.serviceUnavailable, .ok)
        await #expect(throws: ClientError.self) { try await api(once).post("/").body("a").retry(second).send() }
        #expect(once.requests.count == 1)
        let twice = transport(.serviceUnavailable, .ok)
        try await api(twice).post("/").body("a").retry(second.also(.post)).send()
        #expect(twice.requests.count == 2)
        #expect(try await twice.bodies[1]?.collect() == Array("a".utf8))
    }

    @Test func prefersCallPolicyOverEndpointOverClient() async throws {
        struct Get: Endpoint {
            var path: Path { "/" }
            func configure(_ call: Call) -> Call { call.retry(.fixed(attempts: 2)) }
        }
        func attempts(_ call: (Client) -> Call) async -> Int {
            let transport = transport(.serviceUnavailable)
            _ = try? await call(api(transport, retry: .fixed(attempts: 4))).send()
            return transport.requests.count
        }
        #expect(await attempts { $0.get("/") } == 4)
        #expect(await attempts { $0.call(Get()) } == 2)
        #expect(await attempts { $0.call(Get()).retry(.fixed(attempts: 5)) } == 5)
        #expect(await attempts { $0.get("/").retry(.never) } == 1)
    }

    @Test func honorsRetryAfterUpToCap() async throws {
        let transport = transport(.tooManyRequests, .ok, headers: [.retryAfter: "3600"])
        try await api(transport).get("/").retry(second).send()
        #expect(clock.sleeps == [.seconds(60)])
    }

    @Test(arguments: [nil, 2])
    func retriesAfterInterruptedBody(maxConcurrentRequests: Int?) async throws {
        let isFirst = Locked(true)
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            let isBroken = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            let part = Body.Part.bytes([1], endsChunk: true)
            let source = ScriptedSource([part], failing: isBroken ? TransportError(.reset, "so") : nil)
            return Response(HTTPResponse(status: .ok), body: Body(source))
        }
        var api = api(transport)
        api.configuration.maxConcurrentRequests = maxConcurrentRequests
        #expect(try await api.get("/").retry(second).send().bytes == [1])
        #expect(transport.requests.count == 2)
    }

    @Test func retriesStreamOnlyUntilHeadArrives() async throws {
        let transport = transport(.serviceUnavailable, .ok)
        let response = try await api(transport).get("/").retry(second).stream()
        #expect(try await response.text() == "body of 200")
        #expect(transport.requests.count == 2)
        let breaking = ClosureTransport { _, _, _ throws(TransportError) in
            let source = ScriptedSource([.bytes([1], endsChunk: true)], failing: TransportError(.reset, "so"))
            return Response(HTTPResponse(status: .ok), body: Body(source))
        }
        let broken = try await api(breaking).get("/").retry(second).stream()
        await #expect(throws: ClientError.self) { try await broken.body.collect() }
        #expect(breaking.requests.count == 1)
    }

    @Test func throwsFirstErrorForUnreplayableBody() async {
        let transport = transport(.serviceUnavailable)
        let chunks = AsyncStream<[UInt8]> { $0.finish() }
        let error = await #expect(throws: ClientError.self) {
            try await api(transport).put("/").body(chunks).retry(second).send()
        }
        #expect(error?.response?.status == .serviceUnavailable)
        #expect(transport.requests.count == 1)
    }

    @Test func runsInterceptorsForEachAttemptWithNumber() async throws {
        let transport = transport(.serviceUnavailable, .ok)
        try await api(transport).get("/").retry(second).intercept { request, next in
            var request = request
            request.headers[.init("X-Attempt")!] = "\(request.attempt)"
            return try await next(request)
        }.send()
        #expect(transport.requests.map { $0.headerFields[.init("X-Attempt")!] } == ["1", "2"])
    }

    @Test func appliesTimeoutToEachAttempt() async throws {
        let transport = transport(.serviceUnavailable, .ok)
        try await api(transport).get("/").timeout(.seconds(5)).retry(.fixed(delay: .seconds(50))).send()
        #expect(transport.options.map(\.timeout) == [.seconds(5), .seconds(5)])
    }

    @Test func passesFailedAttemptToPolicy() async throws {
        let seen = Locked<[FailedAttempt]>([])
        let transport = transport(.conflict, headers: [.eTag: "1"])
        let policy = RetryPolicy(attempts: 2) { failure in
            seen.withLock { $0.append(failure) }
            return .zero
        }
        await #expect(throws: ClientError.self) { try await api(transport).get("/a").retry(policy).send() }
        let failure = try #require(seen.withLock { $0.first })
        #expect(seen.withLock { $0.count } == 1)
        #expect(failure.number == 1)
        #expect(failure.request?.path == "/a")
        #expect(failure.response?.status == .conflict)
        #expect(failure.response?.headerFields[.eTag] == "1")
        #expect((failure.error as? ClientError)?.response?.text == "body of 409")
    }

    @Test func doesNotRetryNeverRetriedErrors() async {
        struct Final: NeverRetried {}
        let transport = transport(.serviceUnavailable)
        await #expect(throws: Final.self) {
            try await api(transport).get("/").retry(second.when { _ in true }).intercept { request, next in
                _ = try await next(request)
                throw Final()
            }.send()
        }
        #expect(transport.requests.count == 1)
    }

    @Test func cancelsImmediatelyWhileWaiting() async {
        let clock = ManualClock()
        let transport = transport(.serviceUnavailable)
        let api = Client("https://h", transport: transport, configuration: .init(timeout: nil, clock: clock))
        for isStream in [false, true] {
            let call = api.get("/").retry(.fixed(delay: .seconds(3600)))
            let task = Task {
                if isStream { _ = try await call.stream() } else { try await call.send() }
            }
            await clock.waitForSleepers()
            task.cancel()
            let error = await #expect(throws: ClientError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(error?.isConnectivity == false)
            #expect(error?.request?.path == "/")
        }
        #expect(transport.requests.count == 2)
    }

    @Test func doesNotRetryCanceledCalls() async {
        let asked = Locked(0)
        let policy = second.when { _ in
            asked.withLock { $0 += 1 }
            return true
        }
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            await forever()
            throw TransportError(.reset, "the connection was closed")
        }
        let task = Task { try await api(transport).get("/").retry(policy).send() }
        while transport.requests.isEmpty, !Task.isCancelled { await Task.yield() }
        task.cancel()
        let error = await #expect(throws: ClientError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(transport.requests.count == 1)
        #expect(asked.withLock { $0 } == 0)
    }

    /// A transport or an interceptor may cancel its own work while the task of the call continues.
    @Test func doesNotRetryCallsCanceledByTransport() async {
        let transport = ClosureTransport { _, _, _ throws(TransportError) in throw TransportError(.cancelled, "so") }
        let error = await #expect(throws: ClientError.self) {
            try await api(transport).get("/").retry(second.when { _ in true }).send()
        }
        #expect(error?.code == .cancelled)
        #expect(transport.requests.count == 1)
    }
}
