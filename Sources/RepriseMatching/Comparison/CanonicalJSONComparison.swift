// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// Finds the differences between two JSON texts in canonical form.
///
/// The recursion is limited by ``CanonicalJSON/maximumDepth``. The comparison stops after it has examined `budget`
/// bytes.
struct CanonicalJSONComparison {
    /// The number of differences found within the budget.
    private(set) var count = 0
    /// The first differences.
    private(set) var differences: [Difference] = []
    private let limit: Int
    private var budget: Int
    private let expected: MaskedText
    private var pointer: [UInt8] = []

    /// Whether the texts were compared completely.
    var isComplete: Bool { budget > 0 }

    /// A difference at one location.
    struct Difference {
        /// The location, as a JSON Pointer (RFC 6901).
        var pointer: [UInt8]
        /// The range of the value in the expected text; `nil` if it is missing.
        var expected: Range<Int>?
        /// The range of the value in the found text; `nil` if it is missing.
        var found: Range<Int>?
    }

    /// Creates a comparison that keeps `limit` differences and examines about `budget` bytes.
    init(_ expected: MaskedText, limit: Int, budget: Int) {
        self.expected = expected
        self.limit = limit
        self.budget = budget
    }

    /// Compares with another canonical text.
    mutating func compare(_ found: [UInt8]) {
        let expected = expected
        compare(expected.bytes.span, expected.bytes.indices, found.span, found.indices)
    }

    private mutating func compare(
        _ expected: Span<UInt8>,
        _ range: Range<Int>,
        _ found: Span<UInt8>,
        _ other: Range<Int>
    ) {
        guard budget > 0, !range.isEmpty, !other.isEmpty, !isEqual(expected, range, found, other) else { return }
        switch (expected[range.lowerBound], found[other.lowerBound]) {
        case (UInt8(ascii: "{"), UInt8(ascii: "{")): compareObjects(expected, range, found, other)
        case (UInt8(ascii: "["), UInt8(ascii: "[")): compareArrays(expected, range, found, other)
        default: if !isMasked(expected, range, found, other) { add(range, other) }
        }
    }

    /// Whether both values are strings, and the expected one has masks that match the found one.
    private func isMasked(
        _ expected: Span<UInt8>,
        _ range: Range<Int>,
        _ found: Span<UInt8>,
        _ other: Range<Int>
    ) -> Bool {
        guard self.expected.isMasked, expected[range.lowerBound] == UInt8(ascii: "\""),
            found[other.lowerBound] == UInt8(ascii: "\"")
        else { return false }
        let string = self.expected[range.lowerBound + 1..<range.upperBound - 1]
        return string.isMasked
            && string.matches(found.extracting(other.lowerBound + 1..<other.upperBound - 1))
    }

    private mutating func compareObjects(
        _ expected: Span<UInt8>,
        _ range: Range<Int>,
        _ found: Span<UInt8>,
        _ other: Range<Int>
    ) {
        var (index, position) = (range.lowerBound + 1, other.lowerBound + 1)
        while budget > 0, index < range.upperBound - 1 || position < other.upperBound - 1 {
            let key = index < range.upperBound - 1 ? endOfKey(expected, index) : nil
            let otherKey = position < other.upperBound - 1 ? endOfKey(found, position) : nil
            let order = keyOrder(expected, key.map { index..<$0 }, found, otherKey.map { position..<$0 })
            let value = order <= 0 ? key.map { $0 + 1..<endOfValue(expected, $0 + 1) } : nil
            let otherValue = order >= 0 ? otherKey.map { $0 + 1..<endOfValue(found, $0 + 1) } : nil
            let length = pointer.count
            if limit > 0 {
                if order <= 0, let key { pushKey(expected.extracting(index + 1..<key - 1)) }
                if order > 0, let otherKey { pushKey(found.extracting(position + 1..<otherKey - 1)) }
            }
            compareMembers(expected, value, found, otherValue, in: length)
            if let value { index = value.upperBound + 1 }
            if let otherValue { position = otherValue.upperBound + 1 }
        }
    }

    private mutating func compareArrays(
        _ expected: Span<UInt8>,
        _ range: Range<Int>,
        _ found: Span<UInt8>,
        _ other: Range<Int>
    ) {
        var (index, position) = (range.lowerBound + 1, other.lowerBound + 1)
        var element = 0
        while budget > 0, index < range.upperBound - 1 || position < other.upperBound - 1 {
            let value = index < range.upperBound - 1 ? index..<endOfValue(expected, index) : nil
            let otherValue = position < other.upperBound - 1 ? position..<endOfValue(found, position) : nil
            let length = pointer.count
            if limit > 0 { pointer.append(contentsOf: "/\(element)".utf8) }
            compareMembers(expected, value, found, otherValue, in: length)
            if let value { index = value.upperBound + 1 }
            if let otherValue { position = otherValue.upperBound + 1 }
            element += 1
        }
    }

