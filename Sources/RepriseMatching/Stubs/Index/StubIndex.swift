// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the stubs that can answer a request, without comparing it with every stub.
///
/// The stubs are numbered by rank: of two that match, the one with the lower rank answers.
package struct StubIndex: Sendable {
    /// The number of stubs.
    package let count: Int
    private let buckets: [StubBucket]
    private let urls: KeyTable
    private let paths: KeyTable
    /// The path templates. The routes at their ends are buckets.
    private let templates: PathTrie
    private let literals: LiteralTable
    /// The bucket of the stubs without a condition on the target that can be looked up, or -1.
    private let any: Int32

    /// Creates an index of stubs, given in the order of their ranks.
    package init(_ keys: [StubKey]) {
        var builder = Builder()
        for (rank, key) in keys.enumerated() { builder.add(key, rank: Int32(rank)) }
        builder.addPatterns()
        count = keys.count
        buckets = builder.members.map { StubBucket($0.sorted(), keys) }
        urls = builder.urls
        paths = builder.paths
        templates = builder.templates
        literals = builder.literals
        any = builder.any
    }

    /// Stubs that can answer a request, found by its target.
    package struct Candidates {
        /// The number of the first bucket, or -1. A request usually has one, so it needs no array.
        fileprivate var first: Int32 = -1
        fileprivate var others: [Int32] = []

        /// Whether there are none.
        package var isEmpty: Bool { first < 0 }

        fileprivate mutating func append(_ bucket: Int32) {
            if first < 0 { first = bucket } else { others.append(bucket) }
        }
    }

    /// Returns the stubs that can answer a request with the given target.
    ///
    /// - Parameters:
    ///   - url: The path and, if it is not empty, the query, as sent.
    ///   - path: The path as sent.
    package func candidates(url: Span<UInt8>, path: Span<UInt8>) -> Candidates {
        var found = Candidates()
        if let bucket = urls.value(of: url) { found.append(bucket) }
        if let bucket = paths.value(of: path) { found.append(bucket) }
        if templates.hasTemplates {
            var search = TemplateSearch()
            while let node = search.next(in: path, templates) { found.append(templates.identity(at: node, method: 0)) }
        }
        // A text can occur several times in a target.
        literals.forEachBucket(in: url) { bucket in
            if found.first != bucket, !found.others.contains(bucket) { found.append(bucket) }
        }
        if any >= 0 { found.append(any) }
        return found
    }

    /// Returns the ranks of the stubs that can answer a request, ascending. The request still has to be compared with
    /// them, because only some of their conditions were looked up.
    ///
    /// - Parameter values: Returns the values of a field of the request.
    package func ranks(of candidates: Candidates, values: (StubKey.Field) -> [ArraySlice<UInt8>] = { _ in [] })
        -> [Int32]
    {
        guard candidates.first >= 0 else { return [] }
        let first = buckets[Int(candidates.first)]
        // The ranks of one bucket can be returned without a copy.
        if candidates.others.isEmpty, !first.needsValues { return first.ranks }
        var found: [Int32] = []
        first.append(to: &found, values)
        for bucket in candidates.others { buckets[Int(bucket)].append(to: &found, values) }
        guard found.count > 1 else { return found }
        found.sort()
        // A value that occurs twice in a request finds its stubs twice.
        var last: Int32 = -1
        found.removeAll { rank in
            defer { last = rank }
            return rank == last
        }
        return found
    }

    /// Collects the stubs of each bucket.
    private struct Builder {
        var members: [[Int32]] = []
        var urls = KeyTable()
        var paths = KeyTable()
        var templates = PathTrie(capacity: 0)
        var literals = LiteralTable()
        var any: Int32 = -1
        private var patterns: [(rank: Int32, parts: [ArraySlice<UInt8>])] = []

        mutating func add(_ key: StubKey, rank: Int32) {
            let next = Int32(members.count)
            switch key.target {
            case .any: addToAny(rank)
            case .url(let url): add(rank, to: urls.insert(url[...], value: next))
            case .path(let path): add(rank, to: paths.insert(path[...], value: next))
            case .template(let segments):
                let node = templates.insert(segments.map { $0.map { .literal($0) } ?? .parameter("") })
                let known = templates.identity(at: node, method: 0)
                if known < 0 { templates.addRoute(at: node, method: 0, identity: next) }
                add(rank, to: known < 0 ? next : known)
            case .containing(let texts):
                let parts = LiteralTable.parts(of: texts)
                if parts.isEmpty { addToAny(rank) } else { patterns.append((rank, parts)) }
            }
        }

        /// Stores each pattern under the part that the fewest patterns have.
        mutating func addPatterns() {
            var counts: [ArraySlice<UInt8>: Int] = [:]
            for pattern in patterns {
                for part in Set(pattern.parts) { counts[part, default: 0] += 1 }
            }
            for (rank, parts) in patterns {
                guard let part = parts.min(by: { counts[$0, default: 0] < counts[$1, default: 0] }) else { continue }
                add(rank, to: literals.insert(part, bucket: Int32(members.count)))
            }
        }

        private mutating func addToAny(_ rank: Int32) {
            if any < 0 { any = Int32(members.count) }
            add(rank, to: any)
        }

        private mutating func add(_ rank: Int32, to bucket: Int32) {
            if Int(bucket) == members.count { members.append([]) }
            members[Int(bucket)].append(rank)
        }
    }
}
