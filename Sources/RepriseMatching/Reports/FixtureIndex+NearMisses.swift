// SPDX-License-Identifier: Apache-2.0

package import RepriseText

extension FixtureIndex {
    /// The maximum number of identities compared for one miss.
    static let maximumCandidates = 64
    /// The maximum number of ranges and conditions of one identity compared for one miss.
    private static let maximumParts = 16

    /// Returns the fixtures nearest to a request that no fixture answers, or whose sequence is exhausted.
    ///
    /// At most 64 fixtures are compared: first those with the same path, then those with similar paths.
    package func nearMisses(
        _ request: RequestView,
        limit: Int = 3
    ) -> NearMisses {
        var misses = NearMisses()
        // A sequence can be exhausted only with this option. Otherwise, skip the second match, which may parse the body
        // again.
        if options.afterLast == .miss { misses.exhausted = exhaustedSequence(match(request)) }
        let canonical = canonical(request)
        var candidates = NearestCandidates(limit: limit)
        func compare(_ fixture: Int) {
            if let exhausted = misses.exhausted, exhausted.fixtures.contains(fixture) { return }
            let distance = entries[fixture].pattern.distance(from: canonical, options, limit: candidates.bound)
            candidates.add(fixture, distance: distance)
        }
        for identity in nearIdentities(canonical.reduced(to: options.fields)) {
            let parts = sequenceList.parts(of: identity)
            if parts < 0 {
                for fixture in firstOfEachHost(identity) { compare(fixture) }
            } else {
                for part in tables.selectedParts[parts].disjoint.prefix(Self.maximumParts) {
                    compare(Int(sequenceList.first(of: Int(part))))
                }
            }
        }
        misses.nearest = candidates.nearest.map { nearMiss($0, canonical) }
        misses.volatile = misses.nearest.first.flatMap { volatileParts(of: $0, canonical) }
        return misses
    }

    /// Returns the first fixture of an identity, or the first of each host if the host can decide.
    private func firstOfEachHost(_ identity: Int) -> [Int] {
        let first = Int(tables.identities[identity].first)
        guard tables.comparesHosts, tables.identities[identity].hostGroupCount > 1 else { return [first] }
        var hosts: Set<[UInt8]?> = []
        return sequenceList.fixtures(of: identity).prefix(Self.maximumCandidates).lazy.map(Int.init)
            .filter { hosts.insert(self.entries[$0].pattern.hostKey(self.options)).inserted }
    }

    /// The maximum number of differences of a query or a body that may all be volatile.
    private static let maximumVolatile = 64

    private func volatileParts(of miss: NearMiss, _ request: CanonicalRequest) -> VolatileParts? {
        guard let shown = VolatileParts(miss.verdicts) else { return nil }
        guard miss.verdicts.count(where: { !$0.isEqual }) >= Self.maximumVerdicts else { return shown }
        // A query or a body may have more differences than those shown.
        let limit = Self.maximumVolatile
        let verdicts = entries[miss.fixture].pattern.verdicts(on: request, options, limit: limit)
        return verdicts.count(where: { !$0.isEqual }) < limit ? VolatileParts(verdicts) : nil
    }

    private func exhaustedSequence(_ match: Match) -> FixtureSequence? {
        switch match {
        case .hit(let sequence), .headFallback(let sequence): self[sequence]
        case .optionsFallback, .miss: nil
        }
    }

    /// The maximum number of differences of a query or a body in one near miss.
    private static let maximumVerdicts = 5

    private func nearMiss(
        _ candidate: NearestCandidates.Candidate,
        _ request: CanonicalRequest
    ) -> NearMiss {
        NearMiss(
            fixture: candidate.fixture,
            distance: candidate.distance,
            verdicts: entries[candidate.fixture].pattern.verdicts(on: request, options, limit: Self.maximumVerdicts)
                .requiringHostIfOnlyDifference()
        )
    }

    /// Returns the identities to compare: those of the path, of templates that match it, and of similar paths.
    private func nearIdentities(_ request: CanonicalRequest) -> [Int] {
        var identities: [Int] = []
        identities.reserveCapacity(Self.maximumCandidates)
        let path = request.path.span
        let method = methodNumber(request.method.span)
        appendIdentities(ofPath: tables.paths.value(of: path) ?? -1, method, request, to: &identities)
        for site in tables.masks.sites(matching: path).prefix(4) {
            appendIdentities(ofPath: site, method, request, to: &identities)
        }
        var search = TemplateSearch()
        while identities.count < Self.maximumCandidates, let node = search.next(in: path, tables.trie) {
            for route in tables.trie.routes(at: node).prefix(4) { identities.append(Int(route.identity)) }
        }
        // Fixtures with the same path are nearer than others. If there are enough, the others are not needed.
        guard identities.count < 8 else { return Array(identities.prefix(Self.maximumCandidates)) }
        for node in tables.trie.neighbors(of: path, limit: 16) {
            appendIdentities(at: node, method, request, to: &identities)
        }
        return identities
    }

