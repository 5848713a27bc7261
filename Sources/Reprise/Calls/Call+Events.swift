// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension Call {
    /// Sends the call and returns the events of its `text/event-stream` response as they are received, parsed as the
    /// WHATWG specifies.
    ///
    /// ```swift
    /// for try await event in try await api.post("/chat").json(question).events() { render(event.data) }
    /// ```
    ///
    /// The call may have any method and body. The request accepts only events and disables caches, unless the call
    /// sets Accept or Cache-Control itself. The events end when the stream ends. To reconnect instead, use
    /// ``events(reconnecting:maxEventLength:onState:shouldReconnect:)``.
    ///
    /// - Parameter maxEventLength: The maximum length of a line, and of the data of one event, in bytes. Anything
    ///   longer throws ``ClientError/Code/decoding``.
    /// - Throws: The errors of ``stream()``, and ``ClientError/Code/contentType`` if the response is not an event
    ///   stream.
    public func events(
        maxEventLength: Int = LineDecoder.defaultMaxLineLength
    ) async throws -> DecodedStream<Body, ServerSentEventDecoder> {
        try await acceptingEvents().validate(.events).decodedStream { $0.body.events(maxEventLength: maxEventLength) }
    }

    /// Returns the events of a stream that is reconnected whenever it ends or fails.
    ///
    /// The stream continues after the last event that was received, until the server responds with 204. By default, only
    /// a connection that failed is made again. Any other status, such as 503, ends the sequence with
    /// ``ClientError/Code/status``, as the WHATWG's rules require; `shouldReconnect` can decide otherwise:
    ///
    /// ```swift
    /// let news = api.get("/news").events(
    ///     reconnecting: .init(),
    ///     shouldReconnect: { error in
    ///         EventReconnectionPolicy.isConnectivity(error) || (error as? ClientError)?.status == .serviceUnavailable
    ///     }
    /// )
    /// ```
    ///
    /// ```swift
    /// for try await event in api.get("/news").events(reconnecting: .init()) { render(event.data) }
    /// ```
    ///
    /// Nothing is sent until the first event is requested. Each connection sends the call again, including its
    /// interceptors. If the call uses the ambient transport and clock, it uses those that are current when this method
    /// is called. If the call has a body, it must be ``Body/isReplayable``.
    ///
    /// - Parameters:
    ///   - policy: How long to wait before each connection after the first.
    ///   - maxEventLength: The maximum length of a line, and of the data of one event, in bytes. Anything longer throws
    ///     ``ClientError/Code/decoding``.
    ///   - onState: A closure that is called with each new state, in order.
    ///   - shouldReconnect: Whether to reconnect after an error. By default, this is true if the connection to the host
    ///     failed or no data was received in time.
    public func events(
        reconnecting policy: EventReconnectionPolicy,
        maxEventLength: Int = LineDecoder.defaultMaxLineLength,
        onState: @escaping @Sendable (EventConnectionState) -> Void = { _ in },
        shouldReconnect: @escaping @Sendable (any Error) -> Bool = EventReconnectionPolicy.isConnectivity
    ) -> ServerSentEventSource<Body> {
        // Later connections may be made in a context with another ambient transport or clock.
        let call = acceptingEvents().validate(.events).transport(resolvedTransport)
        let clock = clock
        let events = ServerSentEventSource(
            policy: policy,
            maxEventLength: maxEventLength,
            clock: clock ?? ContinuousClock(),
            shouldReconnect: shouldReconnect,
            onState: onState
        ) { lastEventID in
            let next = call.continuing(after: lastEventID)
            let response = try await Ambient.$clock.withValue(clock) { try await next.stream() }
            return response.status == .noContent ? nil : response.body
        }
        return events.translating { error in
            guard let request = try? call.request() else { return error }
            return ClientError.outermost(error, request: request)
        }
    }

    /// Returns the call with the ID of the last event, if the ID is a valid field value.
    ///
    /// An ID may contain control characters, which are not allowed in a field value. The stream then continues without
    /// the ID.
    private func continuing(after lastEventID: String?) -> Call {
        guard let lastEventID else { return self }
        let call = header(.lastEventID, lastEventID)
        return call.problem == nil ? call : self
    }

    /// Returns the call with the header fields of an event stream (WHATWG HTML section 9.2.2).
    private func acceptingEvents() -> Call {
        var call = self
        if !headers.contains(.accept) { call = call.accept(Self.eventType) }
        if !headers.contains(.cacheControl) { call = call.header(.cacheControl, "no-cache") }
        return call
    }

    fileprivate static let eventType = "text/event-stream"
}

extension Validation {
    /// Requires an event stream, or a 204 that ends the reconnections (WHATWG HTML section 9.2.3).
    fileprivate static let events = Validation.head { head in
        let found = head.headerFields[.contentType]
        guard found.map({ MediaType($0).isEventStream }) == true || head.status == .noContent else {
            throw ClientError(
                .contentType,
                "answered \(head.status.text) with \(found.map { "the type \($0)" } ?? "no Content-Type"): expected "
                    + "\(Call.eventType); to read the events anyway, use the body of stream(), as in "
                    + "response.body.events()",
                response: BufferedResponse(head)
            )
        }
    }
}

extension HTTPField.Name {
    /// The field with the ID of the event to continue after (WHATWG HTML section 9.2.4).
    fileprivate static let lastEventID = Self("Last-Event-ID")!
}
