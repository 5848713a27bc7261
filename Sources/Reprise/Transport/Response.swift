// SPDX-License-Identifier: Apache-2.0

/// A response whose head has arrived and whose body may still be in transit.
public struct Response: Sendable {
    /// The status and the header fields. Values are trimmed and normalized. For the original lines, see ``rawHead``.
    public var head: HTTPResponse
    /// The status line and header lines as received, if the transport provides them.
    public var rawHead: RawHead?
    /// The content.
    public var body: Body
    /// The URL that the response came from, if known. After a redirect, it differs from the request's URL.
    public var url: String?

    /// The durations of the request's steps, as far as the transport has reported them. By default, all are unknown.
    /// Foundation reports them at the end of the body.
    public var metrics: Metrics {
        get { body.metrics ?? ownMetrics }
        set { ownMetrics = newValue }
    }
    private var ownMetrics = Metrics()

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - head: The status and the header fields.
    ///   - rawHead: The head as received, if available.
    ///   - body: The content.
    ///   - url: The URL that the response came from.
    public init(_ head: HTTPResponse, rawHead: RawHead? = nil, body: Body = .empty, url: String? = nil) {
        self.head = head
        self.rawHead = rawHead
        self.body = body
        self.url = url
    }

    /// The status.
    public var status: HTTPResponse.Status { head.status }

    /// The header fields.
    public var headers: HTTPFields {
        get { head.headerFields }
        set { head.headerFields = newValue }
    }

    /// How the body ended, or nil if it has not been read to its end.
    public var ending: Ending? { body.ending }

    /// The trailer fields (RFC 9110 section 6.5), or nil if there are none or the body has not been read to its end.
    public var trailers: HTTPFields? { body.trailers }
}
