// SPDX-License-Identifier: Apache-2.0

/// The final response to a request.
public struct IncomingResponse: Sendable {
    /// The status and the fields.
    public let head: IncomingHead
    /// The body, or the way to it.
    public let body: IncomingBody
    /// How long what came before took.
    public let timings: ConnectionTimings
}

/// How long the steps of a request took, each counted from the call of ``ConnectionPool/send(_:)``.
public struct ConnectionTimings: Sendable, Hashable {
    /// Whether the request went over a connection that was there already.
    public var isReused = false
    /// Until the host's addresses were known; nil on a connection that was there already.
    public var resolved: Duration?
    /// Until the connection stood, to the host or its proxy; nil on a connection that was there already.
    public var connected: Duration?
    /// Until the connection was secured; nil without TLS and on a connection that was there already.
    public var secured: Duration?
    /// Until the head of the request was given to the system.
    public var sent = Duration.zero
    /// Until the first byte of the response came.
    public var firstByte = Duration.zero
}
