// SPDX-License-Identifier: Apache-2.0

/// Options for sending a request that are not part of the message.
public struct RequestOptions: Sendable, Hashable {
    /// The time limit for the response from the start of the request, or nil for no limit. It applies to the part of
    /// the response that ``timeoutScope`` specifies. The default is 60 seconds. More than a hundred years means no
    /// limit, and negative values count as zero.
    public var timeout: Duration? {
        didSet { timeout = timeout.flatMap(Self.limit) }
    }

    /// The part of the response that ``timeout`` applies to.
    public var timeoutScope: TimeoutScope

    /// The time limit for resolving the host, connecting, and the TLS handshake together, or nil for the transport's
    /// own limit. The maximum is a hundred years.
    public var connectTimeout: Duration? {
        didSet { connectTimeout = connectTimeout.map { min(max($0, .zero), .longest) } }
    }

    /// The handling of redirects.
    public var redirects: Redirects

    /// Whether to undo content codings. A recording keeps them.
    package var decodesContent = true

    /// The part of a response that a timeout applies to.
    public enum TimeoutScope: Sendable, Hashable {
        /// The response with its complete body, for responses that are read into memory before use.
        case wholeResponse
        /// The response's head, for streams, which can continue without limit.
        case head
    }

    /// The handling of redirect responses (RFC 9110 section 15.4).
    public enum Redirects: Sendable, Hashable {
        /// Follows redirects up to this number. A further redirect fails with
        /// ``TransportError/Code/tooManyRedirects``.
        ///
        /// A 303 is followed with GET, and so are 301 and 302 after POST. A 307 or 308 repeats the method and the
        /// body, so the body must be ``Body/isReplayable``. Credentials such as Authorization, Cookie, and X-Api-Key
        /// are not sent to another origin.
        case follow(limit: Int)
        /// Returns the redirect as the response.
        case dontFollow
    }

    /// Creates options.
    public init(
        timeout: Duration? = .seconds(60),
        timeoutScope: TimeoutScope = .wholeResponse,
        connectTimeout: Duration? = nil,
        redirects: Redirects = .follow(limit: 20)
    ) {
        self.timeout = timeout.flatMap(Self.limit)
        self.timeoutScope = timeoutScope
        self.connectTimeout = connectTimeout.map { min(max($0, .zero), .longest) }
        self.redirects = redirects
    }
    private static func limit(_ timeout: Duration) -> Duration? {
        timeout > .longest ? nil : max(timeout, .zero)
    }
}

extension Duration {
    /// A hundred years, the longest possible wait. Clocks count nanoseconds in 64 bits, and an overflow would crash
    /// the program.
    static let longest = Duration.seconds(100 * 365 * 86_400)
}
