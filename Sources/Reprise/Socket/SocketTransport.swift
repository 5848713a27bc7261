// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    private import HTTPConnections

    /// Live HTTP/1.1 over sockets: the default on Linux.
    ///
    /// It keeps connections open and shares them among requests, secures them with OpenSSL, tries a host's IPv6 and IPv4
    /// addresses, goes through the proxies that the environment names, follows redirections, and hands on what comes
    /// from the wire as it came: header lines, chunk boundaries, trailers, and how it ended.
    ///
    /// ```swift
    /// let staging = SocketTransport(.init(trust: .systemAnd(certificates: authorities)))
    /// let request = HTTPRequest(method: .get, scheme: "https", authority: "staging.example.com", path: "/")
    /// let response = try await staging.send(request)
    /// ```
    ///
    /// Let go of, it closes its connections, but not before the last body that came over it is let go of too.
    public final class SocketTransport: Transport {
        /// The one that clients use that were given none.
        public static let shared = SocketTransport()

        /// How it was set up.
        public let configuration: Configuration
        private let pool: ConnectionPool

        /// A transport without connections; nothing starts before the first request.
        public init(_ configuration: Configuration = Configuration()) {
            self.configuration = configuration
            pool = ConnectionPool(ConnectionPool.Configuration(configuration))
        }

        /// True: it ends a request when ``RequestOptions/timeout`` has passed.
        public var enforcesTimeout: Bool { true }

        /// Sends a request, follows redirections as far as `options` allow, and returns when the head is there.
        public func send(
            _ request: HTTPRequest,
            body: Body?,
            options: RequestOptions
        ) async throws(TransportError) -> Response {
            let start = ContinuousClock.now
            var limits = options
            var (next, body) = (request, body)
            var redirections = 0
            while true {
                let outgoing = try OutgoingRequest(next, body: body, options: limits)
                let incoming: IncomingResponse
                do throws(ConnectionError) {
                    incoming = try await pool.send(outgoing)
                } catch {
                    throw TransportError(error)
                }
                let head = HTTPResponse(incoming.head)
                guard case .follow(let limit) = options.redirects,
                    let redirection = try Redirection(head, to: next)
                else {
                    return Response(incoming, head: head, to: next, isRedirected: redirections > 0)
                }
                redirections += 1
                guard redirections <= limit else { throw TransportError(tooManyRedirects: limit, from: request) }
                if !redirection.keepsBody { body = nil }
                if let body, !body.isReplayable { throw TransportError(bodyOfRedirected: next, status: head.status) }
                next = redirection.request
                limits.timeout = options.timeout.map { $0 - start.duration(to: .now) }
            }
        }

        /// Closes all connections; requests and bodies in progress fail. Returns when all of it is over.
        public func shutDown() async {
            await pool.shutDown()
        }
    }

    extension Response {
        fileprivate init(_ incoming: IncomingResponse, head: HTTPResponse, to request: HTTPRequest, isRedirected: Bool)
        {
            self.init(
                head,
                rawHead: RawHead(bytes: incoming.head.bytes.dropLast(2)),
                body: Body(incoming.body),
                url: isRedirected ? request.urlText : nil
            )
        }
    }

    extension TransportError {
        fileprivate init(tooManyRedirects limit: Int, from request: HTTPRequest) {
            self.init(
                .tooManyRedirects,
                """
                \(request.method) \(request.urlText) was redirected more than \(limit) times; RequestOptions.redirects \
                says how often it may be
                """
            )
        }

        fileprivate init(bodyOfRedirected request: HTTPRequest, status: HTTPResponse.Status) {
            self.init(
                .requestBody,
                """
                \(request.method) \(request.urlText) was redirected with \(status.code), which repeats the body, and \
                the body can be read once; give one that is replayable
                """
            )
        }
    }
#endif
