// SPDX-License-Identifier: Apache-2.0

/// How long the steps of a request took, as far as the transport tells.
///
/// ```swift
/// let metrics = try await api.get("/books").response().metrics
/// print(metrics.firstByte ?? .zero, metrics.isConnectionReused ?? false)
/// ```
///
/// After a redirection or another attempt they are about the last request alone. What comes from a cache or from a stub
/// has no steps.
public struct Metrics: Sendable, Hashable {
    /// How long it took to find the host's addresses; nil on a connection that was there already.
    public var dns: Duration?
    /// How long it took to connect, once the addresses were known; nil on a connection that was there already.
    public var connect: Duration?
    /// How long it took to secure the connection; nil without TLS and on a connection that was there already.
    public var tls: Duration?
    /// How long it took from the start of the request until the first byte of the response came.
    public var firstByte: Duration?
    /// How long it took until all of the response was there, on the client's clock, from when the client began with the
    /// attempt; nil for a stream.
    public var total: Duration?
    /// Whether the request went over a connection that was there already; nil if the transport does not tell.
    public var isConnectionReused: Bool?

    /// Metrics of which each part may be unknown.
    public init(
        dns: Duration? = nil,
        connect: Duration? = nil,
        tls: Duration? = nil,
        firstByte: Duration? = nil,
        total: Duration? = nil,
        isConnectionReused: Bool? = nil
    ) {
        self.dns = dns
        self.connect = connect
        self.tls = tls
        self.firstByte = firstByte
        self.total = total
        self.isConnectionReused = isConnectionReused
    }
}
