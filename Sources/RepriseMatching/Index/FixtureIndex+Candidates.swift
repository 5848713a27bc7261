// SPDX-License-Identifier: Apache-2.0

package import RepriseText

extension FixtureIndex {
    /// Returns everything that can answer a request, in order of preference: recorded exchanges, the literal route,
    /// templates, and then the fallbacks for HEAD and OPTIONS. ``match(_:)`` returns the first of them.
    ///
    /// This method is slower and allocates memory. It is meant for the rare request whose first sequence is
    /// exhausted.
    package func candidates(_ request: RequestView) -> [Match] {
        let method = methodNumber(of: request)
        let request = request.reduced(to: options.fields)
        let path = CanonicalPath.canonical(request.path)
        var matches = sequences(method, path, request).map { Match.hit($0) }
        switch method {
        case IndexTables.Method.head:
            matches += sequences(IndexTables.Method.get, path, request).map { Match.headFallback($0) }
        case IndexTables.Method.options:
            if isKnown(path.span) { matches.append(.optionsFallback) }
        default:
            break
        }
        return matches
    }

    private func sequences(
        _ method: Int32,
        _ path: [UInt8],
        _ request: RequestView
    ) -> [FixtureSequence.ID] {
        guard method >= 0 else { return [] }
        var found: [Int32] = []
        let site = tables.site(of: method, from: tables.paths.value(of: path.span) ?? -1)
        if site >= 0 {
            let exact = candidates(site, request)
            let identities =
                tables.sites[Int(site)].hasMasks
                ? maskedIdentities(site, exact, request) : Array(exact)
            found += sequences(of: identities, request)
        }
        if tables.masks.hasPaths {
            found += sequences(of: maskedPathIdentities(method, path.span, request), request)
        }
        if site >= 0, tables.sites[Int(site)].route >= 0 { found.append(tables.sites[Int(site)].route) }
        let unescaped = CanonicalPath.unescaped(path.span)
        if let unescaped, case let route = literalRoute(unescaped.span, method), route >= 0 { found.append(route) }
        for path in [path, unescaped].compactMap(\.self) {
            var search = TemplateSearch()
            while let node = search.next(in: path.span, tables.trie) {
                let identity = tables.trie.identity(at: node, method: method)
                if identity >= 0 { found.append(identity) }
            }
        }
        var known: Set<Int32> = []
        return found.filter { known.insert($0).inserted }.map { FixtureSequence.ID(number: Int($0)) }
    }
}
