// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

extension EKNetworkParityTests {
    /// Retries and token refreshes, over real connections.
    @Suite struct Flow {
        /// An app error that another attempt would only repeat.
        private struct SoldOut: NeverRetried, Decodable, Equatable {
            var seats: Int
        }

        /// Stores the token, and requests new ones from the API itself.
        private actor TokenStore: TokenProvider {
            private var api: Client?
            private var access = "old"
            private(set) var refreshes = 0

            func use(_ api: Client) { self.api = api }

            func token() -> String? { access }

            func refresh() async throws -> String? {
                refreshes += 1
                guard let api else { return nil }
                access = try await api.post("/token").form(["refresh_token": "r-1"]).value(as: Session.self).token
                return access
            }
        }

        private let targets = Locked<[String]>([])
        private let clock = ManualClock(passesBySleeping: true)

        private var sent: [String] { targets.withLock { $0 } }

        private func server(_ answer: @escaping @Sendable (RawRequest) -> String) async throws -> ScriptedServer {
            let targets = targets
            return try await .answering { request in
                targets.withLock { $0.append("\(request.method) \(request.target)") }
                return answer(request)
            }
        }

        private func server(_ statuses: String..., body: String = "") async throws -> ScriptedServer {
            let rest = Locked(statuses[...])
            return try await server { _ in
                RawRequest.response(
                    rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? "" },
                    body: body
                )
            }
        }

        // MARK: Tokens

        @Test func refreshesTokenThroughSameClientAndResends() async throws {
            let server = try await server { request in
                if request.target == "/token" {
                    #expect(request.text == "refresh_token=r-1")
                    return RawRequest.response(body: #"{"token": "new"}"#)
                }
                return request["Authorization"] == "Bearer new"
                    ? RawRequest.response(body: #"{"id": 7, "from": "Bern"}"#)
                    : RawRequest.response("401 Unauthorized")
            }
            let store = TokenStore()
            let api = server.client(.init(tokenProvider: store))
            await store.use(api)
            let ticket: Ticket = try await api.get("/tickets/7").authorized().value()
            #expect(ticket.from == "Bern")
            #expect(sent == ["GET /tickets/7", "POST /token", "GET /tickets/7"])
            withExtendedLifetime(server) {}
        }

        /// EKNetwork refreshes the token once for each of them.
        @Test func refreshesOnceForAllRejectedCalls() async throws {
            let (refused, all) = (Locked(0), Signal())
            let server = try await ScriptedServer.start { connection in
                while true {
                    let request = try await connection.readRequest()
                    if request.target == "/token" {
                        try await connection.send(RawRequest.response(body: #"{"token": "new"}"#))
                    } else if request["Authorization"] == "Bearer new" {
                        try await connection.send(RawRequest.response())
                    } else {
                        let count = refused.withLock { count in
                            count += 1
                            return count
                        }
                        if count == 4 { all.set() }
                        await all.wait()
                        try await connection.send(RawRequest.response("401 Unauthorized"))
                    }
                }
            }
            let store = TokenStore()
            let api = server.client(.init(tokenProvider: store))
            await store.use(api)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await api.get("/tickets/7").authorized().send() } }
                try await group.waitForAll()
            }
            #expect(await store.refreshes == 1)
            withExtendedLifetime(server) {}
        }

        @Test func doesNotRefreshTokenIfRequestForbidsIt() async throws {
            let server = try await server("401 Unauthorized")
            let tokens = Tokens("old") { "new" }
            let api = server.client(.init(tokenProvider: tokens))
            let error = await #expect(throws: ClientError.self) {
                try await api.get("/").authorized(refreshing: false).retry(.never).send()
            }
            #expect(error?.code == .unauthorized)
            #expect(sent.count == 1)
            #expect(tokens.refreshes == 0)
            withExtendedLifetime(server) {}
        }

        // MARK: Retry

        @Test func makesOneAttemptByDefault() async throws {
            let server = try await server("503 Service Unavailable")
            await #expect(throws: ClientError.self) { try await server.client().get("/").send() }
            #expect(sent.count == 1)
            withExtendedLifetime(server) {}
        }

        /// Two retries in EKNetwork are three attempts here.
        @Test func waitsFixedDelayBeforeEachRetry() async throws {
            let busy = "503 Service Unavailable"
            let server = try await server(busy, busy, "200 OK")
            let policy = RetryPolicy.fixed(attempts: 3, delay: .seconds(1))
            try await server.client(.init(clock: clock)).get("/").retry(policy).send()
            #expect(sent.count == 3)
            #expect(clock.sleeps == [.seconds(1), .seconds(1)])
            withExtendedLifetime(server) {}
        }

        @Test func usesCustomRetryCondition() async throws {
            let server = try await server("409 Conflict", "200 OK")
            let policy = RetryPolicy.fixed(attempts: 2).when {
                ($0.error as? ClientError)?.response?.status == .conflict
            }
            try await server.client(.init(clock: clock)).get("/").retry(policy).send()
            #expect(sent.count == 2)
            withExtendedLifetime(server) {}
        }

        @Test(arguments: ["401 Unauthorized", "404 Not Found", "200 OK"])
        func doesNotRetryPermanentFailures(status: String) async throws {
            let server = try await server(status, body: "no JSON")
            let api = server.client(.init(clock: clock, retry: .fixed()))
            await #expect(throws: ClientError.self) { try await api.get("/").value(as: Ticket.self) }
            #expect(sent.count == 1)
            withExtendedLifetime(server) {}
        }

        @Test func doesNotRetryNeverRetriedErrors() async throws {
            let server = try await server("503 Service Unavailable", body: #"{"seats": 0}"#)
            let configuration = Client.Configuration(
                clock: clock,
                retry: .fixed().when { _ in true },
                serverError: .decoding(SoldOut.self)
            )
            await #expect(throws: SoldOut(seats: 0)) { try await server.client(configuration).get("/").send() }
            #expect(sent.count == 1)
            withExtendedLifetime(server) {}
        }
    }
}
