// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A hash table that maps byte strings, each in the namespace of a parent, to numbers.
///
/// The table uses flat arrays and open addressing. A lookup touches one slot and one record, which contains the key's
/// bytes next to the value, and does not allocate.
struct KeyTable: Sendable {
    private var slots: [Slot]
    /// The records in order of insertion. Each has a value, a parent, and a key length of four bytes each, followed
    /// by the key and zeros up to a multiple of four.
    private var records: [UInt8] = []
    /// The start of each record, in units of four bytes.
    private var starts: [UInt32] = []

    private struct Slot {
        var hash: UInt32
        /// The start of the record, in units of four bytes, plus one; 0 if the slot is free.
        var record: UInt32
    }

    private static let headerCount = 12

    /// Creates an empty table with space for `capacity` keys.
    init(capacity: Int = 0) {
        slots = Array(repeating: Slot(hash: 0, record: 0), count: Self.slotCount(for: capacity))
        starts.reserveCapacity(capacity)
    }

    /// Returns the number of bytes in the record of a key of `count` bytes.
    static func recordCount(for count: Int) -> Int {
        headerCount + (count + 3) / 4 * 4
    }

    /// Reserves space for `byteCount` bytes of records. This avoids repeated growth for large keys.
    mutating func reserve(byteCount: Int) {
        records.reserveCapacity(byteCount)
    }

    var count: Int { starts.count }

    @inline(__always)
    func value(of key: Span<UInt8>, parent: Int32 = 0) -> Int32? {
        value(of: key, parent: parent, hash: ByteHash.hash(key, parent: parent))
    }

    /// Returns the value of `key`. If the key is new, it is inserted with `value`.
    mutating func insert(_ key: ArraySlice<UInt8>, parent: Int32 = 0, value: Int32) -> Int32 {
        let hash = ByteHash.hash(key.span, parent: parent)
        if let known = self.value(of: key.span, parent: parent, hash: hash) { return known }
        if (starts.count + 1) * 2 > slots.count { grow() }
        let start = UInt32(truncatingIfNeeded: records.count / 4)
        append(UInt32(bitPattern: value))
        append(UInt32(bitPattern: parent))
        append(UInt32(truncatingIfNeeded: key.count))
        records.append(contentsOf: key)
        while records.count % 4 != 0 { records.append(0) }
        starts.append(start)
        place(Slot(hash: hash, record: start &+ 1))
        return value
    }

    /// Returns the bytes of a key by its number in order of insertion.
    func key(_ number: Int) -> ArraySlice<UInt8> {
        let start = Int(starts[number]) * 4
        let count = Int(Self.word(records.span, start + 8))
        return records[start + Self.headerCount..<start + Self.headerCount + count]
    }

    @inline(__always)
    private func value(of key: Span<UInt8>, parent: Int32, hash: UInt32) -> Int32? {
        let slots = slots.span
        let mask = slots.count &- 1
        var index = Int(hash) & mask
        while true {
            let slot = slots[index]
            guard slot.record != 0 else { return nil }
            if slot.hash == hash {
                let start = Int(slot.record &- 1) &* 4
                let records = records.span
                if Self.word(records, start &+ 8) == UInt32(truncatingIfNeeded: key.count),
                    Self.word(records, start &+ 4) == UInt32(bitPattern: parent),
                    Self.isEqual(key, records, start &+ Self.headerCount)
                {
                    return Int32(bitPattern: Self.word(records, start))
                }
            }
            index = (index &+ 1) & mask
        }
    }

    @inline(__always)
    private static func isEqual(_ key: Span<UInt8>, _ records: Span<UInt8>, _ start: Int) -> Bool {
        let stored = records.extracting(start..<start &+ key.count)
        for index in 0..<key.count where key[index] != stored[index] { return false }
        return true
    }

    @inline(__always)
    private static func word(_ bytes: Span<UInt8>, _ index: Int) -> UInt32 {
        UInt32(bytes[index]) | UInt32(bytes[index &+ 1]) &<< 8 | UInt32(bytes[index &+ 2]) &<< 16
            | UInt32(bytes[index &+ 3]) &<< 24
    }

    private mutating func append(_ word: UInt32) {
        for shift in [0, 8, 16, 24] as [UInt32] { records.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(hash: 0, record: 0), count: old.count * 2)
        for slot in old where slot.record != 0 { place(slot) }
    }

    private mutating func place(_ slot: Slot) {
        let mask = slots.count - 1
        var index = Int(slot.hash) & mask
        while slots[index].record != 0 { index = (index + 1) & mask }
        slots[index] = slot
    }

    /// Returns a power of two that is at least twice the capacity.
    private static func slotCount(for capacity: Int) -> Int {
        var count = 8
        while count < capacity * 2 { count *= 2 }
        return count
    }
}
