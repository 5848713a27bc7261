// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

// Lookups in the tables. `IndexTables` explains sites, groups, and identities.
extension FixtureIndex {
    /// Returns the number of a method, or -1 if no fixture has it.
    @inline(__always)
    func methodNumber(_ method: Span<UInt8>) -> Int32 {
        if method.count == 3, method[0] == UInt8(ascii: "G"), method[1] == UInt8(ascii: "E"),
            method[2] == UInt8(ascii: "T")
        {
            return IndexTables.Method.get
        }
        return tables.methods.value(of: method) ?? -1
    }

    /// Returns the number of a request's method, or of GET if methods are not compared.
    func methodNumber(of request: RequestView) -> Int32 {
        options.fields.contains(.method) ? methodNumber(request.method) : IndexTables.Method.get
    }

    /// Returns the sequence that answers a request with the method replaced by `method`, or -1 if no sequence does.
    ///
    /// The steps for a plain request are inlined. The rest is in separate functions, because inlining everything
    /// would copy the view.
    @inline(__always)
    func sequence(
        _ method: Int32,
        _ path: Span<UInt8>,
        _ request: RequestView
    ) -> Int32 {
        guard method >= 0 else { return -1 }
        // All keys are canonical, so a path that is found is canonical too.
        guard let first = tables.paths.value(of: path) else {
            return CanonicalPath.isCanonical(path) && !tables.masks.hasPaths
                ? tables.trie.identity(matching: path, method: method)
                : sequenceOfUnknownPath(method, path, request)
        }
        let site = tables.site(of: method, from: first)
        if site >= 0, request.content.isEmpty, !request.hasQuery {
            let plain = tables.sites[Int(site)].plain
            if plain >= 0 { return plain }
        }
        return sequence(at: site, method, path, request)
    }

    /// Returns the sequence for a path whose spelling does not occur in any fixture.
    @inline(never)
    private func sequenceOfUnknownPath(
        _ method: Int32,
        _ path: Span<UInt8>,
        _ request: RequestView
    ) -> Int32 {
        if CanonicalPath.isCanonical(path) { return sequence(at: -1, method, path, request) }
        let canonical = CanonicalPath.canonical(path)
        let first = tables.paths.value(of: canonical.span) ?? -1
        return sequence(at: tables.site(of: method, from: first), method, canonical.span, request)
    }

    /// Whether a fixture has this path with any method.
    func isKnown(_ path: Span<UInt8>) -> Bool {
        let canonical = CanonicalPath.canonical(path)
        if tables.paths.value(of: canonical.span) != nil { return true }
        if !tables.masks.sites(matching: canonical.span).isEmpty { return true }
        return hasTemplate(canonical.span) || hasRoute(unescaped: canonical.span)
    }

    private func hasTemplate(_ path: Span<UInt8>) -> Bool {
        var search = TemplateSearch()
        return search.next(in: path, tables.trie) != nil
    }

    private func hasRoute(unescaped path: Span<UInt8>) -> Bool {
        guard let unescaped = CanonicalPath.unescaped(path) else { return false }
        return !routeMethods(unescaped.span).isEmpty || hasTemplate(unescaped.span)
    }

    /// Returns the methods of the literal routes at a path.
    func routeMethods(_ path: Span<UInt8>) -> [Int32] {
        var methods: [Int32] = []
        var site = tables.paths.value(of: path) ?? -1
        while site >= 0 {
            if tables.sites[Int(site)].route >= 0 { methods.append(tables.sites[Int(site)].method) }
            site = tables.sites[Int(site)].next
        }
        return methods
    }

    /// Returns the sequence that answers at a canonical path, or -1 if no sequence does. Recorded exchanges take
    /// precedence over literal routes, and those over templates. A route also answers at a path that differs only in
    /// escapes that are not needed (``CanonicalPath/unescaped(_:)``), if nothing has the exact path. `site` is -1 if no
    /// fixture has this literal path and method.
    @inline(never)
    private func sequence(
        at site: Int32,
        _ method: Int32,
        _ path: Span<UInt8>,
        _ request: RequestView
    ) -> Int32 {
        if site >= 0 {
            if request.content.isEmpty, !request.hasQuery {
                let plain = tables.sites[Int(site)].plain
                if plain >= 0 { return plain }
            }
            let sequence = recordedSequence(site, request)
            if sequence >= 0 { return sequence }
        }
        if tables.masks.hasPaths {
            let sequence = maskedPathSequence(method, path, request)
            if sequence >= 0 { return sequence }
        }
        if site >= 0, tables.sites[Int(site)].route >= 0 { return tables.sites[Int(site)].route }
        guard let unescaped = CanonicalPath.unescaped(path) else {
            return tables.trie.identity(matching: path, method: method)
        }
        let route = literalRoute(unescaped.span, method)
        if route >= 0 { return route }
        let template = tables.trie.identity(matching: path, method: method)
        return template >= 0 ? template : tables.trie.identity(matching: unescaped.span, method: method)
    }

    /// Returns the sequence of the literal route at a path, or -1 if there is none.
    func literalRoute(_ path: Span<UInt8>, _ method: Int32) -> Int32 {
        let site = tables.site(of: method, from: tables.paths.value(of: path) ?? -1)
        return site >= 0 ? tables.sites[Int(site)].route : -1
    }

