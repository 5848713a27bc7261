// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

extension NexaParityTests {
    /// Tokens and retries, over real connections.
    @Suite struct Flow {
        /// The methods, targets, and tokens that a server received.
        private final class Seen: Sendable {
            private let state = Locked<[String]>([])

            func note(_ request: RawRequest) {
                let token = request["Authorization"].map { " \($0)" } ?? ""
                state.withLock { $0.append("\(request.method) \(request.target)\(token)") }
            }

            var requests: [String] { state.withLock { $0 } }
        }

        private let seen = Seen()
        private let clock = ManualClock(passesBySleeping: true)

        /// A server that answers with `statuses` in turn.
        private func server(_ statuses: String...) async throws -> ScriptedServer {
            let rest = Locked(statuses[...])
            return try await .answering { [seen] request in
                seen.note(request)
                let status = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? "" }
                return RawRequest.response(status, body: NexaParityTests.ada)
            }
        }

        @Test func sendsTokenOnlyWithAuthorizedCalls() async throws {
            let server = try await server("200 OK")
            let api = server.client(.init(tokenProvider: Tokens("t-1")))
            let reader: Reader = try await api.get("/readers/me").authorized().value()
            #expect(reader.name == "Ada")
            try await api.get("/readers/42").send()
            #expect(seen.requests == ["GET /readers/me Bearer t-1", "GET /readers/42"])
            withExtendedLifetime(server) {}
        }

        @Test func refreshesRejectedTokenAndResends() async throws {
            let server = try await server("401 Unauthorized", "200 OK")
            let tokens = Tokens("old") { "new" }
            let reader: Reader = try await server.client(.init(tokenProvider: tokens)).post("/readers").body("{}")
                .authorized().value()
            #expect(reader.name == "Ada")
            #expect(seen.requests == ["POST /readers Bearer old", "POST /readers Bearer new"])
            #expect(tokens.refreshes == 1)
            withExtendedLifetime(server) {}
        }

        @Test func authorizedCallsRequireProvider() async throws {
            let server = try await server("200 OK")
            let error = await #expect(throws: ClientError.self) {
                try await server.client().get("/readers/me").authorized().send()
            }
            #expect(error?.code == .noAuthProvider)
            let signedOut = await #expect(throws: ClientError.self) {
                try await server.client(.init(tokenProvider: Tokens(nil))).get("/readers/me").authorized().send()
            }
            #expect(signedOut?.code == .authenticationRequired)
            #expect(seen.requests == [])
        }

        @Test func makesThreeAttemptsIncludingFirst() async throws {
            let server = try await server("503 Service Unavailable")
            let error = await #expect(throws: ClientError.self) {
                try await server.client(.init(clock: clock)).get("/readers").retry(.fixed(attempts: 3)).send()
            }
            #expect(error?.response?.status == .serviceUnavailable)
            #expect(seen.requests.count == 3)
            #expect(clock.sleeps == [.seconds(1), .seconds(1)])
            withExtendedLifetime(server) {}
        }

        @Test func doublesDelayEachTime() async throws {
            let busy = "503 Service Unavailable"
            let server = try await server(busy, busy, busy, "200 OK")
            let policy = RetryPolicy.exponential(attempts: 4, delay: .milliseconds(500), jitter: .none)
            try await server.client(.init(clock: clock)).get("/readers").retry(policy).send()
            #expect(clock.sleeps == [.milliseconds(500), .seconds(1), .seconds(2)])
            withExtendedLifetime(server) {}
        }

        @Test func doesNotRetryNotFoundOrPost() async throws {
            let server = try await server("404 Not Found")
            let api = server.client(.init(clock: clock, retry: .fixed(attempts: 3)))
            await #expect(throws: ClientError.self) { try await api.get("/readers/0").send() }
            #expect(seen.requests.count == 1)
            let other = try await self.server("503 Service Unavailable")
            let posting = other.client(.init(clock: clock, retry: .fixed(attempts: 3)))
            await #expect(throws: ClientError.self) { try await posting.post("/readers").body("{}").send() }
            #expect(seen.requests.count == 2)
            withExtendedLifetime((server, other)) {}
        }
    }
}
