// SPDX-License-Identifier: Apache-2.0

/// A request to a ``ConnectionPool``, which sends exactly the given parts in the given order.
///
/// The pool adds `Host` if the fields do not include it, and the field that frames the body (RFC 9112 section 6).
/// Line breaks and other control characters are never sent: a request that contains one fails with
/// ``ConnectionError/Kind/invalidRequest`` before anything is sent.
public struct OutgoingRequest: Sendable {
    /// The origin to send the request to.
    public var origin: Origin
    /// The method, a case-sensitive token. CONNECT is invalid, because the pool itself sends it to proxies.
    public var method: String
    /// The target in origin-form, `/path?query`, or `*` for OPTIONS (RFC 9112 section 3.2).
    public var target: String
    /// The field lines, in order.
    public var fields: [Field]
    /// The value of `Host`, or nil for the origin's own. The pool sends `Host` first, unless ``fields`` include it.
    public var authority: String?
    /// The body.
    public var body: OutgoingBody
    /// The time limit for resolving the host, connecting and the TLS handshake together, or nil for the pool's limit.
    public var connectTimeout: Duration?
    /// The time limit from the call until the response's head is complete, or nil for no limit.
    public var headTimeout: Duration?
    /// The time limit from the call until the response's body is complete, or nil for no limit.
    public var totalTimeout: Duration?

    /// Creates a request.
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

    /// A field line, encoded as `name: value`.
    public struct Field: Sendable, Hashable {
        /// The field name, a token.
        public var name: String
        /// The field value.
        public var value: String

        /// Creates a field line.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

/// The body of a request.
public enum OutgoingBody: Sendable {
    /// No body and no framing fields, except `Content-Length: 0` with methods that expect a body (POST, PUT, PATCH).
    case none
    /// A complete body, sent with its length.
    case bytes([UInt8])
    /// A body in pieces. It is sent with its length if that is known, and otherwise in chunked coding with one chunk
    /// for each piece.
    ///
    /// `next` is called after the connection has taken the previous piece, and not again after it returns nil. Empty
    /// pieces are skipped. If `next` throws an error, or if the pieces do not add up to the length, the request fails
    /// with ``ConnectionError/Kind/requestBody(_:)``.
    case stream(length: Int?, next: @Sendable () async throws -> [UInt8]?)
}
