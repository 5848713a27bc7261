// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Compares queries, and the forms of bodies, pair by pair.
///
/// Both are in canonical order, so one walk over both finds what differs. It stops when it has looked at `budget` bytes.
struct QueryComparison {
    /// How many pairs are missing and how many are too many, as far as was looked.
    private var missing = 0
    private var extra = 0
    /// The first differences, name by name: the values of one name that only one side has are paired.
    private(set) var differences: [Difference] = []
    private let limit: Int
    private let budget: Int
    /// The values of one name that only one side has.
    private var group = Group()

    /// One pair that differs.
    struct Difference {
        var name: [UInt8]
        /// Where the value is in the expected query; `nil` if it has none.
        var expected: Range<Int>?
        /// Where the value is in the found query; `nil` if it has none.
        var found: Range<Int>?
    }

    private struct Group {
        var name: [UInt8] = []
        var expected: [Range<Int>] = []
        var found: [Range<Int>] = []
    }

    /// A comparison that keeps `limit` differences and looks at about `budget` bytes.
    init(limit: Int, budget: Int) {
        self.limit = limit
        self.budget = budget
    }

    /// Two for each pair with another value, three for each that is missing or too many; of queries that differ late,
    /// one.
    static func distance(_ expected: [UInt8], _ found: [UInt8], budget: Int, masked: MaskedText?) -> Int {
        if expected.count == found.count, expected == found { return 0 }
        if let masked {
            let pairs = MaskedPairing(masked, found)
            return pairs.isEqual ? 0 : distance(missing: pairs.missing.count, extra: pairs.extra.count)
        }
        var comparison = QueryComparison(limit: 0, budget: budget)
        comparison.compare(expected.span, found.span)
        return distance(missing: comparison.missing, extra: comparison.extra)
    }

    private static func distance(missing: Int, extra: Int) -> Int {
        max(1, 2 * max(missing, extra) + abs(missing - extra))
    }

    /// Appends one verdict for each pair that differs, at most `limit`; one for all if they are equal, or differ beyond
    /// the budget.
    static func append(
        _ name: FieldVerdict.Name,
        _ expected: [UInt8],
        _ found: [UInt8],
        limit: Int,
        budget: Int,
        masked: MaskedText?,
        to verdicts: inout [FieldVerdict]
    ) {
        if let masked {
            MaskedPairing(masked, found).append(name, masked, limit: limit, to: &verdicts)
            return
        }
        if expected == found {
            let value = FieldVerdict.Value(found.isEmpty ? nil : found[...])
            verdicts.append(FieldVerdict(name, isEqual: true, expected: value, found: value))
            return
        }
        var comparison = QueryComparison(limit: limit, budget: budget)
        comparison.compare(expected.span, found.span)
        if comparison.differences.isEmpty {
            verdicts.append(BodyComparison.bytesVerdict(name, expected[...], found[...]))
        }
        for difference in comparison.differences {
            verdicts.append(
                FieldVerdict(
                    name == .query ? .queryPair(difference.name[...]) : .bodyPair(difference.name[...]),
                    isEqual: false,
                    expected: FieldVerdict.Value(difference.expected.map { expected[$0] }),
                    found: FieldVerdict.Value(difference.found.map { found[$0] })
                )
            )
        }
    }

    private mutating func compare(_ expected: Span<UInt8>, _ found: Span<UInt8>) {
        var (index, other) = (0, 0)
        while index < expected.count || other < found.count, index + other < budget {
            if limit > 0, differences.count >= limit { return }
            let pair = CanonicalQuery.pair(at: index, in: expected)
            let otherPair = CanonicalQuery.pair(at: other, in: found)
            let order = Self.order(expected, pair, found, otherPair)
            if order < 0, let pair {
                missing += 1
                addExpected(pair, expected)
            } else if order > 0, let otherPair {
                extra += 1
                addFound(otherPair, found)
            }
            if order <= 0, let pair { index = pair.value.upperBound + 1 }
            if order >= 0, let otherPair { other = otherPair.value.upperBound + 1 }
        }
        endGroup()
    }

    private mutating func addExpected(_ pair: CanonicalQuery.Pair, _ query: Span<UInt8>) {
        guard limit > 0 else { return }
        begin(query.extracting(pair.name))
        // More than are shown need not be kept.
        if group.expected.count < limit { group.expected.append(pair.value) }
    }

    private mutating func addFound(_ pair: CanonicalQuery.Pair, _ query: Span<UInt8>) {
        guard limit > 0 else { return }
        begin(query.extracting(pair.name))
        if group.found.count < limit { group.found.append(pair.value) }
    }

    /// Begins the group of a name, unless it is the one that is open.
    private mutating func begin(_ name: Span<UInt8>) {
        var isOpen = name.count == group.name.count && !(group.expected.isEmpty && group.found.isEmpty)
        for index in name.indices where isOpen { isOpen = name[index] == group.name[index] }
        guard !isOpen else { return }
        endGroup()
        group.name = [UInt8](bytes: name)
    }

    private mutating func endGroup() {
        let (expected, found) = (group.expected, group.found)
        for position in 0..<max(expected.count, found.count) where differences.count < limit {
            differences.append(
                Difference(
                    name: group.name,
                    expected: position < expected.count ? expected[position] : nil,
                    found: position < found.count ? found[position] : nil
                )
            )
        }
        group.expected.removeAll(keepingCapacity: true)
        group.found.removeAll(keepingCapacity: true)
    }

    /// Negative if the expected pair comes first. No pair comes after any pair.
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
}
