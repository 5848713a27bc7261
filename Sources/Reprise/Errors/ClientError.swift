// SPDX-License-Identifier: Apache-2.0

/// Why a call has no result.
///
/// ```swift
/// do {
///     let user: User = try await api.get("/users/me").value()
///     print(user.id)
/// } catch let error as ClientError where error.isConnectivity {
///     showOfflineBanner()
/// } catch let error as ClientError where error.response?.status == .notFound {
///     showEmptyProfile()
/// }
/// ```
///
/// What interceptors and validation of one's own throw is thrown as itself.
public struct ClientError: Error, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public var code: Code
    /// What was expected, what was found and what can be done, for people.
    public var message: String
    /// What was sent, or was to be sent, as far as it had come together.
    public var request: HTTPRequest?
    /// What came back, with its content, where something did.
    public var response: BufferedResponse?
    /// The error underneath, such as a ``TransportError`` or a `DecodingError`.
    public var underlying: (any Error)?

    /// A failure.
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

    /// The code, the request and the message. Secrets in the query, such as `api_key`, are written as `[redacted]`.
    public var description: String {
        guard let request else { return "\(code): \(message)" }
        return "\(code): \(request.method) \(request.shownURL): \(message)"
    }

    /// Whether the way to the server is what failed, so that trying again later may help: no network, no such host,
    /// nobody listening, a lost connection, or no answer in time.
    public var isConnectivity: Bool {
        switch code {
        case .timeout: true
        case .transport: (underlying as? TransportError)?.isConnectivity ?? false
        default: false
        }
    }

    /// A kind of failure; code on top of the client may have its own.
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

extension ClientError.Code {
    /// The base URL or the path is not one that can be sent; nothing was sent.
    public static let invalidURL = Self(rawValue: "invalidURL")
    /// A header, a parameter or a body is not one that can be sent; nothing was sent.
    public static let invalidParameters = Self(rawValue: "invalidParameters")
    /// The call was given two bodies; nothing was sent.
    public static let bodyConflict = Self(rawValue: "bodyConflict")
    /// The call is ``Call/authorized(refreshing:)`` and the client has no token provider; nothing was sent.
    public static let noAuthProvider = Self(rawValue: "noAuthProvider")
    /// The call is ``Call/authorized(refreshing:)`` and there is no token, nor a way to one; nothing was sent.
    public static let authenticationRequired = Self(rawValue: "authenticationRequired")
    /// The server refused an ``Call/authorized(refreshing:)`` call with 401; ``ClientError/response`` is there.
    public static let unauthorized = Self(rawValue: "unauthorized")
    /// The parts of a multipart form make no form; nothing was sent.
    public static let multipart = Self(rawValue: "multipart")
    /// A file that was to be sent cannot be read, or was changed or removed while it was sent. The message names it.
    public static let file = Self(rawValue: "file")
    /// There was no answer, or no more of it, in time.
    public static let timeout = Self(rawValue: "timeout")
    /// The task was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The request did not reach the server or the response did not come back; ``ClientError/underlying`` is a
    /// ``TransportError`` that says why.
    public static let transport = Self(rawValue: "transport")
    /// The connection could not be secured: a certificate that is not trusted, or fits no pin, say.
    public static let tls = Self(rawValue: "tls")
    /// The response's status is not one that the call takes; ``ClientError/response`` is there.
    public static let status = Self(rawValue: "status")
    /// The response's Content-Type is not one that the call takes.
    public static let contentType = Self(rawValue: "contentType")
    /// There is no content where a value was expected.
    public static let empty = Self(rawValue: "empty")
    /// The content is not the value that was expected.
    public static let decoding = Self(rawValue: "decoding")
    /// What stands at a path in the content is missing, or is not the value that was expected.
    public static let path = Self(rawValue: "path")
    /// The API answered with a code of its own that is no success; ``ClientError/business`` is there.
    public static let business = Self(rawValue: "business")
    /// The content of an error response is larger than ``Client/Configuration/errorBodyLimit``.
    public static let errorBodyTooLarge = Self(rawValue: "errorBodyTooLarge")
    /// The call was to be answered by what is stored, and there is nothing.
    public static let cacheMiss = Self(rawValue: "cacheMiss")
    /// What was polled for did not come in time.
    public static let pollTimeout = Self(rawValue: "pollTimeout")
    /// The call was made with a stub transport, which has no answer for it.
    public static let noStub = Self(rawValue: "noStub")
}
