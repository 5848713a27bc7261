// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite(.timeLimit(.minutes(3))) struct ConcurrencyLimitTests {
    /// Counts concurrent requests.
    private final class Counter: Sendable {
        private let state = Locked((now: 0, most: 0))

        var most: Int { state.withLock { $0.most } }

        func enter() {
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
            }
        }

        func leave() {
            state.withLock { $0.now -= 1 }
        }
    }

    @Test func freesAllSlotsAfterTenThousandCallsAndCancellations() async {
        let counter = Counter()
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            counter.enter()
            defer { counter.leave() }
            for _ in 0..<3 { await Task.yield() }
            guard !Task.isCancelled else { throw TransportError(.cancelled, "so") }
            return Response(HTTPResponse(status: .ok), body: Body(ScriptedSource([.bytes([1], endsChunk: true)])))
        }
        let api = Client("https://h", transport: transport, configuration: .init(maxConcurrentRequests: 4))
        var random = SeededGenerator(seed: 4)
        var outcomes: [String: Int] = [:]
        await withTaskGroup(of: String.self) { group in
            for number in 0..<10_000 {
                let task = Task {
                    do {
                        if number % 5 == 0 {
                            _ = try await api.get("/").stream()
                        } else {
                            try await api.get("/").send()
                        }
                        return "ok"
                    } catch {
                        return (error as? ClientError)?.code.rawValue ?? "\(error)"
                    }
                }
                let delay = Int.random(in: 0...40, using: &random)
                let isCancelled = Bool.random(using: &random)
                group.addTask {
                    for _ in 0..<delay { await Task.yield() }
                    if isCancelled { task.cancel() }
                    return await task.value
                }
            }
            for await outcome in group { outcomes[outcome, default: 0] += 1 }
        }
        #expect(api.configuration.slots?.freeSlots == 4)
        #expect(counter.most == 4)
        #expect(Set(outcomes.keys) == ["ok", "cancelled"])
        #expect(outcomes.values.reduce(0, +) == 10_000)
    }

    @Test(arguments: [(Int.min, 1), (0, 1), (1, 1), (4, 4)])
    func hasAtLeastOneSlot(slots: Int, expected: Int) {
        #expect(ConcurrencyLimit(slots: slots).freeSlots == expected)
    }

    @Test func admitsCallsInFIFOOrder() async throws {
        let go = Signal()
        let order = Locked<[String]>([])
        let transport = ClosureTransport { request, _, _ throws(TransportError) in
            order.withLock { $0.append(request.path ?? "") }
            if request.path == "/0" { await go.wait() }
            return Response(HTTPResponse(status: .ok))
        }
        let api = Client("https://h", transport: transport, configuration: .init(maxConcurrentRequests: 1))
        var calls: [Task<Void, any Error>] = []
        for number in 0..<20 {
            calls.append(Task { try await api.get("/\(number)").send() })
            if number == 0 { while transport.requests.isEmpty, !Task.isCancelled { await Task.yield() } }
            // Queue each call before starting the next one.
            while number > 0, api.configuration.slots?.waiting != number, !Task.isCancelled { await Task.yield() }
        }
        go.set()
        for call in calls { try await call.value }
        #expect(order.withLock { $0 } == (0..<20).map { "/\($0)" })
    }

    @Test func isCanceledImmediatelyWhileQueued() async {
        let go = Signal()
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            await go.wait()
            return Response(HTTPResponse(status: .ok))
        }
        let api = Client("https://h", transport: transport, configuration: .init(maxConcurrentRequests: 1))
        let first = Task { try await api.get("/").send() }
        while transport.requests.isEmpty, !Task.isCancelled { await Task.yield() }
        let second = Task { try await api.get("/b").retry(.fixed()).send() }
        while api.configuration.slots?.waiting != 1, !Task.isCancelled { await Task.yield() }
        second.cancel()
        let error = await #expect(throws: ClientError.self) { try await second.value }
        #expect(error?.code == .cancelled)
        #expect(error?.request?.path == "/b")
        go.set()
        _ = await first.result
        #expect(transport.requests.count == 1)
        #expect(api.configuration.slots?.freeSlots == 1)
    }

    @Test func occupiesSlotUntilBodyEnds() async throws {
        let (source, other) = (HangingSource(), Signal())
        let transport = ClosureTransport { request, _, _ throws(TransportError) in
            guard request.path == "/slow" else {
                other.set()
                return Response(HTTPResponse(status: .ok))
            }
            return Response(HTTPResponse(status: .ok), body: Body(source))
        }
        let api = Client("https://h", transport: transport, configuration: .init(maxConcurrentRequests: 1))
        let slow = Task { try await api.get("/slow").send() }
        for await _ in source.started.stream { break }
        let next = Task { try await api.get("/").send() }
        while api.configuration.slots?.waiting != 1, !Task.isCancelled { await Task.yield() }
        #expect(transport.requests.count == 1)
        slow.cancel()
        _ = try await next.value
        #expect(api.configuration.slots?.freeSlots == 1)
    }

    @Test func streamOccupiesSlotOnlyUntilHead() async throws {
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(HangingSource()))
        }
        let api = Client("https://h", transport: transport, configuration: .init(maxConcurrentRequests: 1))
        let streams = [try await api.get("/").stream(), try await api.get("/").stream()]
        #expect(streams.count == 2)
        #expect(api.configuration.slots?.freeSlots == 1)
    }

    @Test func freesSlotDuringRetryDelay() async throws {
        let clock = ManualClock()
        let transport = ClosureTransport { request, _, _ throws(TransportError) in
            Response(HTTPResponse(status: request.path == "/bad" ? .serviceUnavailable : .ok))
        }
        let configuration = Client.Configuration(clock: clock, maxConcurrentRequests: 1)
        let api = Client("https://h", transport: transport, configuration: configuration)
        let bad = Task { try await api.get("/bad").retry(.fixed(delay: .seconds(60))).send() }
        await clock.waitForSleepers()
        #expect(api.configuration.slots?.freeSlots == 1)
        try await api.get("/").send()
        bad.cancel()
        _ = await bad.result
    }

    @Test func isSharedByCopiesOfClient() async {
        let api = Client("https://h", transport: ClosureTransport(), configuration: .init(maxConcurrentRequests: 3))
        var copy = api
        copy.configuration.timeout = nil
        #expect(copy.configuration.slots === api.configuration.slots)
        copy.configuration.maxConcurrentRequests = 2
        #expect(copy.configuration.slots !== api.configuration.slots)
        #expect(copy.configuration.slots?.freeSlots == 2)
        copy.configuration.maxConcurrentRequests = nil
        #expect(copy.configuration.slots == nil)
    }

    @Test(arguments: [0, -1, Int.min])
    func allowsAtLeastOneCall(limit: Int) async throws {
        let api = Client("https://h", transport: ClosureTransport(), configuration: .init(maxConcurrentRequests: limit))
        try await api.get("/").send()
    }

    @Test func excludesQueueingFromTimeout() async throws {
        let clock = ManualClock()
        let go = Signal()
        let transport = ClosureTransport { request, _, options throws(TransportError) in
            if request.path == "/first" { await go.wait() }
            return Response(HTTPResponse(status: .ok))
        }
        let configuration = Client.Configuration(clock: clock, maxConcurrentRequests: 1)
        let api = Client("https://h", transport: transport, configuration: configuration)
        let first = Task { try await api.get("/first").timeout(nil).send() }
        while transport.requests.isEmpty, !Task.isCancelled { await Task.yield() }
        let second = Task { try await api.get("/").timeout(.seconds(5)).send() }
        while api.configuration.slots?.waiting != 1, !Task.isCancelled { await Task.yield() }
        clock.advance(by: .seconds(3600))
        go.set()
        _ = try await first.value
        _ = try await second.value
    }
}
