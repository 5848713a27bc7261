// SPDX-License-Identifier: Apache-2.0

/// How the end of a request's body is told (RFC 9112 section 6.3).
public enum BodyFraming: Sendable, Hashable {
    /// There is no body: neither Content-Length nor Transfer-Encoding.
    case none
    /// Content-Length said how many bytes follow; it may be 0.
    case length(Int)
    /// `Transfer-Encoding: chunked`.
    case chunked
}

/// How the end of a response's body is told (RFC 9112 section 6.3).
public enum ResponseBodyFraming: Sendable, Hashable {
    /// There is no body, whatever the fields say: an answer to HEAD, 1xx, 204 or 304.
    case none
    /// Content-Length said how many bytes follow; it may be 0.
    case length(Int)
    /// `Transfer-Encoding: chunked`.
    case chunked
    /// The body ends with the connection.
    case untilClose
    /// HTTP is over on this connection: 101, or 2xx to CONNECT.
    case tunnel
}
