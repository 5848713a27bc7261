// SPDX-License-Identifier: Apache-2.0

/// The duration of each step of a request, as far as the transport reports it.
///
/// ```swift
/// let metrics = try await api.get("/books").send().metrics
/// print(metrics.firstByte ?? .zero, metrics.isConnectionReused ?? false)
/// ```
///
/// After a redirect or a retry, the metrics describe only the last request. Responses from a cache or a stub have no
/// steps.
public struct Metrics: Sendable, Hashable {
    /// The time spent resolving the host's addresses, or nil on a reused connection.
    public var dns: Duration?
    /// The time spent connecting once the addresses were known, or nil on a reused connection.
    public var connect: Duration?
    /// The duration of the TLS handshake, or nil without TLS or on a reused connection.
    public var tls: Duration?
    /// The time from the start of the request to the first byte of the response.
    public var firstByte: Duration?
    /// The time from the start of the attempt until the complete response arrived, on the client's clock, or nil for
    /// a stream.
    public var total: Duration?
    /// Whether the request used an existing connection, or nil if the transport does not report it.
    public var isConnectionReused: Bool?

    /// Creates metrics, with nil for each unknown part.
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
    /// Sets the duration of each step from the times at which the steps ended, all measured from the start of the
    /// request. Each step starts when the previous one ends.
    mutating func setSteps(resolved: Duration?, connected: Duration?, secured: Duration?) {
        dns = resolved
        connect = connected.map { $0 - (resolved ?? .zero) }
        tls = secured.map { $0 - (connected ?? .zero) }
    }
}
