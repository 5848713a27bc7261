// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseFixtures
internal import RepriseMatching
internal import RepriseStubAnswers
internal import RepriseText

/// The stubs that can answer one request.
struct StubLookup {
    let facts: StubRequestFacts
    private let first: Found
    /// The stubs found in other layers. Usually there is only one layer.
    private let others: [Found]
    private let play: StubPlay

    /// The stubs of a layer whose target matches that of the request.
    private struct Found {
        let layer: StubLayer
        let candidates: StubCatalog.Candidates
    }

    /// The answer of a stub.
    struct Turn: Sendable {
        let layer: StubLayer
        /// The number of the stub in the layer.
        let stub: Int
        /// The number of the answer of this stub, starting at 1.
        let ordinal: Int
    }

    /// Finds the stubs for a request; nil if no stub's target matches that of the request.
    init?(
        _ state: ServingState,
        _ request: RequestView,
        isSecure: Bool,
        peer: () -> String,
        limit: WorkLimit
    ) {
        var first: Found?
        var others: [Found] = []
        for layer in state.stubs.layers {
            let candidates = layer.catalog.candidates(request)
            guard !candidates.isEmpty else { continue }
            let found = Found(layer: layer, candidates: candidates)
            if first == nil { first = found } else { others.append(found) }
        }
        guard let first else { return nil }
        self.first = first
        self.others = others
        play = state.stubPlay
        facts = Self.facts(request, state, isSecure: isSecure, peer: peer, limit: limit)
    }

    /// Returns the parts of a request that stub conditions compare.
    static func facts(
        _ request: RequestView,
        _ state: ServingState,
        isSecure: Bool,
        peer: () -> String,
        limit: WorkLimit
    ) -> StubRequestFacts {
        StubRequestFacts(
            OwnedRequest(request),
            scheme: isSecure ? "https" : "http",
            clientIP: peer(),
            basePath: state.session?.id.removedPrefix(of: request) ?? "",
            limit: limit
        )
    }

    /// Takes the answer of the first stub that matches the request and is ready; nil if there is none, or if the work
    /// is interrupted.
    func take(_ precedence: StubCatalog.Precedence) -> Turn? {
        if others.isEmpty, first.layer.isWhole {
            return first.layer.catalog.take(first.candidates, precedence, facts, play).map {
                Turn(layer: first.layer, stub: $0.stub, ordinal: $0.ordinal)
            }
        }
        var merge = StubMerge(([first] + others).map { ($0.layer, $0.candidates) }, precedence, facts)
        var matching: [(layer: StubLayer, stub: Int)] = []
        var entries: [ServedStub] = []
        while let (layer, stub) = merge.next() {
            let entry = layer.catalog.entries[stub]
            guard entry.stub.request.matches(facts) else {
                if facts.isInterrupted { return nil }
                continue
            }
            matching.append((layer, stub))
            entries.append(entry)
            // The stubs after it are never tried.
            if entry.stub.isStateless { break }
        }
        guard !facts.isInterrupted else { return nil }
        return play.take(entries).map { index, ordinal in
            Turn(layer: matching[index].layer, stub: matching[index].stub, ordinal: ordinal)
        }
    }
}

/// Merges the candidate stubs of several layers into one order, without hidden ones.
private struct StubMerge {
    private var queues: [Queue] = []

    private struct Queue {
        let layer: StubLayer
        var rest: StubCatalog.Asked
        /// The next stub of the layer.
        var head: Int

        init?(_ layer: StubLayer, _ asked: StubCatalog.Asked) {
            self.layer = layer
            rest = asked
            head = 0
            guard advance() else { return nil }
        }

        /// Returns `false` if there are no more stubs.
        mutating func advance() -> Bool {
            while let next = rest.next() {
                guard layer.serves(next) else { continue }
                head = next
                return true
            }
            return false
        }

        var entry: ServedStub { layer.catalog.entries[head] }
    }

    init(
        _ found: [(StubLayer, StubCatalog.Candidates)],
        _ precedence: StubCatalog.Precedence,
        _ facts: StubRequestFacts
    ) {
        queues = found.compactMap { layer, candidates in
            Queue(layer, layer.catalog.asked(candidates, precedence, facts))
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
