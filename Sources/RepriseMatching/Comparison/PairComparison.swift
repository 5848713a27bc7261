// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Compares a query or form with a request's, and finds the pairs without a partner.
///
/// Equal pairs are partners. Each remaining pair with a mask gets a partner whose name and value it matches, so that
/// as many pairs as possible have one. Both sides are in canonical order, so the order of pairs in the request doesn't
/// matter, and a single pass finds the pairs that are equal.
struct PairComparison {
    /// The expected pairs that are missing from the request.
    private(set) var missing: [CanonicalQuery.Pair] = []
    /// The unexpected pairs of the request.
    private(set) var extra: [CanonicalQuery.Pair] = []
    private let expected: MaskedText
    private let found: [UInt8]

    /// The maximum number of combinations to try. Only a hostile request needs more.
    private static let maximumTrials = 1_000_000

    /// Compares two canonical queries. Stops after it has examined `budget` bytes, unless there are masks.
    init(_ expected: MaskedText, _ found: [UInt8], budget: Int = .max) {
        self.expected = expected
        self.found = found
        guard !expected.bytes.elementsEqual(found) else { return }
        findLonely(budget: expected.isMasked ? .max : budget)
        let masked = missing.indices.filter { isMasked(missing[$0]) }
        guard !masked.isEmpty, masked.count * extra.count <= Self.maximumTrials else { return }
        removePartners(of: masked)
    }

    /// Whether every pair has a partner.
    var isEqual: Bool { missing.isEmpty && extra.isEmpty }

    /// The distance: two for each pair with a different value, three for each missing or unexpected pair, or one if the
    /// queries differ only beyond the budget.
    var distance: Int {
        if isEqual, expected.isMasked || expected.bytes.elementsEqual(found) { return 0 }
        return max(1, 2 * max(missing.count, extra.count) + abs(missing.count - extra.count))
    }

    /// Finds the pairs that are not equal to one of the other side.
    private mutating func findLonely(budget: Int) {
        let (expected, found) = (expected, found)
        let (one, two) = (expected.bytes.span, found.span)
        var (index, other) = (0, 0)
        while index < one.count || other < two.count, index + other < budget {
            let pair = CanonicalQuery.pair(at: index, in: one)
            let otherPair = CanonicalQuery.pair(at: other, in: two)
            let order = Self.order(one, pair, two, otherPair)
            if order < 0, let pair { missing.append(pair) }
            if order > 0, let otherPair { extra.append(otherPair) }
            if order <= 0, let pair { index = pair.value.upperBound + 1 }
            if order >= 0, let otherPair { other = otherPair.value.upperBound + 1 }
        }
    }

    /// Returns a negative number if the expected pair comes first. A missing pair comes last.
    private static func order(
        _ expected: Span<UInt8>,
        _ pair: CanonicalQuery.Pair?,
        _ found: Span<UInt8>,
        _ other: CanonicalQuery.Pair?
    ) -> Int {
        guard let pair else { return 1 }
        guard let other else { return -1 }
        let one = expected.extracting(pair.name.lowerBound..<pair.value.upperBound)
        let two = found.extracting(other.name.lowerBound..<other.value.upperBound)
        for index in 0..<min(one.count, two.count) where one[index] != two[index] {
            return one[index] < two[index] ? -1 : 1
        }
        return one.count - two.count
    }

    // MARK: Masks

    private func isMasked(_ pair: CanonicalQuery.Pair) -> Bool {
        expected.isMasked && (expected[pair.name].isMasked || expected[pair.value].isMasked)
    }

    /// Finds partners for as many pairs as possible. If all possible partners of a pair are taken, the pairs that have
    /// them are moved to other partners where possible.
    private mutating func removePartners(of masked: [Int]) {
        var partners = Array(repeating: -1, count: extra.count)
        for pair in masked {
            var tried = Array(repeating: false, count: extra.count)
            _ = findPartner(pair, &partners, &tried)
        }
        let taken = Set(partners)
        missing = missing.indices.filter { !taken.contains($0) }.map { missing[$0] }
        extra = extra.indices.filter { partners[$0] < 0 }.map { extra[$0] }
    }

