// SPDX-License-Identifier: Apache-2.0

/// Sorts many byte strings at once, as an index does when it is built.
enum ByteOrder {
    /// The positions of `keys` in order of their bytes; equal ones stay in their order.
    ///
    /// What all keys start with is skipped, and the next eight bytes of each are compared as one number.
    static func sorted(_ keys: [ArraySlice<UInt8>]) -> [Int] {
        guard let first = keys.first else { return [] }
        let common = keys.reduce(first.count) { common, key in
            zip(first.prefix(common), key).prefix { $0 == $1 }.count
        }
        var entries: [(word: UInt64, position: Int)] = []
        entries.reserveCapacity(keys.count)
        for (position, key) in keys.enumerated() {
            entries.append((word(key.dropFirst(common)), position))
        }
        entries.sort { one, other in
            if one.word != other.word { return one.word < other.word }
            let (key, otherKey) = (keys[one.position], keys[other.position])
            if key.lexicographicallyPrecedes(otherKey) { return true }
            return one.position < other.position && key == otherKey
        }
        return entries.map(\.position)
    }

    /// Where `key` is or would be among `count` ordered keys.
    static func lowerBound(_ count: Int, precedes: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if precedes(middle) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
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
