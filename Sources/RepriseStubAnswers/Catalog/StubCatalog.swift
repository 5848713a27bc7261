// SPDX-License-Identifier: Apache-2.0

package import RepriseMatching
internal import RepriseStubs
package import RepriseText

/// Stubs that are served together, found by an index. Immutable; the state that requests change is in a ``StubPlay``.
package final class StubCatalog: Sendable {
    /// The stubs, by their number in the catalog: the oldest first.
    package let entries: [ServedStub]
    let index: StubIndex
    /// The stubs by target, for near misses.
    let neighbors: StubNeighbors
    /// The numbers of the stubs by rank: by priority, and then the newest first.
    let order: [Int]
    /// The first rank of the stubs that come after recordings and routes: those with a priority above the default.
    fileprivate let firstLate: Int
    /// Whether any stub needs the content of requests.
    package let needsContent: Bool
    /// Whether other servers answer instead of stubs.
    package let hasProxies: Bool

    /// Creates a catalog of stubs in file order: a later one is newer.
    package convenience init(_ stubs: [StubFixture]) {
        self.init(stubs.enumerated().map { ServedStub($1, number: $0) })
    }

    /// Creates a catalog of stubs, the oldest first.
    package init(_ entries: [ServedStub]) {
        self.entries = entries
        order = entries.indices.sorted { one, other in
            let (first, second) = (entries[one].stub.priority, entries[other].stub.priority)
            return first == second ? one > other : first < second
        }
        let order = order
        index = StubIndex(order.map { entries[$0].stub.request.key })
        neighbors = StubNeighbors(order.map { entries[$0].stub.request.url.start })
        firstLate = order.firstIndex { entries[$0].stub.priority > StubMapping.defaultPriority } ?? order.count
        needsContent = entries.contains { $0.stub.needsContent }
        hasProxies = entries.contains { if case .proxy = $0.stub.answer.kind { true } else { false } }
    }

    /// Returns a stub by its number in the catalog.
    package subscript(_ stub: Int) -> StubFixture { entries[stub].stub }

    /// Which stubs are tried.
    package enum Precedence: Sendable {
        /// Those that answer before recordings and routes: with the default priority or a lower number.
        case early
        /// Those that answer after recordings and routes: with a number above the default priority.
        case late
    }

    /// Stubs that can answer a request, judging by its target.
    package struct Candidates {
        let found: StubIndex.Candidates

        /// Whether there are none.
        package var isEmpty: Bool { found.isEmpty }
    }

    /// Returns the stubs that can answer a request. The content need not be known.
    package func candidates(_ request: RequestView) -> Candidates {
        if let query = request.ranges.query, !query.isEmpty, query.lowerBound == request.ranges.path.upperBound + 1 {
            let url = request.head.extracting(request.ranges.path.lowerBound..<query.upperBound)
            return Candidates(found: index.candidates(url: url, path: request.path))
        }
        guard request.path.count > 0 else {
            let root: [UInt8] = [UInt8(ascii: "/")] + (request.hasQuery ? [UInt8(ascii: "?")] : [])
            let url = (root + [UInt8](bytes: request.query))[...]
            let path = url.prefix(1)
            return Candidates(found: index.candidates(url: url.span, path: path.span))
        }
        return Candidates(found: index.candidates(url: request.path, path: request.path))
    }

    /// Takes the answer of the first stub that matches a request and is ready. Takes none if the work is interrupted
    /// (``StubRequestFacts/isInterrupted``).
    ///
    /// - Parameters:
    ///   - candidates: The candidates for the request.
    ///   - precedence: Which stubs are tried.
    ///   - facts: The request.
    package func take(
        _ candidates: Candidates,
        _ precedence: Precedence,
        _ facts: StubRequestFacts,
        _ play: StubPlay
    ) -> (stub: Int, ordinal: Int)? {
        var matching: [Int] = []
        var asked = asked(candidates, precedence, facts)
        while let stub = asked.next() {
            let entry = entries[stub]
            guard entry.stub.request.matches(facts) else {
                if facts.isInterrupted { return nil }
                continue
            }
            if play.isStateless(entry) {
                if matching.isEmpty { return (stub, play.take(entry)) }
                // The stubs after it are never tried.
                matching.append(stub)
                break
            }
            matching.append(stub)
        }
        guard !facts.isInterrupted else { return nil }
        return play.take(matching.map { entries[$0] }).map { (matching[$0.index], $0.ordinal) }
    }

    /// The stubs to ask whether they match a request, in the order of precedence.
    package struct Asked: Sequence, IteratorProtocol {
        private let catalog: StubCatalog
        private let ranks: [Int32]
        private let isLate: Bool
        private var position = 0

        fileprivate init(_ catalog: StubCatalog, _ ranks: [Int32], isLate: Bool) {
            self.catalog = catalog
            self.ranks = ranks
            self.isLate = isLate
        }

        package mutating func next() -> Int? {
            while position < ranks.count {
                let rank = ranks[position]
                position += 1
                if (rank >= catalog.firstLate) == isLate { return catalog.order[Int(rank)] }
            }
            return nil
        }
    }

    /// Returns the stubs to ask whether they match a request.
    package func asked(_ candidates: Candidates, _ precedence: Precedence, _ facts: StubRequestFacts) -> Asked {
        Asked(self, index.ranks(of: candidates.found, values: facts.values(of:)), isLate: precedence == .late)
    }

    /// The stubs in the order in which they are tried.
    package var inOrder: [StubFixture] { order.map { entries[$0].stub } }

    /// Returns the candidates of a request with what is known about each, in the order in which they are tried, for
    /// explanations.
    package func matches(_ facts: StubRequestFacts) -> [(stub: Int, matches: Bool)] {
        let request = facts.request
        let candidates = candidates(request.view)
        return index.ranks(of: candidates.found, values: facts.values(of:)).map { rank in
            let stub = order[Int(rank)]
            return (stub, entries[stub].stub.request.matches(facts))
        }
    }
}
