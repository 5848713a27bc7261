// SPDX-License-Identifier: Apache-2.0

public import RepriseIO
public import RepriseWire

extension ConnectionPool {
    /// The settings of a pool.
    public struct Configuration: Sendable {
        /// The number of loops. Each origin is assigned to one of them. The default is 1, which is enough for most
        /// clients.
        public var loops = 1
        /// The maximum number of connections to an origin, or to a proxy for all `http` origins. Further requests
        /// wait in FIFO order. The default is 64.
        public var connectionsPerOrigin = 64
        /// Whether to repair responses that are not valid HTTP/1.1 but can only mean one thing, as browsers and curl
        /// do. See ``ResponseRepairs``. The default is false.
        public var repairsResponses = false
        /// The maximum number of idle connections of each loop, to all origins together, and at least 1. If there are
        /// more, the one that has been idle for the longest time is closed. By default, there is no limit.
        package var idleConnections = Int.max
        /// How long an idle connection stays open. The default is 60 seconds.
        public var idleTimeout = Duration.seconds(60)
        /// The time limit for resolving the host, connecting and the TLS handshake together. The default is 10
        /// seconds.
        public var connectTimeout = Duration.seconds(10)
        /// How long a request that expects `100 Continue` (RFC 9110 section 10.1.1) waits for it before sending the
        /// body. The default is one second.
        public var continueTimeout = Duration.seconds(1)
        /// The TLS settings of connections to `https` origins.
        public var tls = TLSClientConfiguration()
        /// The numeric addresses of hosts that are not looked up, in order of preference.
        public var addresses: [String: [String]] = [:]
        /// Where to connect instead, by host in lowercase. TLS and `Host` still name the host itself.
        package var destinations: [String: Destination] = [:]
        /// The addresses that connections are made to. The default is all.
        public var allowedAddresses = AllowedAddresses.all
        /// Whether a connection to an address would lead back to this program, whatever name led to it.
        package var isOwn: (@Sendable (SocketAddress) -> Bool)?
        /// The proxies to use. The default is none.
        public var proxies = Proxies.none
        /// The maximum sizes of response heads.
        public var responseLimits = ResponseParser.Limits()
        /// The maximum number of interim responses (RFC 9110 section 15.2) before the final one. The default is 32.
        public var maximumInterimResponses = 32
        /// Makes the channel that carries the exchanges of a connection.
        var channel: @Sendable (ClientConnection) -> any ClientChannel = { HTTP1Channel(on: $0) }

        /// A host or address to connect to, and a port; by default the port of the origin.
        package struct Destination: Sendable, Hashable {
            package var host: String
            package var port: UInt16?

            package init(host: String, port: UInt16?) {
                self.host = host
                self.port = port
            }
        }

        /// Returns the host and port to connect to for an origin.
        package func destination(of origin: Origin) -> Origin {
            guard let place = destinations[origin.host] else { return origin }
            return Origin(isSecure: origin.isSecure, host: place.host, port: place.port ?? origin.port)
        }

        /// Creates a configuration with default values.
        public init() {}
    }
}
