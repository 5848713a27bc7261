// SPDX-License-Identifier: Apache-2.0

/// A set of byte values.
@frozen
package struct ByteSet: Sendable, Hashable {
    @usableFromInline var low: (UInt64, UInt64) = (0, 0)
    @usableFromInline var high: (UInt64, UInt64) = (0, 0)

    /// Creates an empty set.
    package init() {}

    /// Creates a set of the characters of `text`, which must be ASCII.
    package init(_ text: String) {
        for byte in text.utf8 { insert(byte) }
    }

    /// Creates a set of the bytes in `range`.
    package init(_ range: ClosedRange<UInt8>) {
        for byte in range { insert(byte) }
    }

    package static let digits = ByteSet("0123456789")
    package static let letters = ByteSet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    /// ASCII letters, digits, and the underscore.
    package static let word = letters.union(digits).union(ByteSet("_"))
    /// The characters that never need escaping in a URL (RFC 3986 section 2.3).
    package static let unreserved = word.union(ByteSet("-.~"))
    /// The characters that need no escaping in a path segment: `pchar` (RFC 3986 section 3.3).
    package static let pathSegment = unreserved.union(ByteSet("!$&'()*+,;=:@"))

    /// Whether the set contains `byte`.
    @inlinable @inline(__always)
    package func contains(_ byte: UInt8) -> Bool {
        let bit = UInt64(1) << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: return low.0 & bit != 0
        case 1: return low.1 & bit != 0
        case 2: return high.0 & bit != 0
        default: return high.1 & bit != 0
        }
    }

    /// Adds `byte` to the set.
    package mutating func insert(_ byte: UInt8) {
        let bit = UInt64(1) << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: low.0 |= bit
        case 1: low.1 |= bit
        case 2: high.0 |= bit
        default: high.1 |= bit
        }
    }

    /// Returns the bytes that are in either set.
    package func union(_ other: ByteSet) -> ByteSet {
        var union = self
        union.low.0 |= other.low.0
        union.low.1 |= other.low.1
        union.high.0 |= other.high.0
        union.high.1 |= other.high.1
        return union
    }

    /// Whether both sets contain the same bytes.
    package static func == (one: ByteSet, other: ByteSet) -> Bool { one.low == other.low && one.high == other.high }

    /// Hashes the contained bytes.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(low.0)
        hasher.combine(low.1)
        hasher.combine(high.0)
        hasher.combine(high.1)
    }
}
