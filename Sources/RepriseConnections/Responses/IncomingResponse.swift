// SPDX-License-Identifier: Apache-2.0

/// The final response to a request.
public struct IncomingResponse: Sendable {
    /// The status line and the field lines.
    public let head: IncomingHead
    /// The body, either complete or as a stream.
    public let body: IncomingBody
    /// The time that each step took until the response arrived.
    public let timings: ConnectionTimings
}

/// The times at which the steps of a request were complete, measured from the call of ``ConnectionPool/send(_:)``.
public struct ConnectionTimings: Sendable, Hashable {
    /// Whether the request used an existing connection.
    public var isReused = false
    /// The time until the host's addresses were known, or nil for an existing connection.
    public var resolved: Duration?
    /// The time until the connection to the host or its proxy was established, or nil for an existing connection.
    public var connected: Duration?
    /// The time until the TLS handshake was complete, or nil without TLS or for an existing connection.
    public var secured: Duration?
    /// The time until the head of the request was passed to the system.
    public var sent = Duration.zero
    /// The time until the first byte of the response was received.
    public var firstByte = Duration.zero
}
