// SPDX-License-Identifier: Apache-2.0

/// What stands around a call: it sees the request before it goes out and the response before it is looked at.
///
/// ```swift
/// struct Signing: Interceptor {
///     func intercept(_ request: Call.Request, next: Call.Next) async throws -> Response {
///         var request = request
///         request.head.headerFields[.authorization] = try sign(request.head)
///         return try await next(request)
///     }
/// }
/// ```
///
/// It may answer without sending, change the response or throw, and call `next` again: each time, all that stands
/// further in runs once more.
///
/// The order, from the outside in: the client's, the endpoint's, the call's, each in the order in which they were
/// added; then the transport. All see failures as ``ClientError``, and streams and other calls alike: the response has a
/// body to read. A stream's has still to come, and that of another call as a rule. Where it is the client that looks
/// after the timeout (see ``Transport/enforcesTimeout`` and the configuration's clock), that of another call is there as
/// a whole, or as far as it came before it failed.
public protocol Interceptor: Sendable {
    /// Gets a response for `request`, usually from `next`.
    ///
    /// It runs off the caller's actor. What it throws is thrown by the call as it is.
    @concurrent
    func intercept(_ request: Call.Request, next: Call.Next) async throws -> Response
}

/// An interceptor that is a closure: `Configuration(interceptors: [Intercept { request, next in … }])`.
public struct Intercept: Interceptor {
    private let body: @Sendable (Call.Request, Call.Next) async throws -> Response

    /// An interceptor that runs `body`.
    public init(_ body: @escaping @Sendable (Call.Request, Call.Next) async throws -> Response) {
        self.body = body
    }

    /// Runs the closure, off the caller's actor.
    @concurrent
    public func intercept(_ request: Call.Request, next: Call.Next) async throws -> Response {
        try await body(request, next)
    }
}
