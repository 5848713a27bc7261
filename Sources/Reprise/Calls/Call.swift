// SPDX-License-Identifier: Apache-2.0

/// A request that a client is configured to send, and how to process its response.
///
/// ```swift
/// let users: [User] = try await api.get("/users")
///     .query("page", 2)
///     .header(.accept, "application/json")
///     .timeout(.seconds(10))
///     .value()
/// ```
///
/// A call is a value: each modifier returns a changed copy, so several calls can be derived from one. A mistake, such
/// as a line break in a header value, a second body, or a NaN in JSON, is stored and thrown when the call is sent,
/// before any data is sent. Nothing happens until you call ``value(as:)``, ``send()``, ``stream()``, or one of the
/// methods for lines, values, and events.
public struct Call: Sendable {
    let client: Client
    var method: HTTPRequest.Method
    var path: String
    var baseURL: String?
    /// The URL of the call whose responses led here by links, or nil if the URL is the program's own. Without a base
    /// URL, credentials are sent only to its origin.
    var firstURL: String?
    /// The query as it is sent, without a question mark.
    var query = ""
    var headers = HTTPFields()
    var body: Body?
    /// The type of the body, used if the call sets no Content-Type.
    var bodyType: String?
    /// The first mistake, to be thrown when the call is sent.
    var problem: (any Error)?

    /// Nil for the client's timeout. An inner nil means no limit.
    var timeout: Duration??
    var connectTimeout: Duration??
    var idleTimeout: Duration??
    var redirects: RequestOptions.Redirects?

    var validation: [Validation] = []
    var interceptors: [any Interceptor] = []
    var transport: (any Transport)?
    var decoder: (any ResponseDecoder)?
    /// The elements of the body, if more can be added to it.
    var composedBody: ComposedBody?
    var progressMeters: [ProgressMeter] = []

    /// Nil for the client's policy.
    var retry: RetryPolicy?
    var authorization = Authorization.none
    var serverErrors: [ServerErrorDecoder] = []
    var transforms: [ResponseTransform] = []

    init(client: Client, method: HTTPRequest.Method, path: String) {
        self.client = client
        self.method = method
        self.path = path
    }

    /// Returns the call with a problem, unless it already has one.
    consuming func failing(
        _ code: ClientError.Code,
        _ message: String,
        underlying: (any Error)? = nil
    ) -> Call {
        if problem == nil { problem = ClientError(code, message, underlying: underlying) }
        return self
    }
}
