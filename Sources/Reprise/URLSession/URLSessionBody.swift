// SPDX-License-Identifier: Apache-2.0

/// The reader's end of an exchange: let go of, it ends it.
final class URLSessionBody: BodySource {
    private let exchange: URLSessionExchange

    init(_ exchange: URLSessionExchange) {
        self.exchange = exchange
    }

    deinit {
        cancel()
    }

    func next() async throws(TransportError) -> Body.Part? {
        // What Foundation hands over has nothing to do with chunks of the wire.
        try await exchange.nextChunk().map { .bytes($0, endsChunk: true) }
    }

    func cancel() {
        exchange.abort(TransportError(.cancelled, "the body was let go of"))
    }

    var metrics: Metrics? { exchange.metrics }
}
