// SPDX-License-Identifier: Apache-2.0

/// A named call and the type of its response.
///
/// ```swift
/// struct GetUser: Endpoint {
///     typealias Response = User
///     let id: String
///     var path: Path { "/users/\(id)" }
/// }
/// ```
///
/// ```swift
/// let user = try await api.send(GetUser(id: "a/b"))
/// ```
///
/// Only the path is required. ``headers`` and ``body`` can have any of the types that calls accept. In
/// ``configure(_:)``, you can use all modifiers of a ``Call``. A class can also be an endpoint, and its subclasses can
/// modify the result of `super.configure(call)`. One enum can contain many endpoints. If their responses differ, use
/// ``Client/send(_:as:)`` to specify the type.
public protocol Endpoint {
    /// The value of the response. The default is ``EmptyResponse``.
    associatedtype Response = EmptyResponse

    /// The path relative to the base URL, or an absolute URL.
    var path: Path { get }

    /// The method. The default is GET.
    var method: HTTPRequest.Method { get }

    /// The type of ``baseURL``: `String` or `URL`, or an optional of one of them.
    associatedtype EndpointBaseURL = String?

    /// The endpoint's base URL. If nil, which is the default, the client's is used.
    ///
    /// If the property has another type, the call fails with ``ClientError/Code/invalidURL``.
    var baseURL: EndpointBaseURL { get throws }

    /// The type of ``headers``: `HTTPFields`, `[String: String]`, or `[HTTPField.Name: String]`. The values of a
    /// dictionary can be optional.
    associatedtype EndpointHeaders = HTTPFields

    /// The header fields of the request. By default, there are none. Values that are nil are left out.
    ///
    /// If the property has another type, the call fails with ``ClientError/Code/invalidParameters``.
    var headers: EndpointHeaders { get throws }

    /// The type of ``body``: any `Encodable` type, ``Body``, `String`, `Data`, or `[UInt8]`. It can be
    /// optional.
    associatedtype EndpointBody = Never?

    /// The content of the request. By default, there is none.
    ///
    /// ```swift
    /// struct Publish: Endpoint {
    ///     let path: Path = "/posts"
    ///     let method = HTTPRequest.Method.post
    ///     let body: Draft
    /// }
    /// ```
    ///
    /// A ``Body``, text, data, and bytes are sent unchanged. Any other `Encodable` value is sent as JSON, as
    /// with ``Call/json(_:encoder:)-(Encodable,_)``. If the property has another type, the call fails with
    /// ``ClientError/Code/invalidParameters``. For forms and files, use ``configure(_:)``.
    var body: EndpointBody { get throws }

    /// The decoder for the endpoint's responses. If nil, which is the default, the client's is used.
    var decoder: (any ResponseDecoder)? { get }

    /// Whether a decoder set on the client replaces the endpoint's. The default is true. A decoder set on the call
    /// always replaces it.
    var allowsDecoderOverride: Bool { get }

    /// Modifies the call. The default implementation returns it unchanged.
    func configure(_ call: Call) -> Call

    /// Creates the value of a response. If `Response` is `Decodable`, the default implementation decodes the content.
    static func decode(_ response: BufferedResponse) throws -> Response

    /// Creates the value of a response without content. If this returns nil, which is the default, ``decode(_:)`` is
    /// used.
    static func empty(_ response: BufferedResponse) throws -> Response?
}

extension Endpoint {
    /// Returns GET.
    public var method: HTTPRequest.Method { .get }

    /// Returns nil, so that the client's base URL is used.
    public var baseURL: String? { nil }

    /// Returns no fields.
    public var headers: HTTPFields { [:] }

    /// Returns nil, so that the request has no content.
    public var body: Never? { nil }

    /// Returns nil, so that the client's decoder is used.
    public var decoder: (any ResponseDecoder)? { nil }

    /// Returns true.
    public var allowsDecoderOverride: Bool { true }

    /// Returns nil.
    public static func empty(_ response: BufferedResponse) throws -> Response? { nil }

    /// Returns the call unchanged.
    public func configure(_ call: Call) -> Call { call }
}

extension Endpoint where Response: Decodable {
    /// Decodes the content with the call's decoder.
    public static func decode(_ response: BufferedResponse) throws -> Response {
        try response.decode(as: Response.self)
    }
}

extension Endpoint where Response == Void {
    /// Ignores the content.
    public static func decode(_ response: BufferedResponse) throws -> Response { () }
}

extension Endpoint where Response == BufferedResponse {
    /// Returns the response itself.
    public static func decode(_ response: BufferedResponse) throws -> Response { response }
}
