// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    private import RepriseConnections

    /// Live HTTP/1.1 over sockets: the default on Linux.
    ///
    /// It keeps connections open and shares them among requests, secures them with OpenSSL, tries a host's IPv6 and IPv4
    /// addresses, goes through the proxies that the environment names, follows redirections, and hands on what comes
    /// from the wire as it came: header lines, chunk boundaries, trailers, and how it ended.
    ///
    /// ```swift
    /// let staging = SocketTransport(.init(trust: .systemAnd(authorities)))
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
        @concurrent
        public func send(
            _ request: HTTPRequest,
            body: Body?,
            options: RequestOptions
        ) async throws(TransportError) -> Response {
            try await options.following(request, body: body) { next, body, options throws(TransportError) in
                let outgoing = try OutgoingRequest(next, body: body, options: options)
                do throws(ConnectionError) {
                    return Response(try await pool.send(outgoing))
                } catch {
                    throw TransportError(error)
                }
            }
        }

        /// Closes all connections; requests and bodies in progress fail. Returns when all of it is over.
        public func shutDown() async {
            await pool.shutDown()
        }
    }

    extension Response {
        fileprivate init(_ incoming: IncomingResponse) {
            self.init(
                HTTPResponse(incoming.head),
                rawHead: RawHead(bytes: incoming.head.bytes.dropLast(2)),
                body: Body(incoming.body)
            )
            metrics = Metrics(incoming.timings)
        }
    }
#endif