    /// Returns the sequence of a recorded exchange at a site.
    @inline(__always)
    private func recordedSequence(
        _ site: Int32,
        _ request: RequestView
    ) -> Int32 {
        let candidates = candidates(site, request)
        if tables.sites[Int(site)].hasMasks { return maskedSequence(site, candidates, request) }
        return recordedSequence(candidates, request)
    }

    /// Returns the identities of the recorded exchanges that match in everything except the host.
    @inline(__always)
    func candidates(
        _ site: Int32,
        _ request: RequestView
    ) -> RecordedCandidates {
        var candidates = RecordedCandidates()
        let group = queryGroup(site, request)
        guard group >= 0 else { return candidates }
        let queryGroup = tables.queryGroups[Int(group)]
        if request.content.isEmpty {
            candidates.append(queryGroup.noBody)
        } else if queryGroup.kinds != 0 {
            appendBodies(group, queryGroup, request, to: &candidates)
        }
        candidates.append(queryGroup.anyBody)
        if options.headerNames.isEmpty { return candidates }
        let key = HeaderKey.key(of: request, names: options.headerNames)
        return candidates.mapped { tables.headers.value(of: key.span, parent: $0) ?? -1 }
    }

    @inline(__always)
    private func queryGroup(_ site: Int32, _ request: RequestView) -> Int32 {
        guard request.hasQuery else { return tables.sites[Int(site)].plainQuery }
        return queryGroup(site, request.query)
    }

    private func queryGroup(_ site: Int32, _ query: Span<UInt8>) -> Int32 {
        let hasQueries = tables.sites[Int(site)].hasQueries
        if hasQueries, let group = tables.queries.value(of: query, parent: site) { return group }
        // A query that is found has no ignored pairs, because the keys have none.
        if options.ignored.isEmpty, CanonicalQuery.isCanonical(query) { return -1 }
        let canonical = options.ignored.removed(fromQuery: CanonicalQuery.canonical(query))
        if canonical.isEmpty { return tables.sites[Int(site)].plainQuery }
        return tables.queries.value(of: canonical.span, parent: site) ?? -1
    }

    /// Appends the body groups with this body, one for each kind of comparison in use.
    private func appendBodies(
        _ group: Int32,
        _ queryGroup: IndexTables.QueryGroup,
        _ request: RequestView,
        to candidates: inout RecordedCandidates
    ) {
        if queryGroup.has(.bytes) {
            candidates.append(
                tables.bodies.value(of: request.content, parent: IndexTables.bodyParent(group, .bytes)) ?? -1
            )
        }
        for kind in [BodyPattern.Kind.json, .form, .multipart] where queryGroup.has(kind) {
            guard let canonical = bodyLimits.canonicalBody(kind, request, options.ignored) else { continue }
            candidates.append(
                tables.bodies.value(of: canonical.span, parent: IndexTables.bodyParent(group, kind)) ?? -1
            )
        }
    }

    /// Returns the sequence of the first candidate whose host matches the request's, or otherwise of the first
    /// candidate.
    @inline(__always)
    private func recordedSequence(
        _ candidates: RecordedCandidates,
        _ request: RequestView
    ) -> Int32 {
        guard candidates.count > 0 else { return -1 }
        let first = candidates[0]
        if candidates.count == 1, !tables.comparesHosts, tables.identities[Int(first)].hostGroupCount == 1 {
            return part(of: first, request)
        }
        return sequenceByHost(candidates, request)
    }

    /// Returns the part of a sequence for a request's range and conditions, or the sequence if these do not matter.
    /// Returns -1 if all answers require others.
    @inline(__always)
    func part(of sequence: Int32, _ request: RequestView) -> Int32 {
        tables.selectedParts.isEmpty ? sequence : selectedPart(of: sequence, request)
    }

    @inline(never)
    private func selectedPart(of sequence: Int32, _ request: RequestView) -> Int32 {
        let parts = sequenceList.parts(of: Int(sequence))
        return parts < 0 ? sequence : tables.selectedParts[parts].sequence(for: request)
    }
}

/// The identities of recorded exchanges that match one request, the most specific first: those that require this body,
/// or no body, and then those that do not compare bodies. Stored inline so that a lookup does not allocate.
struct RecordedCandidates: RandomAccessCollection {
    private(set) var count = 0
    private var numbers: (Int32, Int32, Int32, Int32, Int32) = (-1, -1, -1, -1, -1)

    /// Appends `number` unless it is -1.
    @inline(__always)
    mutating func append(_ number: Int32) {
        guard number >= 0 else { return }
        switch count {
        case 0: numbers.0 = number
        case 1: numbers.1 = number
        case 2: numbers.2 = number
        case 3: numbers.3 = number
        default: numbers.4 = number
        }
        count &+= 1
    }

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(index: Int) -> Int32 {
        switch index {
        case 0: numbers.0
        case 1: numbers.1
        case 2: numbers.2
        case 3: numbers.3
        default: numbers.4
        }
    }

    /// Returns the results of `transform` for these candidates, without -1.
    func mapped(_ transform: (Int32) -> Int32) -> RecordedCandidates {
        var mapped = RecordedCandidates()
        for index in 0..<count { mapped.append(transform(self[index])) }
        return mapped
    }
}
