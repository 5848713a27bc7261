// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension Set<[UInt8]> {
    /// Creates a set of words in ASCII.
    init(words: [String]) { self.init(words.map { Array($0.utf8) }) }
}

/// A small table of words, compared by their last eight characters without regard to case.
struct WordTable<Value: Sendable>: Sendable {
    private static var size: Int { 128 }
    private var slots = [(word: UInt64, value: Value)?](repeating: nil, count: Self.size)

    /// Creates a table of at most half as many words as there are slots.
    init(_ words: [(words: [String], value: Value)]) {
        for (words, value) in words {
            for word in words { insert(Self.packed(Array(word.utf8).span), value) }
        }
    }

    /// Returns the last eight characters of a word as a number.
    static func packed(_ word: Span<UInt8>) -> UInt64 {
        var packed: UInt64 = 0
        for index in max(0, word.count - 8)..<word.count { packed = packed << 8 | UInt64(word[index].asciiLowercased) }
        return packed
    }

    private static func slot(_ word: UInt64) -> Int { Int((word &* 0x9E37_79B9_7F4A_7C15) >> 57) }

    private mutating func insert(_ word: UInt64, _ value: Value) {
        var slot = Self.slot(word)
        while slots[slot] != nil { slot = (slot + 1) % Self.size }
        slots[slot] = (word, value)
    }

    subscript(_ word: UInt64) -> Value? {
        var slot = Self.slot(word)
        while let entry = slots[slot] {
            if entry.word == word { return entry.value }
            slot = (slot + 1) % Self.size
        }
        return nil
    }

    subscript(_ word: Span<UInt8>) -> Value? { self[Self.packed(word)] }
}
