// SPDX-License-Identifier: Apache-2.0

/// How a request is to be sent, as far as the message itself does not say.
public struct RequestOptions: Sendable, Hashable {
    /// How long the response may take from the start of the request, as far as ``timeoutScope`` says; nil for no limit.
    /// 60 seconds by default. More than a hundred years is no limit, less than nothing is nothing.
    public var timeout: Duration? {
        didSet { timeout = timeout.flatMap(Self.limit) }
    }

    /// How much of the response ``timeout`` is about.
    public var timeoutScope: TimeoutScope

    /// How long finding the host, connecting and securing the connection may take together; nil for the transport's
    /// own limit. A hundred years at most.
    public var connectTimeout: Duration? {
        didSet { connectTimeout = connectTimeout.map { min(max($0, .zero), .longest) } }
    }

    /// What is done about a redirection.
    public var redirects: Redirects

    /// What a timeout is about.
    public enum TimeoutScope: Sendable, Hashable {
        /// The response with all of its body: for what is collected before it is looked at.
        case wholeResponse
        /// The response's head: for streams, which may go on for as long as they like.
        case head
    }

    /// What is done about a response that redirects (RFC 9110 section 15.4).
    public enum Redirects: Sendable, Hashable {
        /// Sends the request to where the response points, so many times at most; one more is
        /// ``TransportError/Code/tooManyRedirects``.
        ///
        /// 303 is followed with GET, and so are 301 and 302 after POST; 307 and 308 repeat the method and the body, for
        /// which the body has to be ``Body/isReplayable``. Authorization, Cookie, X-Api-Key and their like do not go to
        /// another origin.
        case follow(limit: Int)
        /// The redirection is the response.
        case refuse
    }

    /// Options, each of which may be left at its default.
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
    /// A hundred years, the longest that is waited for: clocks count nanoseconds in 64 bits, and a program in which they
    /// overflow ends.
    static let longest = Duration.seconds(100 * 365 * 86_400)
}
