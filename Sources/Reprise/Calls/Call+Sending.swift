// SPDX-License-Identifier: Apache-2.0

extension Call {
    /// Sends the call and makes a value of its response.
    ///
    /// ```swift
    /// let me: User = try await api.get("/users/me").value()
    /// let name = try await api.get("/users/me").value(as: User.self).name
    /// ```
    ///
    /// The value is made where the call is awaited: on the main actor for a view, say.
    ///
    /// - Parameter type: what the content is to be.
    /// - Throws: ``ClientError``, and what interceptors and validation of one's own throw.
    public func value<Value: Decodable>(
        as type: Value.Type = Value.self
    ) async throws -> Value {
        try await value { response in try response.decode(as: type) }
    }

    /// Sends the call and makes a value of its response, by `whenEmpty` if there is no content.
    ///
    /// ```swift
    /// let receipt = try await api.post("/orders").json(order).value(as: Receipt.self) { response in
    ///     Receipt(id: response.headerFields[.location] ?? "")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: what the content is to be.
    ///   - whenEmpty: makes the value of a response without content; what it throws is thrown.
    /// - Throws: ``ClientError``, and what interceptors, validation of one's own and `whenEmpty` throw.
    public func value<Value: Decodable>(
        as type: Value.Type = Value.self,
        whenEmpty: (BufferedResponse) throws -> Value
    ) async throws -> Value {
        try await value { response in
            try response.bytes.isEmpty ? whenEmpty(response) : response.decode(as: type)
        }
    }

    /// Sends the call and makes a value of its response with a function of one's own.
    ///
    /// - Parameter make: makes the value; what it throws is thrown.
    /// - Throws: ``ClientError``, and what interceptors, validation of one's own and `make` throw.
    public func value<Value>(
        _ make: (BufferedResponse) throws -> Value
    ) async throws -> Value {
        var attempt = try firstAttempt(at: request())
        let response = try await response(&attempt)
        do {
            return try make(response)
        } catch {
            throw attempt.failed(toMakeAValue: error)
        }
    }

    /// Sends the call and waits for its response with all of its content.
    ///
    /// - Throws: ``ClientError``, and what interceptors and validation of one's own throw.
    public func response() async throws -> BufferedResponse {
        var attempt = try firstAttempt(at: request())
        return try await response(&attempt)
    }

    /// Sends the call, and forgets its response if it is a success.
    ///
    /// - Throws: ``ClientError``, and what interceptors and validation of one's own throw.
    @discardableResult
    public func send() async throws -> BufferedResponse {
        try await response()
    }

    private func response(_ attempt: inout Attempt) async throws -> BufferedResponse {
        do {
            return try await attempts(&attempt) { attempt in try await wholeResponse(&attempt) }
        } catch {
            throw ClientError.outermost(error, request: attempt.request)
        }
    }

    /// The first attempt, which has the call's log.
    func firstAttempt(at request: HTTPRequest) -> Attempt {
        // Field by field: a copy of the configuration would count a dozen references up and down.
        let isRetried = retry != nil || client.shared.configuration.retry != nil
        let isIntercepted = !interceptors.isEmpty || !client.shared.configuration.interceptors.isEmpty
        return Attempt(
            request: request,
            log: CallLog(client.shared.configuration.logging, clock: clock),
            answered: isRetried && isIntercepted ? AnsweredHead() : nil
        )
    }

    private func wholeResponse(_ attempt: inout Attempt) async throws -> BufferedResponse {
        let start = ContinuousClock.now
        let stopwatch = clock?.stopwatch()
        let response = try await deliver(attempt, .wholeResponse)
        attempt.response = response.head
        guard validator.accepts(response.status) else {
            throw await errorResponse(response, upTo: nil, to: attempt.request)
        }
        var buffered = buffered(response, try await response.body.collect())
        buffered.metrics.total = stopwatch?() ?? start.duration(to: .now)
        try validator.check(buffered.head, buffered)
        return try await transformed(buffered)
    }

    /// Sends an attempt's request through the interceptors, with a token if it needs one.
    func deliver(
        _ attempt: Attempt,
        _ scope: RequestOptions.TimeoutScope
    ) async throws -> Response {
        if Task.isCancelled { throw CancellationError() }
        let delivery = Delivery(
            transport: meteredTransport,
            clock: clock,
            slots: client.shared.configuration.slots,
            log: attempt.log,
            answered: attempt.answered
        )
        let isAuthorized = authorization != .none
        if interceptors.isEmpty, client.shared.configuration.interceptors.isEmpty, !isAuthorized {
            return try await delivery.send(
                attempt.request,
                body: body,
                options: options(scope),
                attempt: attempt.number
            )
        }
        let all = client.shared.configuration.interceptors + interceptors
        let next = Next(interceptors: all[...], delivery: delivery)
        let request = Request(
            head: attempt.request,
            body: body,
            options: options(scope),
            attempt: attempt.number,
            isStream: scope == .head
        )
        var response = isAuthorized ? try await sendAuthorized(request, next, attempt.log) : try await next(request)
        // An interceptor may have made the body.
        if response.body.request == nil { response.body.request = attempt.request }
        return response
    }

    /// What the response has to be.
    var validator: Validator {
        validation.isEmpty ? client.shared.validator : client.shared.validator.adding(validation)
    }

    /// What it is sent with.
    var resolvedTransport: any Transport {
        transport ?? client.shared.transport ?? Ambient.transport ?? DefaultTransport.shared
    }

    /// What time is measured with; nil for the system's.
    var clock: (any Clock<Duration>)? { client.shared.configuration.clock ?? Ambient.clock }

    /// What values are made with.
    var resolvedDecoder: any ResponseDecoder { decoder ?? client.shared.decoder }

    /// A response and what was read of its body.
    func buffered(_ response: Response, _ bytes: [UInt8]) -> BufferedResponse {
        var buffered = BufferedResponse(
            response.head,
            bytes: bytes,
            rawHead: response.rawHead,
            trailers: response.trailers,
            url: response.url,
            decoder: resolvedDecoder
        )
        buffered.metrics = response.metrics
        return buffered
    }
}

extension ClientError {
    /// What a call throws that ended with `error`.
    static func outermost(_ error: any Error, request: HTTPRequest) -> any Error {
        if var error = error as? ClientError {
            if error.request == nil { error.request = request }
            return error
        }
        // An interceptor that waits throws the one when the task is cancelled, what reads a stream the other.
        let isOurs = error is CancellationError || error is StreamDecodingError
        return isOurs ? ClientError(error, request: request) : error
    }
}
