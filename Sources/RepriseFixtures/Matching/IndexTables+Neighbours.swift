// SPDX-License-Identifier: Apache-2.0

extension IndexTables {
    /// A site with more identities keeps them in order too, so that the nearest are found without looking at all.
    private static let fewIdentities: Int32 = 40

    /// Puts the identities of sites that have many in order; to be called when all fixtures are there.
    mutating func orderIdentities(_ fixtures: [Fixture]) {
        for site in sites.indices where sites[site].identityCount > Self.fewIdentities {
            var numbers: [Int32] = []
            var identity = sites[site].firstIdentity
            while identity >= 0 {
                numbers.append(identity)
                identity = identities[Int(identity)].next
            }
            let keys = numbers.map { Self.key(fixtures[Int(identities[Int($0)].first)].pattern)[...] }
            sites[site].orderedStart = Int32(orderedIdentities.count)
            orderedIdentities += ByteOrder.sorted(keys).map { numbers[$0] }
        }
    }

    /// The identities of a site that has many, nearest in order to the request's query and body.
    func identities(
        of site: Site,
        near request: CanonicalRequest,
        _ body: Span<UInt8>,
        limit: Int,
        _ fixtures: [Fixture]
    ) -> [Int] {
        let form = request.form(.json) ?? request.form(.form) ?? [UInt8](copying: body.extracting(first: 4096))
        let wanted = Self.key(query: request.query, body: form)
        let start = Int(site.orderedStart)
        let count = Int(site.identityCount)
        let place = ByteOrder.lowerBound(count) { position in
            let identity = identities[Int(orderedIdentities[start + position])]
            return Self.key(fixtures[Int(identity.first)].pattern).lexicographicallyPrecedes(wanted)
        }
        let first = max(0, min(place - limit / 2, count - limit))
        return orderedIdentities[start + first..<start + min(count, first + limit)].map(Int.init)
    }

    private static func key(_ pattern: RequestPattern) -> [UInt8] {
        guard case .equal(_, let body) = pattern.body else { return key(query: pattern.query ?? [], body: []) }
        return key(query: pattern.query ?? [], body: body)
    }

    private static func key(query: [UInt8], body: [UInt8]) -> [UInt8] {
        query + [0] + body.prefix(4096)
    }
}
