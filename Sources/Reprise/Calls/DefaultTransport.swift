// SPDX-License-Identifier: Apache-2.0

/// What carries the requests of clients that were given no transport.
enum DefaultTransport {
    static let shared: any Transport = NoTransport()

    private struct NoTransport: Transport {
        func send(
            _ request: HTTPRequest,
            body: Body?,
            options: RequestOptions
        ) async throws(TransportError) -> Response {
            throw TransportError(.other, "there is no live transport on this platform: give the client one")
        }
    }
}
