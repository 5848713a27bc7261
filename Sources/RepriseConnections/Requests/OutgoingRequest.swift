// SPDX-License-Identifier: Apache-2.0

/// A request as a ``ConnectionPool`` sends it: what is given here is what is written, in this order.
///
/// The pool adds `Host` where the fields have none, and what frames the body (RFC 9112 section 6). Nothing with a line
/// end or another control character in it is ever written: such a request fails with
/// ``ConnectionError/Kind/invalidRequest`` before anything is sent.
public struct OutgoingRequest: Sendable {
    /// Where it goes.
    public var origin: Origin
    /// The method, a token whose case counts; not CONNECT, which a pool itself sends to a proxy.
    public var method: String
    /// The target in origin-form, `/path?query`, or `*` for OPTIONS (RFC 9112 section 3.2).
    public var target: String
    /// The field lines, in order.
    public var fields: [Field]
    /// What `Host` says, which is written first unless ``fields`` have one; nil for the origin's own.
    public var authority: String?
    /// The body.
    public var body: OutgoingBody
    /// How long finding the host, connecting and securing the connection may take together; nil for the pool's limit.
    public var connectTimeout: Duration?
    /// How long it may take from the call until the response's head is complete; nil for no limit.
    public var headTimeout: Duration?
    /// How long it may take from the call until the response's body is complete; nil for no limit.
    public var totalTimeout: Duration?

    /// A request.
    public init(
        _ method: String = "GET",
        _ target: String,
        at origin: Origin,
        fields: [Field] = [],
        body: OutgoingBody = .none
    ) {
        self.origin = origin
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }

    /// A field line, written as `name: value`.
    public struct Field: Sendable, Hashable {
        /// The name, a token.
        public var name: String
        /// The value.
        public var value: String

        /// A field line.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

/// The body of a request.
public enum OutgoingBody: Sendable {
    /// No body, and nothing that frames one; of methods that expect one (POST, PUT, PATCH) `Content-Length: 0`.
    case none
    /// All of it, with its length.
    case bytes([UInt8])
    /// Piece by piece, with its length if that is known, else in chunked coding, a chunk for each piece.
    ///
    /// `next` is called again when the connection has taken the piece before, and no more after it returned nil. Empty
    /// pieces are passed over. What it throws ends the request with ``ConnectionError/Kind/requestBody(_:)``; so do
    /// pieces that do not add up to the length.
    case stream(length: Int?, next: @Sendable () async throws -> [UInt8]?)
}
