// SPDX-License-Identifier: Apache-2.0

/// A hash table from byte strings, each in the name space of a parent, to numbers.
///
/// Flat arrays and open addressing: a look-up touches one slot, one entry and the key's bytes, and allocates nothing.
struct KeyTable: Sendable {
    private var slots: [Slot]
    private var entries: [Entry] = []
    private var bytes: [UInt8] = []

    private struct Slot {
        var hash: UInt32
        /// The entry's number plus one; 0 if the slot is free.
        var entry: UInt32
    }

    private struct Entry {
        var start: Int
        var count: Int32
        var parent: Int32
        var value: Int32
    }

    /// An empty table with room for `capacity` keys.
    init(capacity: Int = 0) {
        slots = Array(repeating: Slot(hash: 0, entry: 0), count: Self.slotCount(for: capacity))
        entries.reserveCapacity(capacity)
    }

    /// How many keys there are.
    var count: Int { entries.count }

    /// The value of `key`.
    @inline(__always)
    func value(of key: Span<UInt8>, parent: Int32 = 0) -> Int32? {
        let hash = ByteHash.hash(key, parent: parent)
        let mask = slots.count &- 1
        var index = Int(hash) & mask
        while true {
            let slot = slots[index]
            guard slot.entry != 0 else { return nil }
            if slot.hash == hash {
                let entry = entries[Int(slot.entry) &- 1]
                if entry.parent == parent, isEqual(key, entry) { return entry.value }
            }
            index = (index &+ 1) & mask
        }
    }

    /// The value of `key`, which becomes `value` if the key is new.
    mutating func insert(_ key: Span<UInt8>, parent: Int32 = 0, value: Int32) -> Int32 {
        if let known = self.value(of: key, parent: parent) { return known }
        if (entries.count + 1) * 2 > slots.count { grow() }
        let start = bytes.count
        bytes.reserve(key.count)
        for index in key.indices { bytes.append(key[index]) }
        entries.append(Entry(start: start, count: Int32(clamping: key.count), parent: parent, value: value))
        place(Slot(hash: ByteHash.hash(key, parent: parent), entry: UInt32(entries.count)))
        return value
    }

    /// The bytes of the key with that number, in the order of insertion.
    func key(_ number: Int) -> ArraySlice<UInt8> {
        let entry = entries[number]
        return bytes[entry.start..<entry.start + Int(entry.count)]
    }

    @inline(__always)
    private func isEqual(_ key: Span<UInt8>, _ entry: Entry) -> Bool {
        guard key.count == Int(entry.count) else { return false }
        let stored = bytes.span.extracting(entry.start..<entry.start &+ key.count)
        for index in 0..<key.count where key[index] != stored[index] { return false }
        return true
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(hash: 0, entry: 0), count: old.count * 2)
        for slot in old where slot.entry != 0 { place(slot) }
    }

    private mutating func place(_ slot: Slot) {
        let mask = slots.count - 1
        var index = Int(slot.hash) & mask
        while slots[index].entry != 0 { index = (index + 1) & mask }
        slots[index] = slot
    }

    /// A power of two, at most half of it taken.
    private static func slotCount(for capacity: Int) -> Int {
        var count = 8
        while count < capacity * 2 { count *= 2 }
        return count
    }
}

extension [UInt8] {
    /// Makes room for `count` more bytes, and for as many again, so that appending stays linear.
    fileprivate mutating func reserve(_ count: Int) {
        if capacity - self.count < count { reserveCapacity(Swift.max(self.count + count, capacity * 2)) }
    }
}
