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
/// Only the path is required. In ``configure(_:)``, you can use all modifiers of a ``Call``. A class can also be an
/// endpoint, and its subclasses can modify the result of `super.configure(call)`. One enum can contain many
/// endpoints. If their responses differ, use ``Client/send(_:as:)`` to specify the type.
public protocol Endpoint {
    /// The value of the response. The default is ``EmptyResponse``.
    associatedtype Response = EmptyResponse

    /// The path relative to the base URL, or an absolute URL.
    var path: Path { get }

    /// The method. The default is GET.
    var method: HTTPRequest.Method { get }

    /// The endpoint's base URL. If nil, which is the default, the client's is used.
    var baseURL: String? { get }

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