    /// Compares two values at the pointer, one of which may be missing, and then removes their key or index from the
    /// pointer.
    ///
    /// - Parameter length: The length of the pointer to the enclosing object or array.
    private mutating func compareMembers(
        _ expected: Span<UInt8>,
        _ value: Range<Int>?,
        _ found: Span<UInt8>,
        _ other: Range<Int>?,
        in length: Int
    ) {
        if let value, let other {
            compare(expected, value, found, other)
        } else {
            add(value, other)
        }
        pointer.removeLast(pointer.count - length)
    }

    private mutating func add(_ expected: Range<Int>?, _ found: Range<Int>?) {
        guard expected != nil || found != nil else { return }
        count += 1
        if differences.count < limit {
            differences.append(Difference(pointer: pointer, expected: expected, found: found))
        }
    }

    /// Appends a key to the pointer, with `~` and `/` escaped (RFC 6901 section 3).
    private mutating func pushKey(_ key: Span<UInt8>) {
        pointer.append(UInt8(ascii: "/"))
        for index in key.indices {
            switch key[index] {
            case UInt8(ascii: "~"): pointer.append(contentsOf: "~0".utf8)
            case UInt8(ascii: "/"): pointer.append(contentsOf: "~1".utf8)
            default: pointer.append(key[index])
            }
        }
    }

    private mutating func isEqual(
        _ expected: Span<UInt8>,
        _ range: Range<Int>,
        _ found: Span<UInt8>,
        _ other: Range<Int>
    ) -> Bool {
        guard range.count == other.count else { return false }
        for offset in 0..<range.count
        where expected[range.lowerBound + offset] != found[other.lowerBound + offset] {
            budget -= offset
            return false
        }
        budget -= range.count
        return true
    }

    /// Returns a negative number if the expected key comes first or is the only one.
    private func keyOrder(_ expected: Span<UInt8>, _ key: Range<Int>?, _ found: Span<UInt8>, _ other: Range<Int>?)
        -> Int
    {
        guard let key else { return 1 }
        guard let other else { return -1 }
        for offset in 0..<min(key.count, other.count)
        where expected[key.lowerBound + offset] != found[other.lowerBound + offset] {
            return expected[key.lowerBound + offset] < found[other.lowerBound + offset] ? -1 : 1
        }
        return key.count - other.count
    }

    private mutating func endOfKey(_ text: Span<UInt8>, _ start: Int) -> Int {
        let end = text.endOfJSONString(from: start)
        budget -= end - start
        return end
    }

    private mutating func endOfValue(_ text: Span<UInt8>, _ start: Int) -> Int {
        let end = text.endOfJSONValue(from: start)
        budget -= end - start
        return end
    }
}

// MARK: - Verdicts

extension CanonicalJSONComparison {
    /// Appends one verdict for each difference, at most `limit`. Appends none if the texts differ only beyond the
    /// budget.
    static func append(
        _ expected: MaskedText,
        _ found: [UInt8],
        limit: Int,
        to verdicts: inout [FieldVerdict]
    ) {
        var comparison = CanonicalJSONComparison(expected, limit: limit, budget: BodyPredicate.verdictBudget)
        comparison.compare(found)
        for difference in comparison.differences {
            let name: FieldVerdict.Name = difference.pointer.isEmpty ? .body : .bodyPointer(difference.pointer)
            let (value, other) = (difference.expected.map { expected[$0] }, difference.found.map { found[$0] })
            let hidden = value?.isMasked == true ? other.map { FieldVerdict.Value.hidden(noun(of: $0)) } : nil
            let shown = hidden ?? FieldVerdict.Value(other)
            verdicts.append(
                FieldVerdict(name, isEqual: false, expected: FieldVerdict.Value(value), found: shown)
            )
        }
    }

    /// Returns a noun for the type of a JSON value.
    private static func noun(of value: ArraySlice<UInt8>) -> String {
        switch value.first {
        case UInt8(ascii: "{"): "an object"
        case UInt8(ascii: "["): "an array"
        case UInt8(ascii: "\""): "another text"
        case UInt8(ascii: "n"): "null"
        case UInt8(ascii: "t"), UInt8(ascii: "f"): "a Boolean"
        default: "a number"
        }
    }
}
