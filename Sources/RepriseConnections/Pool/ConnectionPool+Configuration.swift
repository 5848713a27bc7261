// SPDX-License-Identifier: Apache-2.0

public import RepriseIO
public import RepriseWire

extension ConnectionPool {
    /// What a pool is to do.
    public struct Configuration: Sendable {
        /// How many loops share the origins, each of which has one; one is enough for most clients.
        public var loops = 1
        /// How many connections there may be to one origin, or to one proxy for all origins that are not secure. More
        /// requests wait their turn, first come, first served.
        public var connectionsPerOrigin = 64
        /// How long a connection that nobody uses stays open.
        public var idleTimeout = Duration.seconds(60)
        /// How long finding the host, connecting and securing the connection may take together.
        public var connectTimeout = Duration.seconds(10)
        /// How long a request that expects 100 (RFC 9110 section 10.1.1) waits for it before the body goes out anyway.
        public var continueTimeout = Duration.seconds(1)
        /// Whom secure connections trust and what they speak.
        public var tls = TLSClientConfiguration()
        /// Hosts that are not looked up but have these numeric addresses, the preferred one first.
        public var addresses: [String: [String]] = [:]
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
