// SPDX-License-Identifier: Apache-2.0

/// An interceptor made of closures: one around each request, or several that run before a request, after its response,
/// or when the request fails.
///
/// ```swift
/// let signing = ClosureInterceptor(before: { request in
///     request.headers[.authorization] = try sign(request.head)
/// })
/// let timing = ClosureInterceptor { request, next in
///     let start = ContinuousClock.now
///     defer { report(request.head, ContinuousClock.now - start) }
///     return try await next(request)
/// }
/// ```
///
/// Like any ``Interceptor``, it runs again for each attempt, so a signature is always fresh. If a closure throws, the
/// call throws the same error.
public struct ClosureInterceptor: Interceptor {
    private let body: @Sendable (Call.Request, Call.Next) async throws -> Response

    /// Creates an interceptor from a closure around each request, which usually calls `next`.
    public init(_ body: @escaping @Sendable (Call.Request, Call.Next) async throws -> Response) {
        self.body = body
    }

    /// Creates an interceptor from closures, each of which is optional.
    ///
    /// - Parameters:
    ///   - condition: Returns whether the other closures run for a request. By default, they always run.
    ///   - before: Can change the request.
    ///   - after: Can change a response with any status, or make the call fail by throwing.
    ///   - onError: Can replace the error of a request that has no response, either by returning a response or by
    ///     throwing another error. If it returns nil, the original error is thrown. It does not receive errors thrown
    ///     by `before`, `after`, and `onData`.
    ///   - onData: Replaces the content, after `after` has run. It receives the complete content, so it does not run
    ///     for streams.
    public init(
        when condition: (@Sendable (Call.Request) async throws -> Bool)? = nil,
        before: (@Sendable (inout Call.Request) async throws -> Void)? = nil,
        after: (@Sendable (inout Response, Call.Request) async throws -> Void)? = nil,
        onError: (@Sendable (any Error, Call.Request) async throws -> Response?)? = nil,
        onData: (@Sendable ([UInt8], Call.Request) async throws -> [UInt8])? = nil
    ) {
        let steps = Steps(condition: condition, before: before, after: after, onError: onError, onData: onData)
        body = { request, next in try await steps.run(request, next) }
    }

    /// Runs the closures around the request, off the caller's actor.
    @concurrent
    public func intercept(_ request: Call.Request, next: Call.Next) async throws -> Response {
        try await body(request, next)
    }

    private struct Steps: Sendable {
        let condition: (@Sendable (Call.Request) async throws -> Bool)?
        let before: (@Sendable (inout Call.Request) async throws -> Void)?
        let after: (@Sendable (inout Response, Call.Request) async throws -> Void)?
        let onError: (@Sendable (any Error, Call.Request) async throws -> Response?)?
        let onData: (@Sendable ([UInt8], Call.Request) async throws -> [UInt8])?

        func run(_ request: Call.Request, _ next: Call.Next) async throws -> Response {
            if let condition, try await !condition(request) { return try await next(request) }
            var request = request
            try await before?(&request)
            var response = try await response(to: request, next)
            try await after?(&response, request)
            if let onData, !request.isStream {
                // Read the body here, so that the call fails before `onData` runs if the content breaks off.
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
}

extension Body {
    /// The trailer fields as a body part, or no part if there are none.
    fileprivate var trailerPart: [Part] { rawTrailers.map { [.trailers($0)] } ?? [] }
}
