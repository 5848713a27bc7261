// SPDX-License-Identifier: Apache-2.0

/// The body of an exchange. Releasing it ends the exchange.
final class URLSessionBody: BodySource {
    private let exchange: URLSessionExchange

    init(_ exchange: URLSessionExchange) {
        self.exchange = exchange
    }

    deinit {
        cancel()
    }

    func next() async throws(TransportError) -> Body.Part? {
        // The data that Foundation delivers is unrelated to chunks on the wire.
        try await exchange.nextChunk().map { .bytes($0, endsChunk: true) }
    }

    func cancel() {
        exchange.abort(TransportError(.cancelled, "the body was released before it was complete"))
    }

    var metrics: Metrics? { exchange.metrics }
}
