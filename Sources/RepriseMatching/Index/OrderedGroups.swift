// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Groups of numbers, each sorted by the keys of the numbers, to find those near a key without a full scan.
///
/// The keys are stored elsewhere. Each number is stored with the first eight bytes of its key after the group's
/// common prefix, so most comparisons need no other memory.
struct OrderedGroups: Sendable {
    private var entries: [Entry] = []
    private var groups: [Group] = []

    private struct Entry {
        var word: UInt64
        var number: Int32
    }

    private struct Group {
        var range: Range<Int>
        /// The length of the common prefix of all keys.
        var common: Int
    }

    /// Adds a group of `numbers` with the given `keys` and returns the group's number.
    mutating func add(_ numbers: [Int32], keys: [ArraySlice<UInt8>]) -> Int32 {
        let first = keys.first ?? []
        let common = keys.reduce(first.count) { common, key in Self.common(first.prefix(common), key) }
        var positions: [(word: UInt64, position: Int)] = []
        positions.reserveCapacity(keys.count)
        for (position, key) in keys.enumerated() { positions.append((Self.word(key.dropFirst(common)), position)) }
        positions.sort { one, other in
            if one.word != other.word { return one.word < other.word }
            let (key, otherKey) = (keys[one.position], keys[other.position])
            if key.lexicographicallyPrecedes(otherKey) { return true }
            return one.position < other.position && key == otherKey
        }
        let start = entries.count
        for (word, position) in positions { entries.append(Entry(word: word, number: numbers[position])) }
        groups.append(Group(range: start..<entries.count, common: common))
        return Int32(groups.count - 1)
    }

    /// Returns up to `limit` numbers of a group around the position where `wanted` is or would be.
    func numbers(
        in group: Int32,
        near wanted: ArraySlice<UInt8>,
        limit: Int,
        key: (Int32) -> ArraySlice<UInt8>
    ) -> [Int32] {
        let range = groups[Int(group)].range
        let place = place(of: wanted, in: groups[Int(group)], key)
        let first = max(range.lowerBound, min(place - limit / 2, range.upperBound - limit))
        var numbers: [Int32] = []
        numbers.reserveCapacity(limit)
        for index in first..<min(range.upperBound, first + limit) { numbers.append(entries[index].number) }
        return numbers
    }

    private func place(
        of wanted: ArraySlice<UInt8>,
        in group: Group,
        _ key: (Int32) -> ArraySlice<UInt8>
    ) -> Int {
        guard let first = group.range.first else { return group.range.lowerBound }
        let start = key(entries[first].number).prefix(group.common)
        let common = Self.common(start, wanted)
        if common < group.common {
            let isBefore = wanted.dropFirst(common).lexicographicallyPrecedes(start.dropFirst(common))
            return isBefore ? group.range.lowerBound : group.range.upperBound
        }
        let word = Self.word(wanted.dropFirst(common))
        var (low, high) = (group.range.lowerBound, group.range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            let entry = entries[middle]
            let precedes =
                entry.word == word ? key(entry.number).lexicographicallyPrecedes(wanted) : entry.word < word
            if precedes {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private static func common(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Int {
        var count = 0
        let shorter = min(one.count, other.count)
        while count < shorter, one[one.startIndex + count] == other[other.startIndex + count] { count += 1 }
        return count
    }

    private static func word(_ key: ArraySlice<UInt8>) -> UInt64 {
        var word: UInt64 = 0
        var index = key.startIndex
        for _ in 0..<8 {
            word <<= 8
            if index < key.endIndex {
                word |= UInt64(key[index])
                index += 1
            }
        }
        return word
    }
}
