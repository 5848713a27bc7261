// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Compares queries and form bodies pair by pair.
///
/// Both sides are in canonical order, so a single pass finds the differences. The comparison stops after it has
/// examined `budget` bytes.
struct QueryComparison {
    /// The number of missing pairs found within the budget.
    private var missing = 0
    private var extra = 0
    /// The first differences, grouped by name. If an expected value and a found value of the same name both lack a
    /// counterpart, they form one difference.
    private(set) var differences: [Difference] = []
    private let limit: Int
    private let budget: Int
    /// The values of the current name that occur on only one side.
    private var group = Group()

    /// One pair that differs.
    struct Difference {
        var name: [UInt8]
        /// The range of the value in the expected query; `nil` if it is missing.
        var expected: Range<Int>?
        /// The range of the value in the found query; `nil` if it is missing.
        var found: Range<Int>?
    }

    private struct Group {
        var name: [UInt8] = []
        var expected: [Range<Int>] = []
        var found: [Range<Int>] = []
    }

    /// Creates a comparison that keeps `limit` differences and examines about `budget` bytes.
    init(limit: Int, budget: Int) {
        self.limit = limit
        self.budget = budget
    }

    /// Returns the distance: two for each pair with a different value, three for each missing or unexpected pair, or
    /// one if the queries differ only beyond the budget.
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

    /// Appends one verdict for each pair that differs, at most `limit`. Appends a single verdict if the queries are
    /// equal or differ only beyond the budget.
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
        // Values beyond the displayed ones are not kept.
        if group.expected.count < limit { group.expected.append(pair.value) }
    }

    private mutating func addFound(_ pair: CanonicalQuery.Pair, _ query: Span<UInt8>) {
        guard limit > 0 else { return }
        begin(query.extracting(pair.name))
        if group.found.count < limit { group.found.append(pair.value) }
    }

    /// Starts the group of a name unless it is already open.
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
}
