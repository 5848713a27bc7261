// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// Answers requests in the process, from a list of routes: for tests, previews and examples.
///
/// ```swift
/// let stub = StubTransport {
///     $0.get("/users/42", .json(#"{"id": 42}"#))
///     $0.get("/users/{id}") { request in .json(User(id: request["id"])) }
///     $0.post("/users", .status(503), .json(#"{"id": 43}"#, status: .created))  // the second time it works
///     $0.get("/chat", .events("data: a\n\n", .pause(.seconds(1)), "data: b\n\n"))
/// }
/// let client = Client("https://api.example.com", transport: stub)
/// ```
///
/// A request that no route answers is ``TransportError/Code/noStub``, with the nearest routes in the message. Delays and
/// pauses pass on the clock, so that a test with a clock of its own waits for nothing. ``requests`` holds what was asked.
///
/// Like a live transport it follows redirections, as ``RequestOptions/redirects`` says, and hands over no content where
/// there can be none (RFC 9112 section 6.3). It does not end a request by itself (``Transport/enforcesTimeout``): the
/// client does, on its clock.
public final class StubTransport: Transport {
    private let routes: [Route]
    private let clock: (any Clock<Duration>)?
    private let seen: Locked<Seen>

    private struct Seen {
        var requests: [Request] = []
        /// How many requests each route has answered.
        var counts: [Int]
    }

    /// A stub with the routes that `build` adds.
    ///
    /// - Parameters:
    ///   - clock: on which delays and pauses pass; nil for ``Ambient/clock``, or else the system's.
    ///   - build: adds the routes.
    public convenience init(clock: (any Clock<Duration>)? = nil, _ build: (inout Routes) throws -> Void) rethrows {
        var routes = Routes()
        try build(&routes)
        self.init(routes, clock: clock)
    }

    /// A stub with these routes.
    ///
    /// - Parameters:
    ///   - routes: what it answers. They are values: add some to a copy and they replace what they overlap with.
    ///   - clock: on which delays and pauses pass; nil for ``Ambient/clock``, or else the system's.
    public init(_ routes: Routes, clock: (any Clock<Duration>)? = nil) {
        self.routes = routes.bySpecificity
        self.clock = clock
        seen = Locked(Seen(counts: Array(repeating: 0, count: routes.list.count)))
    }

    /// A stub that answers every request with what `answer` returns.
    public static func answering(
        clock: (any Clock<Duration>)? = nil,
        _ answer: @escaping @Sendable (Request) async throws -> Answer
    ) -> StubTransport {
        StubTransport(clock: clock) { $0.all(answer: answer) }
    }

    /// What was asked so far, in the order in which the requests were complete; those that no route answers too.
    public var requests: [Request] { seen.withLock { $0.requests } }

    /// Answers a request.
    ///
    /// - Throws: ``TransportError`` with the code ``TransportError/Code/noStub`` if no route answers it, with
    ///   ``TransportError/Code/requestBody`` if its body failed, and what the answer says.
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
        return try answer.response(to: request, clock: clock)
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

    /// Keeps the request, and says how many the route has answered before.
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
    /// Waits, on this clock, as long as the task is not cancelled.
    func pass(_ duration: Duration) async throws(TransportError) {
        do {
            try await sleep(for: min(duration, .longest))
        } catch {
            throw .cancelledInStub
        }
    }
}

extension TransportError {
    static var cancelledInStub: Self { Self(.cancelled, "the task was cancelled before the stub had answered") }
}
