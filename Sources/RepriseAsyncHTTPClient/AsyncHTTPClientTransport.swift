// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    public import AsyncHTTPClient
    internal import NIOCore
    internal import NIOHTTP1
    public import Reprise

    /// A transport that sends HTTP/2 and HTTP/1.1 requests through async-http-client. It requires the package trait
    /// `AsyncHTTPClient`.
    ///
    /// A slow reader slows down the server, and a slow server slows down the request's body. Details that
    /// async-http-client does not report are lost: the original header lines (``Response/rawHead`` is nil), the
    /// boundaries of chunks, trailer fields, and how long each phase of a request took. The transport ignores
    /// ``RequestOptions/connectTimeout`` and uses the configuration's connect timeout instead.
    ///
    /// Content in gzip or deflate is decoded as it is read, unless the configuration enables async-http-client's own
    /// decompression.
    ///
    /// When the transport is released, it closes its connections, but not before the last body received over them is
    /// released too. An existing client passed to ``init(client:)`` is not shut down.
    public final class AsyncHTTPClientTransport: Transport {
        private let owner: ClientOwner
        /// Whether this transport undoes content codings, because async-http-client does not.
        private let decodesContent: Bool

        /// Creates a transport with its own client.
        ///
        /// - Parameter configuration: The configuration of the client. The client should not follow redirects itself,
        ///   because the transport does.
        public init(configuration: HTTPClient.Configuration = AsyncHTTPClientTransport.defaultConfiguration) {
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            owner = ClientOwner(client, isOwner: true)
            if case .disabled = configuration.decompression { decodesContent = true } else { decodesContent = false }
        }

        /// Creates a transport with an existing client, which you must shut down yourself.
        ///
        /// - Parameter client: The client that sends the requests. It should not follow redirects itself. Content codings
        ///   are left to its configuration.
        public init(client: HTTPClient) {
            owner = ClientOwner(client, isOwner: false)
            decodesContent = false
        }

        /// A new configuration: HTTP/2 if the server supports it, up to 64 HTTP/1.1 connections to a host, 10 seconds
        /// to connect, no redirects, no decompression, and no time limits except ``RequestOptions/timeout``.
        public static var defaultConfiguration: HTTPClient.Configuration {
            var configuration = HTTPClient.Configuration(
                redirectConfiguration: .disallow,
                timeout: .init(connect: .seconds(10)),
                decompression: .disabled
            )
            configuration.httpVersion = .automatic
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
            // Retries are left to a retry policy.
            configuration.connectionPool.retryConnectionEstablishment = false
            return configuration
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
            var outgoing = try HTTPClientRequest(request, body: body)
            if decodesContent, request.mayAskForGzip { outgoing.headers.add(name: "Accept-Encoding", value: "gzip") }
            try NetworkGuard.check(request)
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
                let response = Response(
                    HTTPResponse(incoming),
                    body: Body(body, length: incoming.length(for: request))
                )
                return decodesContent ? response.decoded(answering: request, options) : response
            } catch {
                throw pending.failure(error, isInBody: false)
            }
        }
    }

    /// Owns a client and shuts it down when it is no longer needed.
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
