// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    public import AsyncHTTPClient
    internal import NIOCore
    public import Reprise

    /// Live HTTP/2 and HTTP/1.1 through async-http-client, with the package trait `AsyncHTTPClient`.
    ///
    /// A slow reader slows the server down, and a slow server the request's body. What async-http-client does not tell is
    /// lost: the wire's own header lines (``Response/rawHead`` is nil), the boundaries of chunks, trailers, and the times of
    /// its steps. ``RequestOptions/connectTimeout`` is not regarded; the configuration's is.
    ///
    /// Let go of, it closes its connections, but not before the last body that came over it is let go of too. A client of
    /// one's own stays as it is.
    public final class AsyncHTTPClientTransport: Transport {
        private let owner: ClientOwner

        /// A transport with a client of its own.
        ///
        /// - Parameter configuration: how the client works. Redirections are followed as by every transport, so that it
        ///   should follow none itself.
        public init(configuration: HTTPClient.Configuration = AsyncHTTPClientTransport.defaultConfiguration) {
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            owner = ClientOwner(client, isOwner: true)
        }

        /// A transport with a client of one's own, which has to be shut down by whoever made it.
        ///
        /// - Parameter client: what sends the requests. It should follow no redirections itself.
        public init(client: HTTPClient) {
            owner = ClientOwner(client, isOwner: false)
        }

        /// A new configuration: HTTP/2 where the server speaks it, up to 64 connections of HTTP/1.1 to a host, 10 seconds
        /// to connect, no redirections, no decompression, and no limits of time but ``RequestOptions/timeout``.
        public static var defaultConfiguration: HTTPClient.Configuration {
            var configuration = HTTPClient.Configuration(
                redirectConfiguration: .disallow,
                timeout: .init(connect: .seconds(10)),
                decompression: .disabled
            )
            configuration.httpVersion = .automatic
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
            // Who wants another attempt says so with a retry policy.
            configuration.connectionPool.retryConnectionEstablishment = false
            return configuration
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
            try await options.following(request, body: body) { request, body, options throws(TransportError) in
                try await exchange(request, body: body, options: options)
            }
        }

        private func exchange(
            _ request: HTTPRequest,
            body: Body?,
            options: RequestOptions
        ) async throws(TransportError) -> Response {
            let pending = PendingRequest(request: request, options: options)
            if Task.isCancelled { throw pending.failure(CancellationError(), isInBody: false) }
            let outgoing = try HTTPClientRequest(request, body: body)
            let deadline = options.timeout.map { ContinuousClock.now + $0 }
            let limit: NIODeadline = options.timeout.map { .now() + TimeAmount($0) } ?? .distantFuture
            do {
                let incoming = try await owner.client.execute(outgoing, deadline: limit)
                let isLimited = options.timeoutScope == .wholeResponse
                let body = HTTPClientBody(
                    incoming.body,
                    of: pending,
                    deadline: isLimited ? deadline : nil,
                    owner: owner
                )
                return Response(HTTPResponse(incoming), body: Body(body, length: incoming.length(for: request)))
            } catch {
                throw pending.failure(error, isInBody: false)
            }
        }
    }

    /// Ends a client when nobody needs it any more.
    final class ClientOwner: Sendable {
        let client: HTTPClient
        private let isOwner: Bool

        init(_ client: HTTPClient, isOwner: Bool) {
            self.client = client
            self.isOwner = isOwner
        }

        deinit {
            guard isOwner else { return }
            let client = client
            Task.detached { try? await client.shutdown() }
        }
    }
#endif
