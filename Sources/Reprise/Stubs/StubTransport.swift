// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// A transport that answers requests in the same process from a list of routes, for tests, previews, and examples.
///
/// ```swift
/// let stub = StubTransport {
///     $0.get("/users/42", .json(#"{"id": 42}"#))
///     $0.get("/users/{id}") { request in .json(User(id: request["id"])) }
///     $0.post("/users", .status(503), .json(#"{"id": 43}"#, status: .created))  // fails once, then succeeds
///     $0.get("/chat", .events("data: a\n\n", .pause(.seconds(1)), "data: b\n\n"))
/// }
/// let client = Client("https://api.example.com", transport: stub)
/// ```
///
/// A request that no route answers fails with ``TransportError/Code/noStub``, and the message lists the nearest
/// routes. Delays and pauses run on the clock, so a test with its own clock does not wait. ``requests`` contains all
/// requests received.
///
/// Like a live transport, a stub follows redirects according to ``RequestOptions/redirects``, and returns no content
/// if a response cannot have any (RFC 9112 section 6.3). It does not enforce the timeout by itself
/// (``Transport/enforcesTimeout``). The client does that on its clock.
public final class StubTransport: Transport {
    private let routes: [Route]
    private let clock: (any Clock<Duration>)?
    private let seen: Locked<Seen>

    private struct Seen {
        var requests: [Request] = []
        /// The number of requests that each route has answered.
        var counts: [Int]
    }

    /// Creates a stub with the routes that `build` adds.
    ///
    /// - Parameters:
    ///   - clock: The clock for delays and pauses. If it is nil, ``Ambient/clock`` is used, or the system's clock if
    ///     that is nil too.
    ///   - build: A closure that adds the routes.
    public convenience init(clock: (any Clock<Duration>)? = nil, _ build: (inout Routes) throws -> Void) rethrows {
        var routes = Routes()
        try build(&routes)
        self.init(routes, clock: clock)
    }

    /// Creates a stub with the given routes.
    ///
    /// - Parameters:
    ///   - routes: The routes. ``Routes`` describes which one answers a request that several of them match.
    ///   - clock: The clock for delays and pauses. If it is nil, ``Ambient/clock`` is used, or the system's clock if
    ///     that is nil too.
    public init(_ routes: Routes, clock: (any Clock<Duration>)? = nil) {
        self.routes = routes.bySpecificity
        self.clock = clock
        seen = Locked(Seen(counts: Array(repeating: 0, count: routes.list.count)))
    }

    /// Returns a stub that answers every request with the result of `answer`.
    public static func answering(
        clock: (any Clock<Duration>)? = nil,
        _ answer: @escaping @Sendable (Request) async throws -> Answer
    ) -> StubTransport {
        StubTransport(clock: clock) { $0.all(answer: answer) }
    }

    /// The requests received so far, in the order in which they were complete, including those that no route answers.
    public var requests: [Request] { seen.withLock { $0.requests } }

    /// Answers a request.
    ///
    /// - Throws: ``TransportError`` with the code ``TransportError/Code/noStub`` if no route answers the request,
    ///   with ``TransportError/Code/requestBody`` if its body fails, or the error that the answer specifies.
    public func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        try await options.following(request, body: body) { request, body, options throws(TransportError) in
            try await respond(to: request, body: body, options: options)
        }
    }

    private func respond(
        to request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        guard !Task.isCancelled else { throw .cancelledInStub }
        let clock = clock ?? Ambient.clock ?? ContinuousClock()
        let request = try await Request(request, body: body, options: options)
        let answer = try await answer(to: request)
        if let delay = answer.delay { try await clock.pass(delay) }
        guard !Task.isCancelled else { throw .cancelledInStub }
        var response = try answer.response(to: request, clock: clock)
        response.body = response.body.readOnce()
        return response
    }

    private func answer(to request: Request) async throws(TransportError) -> Answer {
        let location = StubLocation(of: request.head)
        for (index, route) in routes.enumerated() {
            guard let parameters = route.pattern.match(request.method, location) else { continue }
            var request = request
            request.parameters = parameters
            return try await route.answer(to: request, count: note(request, routeAt: index))
        }
        note(request)
        throw TransportError(.noStub, StubPattern.missMessage(for: request, among: routes.map(\.pattern)))
    }

    /// Records the request, and returns the number of requests that the route answered before.
    @discardableResult
    private func note(_ request: Request, routeAt index: Int? = nil) -> Int {
        seen.withLock { seen in
            seen.requests.append(request)
            guard let index else { return 0 }
            defer { seen.counts[index] += 1 }
            return seen.counts[index]
        }
    }
}

extension Clock<Duration> {
    /// Waits on this clock, unless the task is canceled.
    func pass(_ duration: Duration) async throws(TransportError) {
        do {
            try await sleep(for: min(duration, .longest))
        } catch {
            throw .cancelledInStub
        }
    }
}

extension TransportError {
    static var cancelledInStub: Self { Self(.cancelled, "the task was canceled before the stub answered") }
}
