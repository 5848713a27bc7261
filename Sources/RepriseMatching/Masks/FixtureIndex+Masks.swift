// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

// Which requests a recording with masks answers. The rules:
//
// - A mask stands for any text, none included: in the value of a pair, a JSON string, a part, a header, bytes. In a
//   path it stands for a segment that is not empty, or for any part of one.
// - A request that is spelled as a fixture is, masks and all, gets that fixture. So `[redacted:alice]` can be asked
//   for by name.
// - A path without masks goes before one with. At one path a body that is compared goes before one that is not; then
//   no mask before masks; then the order of the files, whatever the masks are called.
// - The host decides between them as it does between others.

extension FixtureIndex {
    /// The sequence that answers a request at a site where patterns have masks; -1 if there is none.
    ///
    /// `exact` are those that are spelled as the request is.
    @inline(never)
    func maskedSequence(
        _ site: Int32,
        _ exact: RecordedCandidates,
        _ request: RequestView
    ) -> Int32 {
        sequence(of: maskedIdentities(site, exact, request), request)
    }

    /// The identities that match a request at a site where patterns have masks, what answers first.
    func maskedIdentities(
        _ site: Int32,
        _ exact: RecordedCandidates,
        _ request: RequestView
    ) -> [Int32] {
        var ranking = MaskRanking()
        for identity in exact { ranking.append(identity, isExact: true, comparesBody: comparesBody(identity)) }
        let kinds = tables.masks.kinds(at: site)
        let canonical = CanonicalRequest(request, kinds: kinds, bodyLimits, options)
        appendMasked(site, canonical, to: &ranking)
        return ranking.identities
    }

    /// The sequence that answers a request whose path fits one with masks; -1 if there is none.
    @inline(never)
    func maskedPathSequence(
        _ method: Int32,
        _ path: Span<UInt8>,
        _ request: RequestView
    ) -> Int32 {
        sequence(of: maskedPathIdentities(method, path, request), request)
    }

    /// The identities that match a request whose path fits one with masks, what answers first.
    func maskedPathIdentities(
        _ method: Int32,
        _ path: Span<UInt8>,
        _ request: RequestView
    ) -> [Int32] {
        let sites = tables.masks.sites(matching: path).map { tables.site(of: method, from: $0) }.filter { $0 >= 0 }
        guard !sites.isEmpty else { return [] }
        let kinds = sites.reduce(0) { $0 | tables.masks.kinds(at: $1) }
        let canonical = CanonicalRequest(request, kinds: kinds, bodyLimits, options)
        var ranking = MaskRanking()
        for site in sites {
            for identity in candidates(site, request) {
                ranking.append(identity, isExact: false, comparesBody: comparesBody(identity))
            }
            if tables.sites[Int(site)].hasMasks { appendMasked(site, canonical, to: &ranking) }
        }
        return ranking.identities
    }

    /// Whether a body decides at a path that has masks and that `path`, which is canonical, fits.
    func maskedPathNeedsBody(_ method: Int32, _ path: Span<UInt8>) -> Bool {
        tables.masks.hasPaths
            && tables.masks.sites(matching: path).contains { needsBody(method, from: $0) }
    }

    private func appendMasked(
        _ site: Int32,
        _ request: CanonicalRequest,
        to ranking: inout MaskRanking
    ) {
        for candidate in tables.masks.candidates(at: site, request)
        where candidate.isMatch || fits(candidate.identity, request) {
            ranking.append(candidate.identity, isExact: false, comparesBody: candidate.comparesBody)
        }
    }

    private func fits(_ identity: Int32, _ request: CanonicalRequest) -> Bool {
        let first = Int(tables.identities[Int(identity)].first)
        return entries[first].pattern.fits(request, options)
    }

    private func sequence(
        of identities: [Int32],
        _ request: RequestView
    ) -> Int32 {
        guard let first = identities.first else { return -1 }
        let isOnly = identities.count == 1 && !options.requiresHost
        return isOnly && tables.identities[Int(first)].hostGroupCount == 1
            ? first : sequenceByHost(identities, request)
    }

    private func comparesBody(_ identity: Int32) -> Bool {
        let first = Int(tables.identities[Int(identity)].first)
        return options.fields.contains(.body) && entries[first].pattern.body.isCompared
    }
}

/// Puts the identities that match one request in order.
private struct MaskRanking {
    private var entries: [Entry] = []

    private struct Entry {
        var identity: Int32
        /// By what comes first, see above.
        var rank: Int
        /// The place among those of one rank that are spelled as the request is.
        var place: Int
    }

    mutating func append(_ identity: Int32, isExact: Bool, comparesBody: Bool) {
        guard !entries.contains(where: { $0.identity == identity }) else { return }
        let rank = (comparesBody ? 0 : 2) + (isExact ? 0 : 1)
        entries.append(Entry(identity: identity, rank: rank, place: isExact ? entries.count : 0))
    }

    /// The identities, what answers first.
    var identities: [Int32] {
        guard entries.count > 1 else { return entries.map(\.identity) }
        // An identity has its number from its first fixture, so in one rank the order is that of the files.
        return entries.sorted { one, other in
            (one.rank, one.place, one.identity) < (other.rank, other.place, other.identity)
        }.map(\.identity)
    }
}
