// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

extension Call {
    /// Sends the call and decodes the value of its response.
    ///
    /// ```swift
    /// let me: User = try await api.get("/users/me").value()
    /// let name = try await api.get("/users/me").value(as: User.self).name
    /// ```
    ///
    /// The value is decoded in the caller's isolation, for example on the main actor for a view.
    ///
    /// - Parameter type: The type to decode the content as.
    /// - Throws: ``ClientError``, or an error of your interceptors or validation.
    public func value<Value: Decodable>(
        as type: Value.Type = Value.self
    ) async throws -> Value {
        try await value { response in try response.decode(as: type) }
    }

    /// Unavailable. The type of the value cannot be inferred.
    ///
    /// This overload exists for its message. Without it, the compiler reports only that it "failed to produce
    /// diagnostic".
    @available(*, unavailable, message: "the type of the value is unknown; write value(as: User.self)")
    public func value() async throws -> Never { preconditionFailure("unavailable") }

    /// Sends the call and decodes the value of its response, or uses `whenEmpty` if there is no content.
    ///
    /// ```swift
    /// let receipt = try await api.post("/orders").json(order).value(as: Receipt.self) { response in
    ///     Receipt(id: response.headers[.location] ?? "")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type to decode the content as.
    ///   - whenEmpty: A closure that creates the value of a response without content. The call rethrows its errors.
    /// - Throws: ``ClientError``, or an error of your interceptors, validation, or `whenEmpty`.
    public func value<Value: Decodable>(
        as type: Value.Type = Value.self,
        whenEmpty: (BufferedResponse) throws -> Value
    ) async throws -> Value {
        try await value { response in
            try response.bytes.isEmpty ? whenEmpty(response) : response.decode(as: type)
        }
    }

    /// Sends the call and creates a value from its response with a closure.
    ///
    /// - Parameter make: A closure that creates the value. The call rethrows its errors.
    /// - Throws: ``ClientError``, or an error of your interceptors, validation, or `make`.
    public func value<Value>(
        _ make: (BufferedResponse) throws -> Value
    ) async throws -> Value {
        var attempt = try firstAttempt(at: request())
        let response = try await response(&attempt)
        do {
            return try make(response)
        } catch {
            throw attempt.valueFailed(with: error)
        }
    }

    /// Sends the call and waits for its complete response. The result can be discarded.
    ///
    /// - Throws: ``ClientError``, or an error of your interceptors or validation.
    @discardableResult
    public func send() async throws -> BufferedResponse {
        var attempt = try firstAttempt(at: request())
        return try await response(&attempt)
    }

    private func response(_ attempt: inout Attempt) async throws -> BufferedResponse {
        do {
            return try await attempts(&attempt) { attempt in try await wholeResponse(&attempt) }
        } catch {
            throw ClientError.outermost(error, request: attempt.request)
        }
    }

    func firstAttempt(at request: HTTPRequest) -> Attempt {
        // Each property is accessed separately. A copy of the configuration would retain and release a dozen
        // references.
        let isRetried = retry != nil || client.shared.configuration.retry != nil
        let isIntercepted = !interceptors.isEmpty || !client.shared.configuration.interceptors.isEmpty
        return Attempt(
            request: request,
            log: CallLog(client.shared.configuration.logging, clock: clock),
            answered: isRetried && isIntercepted ? Locked(nil) : nil
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
        var buffered = buffered(response, try await wholeContent(of: response))
        buffered.metrics.total = stopwatch?() ?? start.duration(to: .now)
        try validator.check(buffered.head, buffered)
        return try await transformed(buffered)
    }

    private func wholeContent(of response: Response) async throws -> [UInt8] {
        do {
            return try await response.body.collect(upTo: client.shared.configuration.bodyLimit)
        } catch let error as Body.TooLarge {
            throw ClientError(tooLarge: buffered(response, []), error)
        }
    }

    /// Sends an attempt's request through the interceptors, with a token if the call is authorized.
    func deliver(
        _ attempt: Attempt,
        _ scope: RequestOptions.TimeoutScope
    ) async throws -> Response {
        if Task.isCancelled { throw CancellationError() }
        let delivery = Delivery(
            transport: composedTransport,
            clock: clock,
            bodyLimit: client.shared.configuration.bodyLimit,
            slots: client.shared.configuration.slots,
            log: attempt.log,
            answered: attempt.answered
        )
        var options = options(scope)
        if limitsOnlySilence { options.timeout = nil }
        let isAuthorized = authorization != .none
        if interceptors.isEmpty, client.shared.configuration.interceptors.isEmpty, !isAuthorized {
            return try await delivery.send(
                attempt.request,
                body: body,
                options: options,
                attempt: attempt.number
            )
        }
        let all = client.shared.configuration.interceptors + interceptors
        let next = Next(interceptors: all[...], delivery: delivery)
        let request = Request(
            head: attempt.request,
            body: body,
            options: options,
            attempt: attempt.number,
            isStream: scope == .head
        )
        var response = isAuthorized ? try await sendAuthorized(request, next, attempt.log) : try await next(request)
        // An interceptor may have created the body.
        if response.body.request == nil { response.body.request = attempt.request }
        return response
    }

    /// The requirements for the response.
    var validator: Validator {
        validation.isEmpty ? client.shared.validator : client.shared.validator.adding(validation)
    }

    /// The transport, wrapped to count progress, to exchange cookies, and to limit the time without data.
    private var composedTransport: any Transport {
        var transport = meteredTransport
        if let jar = client.shared.configuration.cookies { transport = CookieTransport(base: transport, jar: jar) }
        let idleTimeout = idleTimeout ?? client.shared.configuration.idleTimeout
        if let limit = idleTimeout ?? (limitsOnlySilence ? Self.standardTimeout : nil) {
            transport = IdleTimeoutTransport(
                base: transport,
                limit: min(max(limit, .zero), .longest),
                replacesTimeout: idleTimeout == nil,
                clock: clock
            )
        }
        return transport
    }

    private static var standardTimeout: Duration { .seconds(60) }

    /// Whether the default timeout limits the time without progress and not the total, which depends on the body's size.
    private var limitsOnlySilence: Bool {
        guard let body, body.length != 0, timeout == nil, idleTimeout != .some(nil),
            client.shared.configuration.timeout == Self.standardTimeout
        else { return false }
        return !body.isInMemory || body.length ?? 0 > UploadFile.pieceSize
    }

    /// The clock that measures time, or nil for the system's.
    var clock: (any Clock<Duration>)? { client.shared.configuration.clock ?? Ambient.clock }

    var resolvedDecoder: any ResponseDecoder { decoder ?? client.shared.decoder }

    /// Combines a response with the bytes that were read from its body.
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
    /// Returns the error that a call throws if it ends with `error`.
    static func outermost(_ error: any Error, request: HTTPRequest) -> any Error {
        if var error = error as? ClientError {
            if error.request == nil { error.request = request }
            return error
        }
        // A waiting interceptor throws a `CancellationError` when the task is canceled. Reading a stream throws a
        // `StreamDecodingError`.
        let isOurs = error is CancellationError || error is StreamDecodingError
        return isOurs ? ClientError(error, request: request) : error
    }
}
