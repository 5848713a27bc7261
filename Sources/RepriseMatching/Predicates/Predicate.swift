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
    /// Whether what is left cannot change the outcome.
    var isDone: Bool { get }

    /// Whether the host is visited.
    var asksHost: Bool { get }

    mutating func visit(_ predicate: some Predicate, _ request: CanonicalRequest)
}

extension RequestPattern {
    /// Visits each predicate on what the options compare, in the order of verdicts, until the visitor is done. A
    /// predicate is built only when it is visited.
    ///
    /// Exact recorded requests skip this: the index's tables are these predicates, hashed.
    @inline(__always)
    private func forEachPredicate(
        on request: CanonicalRequest,
        _ options: MatchingOptions,
        _ visitor: inout some PredicateVisitor
    ) {
        let fields = options.fields
        if fields.contains(.method) { visitor.visit(MethodPredicate(method: method), request) }
        if fields.contains(.path), !visitor.isDone {
            visitor.visit(PathPredicate(path: path, masked: maskedPath), request)
        }
        if fields.contains(.query), !visitor.isDone, let query {
            visitor.visit(QueryPredicate(query: query, masked: maskedQuery), request)
        }
        if fields.contains(.body), !visitor.isDone {
            visitor.visit(BodyPredicate(body: body, masked: maskedBody), request)
        }
        guard precedence == .recording, !visitor.isDone else { return }
        if !options.headerNames.isEmpty {
            for (index, value) in headerTexts(options.headerNames).enumerated() {
                visitor.visit(HeaderPredicate(name: options.headerNames[index], index: index, value: value), request)
            }
        }
        if visitor.asksHost, let host {
            visitor.visit(HostPredicate(host: host, isRequired: options.requiresHost), request)
        }
    }

    /// Whether the request satisfies every predicate but the host, which decides between otherwise equal patterns.
    func fits(_ request: CanonicalRequest, _ options: MatchingOptions) -> Bool {
        var fit = Fit()
        forEachPredicate(on: request, options, &fit)
        return fit.isGiven
    }

    /// How far the pattern is from the request: zero is equal, and each predicate adds. Once it is `limit`, it is only
    /// known to be that or more.
    func distance(from request: CanonicalRequest, _ options: MatchingOptions, limit: Int = .max) -> Int {
        var distance = Distance(asksHost: options.requiresHost, limit: limit)
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

    var isDone: Bool { !isGiven }
    var asksHost: Bool { false }

    @inline(__always)
    mutating func visit(_ predicate: some Predicate, _ request: CanonicalRequest) {
        isGiven = isGiven && predicate.matches(request)
    }
}

private struct Distance: PredicateVisitor {
    let asksHost: Bool
    let limit: Int
    var sum = 0

    var isDone: Bool { sum >= limit }

    @inline(__always)
    mutating func visit(_ predicate: some Predicate, _ request: CanonicalRequest) {
        sum += predicate.distance(from: request)
    }
}

private struct Verdicts: PredicateVisitor {
    let limit: Int
    var list: [FieldVerdict] = []

    var isDone: Bool { false }
    var asksHost: Bool { true }

    init(limit: Int) {
        self.limit = limit
        // Most patterns have one verdict for each of method, path, query, body and host.
        list.reserveCapacity(6)
    }

    mutating func visit(_ predicate: some Predicate, _ request: CanonicalRequest) {
        predicate.append(verdictsOn: request, limit: limit, to: &list)
    }
}
