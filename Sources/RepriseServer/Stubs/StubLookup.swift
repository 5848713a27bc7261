// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseText

/// The stubs that can answer one request. Not copied, because each copy would count references.
struct StubLookup: ~Copyable {
    /// The request, decoded. Nil as long as the stubs look at nothing but the method and the target.
    private(set) var facts: DecodedRequest?
    private let state: ServingState
    private let first: Found
    /// The stubs found in other layers. Usually there is only one layer.
    private let others: [Found]

    /// The stubs of a layer whose target matches that of the request.
    private struct Found {
        /// The number of the layer.
        let layer: Int
        let candidates: StubCatalog.Candidates
    }

    /// The answer of a stub.
    struct Turn: Sendable {
        let layer: StubLayer.Content
        /// The number of the stub in the layer.
        let stub: Int
        /// The number of the answer of this stub, starting at 1.
        let ordinal: Int
    }

    /// Finds the stubs for a request; nil if no stub's target matches that of the request.
    init?(_ state: ServingState, _ request: RequestView) {
        var first: Found?
        var others: [Found] = []
        for layer in state.stubs.layers.indices {
            let candidates = state.stubs.layers[layer].catalog.candidates(request)
            guard !candidates.isEmpty else { continue }
            let found = Found(layer: layer, candidates: candidates)
            if first == nil { first = found } else { others.append(found) }
        }
        guard let first else { return nil }
        self.state = state
        self.first = first
        self.others = others
    }

    /// Takes the answer of the first stub that matches the request and is ready; nil if there is none, or if the work
    /// is interrupted.
    ///
    /// - Parameter decode: Returns the request, decoded.
    mutating func take(
        _ precedence: StubCatalog.Precedence,
        method: Span<UInt8>,
        _ decode: () -> DecodedRequest
    ) -> Turn? {
        var known = facts
        defer { facts = known }
        func decoded() -> DecodedRequest {
            let facts = known ?? decode()
            known = facts
            return facts
        }
        if others.isEmpty, state.stubs.layers[first.layer].isWhole {
            let layer = state.stubs.layers[first.layer].content
            let taken = layer.catalog.take(first.candidates, precedence, method: method, state.stubPlay, decoded)
            return taken.map { Turn(layer: layer, stub: $0.stub, ordinal: $0.ordinal) }
        }
        let found = ([first] + others).map { (state.stubs.layers[$0.layer], $0.candidates) }
        guard var merge = StubMerge(found, precedence, decoded) else { return nil }
        var matching: [(layer: StubLayer, stub: Int)] = []
        var entries: [StubEntry] = []
        while let (layer, stub) = merge.next() {
            let entry = layer.catalog.entries[stub]
            guard let isMatch = entry.rule.request.matches(method: method, decoded) else { return nil }
            guard isMatch else { continue }
            matching.append((layer, stub))
            entries.append(entry)
            // The stubs after it are never tried.
            if entry.rule.isStateless { break }
        }
        return state.stubPlay.take(entries).map { index, ordinal in
            Turn(layer: matching[index].layer.content, stub: matching[index].stub, ordinal: ordinal)
        }
    }
}

/// Merges the candidate stubs of several layers into one order, without hidden ones.
private struct StubMerge {
    private var queues: [Queue] = []

    private struct Queue {
        let layer: StubLayer
        var rest: StubCatalog.Asked
        var head = 0

        var entry: StubEntry { layer.catalog.entries[head] }

        /// Returns `false` if there are no more stubs.
        mutating func advance() -> Bool {
            while let next = rest.next() {
                guard layer.serves(next) else { continue }
                head = next
                return true
            }
            return false
        }
    }

    /// Returns nil if the work is interrupted.
    init?(
        _ found: [(StubLayer, StubCatalog.Candidates)],
        _ precedence: StubCatalog.Precedence,
        _ facts: () -> DecodedRequest
    ) {
        for (layer, candidates) in found {
            guard let asked = layer.catalog.asked(candidates, precedence, facts) else { return nil }
            var queue = Queue(layer: layer, rest: asked)
            if queue.advance() { queues.append(queue) }
        }
    }

    mutating func next() -> (layer: StubLayer, stub: Int)? {
        guard var place = queues.indices.first else { return nil }
        for other in queues.indices.dropFirst() where queues[other].entry.precedes(queues[place].entry) {
            place = other
        }
        let (layer, stub) = (queues[place].layer, queues[place].head)
        if !queues[place].advance() { queues.remove(at: place) }
        return (layer, stub)
    }
}
