// SPDX-License-Identifier: Apache-2.0

/// What a pattern asks of one part of a request. Matching, near misses and explanations all ask it, so they agree.
protocol Predicate {
    /// Whether the request has what is asked, however large it is.
    func matches(_ request: CanonicalRequest) -> Bool

    /// How far the request is from what is asked; zero if it has it. It formats nothing, and looks at a bounded part.
    func distance(from request: CanonicalRequest) -> Int

    /// Appends why the request has what is asked or not: one verdict, or one for each place that differs, at most about
    /// `limit`.
    func append(verdictsOn request: CanonicalRequest, limit: Int, to verdicts: inout [FieldVerdict])
}

/// What is done with one predicate after the other. Generic, so that no predicate is boxed: a miss asks many.
private protocol PredicateVisitor {
    mutating func visit(_ predicate: some Predicate, _ request: CanonicalRequest, isHost: Bool)
}

extension RequestPattern {
    /// Visits each predicate on what the options compare, in the order of verdicts.
    ///
    /// Exact recorded requests are not asked so: the tables of the index are these predicates, hashed.
    private func forEachPredicate(
        on request: CanonicalRequest,
        _ options: MatchingOptions,
        _ visitor: inout some PredicateVisitor
    ) {
        func visit(_ predicate: some Predicate, isHost: Bool = false) {
            visitor.visit(predicate, request, isHost: isHost)
        }
        let fields = options.fields
        if fields.contains(.method) { visit(MethodPredicate(method: method)) }
        if fields.contains(.path) { visit(PathPredicate(path: path, masked: maskedPath)) }
        if fields.contains(.query), let query { visit(QueryPredicate(query: query, masked: maskedQuery)) }
        if fields.contains(.body) { visit(BodyPredicate(body: body, masked: maskedBody)) }
        guard kind == .recorded else { return }
        if !options.headerNames.isEmpty {
            for (index, value) in headerTexts(options.headerNames).enumerated() {
                visit(HeaderPredicate(name: options.headerNames[index], index: index, value: value))
            }
        }
        if let host { visit(HostPredicate(host: host, isRequired: options.requiresHost), isHost: true) }
    }

    /// Whether the request has all that is asked, the host aside: that decides between patterns that have the same
    /// request.
    func fits(_ request: CanonicalRequest, _ options: MatchingOptions) -> Bool {
        var fit = Fit()
        forEachPredicate(on: request, options, &fit)
        return fit.isGiven
    }

    /// How far the pattern is from the request: zero is equal, and each predicate adds.
    func distance(from request: CanonicalRequest, _ options: MatchingOptions) -> Int {
        var distance = Distance(countsHost: options.requiresHost)
        forEachPredicate(on: request, options, &distance)
        return distance.sum
    }

    /// The verdicts of all predicates, of the query and the body at most `limit` each.
    func verdicts(on request: CanonicalRequest, _ options: MatchingOptions, limit: Int) -> [FieldVerdict] {
        var verdicts = Verdicts(limit: limit)
        forEachPredicate(on: request, options, &verdicts)
        return verdicts.list
    }
}

private struct Fit: PredicateVisitor {
    var isGiven = true

    mutating func visit(_ predicate: some Predicate, _ request: CanonicalRequest, isHost: Bool) {
        isGiven = isGiven && (isHost || predicate.matches(request))
    }
}

private struct Distance: PredicateVisitor {
    let countsHost: Bool
    var sum = 0

    mutating func visit(_ predicate: some Predicate, _ request: CanonicalRequest, isHost: Bool) {
        if !isHost || countsHost { sum += predicate.distance(from: request) }
    }
}

private struct Verdicts: PredicateVisitor {
    let limit: Int
    var list: [FieldVerdict] = []

    mutating func visit(_ predicate: some Predicate, _ request: CanonicalRequest, isHost: Bool) {
        predicate.append(verdictsOn: request, limit: limit, to: &list)
    }
}
