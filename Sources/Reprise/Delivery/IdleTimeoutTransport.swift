// SPDX-License-Identifier: Apache-2.0

/// A transport that ends a request with a body when no data is sent or received for a while, and a response when no
/// data is received for a while.
struct IdleTimeoutTransport: TimekeepingTransport {
    let base: any Transport
    let limit: Duration
    /// Nil for the system's clock.
    let clock: (any Clock<Duration>)?

    func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response {
        var response = try await answer(request, body: body, options: options)
        guard !response.body.isInMemory else { return response }
        let source = IdleLimitedBody(response.body, TimeLimit(limit: limit, clock: clock))
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
        guard let body, body.length != 0 else { return try await base.send(request, body: body, options: options) }
        let idle = IdleTime(on: clock)
        let upload = CountedUpload(body, meter: ProgressMeter { _ in idle.restart() })
        let limit = TimeLimit(limit: limit, clock: clock)
        let outcome: Result<Response, TransportError>? = await limit.run(since: idle) {
            do throws(TransportError) {
                return .success(try await base.send(request, body: upload.sent, options: options))
            } catch {
                return .failure(error)
            }
        }
        // On a test clock, a piece and the limit can come at the same time.
        let isLate = !limit.isRealTime && idle.longest >= limit.limit
        if let outcome, !isLate { return try outcome.get() }
        throw TransportError(
            .timedOut,
            "no data was sent or received for \(limit.limit) before the response; increase idleTimeout to wait longer"
        )
    }

    var enforcesTimeout: Bool { base.enforcesTimeout }

    func enforcesTimeout(on clock: any Clock<Duration>) -> Bool {
        (base as? any TimekeepingTransport)?.enforcesTimeout(on: clock) ?? false
    }
}

/// A response's content, which fails if the next part does not arrive within a time limit.
private final class IdleLimitedBody: BodySource, @unchecked Sendable {
    // Sendable because a body requests one part at a time from its source, and cancels it when it stops reading.
    private var parts: Body.Parts.AsyncIterator?
    private let body: Body
    private let limit: TimeLimit

    init(_ body: Body, _ limit: TimeLimit) {
        self.body = body
        self.limit = limit
        parts = body.parts.makeAsyncIterator()
    }

    func next() async throws(TransportError) -> Body.Part? {
        guard parts != nil else { return nil }
        let elapsed = (limit.clock ?? ContinuousClock()).stopwatch()
        let outcome = await limit.run { [self] in await nextPart() }
        // On a test clock, the part and the limit can come at the same time.
        let isLate = !limit.isRealTime && elapsed() >= limit.limit
        guard let outcome, !isLate else {
            parts = nil
            throw TransportError(
                .timedOut,
                "no data was received for \(limit.limit); increase idleTimeout to wait longer"
            )
        }
        do throws(TransportError) {
            let part = try outcome.get()
            if part == nil { parts = nil }
            return part
        } catch {
            parts = nil
            throw error
        }
    }

    func cancel() {
        parts = nil
    }

    var metrics: Metrics? { body.metrics }

    private func nextPart() async -> Result<Body.Part?, TransportError> {
        do {
            return .success(try await parts?.next())
        } catch {
            return .failure(error as? TransportError ?? TransportError(.other, "\(error)", underlying: error))
        }
    }
}
