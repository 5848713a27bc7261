// SPDX-License-Identifier: Apache-2.0

/// Some of the 256 bytes.
struct ByteSet: Sendable, Hashable {
    private var low: (UInt64, UInt64) = (0, 0)
    private var high: (UInt64, UInt64) = (0, 0)

    /// No bytes.
    init() {}

    /// The bytes of ASCII `text`.
    init(_ text: String) {
        for byte in text.utf8 { insert(byte) }
    }

    static let digits = ByteSet("0123456789")
    static let letters = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    /// Letters, digits and the underscore.
    static let word = letters.union(digits).union(ByteSet("_"))

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let bit = UInt64(1) << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: return low.0 & bit != 0
        case 1: return low.1 & bit != 0
        case 2: return high.0 & bit != 0
        default: return high.1 & bit != 0
        }
    }

    mutating func insert(_ byte: UInt8) {
        let bit = UInt64(1) << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: low.0 |= bit
        case 1: low.1 |= bit
        case 2: high.0 |= bit
        default: high.1 |= bit
        }
    }

    func union(_ other: ByteSet) -> ByteSet {
        var union = self
        union.low.0 |= other.low.0
        union.low.1 |= other.low.1
        union.high.0 |= other.high.0
        union.high.1 |= other.high.1
        return union
    }

    func isSuperset(of other: ByteSet) -> Bool { union(other) == self }

    static func == (one: ByteSet, other: ByteSet) -> Bool { one.low == other.low && one.high == other.high }

    func hash(into hasher: inout Hasher) {
        hasher.combine(low.0)
        hasher.combine(low.1)
        hasher.combine(high.0)
        hasher.combine(high.1)
    }
}
