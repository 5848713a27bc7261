// SPDX-License-Identifier: Apache-2.0

/// Compares queries, and the forms of bodies, pair by pair.
enum QueryComparison {
    /// Two for each pair with another value, three for each that is missing or too many.
    static func distance(_ expected: Span<UInt8>, _ found: Span<UInt8>) -> Int {
        var missing = 0
        var extra = 0
        var (index, other) = (0, 0)
        while index < expected.count || other < found.count {
            let pair = expected.extracting(index..<endOfPair(expected, index))
            let otherPair = found.extracting(other..<endOfPair(found, other))
            let order = order(pair, otherPair)
            if order > 0 {
                extra += 1
            } else if order < 0 {
                missing += 1
            }
            if order <= 0 { index += pair.count + 1 }
            if order >= 0 { other += otherPair.count + 1 }
            index = min(index, expected.count)
            other = min(other, found.count)
        }
        return 2 * max(missing, extra) + abs(missing - extra)
    }

    /// Appends one verdict for each pair that differs, at most `limit`; one for all if they are equal.
    static func append(
        _ name: FieldVerdict.Name,
        _ expected: [UInt8],
        _ found: [UInt8],
        limit: Int,
        to verdicts: inout [FieldVerdict]
    ) {
        if expected == found {
            let value = FieldVerdict.Value(found.isEmpty ? nil : found[...])
            verdicts.append(FieldVerdict(name, isEqual: true, expected: value, found: value))
            return
        }
        for difference in differences(expected, found).prefix(limit) {
            verdicts.append(
                FieldVerdict(
                    name == .query ? .queryPair(difference.name) : .bodyPair(difference.name),
                    isEqual: false,
                    expected: FieldVerdict.Value(difference.expected),
                    found: FieldVerdict.Value(difference.found)
                )
            )
        }
    }

    private struct Difference {
        var name: ArraySlice<UInt8>
        var expected: ArraySlice<UInt8>?
        var found: ArraySlice<UInt8>?
    }

    /// What differs, name by name: of the values of one name, the equal ones are left out and the others are paired.
    private static func differences(_ expected: [UInt8], _ found: [UInt8]) -> [Difference] {
        let expectedPairs = CanonicalQuery.pairs(expected.span)
        let foundPairs = CanonicalQuery.pairs(found.span)
        var differences: [Difference] = []
        var (index, other) = (0, 0)
        while index < expectedPairs.count || other < foundPairs.count {
            let name = firstName(
                index < expectedPairs.count ? expected[expectedPairs[index].name] : nil,
                other < foundPairs.count ? found[foundPairs[other].name] : nil
            )
            var values: [ArraySlice<UInt8>] = []
            while index < expectedPairs.count, expected[expectedPairs[index].name] == name {
                values.append(expected[expectedPairs[index].value])
                index += 1
            }
            var otherValues: [ArraySlice<UInt8>] = []
            while other < foundPairs.count, found[foundPairs[other].name] == name {
                otherValues.append(found[foundPairs[other].value])
                other += 1
            }
            removeCommon(&values, &otherValues)
            for position in 0..<max(values.count, otherValues.count) {
                differences.append(
                    Difference(
                        name: name,
                        expected: position < values.count ? values[position] : nil,
                        found: position < otherValues.count ? otherValues[position] : nil
                    )
                )
            }
        }
        return differences
    }

    /// The name that comes first; `=` ends each, as in the order of the pairs.
    private static func firstName(_ one: ArraySlice<UInt8>?, _ other: ArraySlice<UInt8>?) -> ArraySlice<UInt8> {
        guard let one else { return other ?? [] }
        guard let other else { return one }
        let equals = CollectionOfOne(UInt8(ascii: "="))
        return Array(one + equals).lexicographicallyPrecedes(Array(other + equals)) ? one : other
    }

    /// Removes from two ordered lists what both have.
    private static func removeCommon(_ values: inout [ArraySlice<UInt8>], _ others: inout [ArraySlice<UInt8>]) {
        var left: [ArraySlice<UInt8>] = []
        var otherLeft: [ArraySlice<UInt8>] = []
        var other = 0
        for value in values {
            while other < others.count, others[other].lexicographicallyPrecedes(value) {
                otherLeft.append(others[other])
                other += 1
            }
            if other < others.count, others[other] == value {
                other += 1
            } else {
                left.append(value)
            }
        }
        otherLeft += others[other...]
        values = left
        others = otherLeft
    }

    private static func endOfPair(_ query: Span<UInt8>, _ start: Int) -> Int {
        var end = start
        while end < query.count, query[end] != UInt8(ascii: "&") { end += 1 }
        return end
    }

    /// Negative if `one` comes first. No pair comes after any pair.
    private static func order(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Int {
        if one.isEmpty || other.isEmpty { return (one.isEmpty ? 1 : 0) - (other.isEmpty ? 1 : 0) }
        for index in 0..<min(one.count, other.count) where one[index] != other[index] {
            return one[index] < other[index] ? -1 : 1
        }
        return one.count - other.count
    }
}
