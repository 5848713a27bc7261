// SPDX-License-Identifier: Apache-2.0

/// An interceptor of closures: what happens before a request, after its response, and when there is none.
///
/// ```swift
/// let signing = Hooks(before: { request in
///     request.head.headerFields[.authorization] = try sign(request.head)
/// })
/// ```
///
/// Like any ``Interceptor`` it runs anew for each attempt, so that a signature is fresh. What a closure throws, the call
/// throws.
public struct Hooks: Interceptor {
    private let condition: (@Sendable (Call.Request) async throws -> Bool)?
    private let before: (@Sendable (inout Call.Request) async throws -> Void)?
    private let after: (@Sendable (inout Response, Call.Request) async throws -> Void)?
    private let onError: (@Sendable (any Error, Call.Request) async throws -> Response?)?
    private let onData: (@Sendable ([UInt8], Call.Request) async throws -> [UInt8])?

    /// Closures, each of which may be left out.
    ///
    /// - Parameters:
    ///   - condition: whether the others run for a request; they do by default.
    ///   - before: may change the request.
    ///   - after: may change a response, whatever its status, and fail it by throwing.
    ///   - onError: may replace the error of a request without a response: by the response that it returns, or by what
    ///     it throws. With nil the error stays. It does not see what `before`, `after` and `onData` throw.
    ///   - onData: makes the content of another one, after `after`. It has all of it; streams, which have none yet, pass.
    public init(
        when condition: (@Sendable (Call.Request) async throws -> Bool)? = nil,
        before: (@Sendable (inout Call.Request) async throws -> Void)? = nil,
        after: (@Sendable (inout Response, Call.Request) async throws -> Void)? = nil,
        onError: (@Sendable (any Error, Call.Request) async throws -> Response?)? = nil,
        onData: (@Sendable ([UInt8], Call.Request) async throws -> [UInt8])? = nil
    ) {
        self.condition = condition
        self.before = before
        self.after = after
        self.onError = onError
        self.onData = onData
    }

    /// Runs the closures around the request, off the caller's actor.
    @concurrent
    public func intercept(_ request: Call.Request, next: Call.Next) async throws -> Response {
        if let condition, try await !condition(request) { return try await next(request) }
        var request = request
        try await before?(&request)
        var response = try await response(to: request, next)
        try await after?(&response, request)
        if let onData, !request.isStream {
            // Read here, so that a content that breaks off is the call's failure, not this closure's.
            let received = await response.received()
            guard received.body.failure == nil else { return received }
            let bytes = try await onData(received.body.collect(), request)
            response.body = Body(
                parts: (bytes.isEmpty ? [] : [.bytes(bytes, endsChunk: true)]) + received.body.trailerPart
            )
        }
        return response
    }

    private func response(to request: Call.Request, _ next: Call.Next) async throws -> Response {
        do {
            return try await next(request)
        } catch {
            guard let response = try await onError?(error, request) else { throw error }
            return response
        }
    }
}

extension Body {
    /// The trailers, if there are any.
    fileprivate var trailerPart: [Part] { rawTrailers.map { [.trailers($0)] } ?? [] }
}
