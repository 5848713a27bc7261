// SPDX-License-Identifier: Apache-2.0

/// A type that can inspect and change each request of a call before it is sent, and each response before it is
/// validated.
///
/// ```swift
/// struct Signing: Interceptor {
///     func intercept(_ request: Call.Request, next: Call.Next) async throws -> Response {
///         var request = request
///         request.headers[.authorization] = try sign(request.head)
///         return try await next(request)
///     }
/// }
/// ```
///
/// To create an interceptor from closures, without a new type, use ``ClosureInterceptor``.
///
/// An interceptor can answer without sending, change the response, or throw. It can also call `next` more than once.
/// Each time, the rest of the chain runs again.
///
/// Interceptors run from the outside in: first the client's, then the endpoint's, then the call's, each in the order
/// in which they were added. The transport is last. All interceptors see failures as ``ClientError``.
///
/// Interceptors run for streams as well as for other calls. The body of a stream's response has not arrived yet, and
/// can be read once: an interceptor that reads it has to return a response with another body. For all other calls, the
/// body has been received into memory before `next` returns, and can be read any number of times. Reading it throws if
/// it could not be received completely.
public protocol Interceptor: Sendable {
    /// Returns a response to `request`, usually from `next`.
    ///
    /// It runs off the caller's actor. The call rethrows any error unchanged.
    @concurrent
    func intercept(_ request: Call.Request, next: Call.Next) async throws -> Response
}
