// SPDX-License-Identifier: Apache-2.0

/// An error that describes why a call failed.
///
/// ```swift
/// do {
///     let user: User = try await api.get("/users/me").value()
///     print(user.id)
/// } catch let error as ClientError where error.isConnectivity {
///     showOfflineBanner()
/// } catch let error as ClientError where error.status == .notFound {
///     showEmptyProfile()
/// } catch ClientError.Code.decoding {
///     askForUpdate()
/// }
/// ```
///
/// Errors of your own interceptors and validation are thrown unchanged.
public struct ClientError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public var code: Code
    /// A message that describes what was expected, what was found, and what to do.
    public var message: String
    /// The request, if it was created before the failure. It may not have been sent.
    public var request: HTTPRequest?
    /// The response with its content, if one was received.
    public var response: BufferedResponse?
    /// The underlying error, such as a ``TransportError`` or a `DecodingError`.
    public var underlying: (any Error)?

    /// Creates an error.
    public init(
        _ code: Code,
        _ message: String,
        request: HTTPRequest? = nil,
        response: BufferedResponse? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.request = request
        self.response = response
        self.underlying = underlying
    }

    /// The code, the request, and the message. Secrets in the query, such as `api_key`, are replaced with
    /// `[redacted]`.
    public var description: String {
        guard let request else { return "\(code): \(message)" }
        return "\(code): \(request.method) \(request.shownURL): \(message)"
    }

    /// Whether the connection to the server failed, so that a later retry may succeed.
    ///
    /// This is the case if there is no network, the host is unknown, the connection is refused or lost, or no
    /// response is received in time.
    public var isConnectivity: Bool {
        switch code {
        case .timeout: true
        case .transport: (underlying as? TransportError)?.isConnectivity ?? false
        default: false
        }
    }

    /// The status of the response, or nil if there was none.
    public var status: HTTPResponse.Status? { response?.status }

    /// Whether the task was canceled.
    public var isCancelled: Bool { code == .cancelled }

    /// A kind of failure. Libraries on top of the client may define their own.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code.
        public let rawValue: String

        /// Creates a code with a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The name of the code.
        public var description: String { rawValue }

        // Disfavored, so that in a switch over another error type, `.timeout` remains a value of that type.
        /// Whether an error is a ``ClientError`` with this code, for patterns such as
        /// `catch ClientError.Code.timeout`.
        @_disfavoredOverload
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? ClientError)?.code == code
        }
    }
}

extension ClientError.Code {
    /// The base URL or the path is invalid. Nothing was sent.
    public static let invalidURL = Self(rawValue: "invalidURL")
    /// A header, a parameter, or the body is invalid. Nothing was sent.
    public static let invalidParameters = Self(rawValue: "invalidParameters")
    /// The call has two bodies. Nothing was sent.
    public static let bodyConflict = Self(rawValue: "bodyConflict")
    /// The call uses ``Call/authorized(refreshing:)``, but the client has no token provider. Nothing was sent.
    public static let noAuthProvider = Self(rawValue: "noAuthProvider")
    /// The call uses ``Call/authorized(refreshing:)``, but there is no token and no way to get one. Nothing was sent.
    public static let authenticationRequired = Self(rawValue: "authenticationRequired")
    /// The server responded with 401 to a call that uses ``Call/authorized(refreshing:)``. The error has the
    /// ``ClientError/response``.
    public static let unauthorized = Self(rawValue: "unauthorized")
    /// The multipart form is invalid. Nothing was sent.
    public static let multipart = Self(rawValue: "multipart")
    /// A file to send cannot be read, or was changed or removed while it was sent. The message has its path.
    public static let file = Self(rawValue: "file")
    /// The response, or the rest of it, was not received in time.
    public static let timeout = Self(rawValue: "timeout")
    /// The task was canceled.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The request could not be sent or the response could not be received. The ``ClientError/underlying`` error is a
    /// ``TransportError`` with the reason.
    public static let transport = Self(rawValue: "transport")
    /// The connection could not be secured, for example because the certificate is not trusted or matches no pin.
    public static let tls = Self(rawValue: "tls")
    /// The response's status is not accepted. The error has the ``ClientError/response``.
    public static let status = Self(rawValue: "status")
    /// The response's Content-Type is not accepted.
    public static let contentType = Self(rawValue: "contentType")
    /// The response has no content, but a value was expected.
    public static let empty = Self(rawValue: "empty")
    /// The content cannot be decoded as the expected type.
    public static let decoding = Self(rawValue: "decoding")
    /// The value at a path in the content is missing or has an unexpected type.
    public static let path = Self(rawValue: "path")
    /// The API responded with its own error code, which is in ``ClientError/business``.
    public static let business = Self(rawValue: "business")
    /// The content of an error response is larger than ``Client/Configuration/errorBodyLimit``.
    public static let errorBodyTooLarge = Self(rawValue: "errorBodyTooLarge")
    /// The content of a response is larger than ``Client/Configuration/bodyLimit``.
    public static let bodyTooLarge = Self(rawValue: "bodyTooLarge")
    /// Only a stored response may be used, and no usable one is stored.
    public static let cacheMiss = Self(rawValue: "cacheMiss")
    /// Polling did not reach the expected result in time.
    public static let pollTimeout = Self(rawValue: "pollTimeout")
    /// The stub transport has no stub for the call.
    public static let noStub = Self(rawValue: "noStub")
}
