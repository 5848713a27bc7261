// SPDX-License-Identifier: Apache-2.0

import Foundation
import Locking
import TestSupport
import Testing

@testable import Reprise

/// What becomes of a call that has several of retry, poll, token, cache, limit and hooks at once.
@Suite struct FlowCombinationTests {
    private struct Maintenance: Error {}

    private let clock = ManualClock(passesBySleeping: true)
    private let second = RetryPolicy.fixed(delay: .seconds(1))

    /// Answers one after the other, the last one again and again.
    private func transport(_ answers: (HTTPResponse.Status, HTTPFields)...) -> ClosureTransport {
        let rest = Locked(answers[...])
        return ClosureTransport { _, _, _ throws(TransportError) in
            let (status, fields) = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? (.ok, [:]) }
            return Response(HTTPResponse(status: status, headerFields: fields), body: Body("\(status.code)"))
        }
    }

    /// Takes one token.
    private func taking(_ token: String) -> ClosureTransport {
        ClosureTransport { request, _, _ throws(TransportError) in
            let isRight = request.headerFields[.authorization] == "Bearer \(token)"
            return Response(HTTPResponse(status: isRight ? .ok : .unauthorized), body: Body(isRight ? "in" : "out"))
        }
    }

    private func api(_ transport: some Transport, _ tokens: (any TokenProvider)? = nil, slots: Int? = nil) -> Client {
        Client(
            "https://h",
            transport: transport,
            configuration: .init(timeout: nil, clock: clock, tokenProvider: tokens, maxConcurrent: slots)
        )
    }

    // MARK: Hooks and retry

    @Test func triesAgainAfterWhatAHookMadeOfAStatusThatPasses() async throws {
        for error in [Maintenance(), ClientError(.init(rawValue: "maintenance"), "so")] as [any Error] {
            let transport = transport((.serviceUnavailable, [.retryAfter: "7"]), (.ok, [:]))
            let hooks = Hooks(after: { response, _ in if response.status == .serviceUnavailable { throw error } })
            try await api(transport).get("/").intercept(hooks).retry(second).send()
            _ = try await api(self.transport((.badGateway, [:]), (.ok, [:]))).get("/").retry(second).intercept(
                Hooks(after: { response, _ in if response.status == .badGateway { throw error } })
            ).stream()
            #expect(transport.requests.count == 2)
        }
        #expect(clock.sleeps == [.seconds(7), .seconds(1), .seconds(7), .seconds(1)])
    }

    @Test func leavesWhatAHookMadeOfAnotherStatus() async {
        for status in [HTTPResponse.Status.ok, .notFound, .unauthorized] {
            let transport = transport((status, [:]))
            let call = api(transport).get("/").intercept(Hooks(after: { _, _ in throw Maintenance() }))
            await #expect(throws: Maintenance.self) { try await call.retry(second).send() }
            #expect(transport.requests.count == 1)
        }
        // A 401 is final, whatever was made of it.
        let transport = transport((.unauthorized, [:]))
        let call = api(transport).get("/").intercept(Hooks(after: { _, _ in throw Maintenance() }))
        await #expect(throws: Maintenance.self) { try await call.retry(second.when { _ in true }).send() }
        #expect(transport.requests.count == 1)
    }

    @Test func forgetsTheStatusOfAnEarlierRequest() async {
        let isFirst = Locked(true)
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isFirst else { throw TransportError(.tls, "so") }
            return Response(HTTPResponse(status: .serviceUnavailable))
        }
        let call = api(transport).get("/").retry(second).intercept { request, next in
            _ = try await next(request)
            return try await next(request)
        }
        let error = await #expect(throws: ClientError.self) { try await call.send() }
        #expect(error?.code == .tls)
        #expect(transport.requests.count == 2)
    }

    @Test func neverTriesAgainWhatAHookSaysIsFinal() async {
        let transport = transport((.serviceUnavailable, [:]))
        let hooks = Hooks(after: { _, _ in throw ClientError(.unauthorized, "signed out") })
        let error = await #expect(throws: ClientError.self) {
            try await api(transport).get("/a").intercept(hooks).retry(second.when { _ in true }).send()
        }
        #expect(error?.code == .unauthorized)
        #expect(error?.request?.path == "/a")
        #expect(transport.requests.count == 1)
    }

    @Test func goesOnAtOnceAfterADateThatIsOverAndNotForEver() async {
        let fields: HTTPFields = [.retryAfter: "Sun, 06 Nov 1994 08:49:37 GMT"]
        let transport = transport((.serviceUnavailable, fields))
        await #expect(throws: ClientError.self) { try await api(transport).get("/").retry(second).send() }
        #expect(transport.requests.count == 3)
        #expect(clock.sleeps.isEmpty)
    }

    @Test func sendsAFormFromAFileAgainAsItWas() async throws {
        let folder = try TemporaryFolder()
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let file = try folder.file("a.bin", content)
        let bodies = Locked<[[UInt8]]>([])
        let transport = ClosureTransport { _, body, _ throws(TransportError) in
            let bytes = (try? await body?.collect()) ?? []
            let count = bodies.withLock { bodies in
                bodies.append(bytes)
                return bodies.count
            }
            if count == 3 { try? FileManager.default.removeItem(at: file) }
            return Response(HTTPResponse(status: count < 4 ? .serviceUnavailable : .ok))
        }
        let call = api(transport).put("/").multipart { $0.file("f", file) }
        await #expect(throws: ClientError.self) { try await call.retry(second).send() }
        let sent = bodies.withLock { $0 }
        #expect(sent.count == 3)
        #expect(sent[0] == sent[1] && sent[1] == sent[2])
        let form = try #require(ParsedForm(sent[0], type: transport.requests[0].headerFields[.contentType]))
        #expect(form["f"]?.content == content)
    }

    // MARK: Tokens and the rest

    @Test func keepsWhatIsStoredForEachToken() async throws {
        let (base, tokens) = (taking("new"), Tokens("old") { "new" })
        let cache = CachingTransport(base, .init(writing: .onSuccess))
        let call = api(cache, tokens).get("/").authorized()
        for _ in 1...3 { #expect(try await call.send().text == "in") }
        // The refusal was not stored, and what the new token gets was.
        #expect(base.requests.map { $0.headerFields[.authorization] } == ["Bearer old", "Bearer new"])
        tokens.set("old")
        #expect(try await call.send().text == "in")
        #expect(base.requests.count == 3)
        #expect(tokens.refreshes == 2)
    }

    @Test func refreshesAlsoForARefusalThatIsStored() async throws {
        let (base, tokens) = (taking("new"), Tokens("old") { "new" })
        let cache = CachingTransport(base, .init(writing: .always))
        let call = api(cache, tokens).get("/").authorized()
        #expect(try await call.send().text == "in")
        tokens.set("old")
        #expect(try await call.send().text == "in")
        #expect(base.requests.count == 2)
        #expect(tokens.refreshes == 2)
    }

    @Test func takesWhatIsStoredForAnAnswerAndTriesNotAgain() async throws {
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

    @Test func refreshesWhereTheTokenRunsOutBetweenTwoPolls() async throws {
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

    @Test func endsAPollThatWaitsForARefresh() async {
        let clock = ManualClock()
        let go = Signal()
        let tokens = Tokens("old") {
            clock.advance(by: .seconds(120))
            await go.wait()
            return "new"
        }
        var api = api(taking("new"), tokens, slots: 1)
        api.configuration.clock = clock
        let call = api.get("/").authorized()
        let error = await #expect(throws: ClientError.self) { try await call.poll { _ in true } }
        #expect(error?.code == .pollTimeout)
        #expect(api.configuration.slots?.freeSlots == 1)
        go.set()
    }

    @Test func triesAgainWhenTheWayToTheTokenFailed() async throws {
        let isFirst = Locked(true)
        let tokens = Tokens("old") {
            let fails = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if fails { throw ClientError(.timeout, "the server for tokens") }
            return "new"
        }
        let transport = taking("new")
        #expect(try await api(transport, tokens).get("/").authorized().retry(second).send().text == "in")
        let sent = transport.requests.map { $0.headerFields[.authorization] }
        #expect(sent == ["Bearer old", "Bearer old", "Bearer new"])
        #expect(clock.sleeps == [.seconds(1)])
    }

    @Test func neverTriesAgainWhenTheRefreshIsRefused() async {
        let transport = taking("new")
        let refusing = api(ClosureTransport(.unauthorized, body: "sign in"))
        let tokens = Tokens("old") { try await refusing.post("/token").send().text }
        let call = api(transport, tokens).get("/").authorized().retry(second.when { _ in true })
        let error = await #expect(throws: ClientError.self) { try await call.send() }
        #expect(error?.response?.text == "sign in")
        #expect(error?.request?.path == "/token")
        #expect(tokens.refreshes == 1)
        #expect(transport.requests.count == 1)
    }

    @Test func triesAgainWhatTheProviderThrowsIfThatMayPass() async throws {
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
        let transport = taking("new")
        #expect(try await api(transport, Flaky()).get("/").authorized().retry(second).send().text == "in")
        #expect(transport.requests.count == 1)
    }

    /// A refresh signs in, and what the app begins then goes on for long.
    @Test func refreshesForTasksThatARefreshHasBegun() async throws {
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

    @Test func keepsTheTokenOfANewBaseFromTheOldOne() async throws {
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

    // MARK: The limit

    @Test func leavesAllSlotsFreeAfterRetriesRefreshesAndCancellation() async {
        let statuses: [HTTPResponse.Status] = [.ok, .serviceUnavailable, .unauthorized, .notFound]
        let transport = ClosureTransport { request, _, _ throws(TransportError) in
            for _ in 0..<3 { await Task.yield() }
            guard !Task.isCancelled else { throw TransportError(.cancelled, "so") }
            let number = Int(request.path?.dropFirst() ?? "") ?? 0
            return Response(HTTPResponse(status: statuses[number % statuses.count]))
        }
        let tokens = Tokens("old") {
            await Task.yield()
            return "new"
        }
        let api = api(transport, tokens, slots: 3)
        var random = SeededGenerator(seed: 32)
        var codes: Set<String> = []
        await withTaskGroup(of: String.self) { group in
            for number in 0..<1000 {
                let task = Task {
                    do {
                        let call = api.get("/\(number)").authorized().retry(second)
                        if number % 5 == 0 { _ = try await call.stream() } else { try await call.send() }
                        return "ok"
                    } catch {
                        return (error as? ClientError)?.code.rawValue ?? "\(error)"
                    }
                }
                let (delay, isCancelled) = (Int.random(in: 0...60, using: &random), Bool.random(using: &random))
                group.addTask {
                    for _ in 0..<delay { await Task.yield() }
                    if isCancelled { task.cancel() }
                    return await task.value
                }
            }
            for await code in group { codes.insert(code) }
        }
        #expect(codes == ["ok", "status", "unauthorized", "cancelled"])
        #expect(api.configuration.slots?.freeSlots == 3)
        #expect(api.configuration.slots?.waiting == 0)
    }

    @Test func tellsOnceOfAStartedCallWhoseRefreshFails() async {
        let told = Locked<[(any Error)?]>([])
        let done = Signal()
        let api = api(taking("new"), Tokens("old") { throw Maintenance() }, slots: 1)
        api.get("/").authorized().retry(second).start { result in
            told.withLock { told in
                if case .failure(let error) = result { told.append(error) } else { told.append(nil) }
            }
            done.set()
        }
        await done.wait()
        await MainActor.run {}
        #expect(told.withLock { $0.count } == 1)
        #expect(told.withLock { $0.first ?? nil } is Maintenance)
    }
}
