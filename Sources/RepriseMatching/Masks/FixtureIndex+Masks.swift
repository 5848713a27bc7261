// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

// Matching of recordings with masks. The rules:
//
// - A mask matches any text, including empty text, in the value of a pair, a JSON string, a part, a header field, or a
//   body of bytes. In a path, a mask matches a nonempty segment or any part of one.
// - A request spelled exactly like a fixture, including its masks, gets that fixture. A request can therefore ask for
//   `[redacted:alice]` by name.
// - Paths without masks take precedence over paths with masks. For the same path, compared bodies take precedence
//   over bodies that are not compared. Next, patterns without masks take precedence. Finally, the order of the files
//   decides, regardless of the names of the masks.
// - The host decides between patterns with masks as it does between others.

extension FixtureIndex {
    /// Returns the sequence that answers a request at a site where patterns have masks, or -1 if no sequence does.
    ///
    /// `exact` contains the identities spelled exactly like the request.
    @inline(never)
    func maskedSequence(
        _ site: Int32,
        _ exact: RecordedCandidates,
        _ request: RequestView
    ) -> Int32 {
        sequence(of: maskedIdentities(site, exact, request), request)
    }

    /// Returns the identities that match a request at a site where patterns have masks, in order of precedence.
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

    /// Returns the sequence that answers a request whose path matches one with masks, or -1 if no sequence does.
    @inline(never)
    func maskedPathSequence(
        _ method: Int32,
        _ path: Span<UInt8>,
        _ request: RequestView
    ) -> Int32 {
        sequence(of: maskedPathIdentities(method, path, request), request)
    }

    /// Returns the identities that match a request whose path matches one with masks, in order of precedence.
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

    /// Whether the body can influence the match at a path with masks that matches `path`, which must be canonical.
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
        where candidate.isMatch || matchesExceptHost(candidate.identity, request) {
            ranking.append(candidate.identity, isExact: false, comparesBody: candidate.comparesBody)
        }
    }

    private func matchesExceptHost(_ identity: Int32, _ request: CanonicalRequest) -> Bool {
        let first = Int(tables.identities[Int(identity)].first)
        // Which of an identity's sequences has the request's range or condition is found out later.
        return entries[first].pattern.requiring(ContentSelection()).matchesExceptHost(request, options)
    }

    private func sequence(
        of identities: [Int32],
        _ request: RequestView
    ) -> Int32 {
        guard let first = identities.first else { return -1 }
        let isOnly = identities.count == 1 && !tables.comparesHosts
        return isOnly && tables.identities[Int(first)].hostGroupCount == 1
            ? part(of: first, request) : sequenceByHost(identities, request)
    }

    private func comparesBody(_ identity: Int32) -> Bool {
        let first = Int(tables.identities[Int(identity)].first)
        return options.fields.contains(.body) && entries[first].pattern.body.isCompared
    }
}

/// Sorts the identities that match one request.
private struct MaskRanking {
    private var entries: [Entry] = []

    private struct Entry {
        var identity: Int32
        /// The primary sort key; see the rules above.
        var rank: Int
        /// The order among identities that are spelled exactly like the request; 0 for all others.
        var place: Int
    }

    mutating func append(_ identity: Int32, isExact: Bool, comparesBody: Bool) {
        guard !entries.contains(where: { $0.identity == identity }) else { return }
        let rank = (comparesBody ? 0 : 2) + (isExact ? 0 : 1)
        entries.append(Entry(identity: identity, rank: rank, place: isExact ? entries.count : 0))
    }

    /// The identities, in order of precedence.
    var identities: [Int32] {
        guard entries.count > 1 else { return entries.map(\.identity) }
        // Identities are numbered by their first fixture, so identities of the same rank are in file order.
        return entries.sorted { one, other in
            (one.rank, one.place, one.identity) < (other.rank, other.place, other.identity)
        }.map(\.identity)
    }
}
