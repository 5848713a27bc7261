// SPDX-License-Identifier: Apache-2.0

extension Span<UInt8> {
    /// The eight bytes starting at `index`, in little-endian order. They must exist. The compiler emits a single
    /// load.
    @inlinable @inline(__always)
    package func word(at index: Int) -> UInt64 {
        let part = extracting(index..<index &+ 8)
        let low = UInt64(part[0]) | UInt64(part[1]) << 8 | UInt64(part[2]) << 16 | UInt64(part[3]) << 24
        let high = UInt64(part[4]) << 32 | UInt64(part[5]) << 40 | UInt64(part[6]) << 48 | UInt64(part[7]) << 56
        return low | high
    }

    /// Whether `text` is at `index`. The result is `false` for an empty text.
    @inlinable
    package func has(_ text: [UInt8], at index: Int) -> Bool {
        guard !text.isEmpty, index >= 0, index + text.count <= count else { return false }
        for offset in text.indices where self[index + offset] != text[offset] { return false }
        return true
    }
}
