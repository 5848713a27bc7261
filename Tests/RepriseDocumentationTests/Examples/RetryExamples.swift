// SPDX-License-Identifier: Apache-2.0

import Reprise
import Testing

struct OutOfStock: NeverRetried {}

private struct Report: Codable, Equatable { var id: String }
private struct Purchase: Codable, Equatable { var id: String }
private struct Job: Codable { var isDone: Bool }
private struct Readiness: Sendable { var isReady: Bool }

/// A clock whose sleeps return immediately.
private struct InstantClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
    }

    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws { try Task.checkCancellation() }
}

/// The article "Retry a call and poll for a result", with a clock that doesn't wait.
@Suite struct RetryExamples {
    private let stub = StubTransport {
        $0.get("/reports/7", .status(503), .json(#"{"id": "7"}"#))
        $0.put("/orders/7", .status(409), .json(#"{"id": "7"}"#))
        $0.get("/jobs/7", .json(#"{"isDone": false}"#), .json(#"{"isDone": true}"#))
    }
    private var api: Client {
        Client("https://api.example.com", transport: stub, configuration: .init(clock: InstantClock()))
    }

    @Test func retriesFailedCall() async throws {
        let report: Report = try await api.get("/reports/7").retry(.exponential(attempts: 3)).value()
        #expect(report.id == "7")
        #expect(stub.requests.count == 2)
    }

    @Test func retriesOnCustomCondition() async throws {
        let draft = Purchase(id: "7")
        let busy = RetryPolicy.fixed(attempts: 5, delay: .seconds(2)).when { failure in
            failure.response?.status == .conflict
        }
        let order: Purchase = try await api.put("/orders/7").json(draft).retry(busy).value()
        #expect(order == draft)
    }

    @Test func retriesClosure() async throws {
        func loadProfile() async throws -> String { "Ada" }
        let profile = try await RetryPolicy.exponential(attempts: 3).run { attempt in
            try await loadProfile()
        }
        #expect(profile == "Ada")
    }

    @Test func pollsUntilDone() async throws {
        let done = try await api.get("/jobs/7").poll(until: { (job: Job) in job.isDone })
        #expect(done.isDone)
    }

    @Test func pollsClosure() async throws {
        @Sendable func readState() async throws -> Readiness { Readiness(isReady: true) }
        let ready = try await PollPolicy(timeout: .seconds(30)).run(until: { $0.isReady }) {
            try await readState()
        }
        #expect(ready.isReady)
    }
}
