// SPDX-License-Identifier: Apache-2.0

internal import RepriseMatching
package import RepriseStubMatching
internal import RepriseStubs
package import RepriseText

/// Stubs that are served together, found by an index. Immutable; what requests change is in a ``StubPlay``.
package final class StubCatalog: Sendable {
    /// The stubs, in file order.
    package let stubs: [StubFixture]
    let index: StubIndex
    /// The stubs by target, for near misses.
    let neighbors: StubNeighbors
    /// The numbers of the stubs by rank: by priority, and then the newest first.
    let order: [Int]
    /// The first rank of the stubs that answer only what no recording or route does: those with a priority above the
    /// default.
    private let firstLate: Int
    /// Whether a stub looks at the content of requests.
    package let needsContent: Bool
    /// Whether other servers answer instead of stubs.
    package let hasProxies: Bool

    /// Creates a catalog of stubs in file order: a later one is newer.
    package init(_ stubs: [StubFixture]) {
        self.stubs = stubs
        order = stubs.indices.sorted { one, other in
            let (first, second) = (stubs[one].priority, stubs[other].priority)
            return first == second ? one > other : first < second
        }
        let order = order
        index = StubIndex(order.map { stubs[$0].request.key })
        neighbors = StubNeighbors(order.map { stubs[$0].request.url.start })
        firstLate = order.firstIndex { stubs[$0].priority > StubMapping.defaultPriority } ?? order.count
        needsContent = stubs.contains(where: \.needsContent)
        hasProxies = stubs.contains { if case .proxy = $0.answer.kind { true } else { false } }
    }

    /// Which stubs are asked.
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

    /// Takes the answer of the first stub that matches a request and is ready.
    ///
    /// - Parameters:
    ///   - candidates: The candidates for the request.
    ///   - precedence: Which stubs are asked.
    ///   - facts: The request.
    package func take(
        _ candidates: Candidates,
        _ precedence: Precedence,
        _ facts: StubRequestFacts,
        _ play: StubPlay
    ) -> (stub: Int, ordinal: Int)? {
        var matching: [Int] = []
        for rank in index.ranks(of: candidates.found, values: facts.values(of:)) {
            guard precedence == .early ? rank < firstLate : rank >= firstLate else { continue }
            let stub = order[Int(rank)]
            guard stubs[stub].request.matches(facts) else { continue }
            matching.append(stub)
            // What comes after it is never asked.
            if play.isAlwaysReady(stub) { break }
        }
        return matching.isEmpty ? nil : play.take(matching)
    }

    /// Whether there are stubs of a precedence.
    package func has(_ precedence: Precedence) -> Bool {
        precedence == .early ? firstLate > 0 : firstLate < order.count
    }

    /// The stubs in the order in which they are asked.
    package var inOrder: [StubFixture] { order.map { stubs[$0] } }

    /// Returns the candidates of a request with what is known about each, in the order in which they are asked, for
    /// explanations.
    package func matches(_ facts: StubRequestFacts) -> [(stub: Int, matches: Bool)] {
        let request = facts.request
        let candidates = candidates(request.view)
        return index.ranks(of: candidates.found, values: facts.values(of:)).map { rank in
            let stub = order[Int(rank)]
            return (stub, stubs[stub].request.matches(facts))
        }
    }
}
