// SPDX-License-Identifier: Apache-2.0

/// How much of a value with masks is in a key: the start and the end that the pattern spells out. Of long
/// ones it is a part, so that patterns have few different masks.
struct ValueMask: Sendable, Hashable {
    /// Whether values with the same key match: what the pattern spells out is in the key, and there is one mask.
    let isExact: Bool
    private let prefix: Int
    private let suffix: Int

    /// Nothing of the value.
    static let all = ValueMask(prefix: 0, suffix: 0)

    /// The start and the end of a value of `count` bytes without masks; if it is short, all of it.
    static func ends(of count: Int) -> ValueMask {
        ValueMask(prefix: min(4096, count / 2), suffix: min(4096, count - count / 2))
    }

    /// What is left of a pattern's value; `nil` if it has no mask.
    init?(_ text: MaskedText) {
        guard text.isMasked else { return nil }
        prefix = Self.count(text.prefixCount)
        suffix = Self.count(text.suffixCount)
        isExact = text.maskCount == 1 && prefix == text.prefixCount && suffix == text.suffixCount
    }

    private init(prefix: Int, suffix: Int) {
        self.prefix = prefix
        self.suffix = suffix
        isExact = false
    }

    /// Appends what is left of a value; `false` if there is too little of it.
    func append(_ value: ArraySlice<UInt8>, to key: inout [UInt8]) -> Bool {
        append(value.span, to: &key)
    }

    /// Appends what is left of a value; `false` if there is too little of it.
    func append(_ value: Span<UInt8>, to key: inout [UInt8]) -> Bool {
        guard value.count >= prefix + suffix else { return false }
        for index in 0..<prefix { key.append(value[index]) }
        key.append(0)
        for index in value.count - suffix..<value.count { key.append(value[index]) }
        return true
    }

    /// Exact for short texts; else a power of two, 4096 at most.
    private static func count(_ count: Int) -> Int {
        guard count > 16 else { return count }
        return min(4096, 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount))
    }
}
