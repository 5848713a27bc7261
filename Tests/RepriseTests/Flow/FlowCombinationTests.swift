// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

/// Calls that combine retries, polling, tokens, the cache, the limit, and interceptors.
@Suite(.timeLimit(.minutes(3))) struct FlowCombinationTests {
    struct Maintenance: Error {}

    let clock = ManualClock(passesBySleeping: true)
    let second = RetryPolicy.fixed(delay: .seconds(1))

    /// Returns the answers in order, and repeats the last one.
    func transport(_ answers: (HTTPResponse.Status, HTTPFields)...) -> ClosureTransport {
        let rest = Locked(answers[...])
        return ClosureTransport { _, _, _ throws(TransportError) in
            let (status, fields) = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? (.ok, [:]) }
            return Response(HTTPResponse(status: status, headerFields: fields), body: Body("\(status.code)"))
        }
    }

    /// Accepts one token.
    func accepting(_ token: String) -> ClosureTransport {
        ClosureTransport { request, _, _ throws(TransportError) in
            let isRight = request.headerFields[.authorization] == "Bearer \(token)"
            return Response(HTTPResponse(status: isRight ? .ok : .unauthorized), body: Body(isRight ? "in" : "out"))
        }
    }

    func api(_ transport: some Transport, _ tokens: (any TokenProvider)? = nil, slots: Int? = nil) -> Client {
        Client(
            "https://h",
            transport: transport,
            configuration: .init(timeout: nil, clock: clock, tokenProvider: tokens, maxConcurrentRequests: slots)
        )
    }

    // MARK: Interceptors and retry

    @Test func retriesErrorFromHookForTransientStatus() async throws {
        for error in [Maintenance(), ClientError(.init(rawValue: "maintenance"), "so")] as [any Error] {
            let transport = transport((.serviceUnavailable, [.retryAfter: "7"]), (.ok, [:]))
            let interceptor = ClosureInterceptor(after: { response, _ in
                if response.status == .serviceUnavailable { throw error }
            })
            try await api(transport).get("/").intercept(interceptor).retry(second).send()
            _ = try await api(self.transport((.badGateway, [:]), (.ok, [:]))).get("/").retry(second).intercept(
                ClosureInterceptor(after: { response, _ in if response.status == .badGateway { throw error } })
            ).stream()
            #expect(transport.requests.count == 2)
        }
        #expect(clock.sleeps == [.seconds(7), .seconds(1), .seconds(7), .seconds(1)])
    }

    @Test func doesNotRetryErrorFromHookForOtherStatus() async {
        for status in [HTTPResponse.Status.ok, .notFound, .unauthorized] {
            let transport = transport((status, [:]))
            let call = api(transport).get("/").intercept(ClosureInterceptor(after: { _, _ in throw Maintenance() }))
            await #expect(throws: Maintenance.self) { try await call.retry(second).send() }
            #expect(transport.requests.count == 1)
        }
        // A 401 is final, even if an interceptor throws another error for it.
        let transport = transport((.unauthorized, [:]))
        let call = api(transport).get("/").intercept(ClosureInterceptor(after: { _, _ in throw Maintenance() }))
        await #expect(throws: Maintenance.self) { try await call.retry(second.when { _ in true }).send() }
        #expect(transport.requests.count == 1)
    }

    @Test func ignoresStatusOfEarlierRequest() async {
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

    @Test func doesNotRetryUnauthorizedErrorFromHook() async {
        let transport = transport((.serviceUnavailable, [:]))
        let interceptor = ClosureInterceptor(after: { _, _ in throw ClientError(.unauthorized, "signed out") })
        let error = await #expect(throws: ClientError.self) {
            try await api(transport).get("/a").intercept(interceptor).retry(second.when { _ in true }).send()
        }
        #expect(error?.code == .unauthorized)
        #expect(error?.request?.path == "/a")
        #expect(transport.requests.count == 1)
    }

    @Test func pastRetryAfterDateRetriesImmediatelyUpToLimit() async {
        let fields: HTTPFields = [.retryAfter: "Sun, 06 Nov 1994 08:49:37 GMT"]
        let transport = transport((.serviceUnavailable, fields))
        await #expect(throws: ClientError.self) { try await api(transport).get("/").retry(second).send() }
        #expect(transport.requests.count == 3)
        #expect(clock.sleeps.isEmpty)
    }

    @Test func resendsFormFromFileUnchanged() async throws {
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

    // MARK: The limit

    @Test func freesAllSlotsAfterRetriesRefreshesAndCancellation() async {
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

    @Test func completesStartedCallOnceWhenRefreshFails() async {
        let completions = Locked<[(any Error)?]>([])
        let done = Signal()
        let api = api(accepting("new"), Tokens("old") { throw Maintenance() }, slots: 1)
        api.get("/").authorized().retry(second).start { result in
            completions.withLock { completions in
                if case .failure(let error) = result { completions.append(error) } else { completions.append(nil) }
            }
            done.set()
        }
        await done.wait()
        await MainActor.run {}
        #expect(completions.withLock { $0.count } == 1)
        #expect(completions.withLock { $0.first ?? nil } is Maintenance)
    }
}
