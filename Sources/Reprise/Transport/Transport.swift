// SPDX-License-Identifier: Apache-2.0

/// What carries a request out and its response back: the one seam between the client and the world.
///
/// Live (`SocketTransport`, `URLSessionTransport`), a stub (`StubTransport`), or a decorator over another one, which may
/// look at everything that passes:
///
/// ```swift
/// struct Timing: Transport {
///     let base: any Transport
///
///     func send(
///         _ request: HTTPRequest,
///         body: Body?,
///         options: RequestOptions
///     ) async throws(TransportError) -> Response {
///         let start = ContinuousClock.now
///         defer { print(request.method, request.path ?? "", start.duration(to: .now)) }
///         return try await base.send(request, body: body, options: options)
///     }
/// }
/// ```
///
/// A transport sends what it is given and returns any status; it is the client that validates. It returns as soon as
/// the final head is there, and hands the body on as it comes.
public protocol Transport: Sendable {
    /// Sends a request and waits for the head of its response.
    ///
    /// It is called on the actor that awaits the call, the main actor, say. A `nonisolated(nonsending)` implementation
    /// that has the answer at hand returns it there, without a change of threads; a `@concurrent` one runs elsewhere.
    ///
    /// Cancelling the task ends it at once, with ``TransportError/Code/cancelled``.
    ///
    /// - Parameters:
    ///   - request: what to send; `scheme`, `authority` and `path` are set.
    ///   - body: the content, nil for none.
    ///   - options: how to send it.
    /// - Returns: the response, with a body that is still on its way.
    /// - Throws: ``TransportError`` if there is no response. What happens to the body later is thrown by the body.
    func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response

    /// Whether it ends a request by itself when ``RequestOptions/timeout`` of real time has passed.
    ///
    /// Where it does not, and where the client's clock is not the system's, the client ends it. False by default.
    var enforcesTimeout: Bool { get }
}

/// A transport whose time may pass on another clock than the system's.
package protocol TimekeepingTransport: Transport {
    /// Whether it ends a request by itself when ``RequestOptions/timeout`` has passed on this clock.
    func enforcesTimeout(on clock: any Clock<Duration>) -> Bool
}

extension Transport {
    /// False.
    public var enforcesTimeout: Bool { false }

    /// Sends a request with the default options.
    public func send(
        _ request: HTTPRequest,
        body: Body? = nil
    ) async throws(TransportError) -> Response {
        try await send(request, body: body, options: RequestOptions())
    }
}
