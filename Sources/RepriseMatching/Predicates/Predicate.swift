// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A requirement of a pattern on one part of a request. Matching, near misses, and explanations all use predicates,
/// so their results agree.
protocol Predicate {
    /// Whether the request satisfies the predicate, regardless of the request's size.
    func matches(_ request: CanonicalRequest) -> Bool

    /// Returns the distance from the request, or zero if it satisfies the predicate. Does not format anything, and
    /// examines a limited number of bytes.
    func distance(from request: CanonicalRequest) -> Int

    /// Appends one verdict if the request satisfies the predicate, and otherwise one for each difference, at most about
    /// `limit`.
    func append(verdictsOn request: CanonicalRequest, limit: Int, to verdicts: inout [FieldVerdict])
}

/// An operation on each predicate of a pattern. The method is generic, which avoids boxing the many predicates that a
/// miss evaluates.
private protocol PredicateVisitor {
    /// Whether the remaining predicates cannot change the result.
    var isDone: Bool { get }

    var visitsHost: Bool { get }

    mutating func visit(_ predicate: some Predicate, _ request: CanonicalRequest)
}

extension RequestPattern {
    /// Visits each predicate that the options compare, in the order of verdicts, until the visitor is done. Each
    /// predicate is created only when it is visited.
    ///
    /// Exact recorded requests skip this step, because the tables of the index are these predicates in hashed form.
    @inline(__always)
    private func forEachPredicate(
        on request: CanonicalRequest,
        _ options: MatchingOptions,
        _ visitor: inout some PredicateVisitor
    ) {
        let fields = options.fields
        if fields.contains(.method) { visitor.visit(MethodPredicate(method: method), request) }
        if fields.contains(.path), !visitor.isDone {
            visitor.visit(PathPredicate(self), request)
        }
        if fields.contains(.query), !visitor.isDone, let queryText {
            visitor.visit(QueryPredicate(query: queryText), request)
        }
        if fields.contains(.body), !visitor.isDone {
            visitor.visit(BodyPredicate(body: body, text: bodyText), request)
        }
        guard precedence == .recording, !visitor.isDone else { return }
        if !options.headerNames.isEmpty {
            for (index, value) in headerTexts(options.headerNames).enumerated() {
                visitor.visit(HeaderPredicate(name: options.headerNames[index], index: index, value: value), request)
            }
        }
        // If the options compare the field, the pattern still has its line.
        if !requiredSelection.isEmpty, !headers.contains(where: requiredSelection.isIn) {
            visitor.visit(SelectionPredicate(required: requiredSelection), request)
        }
        if visitor.visitsHost, let host {
            visitor.visit(HostPredicate(host: host, isSecure: isSecure), request)
        }
    }

    /// Whether the request satisfies every predicate except the host, which decides between otherwise equal patterns.
    func matchesExceptHost(_ request: CanonicalRequest, _ options: MatchingOptions) -> Bool {
        var visitor = MatchVisitor()
        forEachPredicate(on: request, options, &visitor)
        return visitor.isMatch
    }

    /// Returns the distance between the pattern and the request: the sum over all predicates, and zero if they are
    /// equal. The computation stops when the sum reaches `limit`, so a result of `limit` or more is only a lower bound.
    func distance(from request: CanonicalRequest, _ options: MatchingOptions, limit: Int = .max) -> Int {
        var distance = Distance(visitsHost: request.requiresHost, limit: limit)
        forEachPredicate(on: request, options, &distance)
        return distance.sum
    }

    /// Returns the verdicts of all predicates, with at most `limit` each for the query and the body.
    func verdicts(on request: CanonicalRequest, _ options: MatchingOptions, limit: Int) -> [FieldVerdict] {
        var verdicts = Verdicts(limit: limit)
        forEachPredicate(on: request, options, &verdicts)
        return verdicts.list
    }
}

private struct MatchVisitor: PredicateVisitor {
    var isMatch = true

    var isDone: Bool { !isMatch }
    var visitsHost: Bool { false }

    @inline(__always)
    mutating func visit(_ predicate: some Predicate, _ request: CanonicalRequest) {
        isMatch = isMatch && predicate.matches(request)
    }
}

private struct Distance: PredicateVisitor {
    let visitsHost: Bool
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
    var visitsHost: Bool { true }

    init(limit: Int) {
        self.limit = limit
        // Most patterns have one verdict each for the method, path, query, body, and host.
        list.reserveCapacity(6)
    }

    mutating func visit(_ predicate: some Predicate, _ request: CanonicalRequest) {
        predicate.append(verdictsOn: request, limit: limit, to: &list)
    }
}