    private func findPartner(_ pair: Int, _ partners: inout [Int], _ tried: inout [Bool]) -> Bool {
        let (name, value) = (expected[missing[pair].name], expected[missing[pair].value])
        for candidate in extra.indices
        where !tried[candidate] && name.matches(found[extra[candidate].name])
            && value.matches(found[extra[candidate].value])
        {
            tried[candidate] = true
            if partners[candidate] < 0 || findPartner(partners[candidate], &partners, &tried) {
                partners[candidate] = pair
                return true
            }
        }
        return false
    }
}

/// Requires the pairs of a query, in any order.
struct QueryPredicate: Predicate {
    /// The canonical form of the query.
    let query: MaskedText

    func matches(_ request: CanonicalRequest) -> Bool { PairComparison(query, request.query).isEqual }

    func distance(from request: CanonicalRequest) -> Int {
        PairComparison(query, request.query, budget: BodyPredicate.distanceBudget).distance
    }

    func append(verdictsOn request: CanonicalRequest, limit: Int, to verdicts: inout [FieldVerdict]) {
        PairComparison(query, request.query, budget: BodyPredicate.verdictBudget)
            .append(.query, limit: limit, to: &verdicts)
    }
}

// MARK: - Verdicts

extension PairComparison {
    /// Appends one verdict for each pair without a partner, at most `limit`, or a single verdict if all pairs have one,
    /// or if the queries differ only beyond the budget. An expected value and a found value of the same name form one
    /// verdict. Found values are hidden if the name also has a masked value.
    func append(_ field: FieldVerdict.Name, limit: Int, to verdicts: inout [FieldVerdict]) {
        guard !isEqual else { return verdicts.append(verdict(onAll: field)) }
        let masked = Set(CanonicalQuery.pairs(expected.bytes.span).filter(isMasked).map { expected.bytes[$0.name] })
        let end = verdicts.count + limit
        var (left, right) = (missing[...], extra[...])
        while verdicts.count < end {
            let names = [left.first.map { expected.bytes[$0.name] }, right.first.map { found[$0.name] }]
            // In canonical order, an equals sign follows each name.
            guard
                let name = names.compactMap(\.self).min(by: {
                    ($0 + [UInt8(ascii: "=")]).lexicographicallyPrecedes($1 + [UInt8(ascii: "=")])
                })
            else { break }
            let values = left.prefix { expected.bytes[$0.name] == name }
            let others = right.prefix { found[$0.name] == name }
            left = left.dropFirst(values.count)
            right = right.dropFirst(others.count)
            let pair: FieldVerdict.Name = field == .query ? .queryPair(name) : .bodyPair(name)
            for position in 0..<max(values.count, others.count) where verdicts.count < end {
                let value = values.dropFirst(position).first.map { expected[$0.value] }
                let other = others.dropFirst(position).first.map { found[$0.value] }
                let shown: FieldVerdict.Value =
                    masked.contains(name) && other != nil ? .hidden("a value") : FieldVerdict.Value(other)
                verdicts.append(
                    FieldVerdict(pair, isEqual: false, expected: FieldVerdict.Value(value), found: shown)
                )
            }
        }
    }

    private func verdict(onAll field: FieldVerdict.Name) -> FieldVerdict {
        if expected.isMasked {
            // The request's values are hidden, so the fixture's spelling is shown instead.
            return FieldVerdict(
                field,
                isEqual: true,
                expected: FieldVerdict.Value(expected),
                found: .bytes(expected.bytes)
            )
        }
        guard expected.bytes.elementsEqual(found) else {
            return BodyPredicate.bytesVerdict(field, expected.bytes, found[...])
        }
        let value = FieldVerdict.Value(found.isEmpty ? nil : found[...])
        return FieldVerdict(field, isEqual: true, expected: value, found: value)
    }
}
