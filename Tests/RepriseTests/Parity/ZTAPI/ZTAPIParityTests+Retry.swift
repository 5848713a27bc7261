// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

extension ZTAPIParityTests {
    /// Retries over real connections, with a manual clock.
    @Suite struct Retry {
        private let clock = ManualClock(passesBySleeping: true)

        private func site(_ statuses: String...) async throws -> Site {
            try await Site.start { _, number in
                let status = statuses[min(number, statuses.count) - 1]
                return status == "200 OK" ? Site.json(#"{"id": 7, "name": "Fern"}"#) : Site.response(status)
            }
        }

        private func plant(_ site: Site, _ policy: RetryPolicy) async throws -> Plant {
            try await site.client(.init(clock: clock)).get("/plants/7").retry(policy).value()
        }

        @Test func waitsFixedDelay() async throws {
            let site = try await site("503 Service Unavailable", "503 Service Unavailable", "200 OK")
            #expect(try await plant(site, .fixed(attempts: 3, delay: .seconds(1))).name == "Fern")
            #expect(site.requests.count == 3)
            #expect(clock.sleeps == [.seconds(1), .seconds(1)])
        }

        @Test func countsFirstAttempt() async throws {
            let site = try await site("503 Service Unavailable")
            let error = await #expect(throws: ClientError.self) {
                try await plant(site, .fixed(attempts: 3, delay: .seconds(1)))
            }
            #expect(error?.code == .status)
            #expect(site.requests.count == 3)
        }

        /// The first delay is the configured one, not twice as long.
        @Test func doublesDelayEachTime() async throws {
            let site = try await site("503 Service Unavailable")
            let policy = RetryPolicy.exponential(attempts: 5, delay: .seconds(1), factor: 2, jitter: .none)
            await #expect(throws: ClientError.self) { try await plant(site, policy) }
            #expect(clock.sleeps == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        }

        @Test func conditionReceivesRequestErrorAttemptAndResponse() async throws {
            let seen = Locked<[String]>([])
            let policy = RetryPolicy.fixed(attempts: 3, delay: .seconds(2)).when { failure in
                await Task.yield()
                let code = (failure.error as? ClientError)?.code.rawValue ?? ""
                let path = failure.request?.path ?? ""
                seen.withLock { $0.append("\(failure.number) \(code) \(path) \(failure.response?.status.code ?? 0)") }
                return (failure.response?.status.code ?? 0) >= 500
            }
            let site = try await site("501 Not Implemented", "200 OK")
            #expect(try await plant(site, policy).name == "Fern")
            #expect(clock.sleeps == [.seconds(2)])
            let refusing = try await self.site("409 Conflict")
            await #expect(throws: ClientError.self) { try await plant(refusing, policy) }
            #expect(refusing.requests.count == 1)
            #expect(seen.withLock { $0 } == ["1 status /plants/7 501", "1 status /plants/7 409"])
        }

        @Test func retriesNeither404NorDecodingErrors() async throws {
            let missing = try await site("404 Not Found")
            await #expect(throws: ClientError.self) { try await plant(missing, .fixed()) }
            #expect(missing.requests.count == 1)
            let odd = try await Site.start { _, _ in Site.json("[]") }
            let error = await #expect(throws: ClientError.self) { try await plant(odd, .fixed()) }
            #expect(error?.code == .decoding)
            #expect(odd.requests.count == 1)
        }
    }

    // MARK: One client for the program

    @Suite struct Global {
        private static let client = Client(
            "https://garden.example",
            configuration: .init(timeout: nil, maxConcurrentRequests: 6)
        )

        @Test func limitsConcurrentRequestsToSix() async throws {
            let (now, most) = (Locked(0), Locked(0))
            let go = Signal()
            let transport = ClosureTransport { _, _, _ throws(TransportError) in
                let count = now.withLock { now in
                    now += 1
                    return now
                }
                most.withLock { $0 = max($0, count) }
                await go.wait()
                now.withLock { $0 -= 1 }
                return Response(HTTPResponse(status: .ok))
            }
            try await Ambient.$transport.withValue(transport) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<20 { group.addTask { try await Self.client.get("/plants").send() } }
                    let slots = try #require(Self.client.configuration.slots)
                    while transport.requests.count + slots.waiting < 20 { await Task.yield() }
                    #expect(transport.requests.count == 6)
                    go.set()
                    try await group.waitForAll()
                }
            }
            #expect(transport.requests.count == 20)
            #expect(most.withLock { $0 } == 6)
            #expect(Self.client.configuration.slots?.freeSlots == 6)
        }
    }
}
