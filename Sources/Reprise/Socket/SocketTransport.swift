// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    private import RepriseConnections

    /// A transport that sends HTTP/1.1 requests over sockets. It is the default on Linux.
    ///
    /// The transport keeps connections open and shares them among requests. It secures them with OpenSSL, tries a
    /// host's IPv6 and IPv4 addresses, uses the proxies that the environment specifies, and follows redirects. It
    /// preserves the response as received: header lines, chunk boundaries, trailer fields, and the ending.
    ///
    /// It asks for gzip, unless the request has an Accept-Encoding or Range field or is a HEAD request. Content in gzip or
    /// deflate is decoded as it is read, and Content-Encoding and Content-Length are then left out of the head.
    ///
    /// ```swift
    /// let staging = SocketTransport(.init(trust: .system(adding: authorities)))
    /// let request = HTTPRequest(method: .get, scheme: "https", authority: "staging.example.com", path: "/")
    /// let response = try await staging.send(request)
    /// ```
    ///
    /// When the transport is released, it closes its connections, but not before the last body received over them is
    /// released too.
    public final class SocketTransport: Transport {
        /// The transport of clients that were created without one.
        public static let shared = SocketTransport()

        /// The transport's configuration.
        public let configuration: Configuration
        private let pool: ConnectionPool

        /// Creates a transport without connections. It starts nothing before the first request.
        public init(_ configuration: Configuration = Configuration()) {
            self.configuration = configuration
            pool = ConnectionPool(ConnectionPool.Configuration(configuration))
        }

        /// True, because this transport ends a request when ``RequestOptions/timeout`` has passed.
        public var enforcesTimeout: Bool { true }

        /// Sends a request, follows redirects as far as `options` allow, and returns when the head has arrived.
        @concurrent
        public func send(
            _ request: HTTPRequest,
            body: Body?,
            options: RequestOptions
        ) async throws(TransportError) -> Response {
            try await options.following(request, body: body) { next, body, options throws(TransportError) in
                let outgoing = try OutgoingRequest(next, body: body, options: options)
                try NetworkGuard.check(next)
                do throws(ConnectionError) {
                    return Response(try await pool.send(outgoing)).decoded(answering: next, options)
                } catch {
                    throw TransportError(error)
                }
            }
        }

        /// Closes all connections, which fails requests and bodies in progress. Returns when everything has ended.
        public func shutDown() async {
            await pool.shutDown()
        }
    }

    extension Response {
        fileprivate init(_ incoming: IncomingResponse) {
            self.init(
                HTTPResponse(incoming.head),
                rawHead: RawHead(bytes: Array(incoming.head.bytes.prefix(incoming.head.bytes.count - 2))),
                body: Body(incoming.body).readOnce()
            )
            metrics = Metrics(incoming.timings)
        }
    }
#endif
