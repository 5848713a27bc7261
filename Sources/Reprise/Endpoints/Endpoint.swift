// SPDX-License-Identifier: Apache-2.0

/// A call with a name of its own, and what it answers.
///
/// ```swift
/// struct GetUser: Endpoint {
///     typealias Response = User
///     let id: String
///     var path: String { "/users/\(segment: id)" }
/// }
/// ```
///
/// ```swift
/// let user = try await api.send(GetUser(id: "a/b"))
/// ```
///
/// Only the path is required. ``configure(_:)`` has all the modifiers of a ``Call``. A class can be an endpoint too,
/// and a subclass of it add to what `super.configure(call)` returns. One enum can hold many endpoints; where their
/// responses differ, ``Client/send(_:as:)`` names them.
public protocol Endpoint {
    /// What it answers; ``EmptyResponse`` if it is not said.
    associatedtype Response = EmptyResponse

    /// Where it is, relative to the base URL, or an absolute URL.
    var path: String { get }

    /// Its method; GET by default.
    var method: HTTPRequest.Method { get }

    /// Its own base URL; nil, the default, for the client's.
    var baseURL: String? { get }

    /// What makes values of its responses; nil, the default, for the client's.
    var decoder: (any ResponseDecoder)? { get }

    /// Whether a decoder that the client was given replaces the endpoint's; true by default. A call's own does always.
    var allowsDecoderOverride: Bool { get }

    /// Adds what else belongs to the call; nothing by default.
    func configure(_ call: Call) -> Call

    /// Makes the value of a response; the default decodes what is `Decodable`.
    static func decode(_ response: BufferedResponse) throws -> Response

    /// Makes the value of a response without content; nil, the default, leaves it to ``decode(_:)``.
    static func empty(_ response: BufferedResponse) throws -> Response?
}

extension Endpoint {
    /// GET.
    public var method: HTTPRequest.Method { .get }

    /// The client's.
    public var baseURL: String? { nil }

    /// The client's.
    public var decoder: (any ResponseDecoder)? { nil }

    /// True.
    public var allowsDecoderOverride: Bool { true }

    /// Nil.
    public static func empty(_ response: BufferedResponse) throws -> Response? { nil }

    /// The call as it is.
    public func configure(_ call: Call) -> Call { call }
}

extension Endpoint where Response: Decodable {
    /// Decodes the content with the call's decoder.
    public static func decode(_ response: BufferedResponse) throws -> Response {
        try response.decode(as: Response.self)
    }
}

extension Endpoint where Response == Void {
    /// Whatever came is left aside.
    public static func decode(_ response: BufferedResponse) throws -> Response { () }
}

extension Endpoint where Response == BufferedResponse {
    /// The response as it is.
    public static func decode(_ response: BufferedResponse) throws -> Response { response }
}
