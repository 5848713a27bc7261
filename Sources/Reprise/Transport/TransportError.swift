// SPDX-License-Identifier: Apache-2.0

/// An error that a transport throws if there is no response, or if the body of a response fails.
public struct TransportError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public var code: Code
    /// A human-readable message: what was tried, what happened, and what to do.
    public var message: String
    /// The underlying error, if there is one.
    public var underlying: (any Error)?

    /// Creates an error.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// The code and the message.
    public var description: String { "\(code): \(message)" }

    /// A kind of failure. Custom transports can define their own.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code with the given name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The name of the code.
        public var description: String { rawValue }
    }
}

extension TransportError.Code {
    /// The task was canceled.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The response, or the next part of it, did not arrive in time.
    public static let timedOut = Self(rawValue: "timedOut")
    /// The host cannot be reached.
    public static let offline = Self(rawValue: "offline")
    /// The host's name could not be resolved.
    public static let nameNotResolved = Self(rawValue: "nameNotResolved")
    /// The host refused the connection, because no server listens on the port.
    public static let connectionRefused = Self(rawValue: "connectionRefused")
    /// The connection failed before the head of the response or within its body (`Ending.reset`).
    public static let reset = Self(rawValue: "reset")
    /// The connection ended before the response was complete (`Ending.truncated`).
    public static let truncated = Self(rawValue: "truncated")
    /// The connection could not be secured, for example because the certificate is not trusted.
    public static let tls = Self(rawValue: "tls")
    /// The server's certificate is trusted, but matches none of ``Pinning/pins``.
    public static let pinning = Self(rawValue: "pinning")
    /// A proxy refused the connection or sent an invalid response.
    public static let proxy = Self(rawValue: "proxy")
    /// The response is not HTTP, or violates its rules, so that the data after it cannot be trusted.
    public static let malformedResponse = Self(rawValue: "malformedResponse")
    /// There were more redirects than ``RequestOptions/Redirects/follow(limit:)`` allows.
    public static let tooManyRedirects = Self(rawValue: "tooManyRedirects")
    /// The request is invalid, and nothing was sent.
    public static let invalidRequest = Self(rawValue: "invalidRequest")
    /// The request's body threw an error, did not have the announced length, or would have to be read twice.
    public static let requestBody = Self(rawValue: "requestBody")
    /// A body that can be read only once was read a second time.
    public static let bodyConsumed = Self(rawValue: "bodyConsumed")
    /// No stub answers the request.
    public static let noStub = Self(rawValue: "noStub")
    /// No stored response answers the request, and ``CachingTransport/ReadPolicy/cacheOnly`` does not allow sending
    /// it.
    public static let cacheMiss = Self(rawValue: "cacheMiss")
    /// A test sent a request to the network without its cassette, which is not allowed while a cassette is open or if
    /// `CI` is set. Nothing was sent.
    public static let networkNotAllowed = Self(rawValue: "networkNotAllowed")
    /// Anything else.
    public static let other = Self(rawValue: "other")
}

extension TransportError {
    /// Creates an error from any error. One that is not a transport error becomes the underlying error of ``Code/other``.
    package init(wrapping error: any Error) {
        self = error as? TransportError ?? TransportError(.other, "\(error)", underlying: error)
    }

    /// Creates the error for a request without a scheme, a host, and a path that a transport could use.
    init(withoutOrigin request: HTTPRequest) {
        self.init(
            .invalidRequest,
            """
            \(request.method) \(request.shownURL) has no valid origin: expected the scheme http or https, a host with \
            an optional port, and a path
            """
        )
    }

    /// Whether the connection to the host failed, so that a later attempt may succeed.
    public var isConnectivity: Bool {
        switch code {
        case .timedOut, .offline, .nameNotResolved, .connectionRefused, .reset, .truncated: true
        default: false
        }
    }

    /// The ending of a body that failed with this error, or nil if the reader canceled it.
    var ending: Ending? {
        switch code {
        case .truncated: .truncated
        case .timedOut: .timedOut
        case .cancelled: nil
        default: .reset
        }
    }
}
