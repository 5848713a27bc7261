// SPDX-License-Identifier: Apache-2.0

/// A transport that ends a request with a body when no data is sent or received for a while, and a response when no
/// data is received for a while.
package struct IdleTimeoutTransport: RelayingTransport {
    package let base: any Transport
    let limit: Duration
    /// Whether the limit replaces the default timeout, which does not apply to the body of a stream or a download.
    let replacesTimeout: Bool
    /// Nil for the system's clock.
    let clock: (any Clock<Duration>)?
    /// The name of the limit in messages.
    let name: String

    package init(
        base: any Transport,
        limit: Duration,
        replacesTimeout: Bool,
        clock: (any Clock<Duration>)?,
        name: String = "idleTimeout"
    ) {
        self.base = base
        self.limit = limit
        self.replacesTimeout = replacesTimeout
        self.clock = clock
        self.name = name
    }

    package func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        var response = try await answer(request, body: body, options: options)
        guard !response.body.isInMemory, !replacesTimeout || options.timeoutScope == .wholeResponse else {
            return response
        }
        let source = IdleLimitedBody(response.body, TimeLimit(limit: limit, clock: clock), name)
        response.body = Body(source, length: response.body.length)
        return response
    }

    /// Sends a request. The limit applies to the time before the first piece of its body, between two pieces, and from
    /// the last piece to the head of the response.
    private func answer(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        guard replacesTimeout || body.map({ $0.length != 0 }) == true else {
            return try await base.send(request, body: body, options: options)
        }
        let idle = IdleTime(on: clock)
        let sent = body.map { CountedUpload($0, meter: ProgressMeter { _ in idle.restart() }).sent }
        let limit = TimeLimit(limit: limit, clock: clock)
        let expiry = RequestExpiry()
        let outcome: Result<Response, TransportError>? = await RequestExpiry.$current.withValue(expiry) {
            await limit.run(idle, onExpiry: expiry.note) {
                await Result(of: { () async throws(TransportError) in
                    try await base.send(request, body: sent, options: options)
                })
            }
        }
        if let outcome { return try outcome.get() }
        throw TransportError(
            .timedOut,
            "no data was sent or received for \(limit.limit) before the response; increase \(name) to wait longer"
        )
    }
}

extension TimeLimit {
    /// Runs `work` until it returns or `idle` reaches the time limit. Returns nil if the limit was reached.
    fileprivate func run<Result: Sendable>(
        _ idle: IdleTime,
        onExpiry: () -> Void = {},
        _ work: @escaping @Sendable () async -> Result
    ) async -> Result? {
        let outcome = await run(since: idle, onExpiry: onExpiry, work)
        // On a test clock, data and the limit can come at the same time.
        return isRealTime || idle.longest < limit ? outcome : nil
    }
}

/// A response's content, which fails if the next part does not arrive within a time limit.
private final class IdleLimitedBody: RelayedBody, @unchecked Sendable {
    private let limit: TimeLimit
    private let name: String

    init(_ body: Body, _ limit: TimeLimit, _ name: String) {
        self.limit = limit
        self.name = name
        super.init(body)
    }

    override func next() async throws(TransportError) -> Body.Part? {
        guard !isOver else { return nil }
        let outcome = await limit.run(IdleTime(on: limit.clock)) { [self] in await nextResult() }
        if let outcome { return try outcome.get() }
        cancel()
        throw TransportError(
            .timedOut,
            "no data was received for \(limit.limit); increase \(name) to wait longer"
        )
    }
}
