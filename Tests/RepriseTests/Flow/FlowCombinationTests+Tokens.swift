// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

/// Tokens, combined with the cache, retries, and polling.
extension FlowCombinationTests {
    @Test func storesResponsesForEachToken() async throws {
        let (base, tokens) = (accepting("new"), Tokens("old") { "new" })
        let cache = CachingTransport(base, .init(writing: .onSuccess))
        let call = api(cache, tokens).get("/").authorized()
        for _ in 1...3 { #expect(try await call.send().text == "in") }
        // The 401 was not stored, but the response to the new token was.
        #expect(base.requests.map { $0.headerFields[.authorization] } == ["Bearer old", "Bearer new"])
        tokens.set("old")
        #expect(try await call.send().text == "in")
        #expect(base.requests.count == 3)
        #expect(tokens.refreshes == 2)
    }

    @Test func refreshesAfterStored401() async throws {
        let (base, tokens) = (accepting("new"), Tokens("old") { "new" })
        let cache = CachingTransport(base, .init(writing: .always))
        let call = api(cache, tokens).get("/").authorized()
        #expect(try await call.send().text == "in")
        tokens.set("old")
        #expect(try await call.send().text == "in")
        #expect(base.requests.count == 2)
        #expect(tokens.refreshes == 2)
    }

    @Test func doesNotRetryStoredResponseOrCacheMiss() async throws {
        let base = transport((.ok, [:]), (.serviceUnavailable, [:]))
        let cache = CachingTransport(base, .init(reading: .networkElseCache))
        let call = api(cache).get("/").retry(second)
        for _ in 1...2 { #expect(try await call.send().text == "200") }
        #expect(base.requests.count == 2)
        let miss = await #expect(throws: ClientError.self) {
            try await api(cache.reading(.cacheOnly)).get("/other").retry(second).send()
        }
        #expect(miss?.code == .cacheMiss)
        #expect(base.requests.count == 2)
        #expect(clock.sleeps.isEmpty)
    }

    @Test func refreshesTokenExpiredBetweenPolls() async throws {
        let count = Locked(0)
        let tokens = Tokens("1") { "2" }
        let transport = ClosureTransport { request, _, _ throws(TransportError) in
            let count = count.withLock { count in
                count += 1
                return count
            }
            let isRight = request.headerFields[.authorization] == (count < 3 ? "Bearer 1" : "Bearer 2")
            return Response(HTTPResponse(status: isRight ? .ok : .unauthorized), body: Body("\(count)"))
        }
        let policy = PollPolicy(delay: .seconds(3), factor: 1, jitter: .none)
        let response = try await api(transport, tokens).get("/").authorized().poll(policy) { $0.text == "5" }
        #expect(response.text == "5")
        #expect(tokens.refreshes == 1)
        #expect(clock.sleeps == Array(repeating: .seconds(3), count: 3))
    }

    @Test func timesOutPollWaitingForRefresh() async {
        let clock = ManualClock()
        let go = Signal()
        let tokens = Tokens("old") {
            clock.advance(by: .seconds(120))
            await go.wait()
            return "new"
        }
        var api = api(accepting("new"), tokens, slots: 1)
        api.configuration.clock = clock
        let call = api.get("/").authorized()
        let error = await #expect(throws: ClientError.self) { try await call.poll { _ in true } }
        #expect(error?.code == .pollTimeout)
        #expect(api.configuration.slots?.freeSlots == 1)
        go.set()
    }

    @Test func retriesAfterTransientFailureOfRefresh() async throws {
        let isFirst = Locked(true)
        let tokens = Tokens("old") {
            let fails = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if fails { throw ClientError(.timeout, "the server for tokens") }
            return "new"
        }
        let transport = accepting("new")
        #expect(try await api(transport, tokens).get("/").authorized().retry(second).send().text == "in")
        let sent = transport.requests.map { $0.headerFields[.authorization] }
        #expect(sent == ["Bearer old", "Bearer old", "Bearer new"])
        #expect(clock.sleeps == [.seconds(1)])
    }

    @Test func doesNotRetryWhenRefreshIsRejected() async {
        let transport = accepting("new")
        let refusing = api(ClosureTransport(.unauthorized, body: "sign in"))
        let tokens = Tokens("old") { try await refusing.post("/token").send().text }
        let call = api(transport, tokens).get("/").authorized().retry(second.when { _ in true })
        let error = await #expect(throws: ClientError.self) { try await call.send() }
        #expect(error?.response?.text == "sign in")
        #expect(error?.request?.path == "/token")
        #expect(tokens.refreshes == 1)
        #expect(transport.requests.count == 1)
    }

    @Test func retriesTransientErrorOfProvider() async throws {
        struct Flaky: TokenProvider {
            let asked = Locked(0)
            func token() throws -> String? {
                let count = asked.withLock { asked in
                    asked += 1
                    return asked
                }
                if count == 1 { throw TransportError(.offline, "the keychain is elsewhere") }
                return "new"
            }
        }
        let transport = accepting("new")
        #expect(try await api(transport, Flaky()).get("/").authorized().retry(second).send().text == "in")
        #expect(transport.requests.count == 1)
    }

    /// A refresh may sign in and start tasks that outlive it, whose calls need refreshes of their own.
    @Test func refreshesForTaskStartedByRefresh() async throws {
        let (tokens, begun) = (Locked("1"), Locked<Task<String, any Error>?>(nil))
        let (box, signedIn) = (Locked<Client?>(nil), Signal())
        struct Provider: TokenProvider {
            let current: @Sendable () -> String
            let next: @Sendable () -> String
            func token() -> String? { current() }
            func refresh() async throws -> String? { next() }
        }
        let provider = Provider(
            current: { tokens.withLock { $0 } },
            next: {
                begun.withLock { begun in
                    guard begun == nil, let api = box.withLock({ $0 }) else { return }
                    begun = Task {
                        await signedIn.wait()
                        return try await api.get("/b").authorized().send().text
                    }
                }
                return tokens.withLock { token in
                    token = token == "1" ? "2" : "3"
                    return token
                }
            }
        )
        let right = Locked("2")
        let transport = ClosureTransport { request, _, _ throws(TransportError) in
            let isRight = request.headerFields[.authorization] == "Bearer \(right.withLock { $0 })"
            return Response(HTTPResponse(status: isRight ? .ok : .unauthorized), body: Body(isRight ? "in" : "out"))
        }
        let api = api(transport, provider)
        box.withLock { $0 = api }
        #expect(try await api.get("/a").authorized().send().text == "in")
        right.withLock { $0 = "3" }
        signedIn.set()
        let later = try #require(begun.withLock { $0 })
        #expect(try await later.value == "in")
        box.withLock { $0 = nil }
    }

    @Test func withholdsTokenFromFormerBaseURL() async throws {
        let base = Locked("https://old")
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            base.withLock { $0 = "https://new" }
            return Response(HTTPResponse(status: .serviceUnavailable))
        }
        let configuration = Client.Configuration(timeout: nil, clock: clock, tokenProvider: Tokens("t"))
        let api = Client(transport: transport, configuration: configuration) { base.withLock { $0 } }
        await #expect(throws: ClientError.self) { try await api.get("/").authorized().retry(second).send() }
        #expect(transport.requests.map(\.authority) == ["old", "old", "old"])
        #expect(transport.requests.map { $0.headerFields[.authorization] } == ["Bearer t", nil, nil])
    }
}
