// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite(.timeLimit(.minutes(3))) struct PollTests {
    private struct Job: Codable, Equatable {
        var state: String
        var isDone: Bool { state == "done" }
    }

    private let clock = ManualClock(passesBySleeping: true)
    private let steady = PollPolicy(delay: .seconds(3), factor: 1, jitter: .none)

    private func jobs(_ states: String...) -> ClosureTransport {
        let rest = Locked(states[...])
        return ClosureTransport { _, _, _ throws(TransportError) in
            let state = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? "" }
            return Response(HTTPResponse(status: .ok), body: Body(#"{"state": "\#(state)"}"#))
        }
    }

    private func api(_ transport: some Transport) -> Client {
        Client("https://h", transport: transport, configuration: .init(timeout: nil, clock: clock))
    }

    // MARK: Calls

    @Test func pollsUntilValueMeetsCondition() async throws {
        let transport = jobs("queued", "running", "done", "never")
        let job = try await api(transport).get("/").poll(steady, until: { (job: Job) in job.isDone })
        #expect(job == Job(state: "done"))
        #expect(transport.requests.count == 3)
        #expect(clock.sleeps == [.seconds(3), .seconds(3)])
        let inferred: Job = try await api(jobs("done")).get("/").poll { $0.isDone }
        #expect(inferred.isDone)
    }

    @Test func pollsUntilResponseMeetsCondition() async throws {
        let response = try await api(jobs("queued", "done")).get("/").poll { $0.text.contains("done") }
        #expect(response.text.contains("done"))
    }

    @Test func bypassesCacheUnlessCallSetsCacheControl() async throws {
        let transport = jobs("queued", "running", "done")
        let call = api(CachingTransport(transport)).get("/")
        let job = try await call.poll(steady, until: { (job: Job) in job.isDone })
        #expect(job.isDone)
        #expect(transport.requests.allSatisfy { $0.headerFields[.cacheControl] == "no-cache" })
        let own = jobs("done")
        _ = try await api(own).get("/").header(.cacheControl, "max-age=1").poll { (job: Job) in job.isDone }
        #expect(own.requests.map { $0.headerFields[.cacheControl] } == ["max-age=1"])
    }

    @Test func sendsFirstRequestImmediately() async throws {
        _ = try await api(jobs("done")).get("/").poll(until: { (job: Job) in job.isDone })
        #expect(clock.sleeps.isEmpty)
    }

    @Test func increasesDelayUpToMaximum() async throws {
        let transport = jobs("queued", "queued", "queued", "queued", "queued", "queued", "done")
        let policy = PollPolicy(jitter: .none)
        _ = try await api(transport).get("/").poll(policy, until: { (job: Job) in job.isDone })
        #expect(clock.sleeps == [2, 3, 4.5, 6.75, 10, 10].map { .seconds($0) })
    }

    @Test func hasDocumentedDefaults() {
        let policy = PollPolicy()
        #expect(policy.delay == .seconds(2))
        #expect(policy.factor == 1.5)
        #expect(policy.maximumDelay == .seconds(10))
        #expect(policy.jitter.fraction == 0.2)
        #expect(policy.timeout == .seconds(120))
        let delays = (0..<500).map { _ in policy.delay(after: 0) }
        #expect(delays.allSatisfy { (.milliseconds(1600)...(.milliseconds(2400))).contains($0) })
        #expect(Set(delays).count > 100)
    }

    @Test(arguments: [
        PollPolicy(delay: .zero), PollPolicy(delay: .seconds(-5)), PollPolicy(delay: .zero, factor: .nan),
        PollPolicy(delay: .milliseconds(100), factor: 1, jitter: Jitter(1)),
        PollPolicy(delay: .seconds(1), maximumDelay: .seconds(-1)),
    ])
    func enforcesMinimumDelay(policy: PollPolicy) {
        for count in 0..<200 { #expect(policy.delay(after: count) >= .milliseconds(100)) }
    }

    @Test func timeoutErrorCarriesLastResponse() async throws {
        let transport = jobs("running")
        let call = api(transport).get("/a")
        // Longer than a slow machine needs, because the system's time counts too.
        let wait = Duration.seconds(300)
        let policy = PollPolicy(delay: wait, factor: 1, maximumDelay: wait, jitter: .none, timeout: .seconds(1000))
        let error = await #expect(throws: ClientError.self) {
            try await call.poll(policy, until: { (job: Job) in job.isDone })
        }
        #expect(error?.code == .pollTimeout)
        #expect(error?.response?.text.contains("running") == true)
        #expect(error?.request?.path == "/a")
        #expect(error?.isConnectivity == false)
        #expect(transport.requests.count == 4)
        #expect(clock.now.offset == .seconds(1000))
    }

    @Test func timeoutEndsHangingCall() async throws {
        let clock = ManualClock()
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            clock.advance(by: .seconds(120))
            await forever()
            throw TransportError(.cancelled, "so")
        }
        var api = api(transport)
        api.configuration.clock = clock
        let call = api.get("/a").timeout(nil).retry(.fixed())
        let error = await #expect(throws: ClientError.self) { try await call.poll { _ in true } }
        #expect(error?.code == .pollTimeout)
        #expect(error?.request?.path == "/a")
    }

    @Test(arguments: [nil, Duration.seconds(Int64.max)])
    func pollsIndefinitelyWithoutTimeout(timeout: Duration?) async throws {
        let count = Locked(0)
        let policy = PollPolicy(delay: .seconds(3600), factor: 1, maximumDelay: .seconds(3600), timeout: timeout)
        _ = try await api(jobs("running")).get("/").poll(policy) { _ in
            count.withLock { count in
                count += 1
                return count == 1000
            }
        }
        #expect(clock.now.offset > .seconds(2_000_000))
    }

    @Test func rethrowsErrorsOfCallAndCondition() async {
        let transport = ClosureTransport(.notFound)
        let error = await #expect(throws: ClientError.self) {
            try await api(transport).get("/").poll(until: { (job: Job) in job.isDone })
        }
        #expect(error?.code == .status)
        #expect(transport.requests.count == 1)
        let decoding = await #expect(throws: ClientError.self) {
            try await api(jobs("done")).get("/").poll(until: { (jobs: [Job]) in !jobs.isEmpty })
        }
        #expect(decoding?.code == .decoding)
        struct Failed: Error {}
        await #expect(throws: Failed.self) {
            try await api(jobs("failed")).get("/").poll(until: { (_: Job) in throw Failed() })
        }
    }

    @Test func retriesEachCallPerItsPolicy() async throws {
        let statuses = Locked<[HTTPResponse.Status]>([.serviceUnavailable, .ok, .serviceUnavailable, .ok])
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: statuses.withLock { $0.removeFirst() }))
        }
        let count = Locked(0)
        let call = api(transport).get("/").retry(.fixed(delay: .seconds(1)))
        _ = try await call.poll(steady) { _ in
            count.withLock { count in
                count += 1
                return count == 2
            }
        }
        #expect(clock.sleeps == [.seconds(1), .seconds(3), .seconds(1)])
    }

    @Test func doesNotResendUnreplayableBody() async {
        let transport = jobs("running")
        let call = api(transport).post("/").body(AsyncStream<[UInt8]> { $0.finish() })
        let error = await #expect(throws: ClientError.self) { try await call.poll { _ in false } }
        #expect(error?.code == .invalidParameters)
        #expect(transport.requests.count == 1)
    }

    @Test func cancelsImmediatelyWhileWaiting() async {
        let clock = ManualClock()
        var api = api(jobs("running"))
        api.configuration.clock = clock
        let call = api.get("/")
        let task = Task { try await call.poll { _ in false } }
        await clock.waitForSleepers()
        task.cancel()
        let error = await #expect(throws: ClientError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test @MainActor func evaluatesConditionOnCallerActor() async throws {
        final class Box { var count = 0 }
        let box = Box()
        let job: Job = try await api(jobs("queued", "done")).get("/").poll {
            box.count += 1
            return $0.isDone
        }
        #expect(job.isDone)
        #expect(box.count == 2)
    }

    // MARK: Closures

    @Test func pollsAnyClosure() async throws {
        let count = Locked(0)
        let value = try await steady.run(on: clock, until: { $0 == 3 }) {
            count.withLock { count in
                count += 1
                return count
            }
        }
        #expect(value == 3)
        #expect(clock.sleeps == [.seconds(3), .seconds(3)])
    }

    @Test func timeoutEndsHangingClosure() async {
        let clock = ManualClock()
        let error = await #expect(throws: ClientError.self) {
            try await steady.run(on: clock, until: { $0 == 1 }) {
                clock.advance(by: .seconds(120))
                await forever()
                return 2
            }
        }
        #expect(error?.code == .pollTimeout)
    }

    @Test func rethrowsErrorsOfClosure() async {
        struct Mine: Error {}
        await #expect(throws: Mine.self) { try await steady.run(on: clock, until: { $0 == 1 }) { throw Mine() } }
    }
}
