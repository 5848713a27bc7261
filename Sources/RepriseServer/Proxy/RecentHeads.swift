// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
private import RepriseText

/// A cache of what was made of recently received heads. Clients and servers send the same heads again and again.
struct RecentHeads<Value> {
    private var slots = [(head: [UInt8], value: Value)?](repeating: nil, count: 64)

    /// The length of the longest head that is kept, in bytes. Longer heads are rare and would use too much memory.
    private static var maximumLength: Int { 4096 }

    /// Returns what was made of this head, byte for byte; nil if it is not in the cache.
    func value(for head: Span<UInt8>) -> Value? {
        guard let known = slots[slot(of: head)], HeaderLineCache.isSame(known.head.span, head) else { return nil }
        return known.value
    }

    /// Keeps a value, in place of an earlier one.
    mutating func insert(_ value: Value, for head: Span<UInt8>) {
        guard head.count <= Self.maximumLength else { return }
        slots[slot(of: head)] = ([UInt8](bytes: head), value)
    }

    private func slot(of head: Span<UInt8>) -> Int {
        var hash = UInt64(truncatingIfNeeded: head.count)
        var index = 0
        while index &+ 8 <= head.count {
            hash = (hash ^ head.word(at: index)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 32
            index &+= 8
        }
        // The rest is the end of the empty line.
        return Int(truncatingIfNeeded: hash % UInt64(truncatingIfNeeded: slots.count))
    }
}
