// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// `equalTo`: the value is exactly this text.
struct EqualToMatcher: Sendable {
    let expected: [UInt8]
    /// The expected text in lower case, if case is ignored.
    private let folded: String?

    init(_ expected: String, ignoringCase: Bool) {
        self.expected = Array(expected.utf8)
        folded = ignoringCase ? expected.lowercased() : nil
    }

    @inline(__always)
    func matches(_ value: ArraySlice<UInt8>) -> Bool {
        if ByteSearch.isEqual(value, expected) { return true }
        guard let folded else { return false }
        return String(decoding: value, as: UTF8.self).lowercased() == folded
    }

    func distance(_ value: ArraySlice<UInt8>, _ budget: WorkBudget) -> Double {
        matches(value) ? 0 : EditDistance.normalized(expected[...], value, budget)
    }
}

/// `binaryEqualTo`: the value is exactly these bytes.
struct BinaryEqualToMatcher: Sendable {
    let expected: [UInt8]

    func matches(_ value: ArraySlice<UInt8>) -> Bool { ByteSearch.isEqual(value, expected) }
}
