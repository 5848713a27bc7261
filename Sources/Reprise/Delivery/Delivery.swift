// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

/// The innermost step of a call: a transport, and a clock for the timeouts that the transport does not enforce
/// itself.
struct Delivery: Sendable {
    let transport: any Transport
    /// Nil for the system's clock.
    let clock: (any Clock<Duration>)?
    /// The maximum number of bytes of a response that is received completely.
    var bodyLimit = Int.max
    /// Nil for no limit.
    var slots: ConcurrencyLimit?

    /// Nil if the call is not logged.
    var log: CallLog?

    /// Where to record the head of a response for the interceptors. Nil if it is not needed.
    var answered: Locked<HTTPResponse?>?

    /// Sends a request as soon as a slot is free.
    ///
    /// With a limit or a log, a response that is not a stream is returned only after its body has been received,
    /// because the request is in progress until then.
    func send(_ head: HTTPRequest, body: Body?, options: RequestOptions, attempt: Int = 1)
        async throws -> Response
    {
        guard slots != nil || log != nil else { return try await deliver(head, body: body, options: options) }
        let entry = log?.started(head, body: body, attempt: attempt)
        do {
            guard let slots else { return try await ended(head, body: body, options: options, entry) }
            return try await slots.run { try await ended(head, body: body, options: options, entry) }
        } catch {
            entry?.ended(with: ClientError(error, request: head))
            throw error
        }
    }

    /// Sends a request and waits until its response is complete, or until the head of a stream is received.
    private func ended(
        _ head: HTTPRequest,
        body: Body?,
        options: RequestOptions,
        _ entry: CallLog.Entry?
    ) async throws -> Response {
        var response = try await deliver(head, body: body, options: options)
        if options.timeoutScope == .wholeResponse {
            response = await response.received(beyond: bodyLimit)
            response.body.request = head
        }
        if let failure = response.body.failure {
            entry?.ended(with: ClientError(failure, request: head), response)
        } else {
            entry?.ended(response)
        }
        return response
    }

    /// Sends a request and translates errors to ``ClientError``: both the transport's errors and later errors of the
    /// response's body. Outer layers see no other errors.
    private func deliver(_ head: HTTPRequest, body: Body?, options: RequestOptions) async throws
        -> Response
    {
        do {
            var response: Response
            if let limit = options.timeout, !isTimeKept {
                response = try await send(head, body: body, options: options, within: limit)
            } else if clock != nil {
                response = try await sendOnClock(head, body: body, options: options)
            } else {
                response = try await transport.send(head, body: body, options: options)
            }
            response.body.request = head
            return response
        } catch {
            throw ClientError(error, request: head)
        }
    }

    /// Whether the transport enforces the timeout itself, as measured by the clock.
    private var isTimeKept: Bool {
        guard let clock, !(clock is ContinuousClock) else { return transport.enforcesTimeout }
        return (transport as? any TimekeepingTransport)?.enforcesTimeout(on: clock) ?? false
    }

    /// Sends a request and cancels it when the time limit is reached. The limit includes the body, except for a stream.
    private func send(
        _ head: HTTPRequest,
        body: Body?,
        options: RequestOptions,
        within limit: Duration
    ) async throws(TransportError) -> Response {
        let arrival = Locked<Response?>(nil)
        let work = { @Sendable () async -> Result<Response, TransportError> in
            do throws(TransportError) {
                let response = try await sendOnClock(head, body: body, options: options)
                guard options.timeoutScope == .wholeResponse, response.body.progress != nil else {
                    return .success(response)
                }
                arrival.withLock { $0 = response }
                return .success(await response.received(beyond: bodyLimit))
            } catch {
                return .failure(error)
            }
        }
        let expiry = RequestExpiry()
        let outcome = await RequestExpiry.$current.withValue(expiry) {
            await TimeLimit(limit: limit, clock: clock).run(onExpiry: expiry.note, work)
        }
        if let outcome { return try outcome.get() }
        guard var response = arrival.withLock({ $0 }) else {
            throw TransportError(.timedOut, "no response was received within \(limit)")
        }
        // Behave like a transport that enforces the timeout itself: return the received head, and let the body throw.
        response.body = Body(
            parts: [],
            failure: TransportError(.timedOut, "the response was not complete within \(limit)")
        )
        return response
    }

    /// Sends a request with the client's clock as the ambient one, so that a stub's delays are measured by it.
    private func sendOnClock(_ head: HTTPRequest, body: Body?, options: RequestOptions) async throws(TransportError)
        -> Response
    {
        guard let clock else { return try await transport.send(head, body: body, options: options) }
        return try await Ambient.$clock.binding(clock) { () async throws(TransportError) in
            try await transport.send(head, body: body, options: options)
        }
    }
}
