// SPDX-License-Identifier: Apache-2.0

extension CachingTransport {
    /// Where a response is taken from.
    public enum ReadPolicy: Sendable, Hashable {
        /// The network; what is stored is not looked at.
        case networkOnly
        /// What is stored and has not expired; ``TransportError/Code/cacheMiss`` if there is nothing.
        case cacheOnly
        /// What is stored and has not expired, or else the network. What has expired is asked for with the condition
        /// that it has changed, where the server gave a validator (RFC 9111 section 4.3).
        case cacheElseNetwork
        /// The network, or what is stored if that fails: if there is no response, or one of 500, 502, 503 or 504. Then
        /// what has expired is good enough, unless the server forbids it (RFC 9111 section 4.2.4). A request that was
        /// cancelled or cannot be sent, and a server that does not prove who it is, are no reason to use it.
        case networkElseCache
    }

    /// Which responses are stored. Those that must not be are not stored by any: see ``CachingTransport``.
    public enum WritePolicy: Sendable, Hashable {
        /// None.
        case never
        /// All, whatever their status; but not those errors for which ``ReadPolicy/networkElseCache`` has what is stored
        /// step in.
        case always
        /// Those with a status of 200 to 299.
        case onSuccess

        func takes(_ status: HTTPResponse.Status) -> Bool {
            switch self {
            case .never: false
            // Neither is a response by itself (RFC 9111 section 3.3, RFC 9110 section 15.4.5).
            case _ where status == .partialContent || status == .notModified: false
            case .always: true
            case .onSuccess: status.kind == .successful
            }
        }
    }

    /// How a transport stores responses.
    public struct Configuration: Sendable {
        /// Where a response is taken from; ``ReadPolicy/cacheElseNetwork`` by default.
        public var reading: ReadPolicy
        /// Which responses are stored; ``WritePolicy/onSuccess`` by default.
        public var writing: WritePolicy
        /// How long a response is good at most, counted from when it came; 300 seconds by default. The server may say
        /// less, with `Cache-Control` or `Expires` (RFC 9111 section 4.2.1), but not more.
        public var maxAge: Duration
        /// How many bytes the stored responses may take, heads included; those that were used least recently make room.
        /// 50 MiB by default. A response that is larger passes through and is not stored.
        public var capacity: Int
        /// What a response is stored under; ``CacheKey/init(_:)`` by default.
        public var key: @Sendable (HTTPRequest) -> CacheKey
        /// What a response's age is measured with; nil, the default, for the client's clock, ``Ambient/clock``, or else
        /// the system's.
        public var clock: (any Clock<Duration>)?

        /// A configuration, each part of which may be left at its default.
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
    /// Whether a response that may be stored is.
    func takes(_ response: Response, to request: HTTPRequest) -> Bool {
        if response.isElsewhere(than: request) { return false }
        // The one before it is to step in for it.
        if reading == .networkElseCache, response.status.letsCacheStepIn { return false }
        return writing.takes(response.status)
    }
}
