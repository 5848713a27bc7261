// SPDX-License-Identifier: Apache-2.0

/// A request in the making, and how its response is to be understood.
///
/// ```swift
/// let users: [User] = try await api.get("/users")
///     .query("page", 2)
///     .header(.accept, "application/json")
///     .timeout(.seconds(10))
///     .value()
/// ```
///
/// A call is a value: each modifier returns a changed copy, so one call can be the start of several. What is wrong with
/// it (a header value with a line break, a second body, a NaN in JSON) is kept and thrown when it is sent, before
/// anything goes out. Nothing happens until one of the ends is called: ``value(as:)``, ``response()``, ``send()``,
/// ``stream()``, or one of the streams of lines, values and events.
public struct Call: Sendable {
    let client: Client
    var method: HTTPRequest.Method
    var path: String
    /// The endpoint's own base URL.
    var baseURL: String?
    /// As it goes over the wire, without a question mark.
    var query = ""
    var headers = HTTPFields()
    var body: Body?
    /// What the body is, for a Content-Type that nobody set.
    var bodyType: String?
    /// What the modifiers did wrong first.
    var problem: (any Error)?

    /// Nil for the client's; a limit of nil is none.
    var timeout: Duration??
    var connectTimeout: Duration??
    var redirects: RequestOptions.Redirects?

    var validation: [Validation] = []
    var interceptors: [any Interceptor] = []
    var transport: (any Transport)?
    var decoder: (any ResponseDecoder)?
    /// What the body is made of, if more may be added to it.
    var composedBody: ComposedBody?
    var progressMeters: [ProgressMeter] = []

    /// Nil for the client's.
    var retry: RetryPolicy?
    var authorization = Authorization.none
    var serverErrors: [ServerErrorDecoder] = []
    var transforms: [ResponseTransform] = []

    init(client: Client, method: HTTPRequest.Method, path: String) {
        self.client = client
        self.method = method
        self.path = path
    }

    /// The same call with a problem; the first one counts.
    consuming func failing(
        _ code: ClientError.Code,
        _ message: String,
        underlying: (any Error)? = nil
    ) -> Call {
        if problem == nil { problem = ClientError(code, message, underlying: underlying) }
        return self
    }
}
