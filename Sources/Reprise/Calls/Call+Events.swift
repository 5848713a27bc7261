// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension Call {
    /// Sends the call and gives the events of its `text/event-stream` while they come, by the WHATWG's rules.
    ///
    /// ```swift
    /// for try await event in try await api.post("/chat").json(question).events() { render(event.data) }
    /// ```
    ///
    /// Any method and body will do. The request says that it accepts events and that no cache is to answer, unless the
    /// call says otherwise. When the stream ends, so do the events; ``events(reconnecting:limit:onState:)`` goes on.
    ///
    /// - Parameter limit: how long a line, and the data of one event, may be, in bytes; what is longer is
    ///   ``ClientError/Code/decoding``.
    /// - Throws: as ``stream()``; ``ClientError/Code/contentType`` if what comes are no events.
    public func events(
        limit: Int = LineDecoder.defaultLimit
    ) async throws -> DecodedStream<Body, ServerSentEventDecoder> {
        try await acceptingEvents().validate(.events).decodedStream { $0.events(limit: limit) }
    }

    /// Gives the events of a stream that is connected again whenever it ends or breaks, after the last event that came,
    /// until the server answers 204.
    ///
    /// ```swift
    /// for try await event in api.get("/news").events(reconnecting: .init()) { render(event.data) }
    /// ```
    ///
    /// Nothing is sent before the first event is asked for. The call is sent anew each time, with its interceptors, and
    /// with the ambient transport and clock of now if it uses them; a body has to be ``Body/isReplayable``.
    ///
    /// - Parameters:
    ///   - policy: how long to wait before each connection but the first.
    ///   - limit: how long a line, and the data of one event, may be, in bytes; what is longer is
    ///     ``ClientError/Code/decoding``.
    ///   - onState: told of each new state, in order.
    public func events(
        reconnecting policy: EventReconnectionPolicy,
        limit: Int = LineDecoder.defaultLimit,
        onState: @escaping @Sendable (EventConnectionState) -> Void = { _ in }
    ) -> ServerSentEventSource<Body> {
        // Connections may be made elsewhere, where another transport or clock is the ambient one.
        let call = acceptingEvents().validate(.events).transport(resolvedTransport)
        let clock = clock
        let events = ServerSentEventSource(
            policy: policy,
            limit: limit,
            clock: clock ?? ContinuousClock(),
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

    /// The call with the id of the last event, if a field can hold it: an id may have control characters, and the stream
    /// is to go on all the same.
    private func continuing(after lastEventID: String?) -> Call {
        guard let lastEventID else { return self }
        let call = header(.lastEventID, lastEventID)
        return call.problem == nil ? call : self
    }

    /// The call with the header fields of an event stream (WHATWG HTML section 9.2.2).
    private func acceptingEvents() -> Call {
        var call = self
        if !headers.contains(.accept) { call = call.accept(Self.eventType) }
        if !headers.contains(.cacheControl) { call = call.header(.cacheControl, "no-cache") }
        return call
    }

    fileprivate static let eventType = "text/event-stream"
}

extension Validation {
    /// The response is a stream of events, or says that there are none any more (WHATWG HTML section 9.2.3).
    fileprivate static let events = Validation.head { head in
        let found = head.headerFields[.contentType]
        guard found.map({ MediaType($0).isEventStream }) == true || head.status == .noContent else {
            throw ClientError(
                .contentType,
                "answered \(head.status.text) with \(found.map { "the type \($0)" } ?? "no Content-Type"): expected "
                    + Call.eventType,
                response: BufferedResponse(head)
            )
        }
    }
}

extension HTTPField.Name {
    /// The event to continue after (WHATWG HTML section 9.2.4).
    fileprivate static let lastEventID = Self("Last-Event-ID")!
}
