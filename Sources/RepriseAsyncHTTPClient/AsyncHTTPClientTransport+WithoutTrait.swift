// SPDX-License-Identifier: Apache-2.0

#if !AsyncHTTPClient
    public import Reprise

    /// A placeholder for the transport that is available only with the package trait `AsyncHTTPClient`. Any use of it
    /// without the trait reports how to enable it.
    @available(
        *,
        unavailable,
        message: """
            the package trait AsyncHTTPClient is disabled; enable it with \
            .package(url: …, from: …, traits: [.defaults, "AsyncHTTPClient"])
            """
    )
    public struct AsyncHTTPClientTransport: Transport {
        /// Creates a transport with its own client.
        public init() {}

        /// Creates a transport with its own client.
        public init(configuration: Any) {}

        /// Creates a transport with an existing client.
        public init(client: Any) {}

        /// The default configuration of a client.
        public static var defaultConfiguration: Any { () }

        /// Always throws.
        @concurrent
        public func send(
            _ request: HTTPRequest,
            body: Body?,
            options: RequestOptions
        ) async throws(TransportError) -> Response {
            throw TransportError(.other, "the package trait AsyncHTTPClient is disabled")
        }
    }
#endif
