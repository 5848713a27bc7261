// SPDX-License-Identifier: Apache-2.0

/// Why a transport has no response, or no more of one.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public var code: Code
    /// What was tried, what happened and what can be done, for people.
    public var message: String
    /// The error underneath, where there is one.
    public var underlying: (any Error)?

    /// A failure.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// A kind of failure; a transport of one's own may have its own.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// Its name.
        public let rawValue: String

        /// A kind with that name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Its name.
        public var description: String { rawValue }
    }
}

extension TransportError.Code {
    /// The task was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
    /// There was no answer, or no more of it, in time.
    public static let timedOut = Self(rawValue: "timedOut")
    /// There is no way to the host.
    public static let offline = Self(rawValue: "offline")
    /// The host's name has no address.
    public static let nameNotResolved = Self(rawValue: "nameNotResolved")
    /// Nobody listens there.
    public static let connectionRefused = Self(rawValue: "connectionRefused")
    /// The connection broke: before the head, or in the body (`Ending.reset`).
    public static let reset = Self(rawValue: "reset")
    /// The connection ended before the response did (`Ending.truncated`).
    public static let truncated = Self(rawValue: "truncated")
    /// The connection could not be secured: a certificate that is not trusted, say.
    public static let tls = Self(rawValue: "tls")
    /// The server has proven who it is, but not with a certificate or key of ``Pinning/pins``.
    public static let pinning = Self(rawValue: "pinning")
    /// A proxy refused, or answered what it must not.
    public static let proxy = Self(rawValue: "proxy")
    /// What came back is not HTTP, or breaks its rules in a way that nothing after it can be trusted.
    public static let malformedResponse = Self(rawValue: "malformedResponse")
    /// More redirections than ``RequestOptions/Redirects/follow(limit:)`` allows.
    public static let tooManyRedirects = Self(rawValue: "tooManyRedirects")
    /// The request cannot be sent as it is; nothing was sent.
    public static let invalidRequest = Self(rawValue: "invalidRequest")
    /// The request's body threw an error, or gave more or less than it announced, or would be needed twice.
    public static let requestBody = Self(rawValue: "requestBody")
    /// A body was read a second time that can be read once.
    public static let bodyConsumed = Self(rawValue: "bodyConsumed")
    /// No stub answers this request.
    public static let noStub = Self(rawValue: "noStub")
    /// Nothing is stored that answers the request, and ``CachingTransport/ReadPolicy/cacheOnly`` does not ask further.
    public static let cacheMiss = Self(rawValue: "cacheMiss")
    /// Anything else.
    public static let other = Self(rawValue: "other")
}

extension TransportError {
    /// Whether the way to the host is what failed, so that trying again later may help.
    public var isConnectivity: Bool {
        switch code {
        case .timedOut, .offline, .nameNotResolved, .connectionRefused, .reset, .truncated: true
        default: false
        }
    }

    /// The ending of a body that ended with this; nil if the reader gave up.
    var ending: Ending? {
        switch code {
        case .truncated: .truncated
        case .timedOut: .timedOut
        case .cancelled: nil
        default: .reset
        }
    }
}
