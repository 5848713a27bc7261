// SPDX-License-Identifier: Apache-2.0

public import HTTPWire

/// Connections to origins, shared by requests.
///
/// ```swift
/// let pool = ConnectionPool()
/// let response = try await pool.send(OutgoingRequest("GET", "/status", at: origin))
/// ```
///
/// Its loops start with the first request. A pool that is let go of closes its connections, but not before the last
/// body that it gave out is.
public final class ConnectionPool: Sendable {
    /// How the pool was set up.
    public let configuration: Configuration

    /// A pool without connections.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Sends a request and waits for the head of the final response.
    ///
    /// An idle connection is used where there is one. If that turns out to be closed before a byte of the response has
    /// come, the request is sent once more on a fresh one, provided that it may be repeated: the body can be sent again
    /// and the method is idempotent, or nothing had been sent (RFC 9110 section 9.2.2). Cancelling the task closes the
    /// connection at once.
    public func send(_ request: OutgoingRequest) async throws(ConnectionError) -> IncomingResponse {
        throw ConnectionError(.shutDown, "not yet")
    }

    /// Closes all connections. Requests and bodies in progress fail with ``ConnectionError/Kind/shutDown``.
    ///
    /// Returns when the loops' threads are over.
    public func shutDown() async {
    }

    /// What a pool is to do.
    public struct Configuration: Sendable {
        /// How many loops share the origins; one is enough for most clients.
        public var loops = 1
        /// How many connections there may be to one origin, or to one proxy for all origins that are not secure. More
        /// requests wait their turn, first come, first served.
        public var connectionsPerOrigin = 64
        /// How long a connection that nobody uses stays open.
        public var idleTimeout = Duration.seconds(60)
        /// How long finding the host, connecting and securing the connection may take together.
        public var connectTimeout = Duration.seconds(10)
        /// Which requests go through a proxy.
        public var proxies = Proxies.none
        /// How large the heads of responses may be.
        public var responseLimits = ResponseParser.Limits()
        /// How many interim responses (RFC 9110 section 15.2) may come before the final one.
        public var maximumInterimResponses = 32

        /// The defaults.
        public init() {}
    }
}
