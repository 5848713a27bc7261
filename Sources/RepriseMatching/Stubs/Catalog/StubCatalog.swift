// SPDX-License-Identifier: Apache-2.0

internal import RepriseStubs
package import RepriseText

/// Stubs that are served together, found by an index. Immutable; the state that requests change is in a ``StubState``.
package final class StubCatalog: Sendable {
    /// The stubs, by their number in the catalog: the oldest first.
    package let entries: [StubEntry]
    let index: StubIndex
    /// The ranks in the order of the targets, for near misses.
    private let targets: OrderedGroups
    /// The numbers of the stubs by rank: by priority, and then the newest first.
    let order: [Int]
    /// The first rank of the stubs that come after recordings and routes: those with a priority above the default.
    fileprivate let firstLate: Int

    /// Creates a catalog of stubs in file order: a later one is newer.
    package convenience init(_ rules: [StubRule]) {
        self.init(rules.enumerated().map { StubEntry($1, number: $0) })
    }

    /// Creates a catalog of stubs, the oldest first.
    package init(_ entries: [StubEntry]) {
        self.entries = entries
        order = entries.indices.sorted { one, other in
            let (first, second) = (entries[one].rule.priority, entries[other].rule.priority)
            return first == second ? one > other : first < second
        }
        let order = order
        index = StubIndex(order.map { entries[$0].rule.request.key })
        let starts = order.map { entries[$0].rule.request.url.start[...] }
        var targets = OrderedGroups()
        _ = targets.add(order.indices.map { Int32($0) }, keys: starts)
        self.targets = targets
        firstLate = order.firstIndex { entries[$0].rule.isLate } ?? order.count
    }

    /// Returns the ranks of the stubs whose targets are next to a target in the order of their bytes.
    func neighbors(of target: ArraySlice<UInt8>) -> [Int32] {
        targets.numbers(in: 0, near: target, limit: 32) { entries[order[Int($0)]].rule.request.url.start[...] }
    }

    /// Returns a stub by its number in the catalog.
    package subscript(_ stub: Int) -> StubRule { entries[stub].rule }

    /// Which stubs are tried.
    package enum Precedence: Sendable {
        /// Those that answer before recordings and routes: with the default priority or a lower number.
        case early
        /// Those that answer after recordings and routes: with a number above the default priority.
        case late
    }

    /// Stubs that can answer a request, judging by its target.
    package typealias Candidates = StubIndex.Candidates

    /// Returns the stubs that can answer a request. The content need not be known.
    package func candidates(_ request: RequestView) -> Candidates {
        let path = request.ranges.path
        if let query = request.ranges.query, !query.isEmpty, !path.isEmpty, query.lowerBound == path.upperBound + 1 {
            let url = request.head.extracting(path.lowerBound..<query.upperBound)
            return index.candidates(url: url, path: request.path)
        }
        guard request.path.count > 0 else {
            let root: [UInt8] = [UInt8(ascii: "/")] + (request.hasQuery ? [UInt8(ascii: "?")] : [])
            let url = (root + [UInt8](bytes: request.query))[...]
            let path = url.prefix(1)
            return index.candidates(url: url.span, path: path.span)
        }
        return index.candidates(url: request.path, path: request.path)
    }

    /// Takes the answer of the first stub that matches a request and is ready. Takes none if the work is interrupted
    /// (``DecodedRequest/isInterrupted``).
    ///
    /// - Parameters:
    ///   - candidates: The candidates for the request.
    ///   - precedence: Which stubs are tried.
    ///   - method: The method of the request.
    ///   - facts: Returns the request, decoded. It is not called if the stubs look at nothing but the method and the
    ///     target.
    package func take(
        _ candidates: Candidates,
        _ precedence: Precedence,
        method: Span<UInt8>,
        _ play: StubState,
        _ facts: () -> DecodedRequest
    ) -> (stub: Int, ordinal: Int)? {
        var matching: [Int] = []
        guard var asked = asked(candidates, precedence, facts) else { return nil }
        while let stub = asked.next() {
            let entry = entries[stub]
            guard let isMatch = entry.rule.request.matches(method: method, facts) else { return nil }
            guard isMatch else { continue }
            if entry.rule.isStateless {
                if matching.isEmpty { return (stub, play.take(entry)) }
                // The stubs after it are never tried.
                matching.append(stub)
                break
            }
            matching.append(stub)
        }
        return play.take(matching.map { entries[$0] }).map { (matching[$0.index], $0.ordinal) }
    }

    /// The stubs to ask whether they match a request, in the order of precedence.
    package struct Asked {
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

    /// Returns the stubs to ask whether they match a request; `nil` if the work is interrupted.
    package func asked(_ candidates: Candidates, _ precedence: Precedence, _ facts: () -> DecodedRequest) -> Asked? {
        var isInterrupted = false
        let ranks = index.ranks(of: candidates) { field in
            let facts = facts()
            defer { isInterrupted = facts.isInterrupted }
            return facts.values(of: field)
        }
        return isInterrupted ? nil : Asked(self, ranks, isLate: precedence == .late)
    }

    /// Returns the numbers of the stubs that match a request, in the order in which they are tried, for explanations.
    func matching(_ facts: DecodedRequest) -> [Int] {
        let request = facts.request
        let found = candidates(request.view)
        return index.ranks(of: found, values: facts.values(of:)).map { order[Int($0)] }
            .filter { entries[$0].rule.request.matches(facts) }
    }
}
