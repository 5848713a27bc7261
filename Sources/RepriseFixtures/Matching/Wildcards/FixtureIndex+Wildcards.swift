// SPDX-License-Identifier: Apache-2.0

// What a request with markers of redaction in its recording answers. The rules:
//
// - A marker stands for any text, none included: in the value of a pair, a JSON string, a part, a header, bytes. In a
//   path it stands for a segment that is not empty, or for any part of one.
// - A request that is spelled as a fixture is, markers and all, gets that fixture. So `[redacted:alice]` can be asked
//   for by name.
// - A path without markers goes before one with. At one path a body that is compared goes before one that is not; then
//   no marker before markers; then the order of the files, whatever the markers are called.
// - The host decides between them as it does between others.

extension FixtureIndex {
    /// The sequence that answers a request at a site where patterns have markers; -1 if there is none.
    ///
    /// `exact` are those that are spelled as the request is.
    @inline(never)
    func wildcardSequence(
        _ site: Int32,
        _ exact: RecordedCandidates,
        _ head: Span<UInt8>,
        _ parts: RequestParts,
        _ body: Span<UInt8>
    ) -> Int32 {
        var ranking = WildcardRanking(self)
        for identity in exact { ranking.append(identity, isExact: true) }
        let kinds = tables.wildcards.kinds(at: site)
        let request = CanonicalRequest(head, parts, body: body, kinds: kinds, bodyLimits)
        appendWildcards(site, request, body, to: &ranking)
        return sequence(of: ranking, head, parts)
    }

    /// The sequence that answers a request whose path fits one with markers; -1 if there is none.
    @inline(never)
    func wildcardPathSequence(
        _ method: Int32,
        _ path: Span<UInt8>,
        _ head: Span<UInt8>,
        _ parts: RequestParts,
        _ body: Span<UInt8>
    ) -> Int32 {
        let sites = tables.wildcards.sites(matching: path).map { tables.site(of: method, from: $0) }.filter { $0 >= 0 }
        guard !sites.isEmpty else { return -1 }
        let kinds = sites.reduce(0) { $0 | tables.wildcards.kinds(at: $1) }
        let request = CanonicalRequest(head, parts, body: body, kinds: kinds, bodyLimits)
        var ranking = WildcardRanking(self)
        for site in sites {
            for identity in candidates(site, head, parts, body) { ranking.append(identity, isExact: false) }
            if tables.sites[Int(site)].hasWildcards { appendWildcards(site, request, body, to: &ranking) }
        }
        return sequence(of: ranking, head, parts)
    }

    /// Whether a body decides at a path that has markers and that `path`, which is canonical, fits.
    func wildcardPathNeedsBody(_ method: Int32, _ path: Span<UInt8>) -> Bool {
        tables.wildcards.hasPaths
            && tables.wildcards.sites(matching: path).contains { needsBody(method, from: $0) }
    }

    private func appendWildcards(
        _ site: Int32,
        _ request: CanonicalRequest,
        _ body: Span<UInt8>,
        to ranking: inout WildcardRanking
    ) {
        for identity in tables.wildcards.candidates(at: site, request, body) {
            let pattern = fixtures[Int(tables.identities[Int(identity)].first)].pattern
            if pattern.fits(request, body, options) { ranking.append(identity, isExact: false) }
        }
    }

    private func sequence(
        of ranking: WildcardRanking,
        _ head: Span<UInt8>,
        _ parts: RequestParts
    ) -> Int32 {
        let identities = ranking.identities
        return identities.isEmpty ? -1 : sequenceByHost(identities, head, parts)
    }
}

/// Puts the identities that match one request in order.
private struct WildcardRanking {
    private let index: FixtureIndex
    private var entries: [Entry] = []

    private struct Entry {
        var identity: Int32
        /// By what comes first, see above.
        var rank: Int
        /// Of equals, the first in the order of the files, or in that of the strictness of exact ones.
        var place: Int
    }

    init(_ index: FixtureIndex) {
        self.index = index
    }

    mutating func append(_ identity: Int32, isExact: Bool) {
        guard !entries.contains(where: { $0.identity == identity }) else { return }
        let first = Int(index.tables.identities[Int(identity)].first)
        let isCompared = index.fixtures[first].pattern.body.isCompared
        entries.append(
            Entry(
                identity: identity,
                rank: (isCompared ? 0 : 2) + (isExact ? 0 : 1),
                place: isExact ? entries.count : first
            )
        )
    }

    /// The identities, what answers first.
    var identities: [Int32] {
        entries.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.identity)
    }
}
