// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The parts of a value with masks that are in a key: the literal text before the first mask and after the last. Only a
/// part of a long text is used, so that patterns have few different masks.
struct KeyMask: Sendable, Hashable {
    /// Whether values with the same key always match: the key contains all literal text, and there is only one mask.
    let isExact: Bool
    private let prefix: Int
    private let suffix: Int

    /// Omits the whole value.
    static let all = KeyMask(prefix: 0, suffix: 0)

    /// Returns a mask that keeps the start and end of a value of `count` bytes without masks, or all of a short
    /// value.
    static func ends(of count: Int) -> KeyMask {
        KeyMask(prefix: min(4096, count / 2), suffix: min(4096, count - count / 2))
    }

    /// Creates the mask of a pattern's value. Returns `nil` if the value has no mask.
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

    /// Appends the kept part of a value. Returns `false` if the value is too short.
    func append(_ value: ArraySlice<UInt8>, to key: inout [UInt8]) -> Bool {
        append(value.span, to: &key)
    }

    /// Appends the kept part of a value. Returns `false` if the value is too short.
    func append(_ value: Span<UInt8>, to key: inout [UInt8]) -> Bool {
        guard value.count >= prefix + suffix else { return false }
        for index in 0..<prefix { key.append(value[index]) }
        key.append(0)
        for index in value.count - suffix..<value.count { key.append(value[index]) }
        return true
    }

    /// Returns `count` for short texts, and otherwise a power of two up to 4096.
    private static func count(_ count: Int) -> Int {
        guard count > 16 else { return count }
        return min(4096, 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount))
    }
}
