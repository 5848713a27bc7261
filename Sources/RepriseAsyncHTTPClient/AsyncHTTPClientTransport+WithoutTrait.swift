// SPDX-License-Identifier: Apache-2.0

#if !AsyncHTTPClient
    public import Reprise

    /// HTTP/2 through async-http-client, which is there with the package trait `AsyncHTTPClient` only: whoever uses it
    /// without is told so, whichever way it is made.
    @available(
        *,
        unavailable,
        message: """
            the package trait AsyncHTTPClient is off: turn it on with \
            .package(url: …, from: …, traits: ["AsyncHTTPClient"])
            """
    )
    public struct AsyncHTTPClientTransport: Transport {
        /// A transport with a client of its own.
        public init() {}

        /// A transport with a client of its own.
        public init(configuration: Any) {}

        /// A transport with a client of one's own.
        public init(client: Any) {}

        /// The configuration of a client.
        public static var defaultConfiguration: Any { () }

        /// Sends nothing.
        @concurrent
        public func send(
            _ request: HTTPRequest,
            body: Body?,
            options: RequestOptions
        ) async throws(TransportError) -> Response {
            throw TransportError(.other, "the package trait AsyncHTTPClient is off")
        }
    }
#endif
