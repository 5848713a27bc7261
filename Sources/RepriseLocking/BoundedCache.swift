// SPDX-License-Identifier: Apache-2.0

/// Values by key, up to a total size. The least recently used are removed first.
public struct BoundedCache<Key: Hashable, Value> {
    @usableFromInline
    struct Slot {
        @usableFromInline let value: Value
        @usableFromInline let size: Int
        /// The number of the most recent use.
        @usableFromInline var use: Int

        @usableFromInline
        init(value: Value, size: Int, use: Int) {
            (self.value, self.size, self.use) = (value, size, use)
        }
    }

    /// The largest total size.
    private let capacity: Int
    /// The total size of the values.
    public private(set) var size = 0
    @usableFromInline var slots: [Key: Slot] = [:]
    /// All uses, in order. Only the latest use of a value matters. Older ones are removed from time to time.
    @usableFromInline var uses: ArraySlice<(key: Key, number: Int)> = []
    @usableFromInline var lastUse = 0

    /// Creates an empty cache.
    public init(capacity: Int) {
        self.capacity = capacity
    }

    /// The number of values.
    public var count: Int { slots.count }

    /// Returns the value of a key and marks it as used.
    @inlinable
    public mutating func use(_ key: Key) -> Value? {
        guard let index = slots.index(forKey: key) else { return nil }
        slots.values[index].use = nextUse(of: key)
        return slots.values[index].value
    }

    /// Stores a value, replacing the one of the same key. A value larger than the capacity is not stored.
    public mutating func insert(_ value: Value, for key: Key, size: Int = 1) {
        remove(key)
        guard size <= capacity else { return }
        slots[key] = Slot(value: value, size: size, use: nextUse(of: key))
        self.size += size
        while self.size > capacity, let oldest = uses.popFirst() {
            if slots[oldest.key]?.use == oldest.number { remove(oldest.key) }
        }
    }

    /// Removes the value of a key, if there is one.
    public mutating func remove(_ key: Key) {
        guard let slot = slots.removeValue(forKey: key) else { return }
        size -= slot.size
    }

    /// Removes all values that meet a condition.
    public mutating func removeAll(where condition: (Value) -> Bool) {
        for (key, slot) in slots where condition(slot.value) { remove(key) }
    }

    @usableFromInline
    mutating func nextUse(of key: Key) -> Int {
        lastUse += 1
        if uses.count > 2 * slots.count + 64 { uses.removeAll { slots[$0.key]?.use != $0.number } }
        uses.append((key, lastUse))
        return lastUse
    }
}

extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}
extension BoundedCache.Slot: Sendable where Key: Sendable, Value: Sendable {}
