// SPDX-License-Identifier: Apache-2.0

/// The requests that a stub answers. All conditions must hold.
public struct StubRequest: Sendable, Hashable {
    /// The methods.
    public var method: Method
    /// The path, or the path with the query.
    public var url: URLCondition
    /// Conditions on the parameters of a ``URLCondition/pathTemplate(_:)``.
    public var pathParameters: [NamedMatcher]
    /// `http` or `https`; `nil` for both.
    public var scheme: String?
    /// A condition on the host of the Host field or of an absolute target, without the port.
    public var host: ValueMatcher?
    /// The port of the Host field or of an absolute target; `nil` for any.
    public var port: Int?
    /// A condition on the address of the client.
    public var clientIP: ValueMatcher?
    /// Conditions on decoded query parameters. Names are case-sensitive.
    public var query: [NamedMatcher]
    /// Conditions on header fields. Names ignore case.
    public var headers: [NamedMatcher]
    /// Conditions on cookies. Names are case-sensitive. A missing cookie satisfies only ``ValueMatcher/absent``.
    public var cookies: [NamedMatcher]
    /// Conditions on the fields of a form (`application/x-www-form-urlencoded`). Names are case-sensitive.
    public var form: [NamedMatcher]
    /// The credentials of Basic authentication (RFC 7617).
    public var basicAuth: BasicAuth?
    /// Conditions on the content.
    public var body: [ValueMatcher]
    /// Conditions on the parts of multipart content.
    public var multipart: [MultipartCondition]
    /// The name of an extension of WireMock that compares requests. Extensions do not run here, so that a stub with one
    /// matches no request.
    public var customMatcher: String?

    /// Creates a condition that every request satisfies, unless a method or a URL is given.
    public init(method: Method = .any, url: URLCondition = .any) {
        self.method = method
        self.url = url
        pathParameters = []
        query = []
        headers = []
        cookies = []
        form = []
        body = []
        multipart = []
    }

    /// The methods that a stub answers. Methods are case-sensitive (RFC 9110, section 9.1).
    public enum Method: Sendable, Hashable {
        /// Every method.
        case any
        /// One of these methods.
        case oneOf([String])
        /// Every method except these.
        case noneOf([String])
    }

    /// A condition on the target of a request.
    public enum URLCondition: Sendable, Hashable {
        /// Every target.
        case any
        /// Exactly this path and query, as sent.
        case equalTo(String)
        /// The path and query, as sent, match this regular expression as a whole.
        case matching(String)
        /// Exactly this path, as sent. The query does not matter.
        case path(String)
        /// The path, as sent, matches this regular expression as a whole.
        case pathMatching(String)
        /// The path has the segments of this template, such as `/users/{id}`.
        case pathTemplate(String)
    }

    /// The credentials of Basic authentication (RFC 7617).
    public struct BasicAuth: Sendable, Hashable {
        /// The user name.
        public var username: String
        /// The password.
        public var password: String

        /// Creates credentials.
        public init(username: String, password: String) {
            self.username = username
            self.password = password
        }
    }
}

/// A condition on the value with a name: a header field, a query parameter, a cookie, or a form field.
public struct NamedMatcher: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The condition on the values with this name. If there are several, one that satisfies it is enough.
    public var matcher: ValueMatcher

    /// Creates a condition on the value with a name.
    public init(_ name: String, _ matcher: ValueMatcher) {
        self.name = name
        self.matcher = matcher
    }
}

/// A condition on the parts of multipart content.
public struct MultipartCondition: Sendable, Hashable {
    /// Whether all parts must satisfy the conditions, instead of at least one.
    public var appliesToAll: Bool
    /// The name of the part in the mapping file. It is not compared.
    public var name: String?
    /// A condition on the file name of the part.
    public var fileName: ValueMatcher?
    /// Conditions on the header fields of the part.
    public var headers: [NamedMatcher]
    /// Conditions on the content of the part.
    public var body: [ValueMatcher]

    /// Creates a condition that every part satisfies.
    public init(appliesToAll: Bool = false) {
        self.appliesToAll = appliesToAll
        headers = []
        body = []
    }
}
