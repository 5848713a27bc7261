// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension IndexTables {
    /// The number of identities up to which a site is scanned completely. The identities of larger sites are sorted, so
    /// that near misses are found without a full scan.
    private static let fewIdentities: Int32 = 40

    /// Sorts the identities of every large site. Call this once, after the last fixture is added.
    mutating func orderIdentities(_ entries: [FixtureIndex.Entry]) {
        for site in sites.indices where sites[site].identityCount > Self.fewIdentities {
            var numbers: [Int32] = []
            var identity = sites[site].firstIdentity
            while identity >= 0 {
                numbers.append(identity)
                identity = identities[Int(identity)].next
            }
            sites[site].order = orderedIdentities.add(numbers, keys: numbers.map { key(ofIdentity: $0, entries)[...] })
        }
    }

    /// Returns identities of a large site, sorted by similarity to the request's query and body.
    func identities(
        of site: Site,
        near request: CanonicalRequest,
        limit: Int,
        _ entries: [FixtureIndex.Entry]
    ) -> [Int32] {
        let form =
            request.form(.json) ?? request.form(.form)
            ?? [UInt8](bytes: request.content.extracting(first: Self.keyCount))
        let wanted = Self.key(query: request.query, body: form)
        return orderedIdentities.numbers(in: site.order, near: wanted[...], limit: limit) { identity in
            key(ofIdentity: identity, entries)[...]
        }
    }

    /// The maximum number of body bytes in a sort key. Every fixture of a site has a key in memory while the site is
    /// sorted.
    private static let keyCount = 256

    private func key(ofIdentity identity: Int32, _ entries: [FixtureIndex.Entry]) -> [UInt8] {
        let pattern = entries[Int(identities[Int(identity)].first)].pattern
        guard case .equal(_, let body) = pattern.body else { return Self.key(query: pattern.query ?? [], body: []) }
        return Self.key(query: pattern.query ?? [], body: body)
    }

    private static func key(query: [UInt8], body: [UInt8]) -> [UInt8] {
        query + [0] + body.prefix(keyCount)
    }
}
