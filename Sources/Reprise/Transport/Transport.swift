// SPDX-License-Identifier: Apache-2.0

/// A type that sends requests and returns responses: the single interface between a client and the network.
///
/// A transport can be live (`SocketTransport`, `URLSessionTransport`), a stub (`StubTransport`), or a decorator
/// around another transport, which can inspect everything that passes through it:
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
/// A transport sends the request unchanged and returns any status. Validation is the client's task. The transport
/// returns as soon as the final head has arrived, and delivers the body as it is received.
public protocol Transport: Sendable {
    /// Sends a request and waits for the head of its response.
    ///
    /// It is called on the actor that awaits the call, such as the main actor. A `nonisolated(nonsending)`
    /// implementation that already has the response returns it there, without switching threads. A `@concurrent`
    /// implementation runs elsewhere.
    ///
    /// Canceling the task ends the request immediately with ``TransportError/Code/cancelled``.
    ///
    /// - Parameters:
    ///   - request: The request to send, with `scheme`, `authority`, and `path` set.
    ///   - body: The content, or nil for none.
    ///   - options: The options for sending the request.
    /// - Returns: The response, with a body that may still be in transit.
    /// - Throws: ``TransportError`` if there is no response. Later errors are thrown by the body.
    func send(
        _ request: HTTPRequest,
        body: Body?,
        options: RequestOptions
    ) async throws(TransportError) -> Response

    /// Whether the transport ends a request by itself when ``RequestOptions/timeout`` has passed in real time.
    ///
    /// If it does not, or if the client uses a clock other than the system's, the client ends the request. The
    /// default is false.
    var enforcesTimeout: Bool { get }
}

/// A transport that can measure time on a clock other than the system's.
package protocol TimekeepingTransport: Transport {
    /// Whether the transport ends a request by itself when ``RequestOptions/timeout`` has passed on this clock.
    func enforcesTimeout(on clock: any Clock<Duration>) -> Bool
}

/// A transport that sends requests through another one, and enforces their timeouts only if that one does.
package protocol RelayingTransport: TimekeepingTransport {
    var base: any Transport { get }
}

extension RelayingTransport {
    package var enforcesTimeout: Bool { base.enforcesTimeout }

    package func enforcesTimeout(on clock: any Clock<Duration>) -> Bool {
        (base as? any TimekeepingTransport)?.enforcesTimeout(on: clock) ?? false
    }
}

extension Transport {
    /// Returns false.
    public var enforcesTimeout: Bool { false }

    /// Sends a request with the default options.
    public func send(
        _ request: HTTPRequest,
        body: Body? = nil
    ) async throws(TransportError) -> Response {
        try await send(request, body: body, options: RequestOptions())
    }
}
