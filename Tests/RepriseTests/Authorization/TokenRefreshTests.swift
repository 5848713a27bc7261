// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

/// Refreshes that concurrent calls share.
@Suite(.timeLimit(.minutes(3))) struct TokenRefreshTests {
    /// Rejects the old token, but only after `count` requests with it have arrived.
    private func transport(countingTo count: Int = 0, _ all: Signal = Signal()) -> ClosureTransport {
        let arrived = Locked(0)
        return ClosureTransport { request, _, _ throws(TransportError) in
            guard request.headerFields[.authorization] == "Bearer old" else {
                return Response(HTTPResponse(status: .ok))
            }
            let isLast = arrived.withLock { arrived in
                arrived += 1
                return arrived >= count
            }
            if isLast { all.set() }
            await all.wait()
            return Response(HTTPResponse(status: .unauthorized))
        }
    }

    private func api(_ transport: some Transport, _ tokens: any TokenProvider) -> Client {
        Client("https://h", transport: transport, configuration: .init(tokenProvider: tokens))
    }

    /// Gives calls the time to start waiting for a refresh, as far as a test can know.
    private func settle() async {
        for _ in 0..<100 { await Task.yield() }
    }

    @Test func refreshesOnceForAllWaitingCalls() async throws {
        let (begun, go) = (Signal(), Signal())
        let tokens = Tokens("old") {
            begun.set()
            await go.wait()
            return "new"
        }
        let transport = transport(countingTo: 100)
        let api = api(transport, tokens)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { try await api.get("/").authorized().send() } }
            await begun.wait()
            await settle()
            go.set()
            try await group.waitForAll()
        }
        #expect(tokens.refreshes == 1)
        #expect(transport.requests.count == 200)
    }

    @Test func refreshesOnceForLateCalls() async throws {
        for seed in 0..<50 as Range<UInt64> {
            let tokens = Tokens("old") {
                await Task.yield()
                return "new"
            }
            let transport = ClosureTransport { request, _, _ throws(TransportError) in
                var random = SeededGenerator(seed: seed)
                for _ in 0..<Int.random(in: 0...5, using: &random) { await Task.yield() }
                let isNew = request.headerFields[.authorization] == "Bearer new"
                return Response(HTTPResponse(status: isNew ? .ok : .unauthorized))
            }
            let api = api(transport, tokens)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { try await api.get("/").authorized().send() } }
                try await group.waitForAll()
            }
            #expect(tokens.refreshes == 1)
        }
    }

    /// As in a recording, where all tokens are the same marker.
    @Test func refreshesOnceWhenNewTokenEqualsOldToken() async throws {
        let tokens = Tokens("[redacted]") { "[redacted]" }
        let (isOut, go) = (Signal(), Signal())
        let seen = Locked<Set<String>>([])
        let transport = ClosureTransport { request, _, _ throws(TransportError) in
            let path = request.path ?? ""
            guard seen.withLock({ $0.insert(path).inserted }) else { return Response(HTTPResponse(status: .ok)) }
            if path == "/late" {
                isOut.set()
                await go.wait()
            }
            return Response(HTTPResponse(status: .unauthorized))
        }
        let api = api(transport, tokens)
        let late = Task { try await api.get("/late").authorized().send() }
        await isOut.wait()
        try await api.get("/early").authorized().send()
        go.set()
        _ = try await late.value
        #expect(tokens.refreshes == 1)
        #expect(transport.requests.compactMap(\.path) == ["/late", "/early", "/early", "/late"])
    }

    @Test func failsAllWaitingCallsWhenRefreshFails() async {
        struct SignedOut: Error {}
        let (begun, go) = (Signal(), Signal())
        let tokens = Tokens("old") {
            begun.set()
            await go.wait()
            throw SignedOut()
        }
        let api = api(transport(), tokens)
        let calls = (0..<20).map { _ in Task { try await api.get("/").authorized().send() } }
        await begun.wait()
        await settle()
        go.set()
        for call in calls { await #expect(throws: SignedOut.self) { try await call.value } }
    }

    @Test func refreshesAgainAfterFailure() async throws {
        struct Offline: Error {}
        let isFirst = Locked(true)
        let tokens = Tokens("old") {
            let fails = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if fails { throw Offline() }
            return "new"
        }
        let api = api(transport(), tokens)
        await #expect(throws: Offline.self) { try await api.get("/").authorized().send() }
        try await api.get("/").authorized().send()
        #expect(tokens.refreshes == 2)
    }

    @Test func continuesWhenWaitingCallIsCanceled() async throws {
        let (begun, go) = (Signal(), Signal())
        let wasCancelled = Locked(false)
        let tokens = Tokens("old") {
            begun.set()
            await go.wait()
            wasCancelled.withLock { $0 = Task.isCancelled }
            return "new"
        }
        let api = api(transport(), tokens)
        // Includes the call that started the refresh.
        let first = Task { try await api.get("/a").authorized().retry(.fixed()).send() }
        await begun.wait()
        let second = Task { try await api.get("/").authorized().send() }
        first.cancel()
        let error = await withTaskCancellationHandler {
            await #expect(throws: ClientError.self) { try await first.value }
        } onCancel: {
            // If the canceled call goes on waiting, the time limit ends the refresh, so that the test fails.
            go.set()
        }
        #expect(error?.code == .cancelled)
        #expect(error?.request?.path == "/a")
        go.set()
        _ = try await second.value
        #expect(tokens.refreshes == 1)
        #expect(!wasCancelled.withLock { $0 })
    }

    @Test func refreshesThroughCallsOfSameClient() async throws {
        let session = Session()
        let log = Locked<[String]>([])
        let transport = ClosureTransport { request, _, _ throws(TransportError) in
            let token = request.headerFields[.authorization] ?? "none"
            log.withLock { $0.append("\(request.path ?? "") \(token)") }
            if request.path == "/token" { return Response(HTTPResponse(status: .ok), body: "new") }
            return Response(HTTPResponse(status: token == "Bearer new" ? .ok : .unauthorized))
        }
        // With one slot, the refresh would wait forever if its call still occupied the slot.
        let configuration = Client.Configuration(tokenProvider: session, maxConcurrentRequests: 1)
        let api = Client("https://h", transport: transport, configuration: configuration)
        await session.use(api)
        try await api.get("/me").authorized().send()
        #expect(
            log.withLock { $0 } == [
                "/me Bearer old", "/whoami Bearer old", "/token none", "/me Bearer new",
            ]
        )
    }

    /// Gets its tokens through the client that uses it as its provider.
    private actor Session: TokenProvider {
        private var api: Client?
        private var current = "old"

        func use(_ api: Client) { self.api = api }

        func token() -> String? { current }

        func refresh() async throws -> String? {
            guard let api else { return nil }
            // The call is rejected, but doesn't start another refresh during this one.
            await #expect(throws: ClientError.self) { try await api.get("/whoami").authorized().send() }
            current = try await api.post("/token").send().text
            return current
        }
    }

    @Test func isSharedByCopiesOfClient() async throws {
        let (begun, go) = (Signal(), Signal())
        let tokens = Tokens("old") {
            begun.set()
            await go.wait()
            return "new"
        }
        let api = api(transport(countingTo: 2), tokens)
        var copy = api
        copy.configuration.headers[.accept] = "text/plain"
        let other = copy
        async let first: BufferedResponse = api.get("/").authorized().send()
        async let second: BufferedResponse = other.get("/").authorized().send()
        await begun.wait()
        await settle()
        go.set()
        _ = try await (first, second)
        #expect(tokens.refreshes == 1)
    }
}
