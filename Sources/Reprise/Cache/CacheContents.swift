// SPDX-License-Identifier: Apache-2.0

/// The stored responses, up to a capacity. The least recently used are removed first.
struct CacheContents: Sendable {
    private struct Slot {
        var entry: CacheEntry
        /// The number of the most recent use.
        var use: Int
    }

    private struct Use {
        let key: CacheKey
        let number: Int
    }

    let capacity: Int
    private(set) var size = 0
    private var slots: [CacheKey: Slot] = [:]
    /// All uses, in order. Only the latest use of an entry matters. Older ones are removed from time to time.
    private var uses: ArraySlice<Use> = []
    private var lastUse = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { slots.count }

    /// Returns the entry with a key and marks it as used.
    mutating func use(_ key: CacheKey) -> CacheEntry? {
        guard let entry = slots[key]?.entry else { return nil }
        let number = nextUse(of: key)
        slots[key]?.use = number
        return entry
    }

    /// Stores an entry, replacing the one with the same key. An entry larger than the capacity is not stored.
    mutating func insert(_ entry: CacheEntry) {
        remove(entry.key)
        guard entry.size <= capacity else { return }
        let number = nextUse(of: entry.key)
        slots[entry.key] = Slot(entry: entry, use: number)
        size += entry.size
        makeRoom()
    }

    mutating func remove(_ key: CacheKey) {
        guard let slot = slots.removeValue(forKey: key) else { return }
        size -= slot.entry.size
    }

    mutating func removeAll(where condition: (CacheEntry) -> Bool) {
        for slot in slots.values where condition(slot.entry) { remove(slot.entry.key) }
    }

    private mutating func nextUse(of key: CacheKey) -> Int {
        lastUse += 1
        if uses.count > 2 * slots.count + 64 { uses.removeAll { slots[$0.key]?.use != $0.number } }
        uses.append(Use(key: key, number: lastUse))
        return lastUse
    }

    private mutating func makeRoom() {
        while size > capacity, let oldest = uses.popFirst() {
            if slots[oldest.key]?.use == oldest.number { remove(oldest.key) }
        }
    }
}
