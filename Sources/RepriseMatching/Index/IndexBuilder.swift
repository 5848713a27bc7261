// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Fills the tables of an index, fixture by fixture in file order. ``IndexTables`` explains sites, groups, and
/// identities.
struct IndexBuilder {
    var tables: IndexTables
    var sequences: SequenceList
    private let options: MatchingOptions
    /// For each fixture, the next one with the same identity and with the same host group.
    private var nextOfIdentity: [Int32]
    private var nextOfGroup: [Int32]
    /// The sites of every method of a path except the first, and the template routes. They avoid a linear search in
    /// paths with many methods.
    private var furtherSites: [MethodKey: Int32] = [:]
    private var templateRoutes: [MethodKey: Int32] = [:]
    /// The first sites of paths with masks.
    private var maskedPaths: Set<Int32> = []
    /// Maps a path's first site to its last if it has several.
    private var lastSites: [Int32: Int32] = [:]

    /// A method, with the first site of its path or with the node where its template ends.
    private struct MethodKey: Hashable {
        var place: Int32
        var method: Int32
    }

    /// Builds the tables of `entries`.
    ///
    /// - Parameter selections: What recorded requests select. Empty if no answer requires it.
    init(_ entries: [FixtureIndex.Entry], _ selections: [Int32: ContentSelection], options: MatchingOptions) {
        self.options = options
        tables = IndexTables(capacity: entries.count)
        sequences = SequenceList(capacity: entries.count)
        tables.bodies.reserve(byteCount: Self.bodyByteCount(entries))
        nextOfIdentity = Array(repeating: -1, count: entries.count)
        nextOfGroup = Array(repeating: -1, count: entries.count)
        for index in entries.indices { add(entries[index].pattern, Int32(index)) }
        tables.comparesHosts = options.requiresHost || options.comparesScheme || tables.hostNames.count > 1
        makeSequences()
        divideBySelection(entries, selections)
        findPlainSequences()
        tables.trie.orderChildren()
        tables.orderIdentities(entries)
    }

    private static func bodyByteCount(_ entries: [FixtureIndex.Entry]) -> Int {
        entries.reduce(0) { count, entry in
            guard case .equal(_, let bytes) = entry.pattern.body else { return count }
            return count + KeyTable.recordCount(for: bytes.count)
        }
    }

    private mutating func add(_ pattern: RequestPattern, _ fixture: Int32) {
        let method =
            options.fields.contains(.method) ? tables.number(ofMethod: pattern.method) : IndexTables.Method.get
        let identity: Int32
        switch options.fields.contains(.path) ? pattern.path : .literal(IndexTables.anyPath) {
        case .literal(let path):
            let site = site(path, method)
            switch pattern.precedence {
            case .route, .template: identity = routeIdentity(site)
            case .recording:
                if options.fields.contains(.path) { addMaskedPath(pattern, site: site) }
                identity = recordedIdentity(pattern, site)
            }
        case .template(let segments):
            identity = templateIdentity(segments, method)
        }
        append(fixture, to: identity, host: pattern.hostKey(options))
    }

    private mutating func site(_ path: [UInt8], _ method: Int32) -> Int32 {
        let new = Int32(tables.sites.count)
        let first = tables.paths.insert(path[...], value: new)
        if first == new {
            tables.trie.insert(path, site: new)
        } else {
            if tables.sites[Int(first)].method == method { return first }
            let key = MethodKey(place: first, method: method)
            if let known = furtherSites[key] { return known }
            furtherSites[key] = new
            tables.sites[Int(lastSites[first] ?? first)].next = new
            lastSites[first] = new
        }
        tables.sites.append(IndexTables.Site(method: method))
        return new
    }

    /// Adds the path of a pattern to the masks if it has masks and was not added before.
    private mutating func addMaskedPath(_ pattern: RequestPattern, site: Int32) {
        guard let path = pattern.maskedPath else { return }
        let first = tables.paths.value(of: path.bytes.span) ?? site
        guard maskedPaths.insert(first).inserted else { return }
        tables.masks.add(path: path, site: first)
    }

    private mutating func routeIdentity(_ site: Int32) -> Int32 {
        if tables.sites[Int(site)].route < 0 { tables.sites[Int(site)].route = newIdentity(site) }
        return tables.sites[Int(site)].route
    }

    private mutating func templateIdentity(_ segments: [RequestPattern.Segment], _ method: Int32) -> Int32 {
        let node = tables.trie.insert(segments)
        let key = MethodKey(place: node, method: method)
        if let known = templateRoutes[key] { return known }
        let identity = newIdentity(nil)
        templateRoutes[key] = identity
        tables.trie.addRoute(at: node, method: method, identity: identity)
        return identity
    }

    private mutating func recordedIdentity(_ pattern: RequestPattern, _ site: Int32) -> Int32 {
        let body = options.fields.contains(.body) ? pattern.body : .any
        if body.isCompared { tables.sites[Int(site)].comparesBody = true }
        let queryGroup = queryGroup(options.fields.contains(.query) ? pattern.query ?? [] : [], site)
        let new = Int32(tables.identities.count)
        let identity: Int32
        if options.headerNames.isEmpty {
            identity = bodyGroup(body, queryGroup, new: new)
        } else {
            let group = bodyGroup(body, queryGroup, new: tables.bodyGroupCount)
            if group == tables.bodyGroupCount { tables.bodyGroupCount += 1 }
            let key = HeaderKey.key(of: pattern, names: options.headerNames)
            identity = tables.headers.insert(key[...], parent: group, value: new)
        }
        guard identity == new else { return identity }
        if hasMasks(pattern) {
            tables.sites[Int(site)].hasMasks = true
            tables.masks.add(new, pattern, site: site, options)
        }
        return newIdentity(site)
    }

