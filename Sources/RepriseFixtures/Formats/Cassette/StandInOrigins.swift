// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseMatching
internal import RepriseText

/// Finds the stand-ins that first occur in a response of a cassette. Bodies in files are not read.
struct StandInOrigins {
    private let texts: StandInTexts
    /// The numbers of the entries that have not occurred yet.
    private var unseen: Set<Int>
    /// The numbers of the entries that first occur in a response.
    private(set) var handedOut: Set<Int> = []

    init(_ texts: StandInTexts, _ cassette: Cassette) {
        self.texts = texts
        unseen = Set(texts.entries.indices.filter { texts.entries[$0].meaning == .secret })
        // A single secret is never one of several.
        guard unseen.count > 1 else { return }
        for exchange in cassette.exchanges where !unseen.isEmpty { look(at: exchange) }
    }

    private mutating func look(at exchange: Exchange) {
        let request = exchange.request
        var sent = entries(in: Array(request.url.utf8)).union(entries(in: request.headers + request.trailers))
        if case .bytes(let bytes)? = request.body?.source { sent.formUnion(entries(in: bytes)) }
        unseen.subtract(sent)
        guard !unseen.isEmpty, case .response(let response) = exchange.outcome else { return }
        var received = entries(in: response.headers + response.trailers)
        switch response.content {
        case .none: break
        case .body(let body):
            if case .bytes(let bytes) = body.source { received.formUnion(entries(in: bytes)) }
        case .stream(let steps):
            let pieces = steps.map { step in if case .bytes(let bytes) = step.event { bytes } else { [UInt8]() } }
            received.formUnion(entries(in: Array(pieces.joined())))
        }
        handedOut.formUnion(received.intersection(unseen))
        unseen.subtract(received)
    }

    private func entries(in lines: [HeaderLine]) -> Set<Int> {
        lines.reduce(into: []) { $0.formUnion(entries(in: $1.bytes)) }
    }

    private func entries(in bytes: [UInt8]) -> Set<Int> { texts.entries(in: bytes.span) }
}
