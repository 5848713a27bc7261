// SPDX-License-Identifier: Apache-2.0

/// The inner end of a call: a transport, and a clock for what the transport does not do itself.
struct Delivery: Sendable {
    let transport: any Transport
    /// Nil for the system's.
    let clock: (any Clock<Duration>)?
    /// Nil for no limit.
    var slots: ConcurrencyLimit?

    /// Nil for none.
    var log: CallLog?

    /// Where the head of a response to interceptors is noted; nil for nowhere.
    var answered: AnsweredHead?

    /// Sends a request, when there is a slot for it.
    ///
    /// With a limit or a log, a response that is no stream comes with its body: as long as that is on its way, the
    /// request is out and has not ended.
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

    /// Sends a request and waits for as much of the response as belongs to it.
    private func ended(
        _ head: HTTPRequest,
        body: Body?,
        options: RequestOptions,
        _ entry: CallLog.Entry?
    ) async throws -> Response {
        var response = try await deliver(head, body: body, options: options)
        if options.timeoutScope == .wholeResponse {
            response = await response.received()
            response.body.request = head
        }
        if let failure = response.body.failure {
            entry?.ended(with: ClientError(failure, request: head), response)
        } else {
            entry?.ended(response)
        }
        return response
    }

    /// Sends a request. What the transport throws becomes a ``ClientError`` here, so that all that stands further out
    /// sees nothing else; so does what the response's body throws later.
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

    /// Whether the transport ends the request by itself when its time on the clock is up.
    private var isTimeKept: Bool {
        guard let clock, !(clock is ContinuousClock) else { return transport.enforcesTimeout }
        return (transport as? any TimekeepingTransport)?.enforcesTimeout(on: clock) ?? false
    }

    /// Sends a request and ends it when its time is up: with its body, unless it is a stream.
    private func send(
        _ head: HTTPRequest,
        body: Body?,
        options: RequestOptions,
        within limit: Duration
    ) async throws(TransportError) -> Response {
        let arrival = Arrival()
        let outcome = await TimeLimit(limit: limit, clock: clock).run { () -> Result<Response, TransportError> in
            do throws(TransportError) {
                let response = try await sendOnClock(head, body: body, options: options)
                guard options.timeoutScope == .wholeResponse, response.body.progress != nil else {
                    return .success(response)
                }
                arrival.note(response)
                return .success(await response.received())
            } catch {
                return .failure(error)
            }
        }
        if let outcome { return try outcome.get() }
        guard var response = arrival.response else {
            throw TransportError(.timedOut, "no response came within \(limit)")
        }
        // As from a transport that looks after the time itself: the head is there, and the body throws.
        response.body = Body(
            ReceivedBody([], failure: TransportError(.timedOut, "the response was not complete within \(limit)"))
        )
        return response
    }
    /// Sends a request with the client's clock as the ambient one, so that the delays of a stub pass on it.
    private func sendOnClock(_ head: HTTPRequest, body: Body?, options: RequestOptions) async throws(TransportError)
        -> Response
    {
        guard let clock else { return try await transport.send(head, body: body, options: options) }
        let outcome = await Ambient.$clock.withValue(clock) { () async -> Result<Response, TransportError> in
            do throws(TransportError) {
                return .success(try await transport.send(head, body: body, options: options))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}