    /// Appends identities of a path, those with the request's method first, and the nearest of each method.
    private func appendIdentities(
        ofPath first: Int32,
        _ method: Int32,
        _ request: CanonicalRequest,
        to identities: inout [Int]
    ) {
        let own = tables.site(of: method, from: first)
        if own >= 0 { appendIdentities(ofSite: own, 40, request, to: &identities) }
        var site = first
        while site >= 0, identities.count < 48 {
            if site != own { appendIdentities(ofSite: site, 8, request, to: &identities) }
            site = tables.sites[Int(site)].next
        }
    }

    private func appendIdentities(
        ofSite number: Int32,
        _ limit: Int,
        _ request: CanonicalRequest,
        to identities: inout [Int]
    ) {
        let site = tables.sites[Int(number)]
        if site.order >= 0 {
            for identity in tables.identities(of: site, near: request, limit: min(limit, 16), entries) {
                identities.append(Int(identity))
            }
        } else {
            var identity = site.firstIdentity
            var left = limit
            while identity >= 0, left > 0 {
                identities.append(Int(identity))
                identity = tables.identities[Int(identity)].next
                left -= 1
            }
        }
    }

    /// Appends a few identities of a similar path: one with the request's query, the first one, and one of a route.
    private func appendIdentities(
        at node: Int32,
        _ method: Int32,
        _ request: CanonicalRequest,
        to identities: inout [Int]
    ) {
        let literal = tables.trie.nodes[Int(node)].site
        let own = tables.site(of: method, from: literal)
        let site = own >= 0 ? own : literal
        if site >= 0 {
            let first = Int(tables.sites[Int(site)].firstIdentity)
            if let same = identity(site, query: request.query), same != first { identities.append(same) }
            identities.append(first)
        }
        let route = tables.trie.identity(at: node, method: method)
        if route >= 0 {
            identities.append(Int(route))
        } else if let route = tables.trie.routes(at: node).first {
            identities.append(Int(route.identity))
        }
    }

    /// Returns an identity of a site with this query, preferably without a body.
    private func identity(_ site: Int32, query: [UInt8]) -> Int? {
        guard options.headerNames.isEmpty else { return nil }
        let plain = tables.sites[Int(site)].plain
        if query.isEmpty, plain >= 0 { return Int(plain) }
        let group =
            query.isEmpty
            ? tables.sites[Int(site)].plainQuery : tables.queries.value(of: query.span, parent: site) ?? -1
        guard group >= 0 else { return nil }
        let (none, any) = (tables.queryGroups[Int(group)].noBody, tables.queryGroups[Int(group)].anyBody)
        return none >= 0 ? Int(none) : any >= 0 ? Int(any) : nil
    }
}

extension [FieldVerdict] {
    /// Returns the verdicts on a fixture that does not answer. If only the host differs, it is the reason: equal
    /// requests were recorded from several hosts, of which the request names none.
    func requiringHostIfOnlyDifference() -> [FieldVerdict] {
        contains { !$0.isEqual && $0.isRequired } ? self : map { $0.name == .host ? $0.required : $0 }
    }
}

/// The nearest of many candidates, sorted by distance. Candidates with equal distance stay in insertion order.
struct NearestCandidates {
    /// The nearest candidates, in order.
    private(set) var nearest: [Candidate] = []
    private let limit: Int

    struct Candidate {
        var fixture: Int
        var distance: Int
    }

    init(limit: Int) {
        self.limit = limit
    }

    /// The distance at or above which a candidate is not added.
    var bound: Int { nearest.count < limit ? .max : nearest.last?.distance ?? 0 }

    mutating func add(_ fixture: Int, distance: Int) {
        guard distance < bound, !nearest.contains(where: { $0.fixture == fixture }) else { return }
        if nearest.count == limit { nearest.removeLast() }
        let place = nearest.firstIndex { $0.distance > distance } ?? nearest.count
        nearest.insert(Candidate(fixture: fixture, distance: distance), at: place)
    }
}
