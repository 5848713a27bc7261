// SPDX-License-Identifier: Apache-2.0

extension CachingTransport {
    /// Where responses are read from.
    public enum ReadPolicy: Sendable, Hashable {
        /// From the network, ignoring stored responses.
        case networkOnly
        /// From the cache, if the stored response has not expired. Otherwise throws
        /// ``TransportError/Code/cacheMiss``.
        case cacheOnly
        /// From the cache if the stored response has not expired, otherwise from the network. An expired response is
        /// validated with a conditional request if it has a validator (RFC 9111 section 4.3).
        case cacheElseNetwork
        /// From the network, or from the cache if the network fails.
        ///
        /// The network fails if there is no response, or a response with status 500, 502, 503, or 504. In that case,
        /// even an expired response is used, unless the server forbids it (RFC 9111 section 4.2.4). The cache is not
        /// used for a request that was canceled or cannot be sent, or if the server fails to prove its identity.
        case networkElseCache
    }

    /// Which responses are stored. Responses that must not be stored are excluded from every policy: see
    /// ``CachingTransport``.
    public enum WritePolicy: Sendable, Hashable {
        /// No responses.
        case never
        /// All responses, whatever their status, except the errors for which ``ReadPolicy/networkElseCache`` uses a
        /// stored response instead.
        case always
        /// Responses with a status of 200, 203, or 204, and those with another status of 200 to 299 for which the
        /// server allows it with `max-age`, `Expires`, `public`, or `private` (RFC 9111 section 3).
        case onSuccess

        func takes(_ head: HTTPResponse) -> Bool {
            switch self {
            case .never: false
            // Neither is a complete response (RFC 9111 section 3.3, RFC 9110 section 15.4.5).
            case _ where head.status == .partialContent || head.status == .notModified: false
            case .always: true
            case .onSuccess: head.status.kind == .successful && head.isCacheable
            }
        }
    }

    /// The settings of a ``CachingTransport``.
    public struct Configuration: Sendable {
        /// Where responses are read from. The default is ``ReadPolicy/cacheElseNetwork``.
        public var reading: ReadPolicy
        /// Which responses are stored. The default is ``WritePolicy/onSuccess``.
        public var writing: WritePolicy
        /// The maximum time that a response is fresh after it was received. The default is 300 seconds. The server
        /// can shorten it with `Cache-Control` or `Expires` (RFC 9111 section 4.2.1), but not extend it.
        public var maxAge: Duration
        /// The maximum size of all stored responses in bytes, including heads. The default is 50 MiB. The least
        /// recently used responses are removed first. A response larger than the capacity is passed on and not
        /// stored.
        public var capacity: Int
        /// A closure that returns the key that a response is stored under. The default is ``CacheKey/init(_:)``.
        public var key: @Sendable (HTTPRequest) -> CacheKey
        /// The clock that measures the age of responses. If nil, the client's clock is used, then ``Ambient/clock``,
        /// then the system's. The default is nil.
        public var clock: (any Clock<Duration>)?

        /// Creates a configuration.
        public init(
            reading: ReadPolicy = .cacheElseNetwork,
            writing: WritePolicy = .onSuccess,
            maxAge: Duration = .seconds(300),
            capacity: Int = 50 << 20,
            key: @escaping @Sendable (HTTPRequest) -> CacheKey = { CacheKey($0) },
            clock: (any Clock<Duration>)? = nil
        ) {
            self.reading = reading
            self.writing = writing
            self.maxAge = maxAge
            self.capacity = capacity
            self.key = key
            self.clock = clock
        }
    }
}

extension CachingTransport.Configuration {
    /// Whether a response that may be stored is stored by this configuration.
    func takes(_ response: Response, to request: HTTPRequest) -> Bool {
        if response.wasRedirected(from: request) { return false }
        // A stored response is returned instead of this one, and must be kept.
        if reading == .networkElseCache, response.status.allowsStaleResponse { return false }
        return writing.takes(response.head)
    }
}
