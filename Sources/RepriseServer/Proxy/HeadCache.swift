// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
private import RepriseText

/// A cache of values that were computed from recent heads. Clients and servers often repeat the same head.
struct HeadCache<Value> {
    private var slots = [(head: [UInt8], value: Value)?](repeating: nil, count: slotCount)
    /// The hash of the last head, by slot.
    private var hashes = [UInt64](repeating: 0, count: slotCount)

    private static var slotCount: Int { 64 }
    /// The length of the longest head that is kept, in bytes. Longer heads are rare and would use too much memory.
    private static var maximumLength: Int { 4096 }

    /// Returns the cached value for the same bytes, or makes a new one. Keeps a new value only if the previous head in
    /// the slot was the same, because many heads occur only once.
    mutating func value(for head: Span<UInt8>, make: () -> Value) -> Value {
        guard head.count <= Self.maximumLength else { return make() }
        let hash = Self.hash(of: head)
        let slot = Int(truncatingIfNeeded: hash % UInt64(Self.slotCount))
        if let known = slots[slot], HeaderLineCache.isSame(known.head.span, head) { return known.value }
        let value = make()
        if hashes[slot] == hash { slots[slot] = ([UInt8](bytes: head), value) }
        hashes[slot] = hash
        return value
    }

    private static func hash(of head: Span<UInt8>) -> UInt64 {
        var hash = UInt64(truncatingIfNeeded: head.count)
        var index = 0
        while index &+ 8 <= head.count {
            hash = (hash ^ head.word(at: index)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 32
            index &+= 8
        }
        // The remaining bytes are mostly the end of the last line and the empty line.
        return hash
    }
}
