// SPDX-License-Identifier: Apache-2.0

import Logging
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

/// The order of the steps of a call, as the page "Customize how calls are sent" documents it.
@Suite struct PipelineTests {
    private struct Rejected: Error {}

    private let events = Locked<[String]>([])
    private let record = LogRecord()

    private func note(_ event: String) {
        events.withLock { $0.append(event) }
    }

    /// Provides tokens, and notes each request for one.
    private struct Provider: TokenProvider {
        let note: @Sendable (String) -> Void
        let isFresh = Locked(false)

        func token() -> String? {
            note("token")
            return isFresh.withLock { $0 } ? "new" : "old"
        }

        func refresh() async throws -> String? {
            note("refresh")
            isFresh.withLock { $0 = true }
            return "new"
        }
    }

    /// A clock that notes each wait.
    private struct NotingClock: Clock {
        let base = ManualClock(passesBySleeping: true)
        let note: @Sendable (String) -> Void
        var now: ManualClock.Instant { base.now }
        var minimumResolution: Duration { base.minimumResolution }

        func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
            note("wait \(base.now.duration(to: deadline) / .seconds(1))")
            try await base.sleep(until: deadline, tolerance: tolerance)
        }
    }

    private func interceptor(_ name: String) -> ClosureInterceptor {
        ClosureInterceptor { request, next in
            note("> \(name) \(request.attempt) \(request.headers[.authorization] ?? "none")")
            let response = try await next(request)
            note("< \(name) \(response.status.code)")
            return response
        }
    }

    @Test func runsStepsInDocumentedOrder() async throws {
        let answers = Locked<[(HTTPResponse.Status, Body)]>([
            (.unauthorized, ""), (.serviceUnavailable, ""), (.ok, "queued"), (.ok, "done"),
        ])
        let slots = Locked<ConcurrencyLimit?>(nil)
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            note("transport, \(slots.withLock { $0?.freeSlots } ?? -1) slots")
            let (status, body) = answers.withLock { $0.removeFirst() }
            return Response(HTTPResponse(status: status), body: body)
        }
        var api = Client("https://h", transport: transport)
        api.configuration.clock = NotingClock(note: note)
        api.configuration.timeout = nil
        api.configuration.tokenProvider = Provider(note: note)
        api.configuration.maxConcurrentRequests = 1
        api.configuration.logging = .simple(
            Logger(label: "test") { _ in
                NotingHandler { event in note("log \(event), \(slots.withLock { $0?.freeSlots } ?? -1) slots") }
            }
        )
        api.configuration.interceptors = [interceptor("client")]
        api.configuration.validation = [.response { note("validation \($0.text)") }]
        slots.withLock { $0 = api.configuration.slots }
        let response = try await api.get("/job").authorized().retry(.fixed(delay: .seconds(1)))
            .intercept(interceptor("call"))
            .poll(PollPolicy(delay: .seconds(5), jitter: .none)) { response in
                note("until \(response.text)")
                return response.text == "done"
            }
        #expect(response.text == "done")
        func exchange(_ attempt: Int, _ token: String, _ status: Int) -> [String] {
            [
                "> client \(attempt) Bearer \(token)", "> call \(attempt) Bearer \(token)", "log start, 1 slots",
                "transport, 0 slots", "log end, 0 slots", "< call \(status)", "< client \(status)",
            ]
        }
        #expect(
            events.withLock { $0 } == ["token"] + exchange(1, "old", 401)
                + ["token", "log refresh, 1 slots", "refresh"] + exchange(1, "new", 503)
                + ["log retry, 1 slots", "wait 1.0", "token"] + exchange(2, "new", 200)
                + ["validation queued", "until queued", "wait 5.0", "token"] + exchange(1, "new", 200)
                + ["validation done", "until done"]
        )
    }

    @Test func validatesEachAttemptAndDecodesAfterLast() async {
        let transport = ClosureTransport(body: "[]")
        let configuration = Client.Configuration(
            timeout: nil,
            validation: [.response { _ in throw Rejected() }],
            clock: ManualClock(passesBySleeping: true)
        )
        let api = Client("https://h", transport: transport, configuration: configuration)
        let seen = Locked(0)
        let policy = RetryPolicy.fixed().when { failure in
            seen.withLock { $0 += 1 }
            return failure.error is Rejected
        }
        await #expect(throws: Rejected.self) { try await api.get("/").retry(policy).send() }
        #expect(transport.requests.count == 3)
        let error = await #expect(throws: ClientError.self) {
            try await api.get("/").validate(.none).retry(policy).value(as: Int.self)
        }
        #expect(error?.code == .decoding)
        #expect(transport.requests.count == 4)
        #expect(seen.withLock { $0 } == 2)
    }

    @Test func readsCacheInInnermostStep() async throws {
        let base = ClosureTransport(body: "stored")
        let slots = Locked<ConcurrencyLimit?>(nil)
        let around = ClosureInterceptor { request, next in
            note("> \(request.headers[.authorization] ?? "none")")
            return try await next(request)
        }
        var api = Client("https://h", transport: CachingTransport(NotingTransport(base: base, note: note)))
        api.configuration.tokenProvider = Provider(note: note)
        api.configuration.maxConcurrentRequests = 1
        api.configuration.interceptors = [around]
        api.configuration.logging = .simple(
            Logger(label: "test") { _ in
                NotingHandler { event in note("log \(event), \(slots.withLock { $0?.freeSlots } ?? -1) slots") }
            }
        )
        slots.withLock { $0 = api.configuration.slots }
        for _ in 1...2 {
            #expect(try await api.get("/").authorized().retry(.fixed()).send().text == "stored")
        }
        let steps = ["token", "> Bearer old", "log start, 1 slots"]
        #expect(events.withLock { $0 } == steps + ["transport", "log end, 0 slots"] + steps + ["log end, 0 slots"])
    }

    /// Notes each request.
    private struct NotingTransport: Transport {
        let base: ClosureTransport
        let note: @Sendable (String) -> Void
        var enforcesTimeout: Bool { base.enforcesTimeout }

        func send(
            _ request: HTTPRequest,
            body: Body?,
            options: RequestOptions
        ) async throws(TransportError) -> Response {
            note("transport")
            return try await base.send(request, body: body, options: options)
        }
    }

    @Test func skipsUnconfiguredSteps() async throws {
        let api = Client("https://h", transport: ClosureTransport())
        #expect(api.configuration.slots == nil)
        #expect(api.configuration.authorizer == nil)
        #expect(api.configuration.retry == nil)
        #expect(Attempt(request: HTTPRequest(path: "/", method: .get), log: nil).log == nil)
    }
}

/// Notes the events that are logged.
private struct NotingHandler: LogHandler {
    let note: @Sendable (String) -> Void
    var metadata = Logger.Metadata()
    var logLevel = Logger.Level.trace

    init(_ note: @escaping @Sendable (String) -> Void) {
        self.note = note
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        note(String("\(event.message)".prefix { $0 != " " }))
    }
}
