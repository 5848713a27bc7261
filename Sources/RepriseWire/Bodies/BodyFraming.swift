// SPDX-License-Identifier: Apache-2.0

/// How a request's body is delimited (RFC 9112 section 6.3).
public enum BodyFraming: Sendable, Hashable {
    /// There is no body, because the head has neither Content-Length nor Transfer-Encoding.
    case none
    /// The number of bytes in Content-Length, which may be 0.
    case length(Int)
    /// `Transfer-Encoding: chunked`.
    case chunked
}

/// How a response's body is delimited (RFC 9112 section 6.3).
public enum ResponseBodyFraming: Sendable, Hashable {
    /// There is no body, regardless of the fields: a response to HEAD, or with status 1xx, 204 or 304.
    case none
    /// The number of bytes in Content-Length, which may be 0.
    case length(Int)
    /// `Transfer-Encoding: chunked`.
    case chunked
    /// The body ends when the connection closes.
    case untilClose
    /// The connection no longer carries HTTP: 101, or 2xx to CONNECT.
    case tunnel
}
