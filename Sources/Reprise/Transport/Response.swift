// SPDX-License-Identifier: Apache-2.0

/// A response whose head is there and whose body may still be on its way.
public struct Response: Sendable {
    /// The status and the header fields. Values are trimmed and normalised; see ``rawHead`` for the wire's own.
    public var head: HTTPResponse
    /// The status line and header lines as they came, where the transport has them.
    public var rawHead: RawHead?
    /// The content.
    public var body: Body
    /// The URL that answered, where it is known: another than the request's after a redirection.
    public var url: String?

    /// How long the steps of the request took, as far as the transport tells by now; all of them unknown by default.
    /// Foundation tells when the body is at its end.
    public var metrics: Metrics {
        get { body.metrics ?? ownMetrics }
        set { ownMetrics = newValue }
    }
    private var ownMetrics = Metrics()

    /// A response.
    ///
    /// - Parameters:
    ///   - head: the status and the header fields.
    ///   - rawHead: the same as bytes of the wire, where there are any.
    ///   - body: the content.
    ///   - url: the URL that answered.
    public init(_ head: HTTPResponse, rawHead: RawHead? = nil, body: Body = .empty, url: String? = nil) {
        self.head = head
        self.rawHead = rawHead
        self.body = body
        self.url = url
    }

    /// The status.
    public var status: HTTPResponse.Status { head.status }

    /// The header fields.
    public var headerFields: HTTPFields { head.headerFields }

    /// How the body ended; nil until then, and if its reader gave up before the end.
    public var ending: Ending? { body.ending }

    /// The trailer fields (RFC 9110 section 6.5), once the body was read to its end; nil if there were none.
    public var trailers: HTTPFields? { body.trailers }
}
