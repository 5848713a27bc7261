// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Compares a query or form that holds markers of redaction with a request's: which pairs find no partner.
///
/// Equal pairs belong together. Of the others, each pair with a marker takes one whose name and value it may stand for,
/// so that as many as can have one. The order of pairs does not count.
struct RedactedPairs {
    /// A pair: `name=value` in canonical spelling.
    struct Pair: Equatable {
        var name: ArraySlice<UInt8>
        var value: ArraySlice<UInt8>
    }

    /// The pairs that are missing from the request.
    private(set) var missing: [Pair] = []
    /// The request's pairs that are too many.
    private(set) var extra: [Pair] = []

    /// More pairs than these are not tried with each other: a request with so many is a hostile one.
    private static let maximumTrials = 1_000_000

    /// Compares two canonical queries.
    init(_ expected: [UInt8], _ found: [UInt8]) {
        missing = Self.pairs(of: expected)
        extra = Self.pairs(of: found)
        removeEqual()
        let wildcards = missing.indices.filter { missing[$0].hasMarker }
        guard !wildcards.isEmpty, wildcards.count * extra.count <= Self.maximumTrials else { return }
        removePartners(of: wildcards)
    }

    /// Whether each pair has its partner.
    var isEqual: Bool { missing.isEmpty && extra.isEmpty }

    /// Both are in order, so one walk finds what is equal.
    private mutating func removeEqual() {
        var (lonely, otherLonely): ([Pair], [Pair]) = ([], [])
        var (index, other) = (0, 0)
        while index < missing.count, other < extra.count {
            if missing[index] == extra[other] {
                index += 1
                other += 1
            } else if missing[index].precedes(extra[other]) {
                lonely.append(missing[index])
                index += 1
            } else {
                otherLonely.append(extra[other])
                other += 1
            }
        }
        missing = lonely + missing[index...]
        extra = otherLonely + extra[other...]
    }

    /// Finds partners for as many as possible: one whose partners are all taken makes the others look for another.
    private mutating func removePartners(of wildcards: [Int]) {
        var takers = Array(repeating: -1, count: extra.count)
        let matchers = wildcards.map { PairMatcher(missing[$0]) }
        for wildcard in wildcards.indices {
            var tried = Array(repeating: false, count: extra.count)
            _ = findPartner(wildcard, matchers, &takers, &tried)
        }
        let taken = Set(takers.filter { $0 >= 0 }.map { wildcards[$0] })
        missing = missing.indices.filter { !taken.contains($0) }.map { missing[$0] }
        extra = extra.indices.filter { takers[$0] < 0 }.map { extra[$0] }
    }

    private func findPartner(
        _ wildcard: Int,
        _ matchers: [PairMatcher],
        _ takers: inout [Int],
        _ tried: inout [Bool]
    ) -> Bool {
        for candidate in extra.indices where !tried[candidate] && matchers[wildcard].matches(extra[candidate]) {
            tried[candidate] = true
            if takers[candidate] < 0 || findPartner(takers[candidate], matchers, &takers, &tried) {
                takers[candidate] = wildcard
                return true
            }
        }
        return false
    }

    /// The pairs of a canonical query.
    static func pairs(of query: [UInt8]) -> [Pair] {
        var pairs: [Pair] = []
        var start = 0
        while let pair = CanonicalQuery.pair(at: start, in: query.span) {
            pairs.append(Pair(name: query[pair.name], value: query[pair.value]))
            start = pair.value.upperBound + 1
        }
        return pairs
    }
}

extension RedactedPairs.Pair {
    /// Whether a marker is in the name or the value.
    var hasMarker: Bool { RedactionMarker.isIn(name.span) || RedactionMarker.isIn(value.span) }

    fileprivate func precedes(_ other: Self) -> Bool {
        let (key, otherKey) = (name + [UInt8(ascii: "=")], other.name + [UInt8(ascii: "=")])
        return key == otherKey
            ? value.lexicographicallyPrecedes(other.value) : key.lexicographicallyPrecedes(otherKey)
    }
}

/// One pair with markers, compiled.
private struct PairMatcher {
    private let pair: RedactedPairs.Pair
    private let name: WildcardText?
    private let value: WildcardText?

    init(_ pair: RedactedPairs.Pair) {
        self.pair = pair
        name = WildcardText(pair.name)
        value = WildcardText(pair.value)
    }

    func matches(_ other: RedactedPairs.Pair) -> Bool {
        (name?.matches(other.name.span) ?? (pair.name == other.name))
            && (value?.matches(other.value.span) ?? (pair.value == other.value))
    }
}
