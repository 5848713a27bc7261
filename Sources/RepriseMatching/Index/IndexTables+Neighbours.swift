// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension IndexTables {
    /// A site with more identities keeps them in order too, so that the nearest are found without looking at all.
    private static let fewIdentities: Int32 = 40

    /// Puts the identities of sites that have many in order; to be called when all fixtures are there.
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

    /// The identities of a site that has many, nearest in order to the request's query and body.
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

    /// How much of a body counts for its place. While the index is built there is a key for each fixture.
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
