// SPDX-License-Identifier: Apache-2.0

/// Where the parts of a request that matching looks at are in the bytes of its head.
public struct RequestParts: Sendable, Hashable {
    /// The method.
    public var method: Range<Int>
    /// The path as sent, without the query; empty stands for `/` (an absolute-form target such as `http://host`).
    public var path: Range<Int>
    /// The query as sent, without the `?`; `nil` if there was none.
    public var query: Range<Int>?
    /// The authority: the Host header's value, or that of an absolute-form target (RFC 9112 section 3.2.2).
    public var host: Range<Int>?
    /// The Content-Type header's value.
    public var contentType: Range<Int>?
    /// The values of the headers in ``MatchingOptions/headerNames``, in that order; `nil` for one that was not sent.
    /// The values of several lines are joined with `", "` (RFC 9110 section 5.3). Empty if none are asked for.
    public var headerValues: [[UInt8]?]
    /// Whether the body is at hand. Without it, a near miss says nothing about bodies.
    public var isBodyKnown: Bool

    /// The parts of one request.
    public init(
        method: Range<Int>,
        path: Range<Int>,
        query: Range<Int>? = nil,
        host: Range<Int>? = nil,
        contentType: Range<Int>? = nil,
        headerValues: [[UInt8]?] = [],
        isBodyKnown: Bool = true
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.host = host
        self.contentType = contentType
        self.headerValues = headerValues
        self.isBodyKnown = isBodyKnown
    }
}