    /// Whether any compared part other than the path has masks.
    private func hasMasks(_ pattern: RequestPattern) -> Bool {
        let fields = options.fields
        if fields.contains(.query), pattern.maskedQuery != nil { return true }
        if fields.contains(.body), pattern.maskedBody != nil { return true }
        return pattern.headerTexts(options.headerNames).contains { $0?.isMasked ?? false }
    }

    private mutating func queryGroup(_ query: [UInt8], _ site: Int32) -> Int32 {
        let new = Int32(tables.queryGroups.count)
        let group: Int32
        if query.isEmpty {
            if tables.sites[Int(site)].plainQuery < 0 { tables.sites[Int(site)].plainQuery = new }
            group = tables.sites[Int(site)].plainQuery
        } else {
            tables.sites[Int(site)].hasQueries = true
            group = tables.queries.insert(query[...], parent: site, value: new)
        }
        if group == new { tables.queryGroups.append(IndexTables.QueryGroup()) }
        return group
    }

    /// Returns the body group of `body`. If this body is new, its group gets the number `new`.
    private mutating func bodyGroup(_ body: BodyPattern, _ queryGroup: Int32, new: Int32) -> Int32 {
        let group = Int(queryGroup)
        switch body {
        case .any:
            if tables.queryGroups[group].anyBody < 0 { tables.queryGroups[group].anyBody = new }
            return tables.queryGroups[group].anyBody
        case .none:
            if tables.queryGroups[group].noBody < 0 { tables.queryGroups[group].noBody = new }
            return tables.queryGroups[group].noBody
        case .equal(let kind, let bytes):
            tables.queryGroups[group].kinds |= 1 << UInt8(kind.rawValue)
            tables.kinds |= tables.queryGroups[group].kinds
            return tables.bodies.insert(bytes[...], parent: IndexTables.bodyParent(queryGroup, kind), value: new)
        }
    }

    private mutating func newIdentity(_ site: Int32?) -> Int32 {
        let new = Int32(tables.identities.count)
        tables.identities.append(IndexTables.Identity())
        guard let site = site.map(Int.init) else { return new }
        if tables.sites[site].lastIdentity >= 0 {
            tables.identities[Int(tables.sites[site].lastIdentity)].next = new
        } else {
            tables.sites[site].firstIdentity = new
        }
        tables.sites[site].lastIdentity = new
        tables.sites[site].identityCount += 1
        return new
    }

    private mutating func append(_ fixture: Int32, to identity: Int32, host: [UInt8]?) {
        let last = tables.identities[Int(identity)].last
        if last >= 0 {
            nextOfIdentity[Int(last)] = fixture
        } else {
            tables.identities[Int(identity)].first = fixture
        }
        tables.identities[Int(identity)].last = fixture

        let group = Int(hostGroup(host, identity))
        if tables.hostGroups[group].last >= 0 {
            nextOfGroup[Int(tables.hostGroups[group].last)] = fixture
        } else {
            tables.hostGroups[group].first = fixture
        }
        tables.hostGroups[group].last = fixture
    }

    private mutating func hostGroup(_ host: [UInt8]?, _ identity: Int32) -> Int32 {
        let new = Int32(tables.hostGroups.count)
        let group: Int32
        if let host {
            _ = tables.hostNames.insert(host[...], value: Int32(tables.hostNames.count))
            group = tables.hosts.insert(host[...], parent: identity, value: new)
        } else {
            if tables.identities[Int(identity)].hostless < 0 { tables.identities[Int(identity)].hostless = new }
            group = tables.identities[Int(identity)].hostless
        }
        if group == new {
            tables.hostGroups.append(IndexTables.HostGroup(identity: identity))
            tables.identities[Int(identity)].hostGroupCount += 1
        }
        return group
    }

    /// Creates the sequences. Those of the identities come first and have the same numbers as the identities. Those of
    /// the host groups follow.
    private mutating func makeSequences() {
        for identity in tables.identities { sequences.append(from: identity.first, nextOfIdentity) }
        for index in tables.hostGroups.indices {
            let identity = tables.hostGroups[index].identity
            if tables.identities[Int(identity)].hostGroupCount == 1 {
                tables.hostGroups[index].sequence = identity
            } else {
                tables.hostGroups[index].sequence = Int32(sequences.count)
                sequences.append(from: tables.hostGroups[index].first, nextOfGroup)
            }
        }
    }

    /// Finds the sites where a request without query and body can match only one sequence.
    private mutating func findPlainSequences() {
        guard options.headerNames.isEmpty, !tables.comparesHosts else { return }
        for site in tables.sites.indices where tables.sites[site].plainQuery >= 0 {
            let group = tables.queryGroups[Int(tables.sites[site].plainQuery)]
            guard group.noBody >= 0, group.anyBody < 0 else { continue }
            guard sequences.parts(of: Int(group.noBody)) < 0 else { continue }
            if tables.identities[Int(group.noBody)].hostGroupCount == 1 { tables.sites[site].plain = group.noBody }
        }
    }
}
