// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A key that a format knows.
public protocol JSONMemberKey: CaseIterable, Sendable {
    /// The key as it is written.
    var name: String { get }
}

extension JSONMemberKey where Self: RawRepresentable<String> {
    /// The raw value.
    public var name: String { rawValue }
}

/// Looks up a key token among a few known keys without creating a string.
public struct JSONKeyTable<Key: JSONMemberKey>: Sendable {
    @usableFromInline
    struct Slot: Sendable {
        /// The first eight bytes of the key, which cover most keys completely.
        @usableFromInline var word: UInt64
        @usableFromInline var length: Int
        @usableFromInline var key: Key?

        @inlinable
        init(word: UInt64, length: Int, key: Key?) {
            self.word = word
            self.length = length
            self.key = key
        }
    }

    /// An open-addressing hash table. More than half of the slots are free to keep searches short.
    @usableFromInline
    var slots: ContiguousArray<Slot>

    /// Creates a table of all cases.
    @inlinable
    public init() {
        var size = 4
        while size < 2 * Key.allCases.count + 2 { size *= 2 }
        slots = ContiguousArray(repeating: Slot(word: 0, length: 0, key: nil), count: size)
        for key in Key.allCases {
            let word = Self.word(ContiguousArray(key.name.utf8).span)
            var index = Self.hash(word) & (size - 1)
            while slots[index].key != nil { index = (index + 1) & (size - 1) }
            slots[index] = Slot(word: word, length: key.name.utf8.count, key: key)
        }
    }

    /// Returns the case named by the key token at `range`, if any.
    @inlinable
    public func key(at range: Range<Int>, in reader: JSONReader) -> Key? {
        if let key = key(at: range, in: reader.slice.span) { return key }
        guard reader.bytes[range].contains(UInt8(ascii: "\\")), let name = try? reader.string(of: range) else {
            return nil
        }
        return key(named: name)
    }

    @usableFromInline
    func key(named name: String) -> Key? { Key.allCases.first { $0.name == name } }

    @inlinable
    func key(at range: Range<Int>, in bytes: Span<UInt8>) -> Key? {
        let spelling = bytes.extracting(range)
        let word = Self.word(spelling)
        let slots = slots.span
        var index = Self.hash(word) & (slots.count - 1)
        while let key = slots[index].key {
            if slots[index].word == word, slots[index].length == spelling.count,
                spelling.count <= 8 || Self.isSame(spelling, key.name)
            {
                return key
            }
            index = (index + 1) & (slots.count - 1)
        }
        return nil
    }

    @inlinable
    static func isSame(_ spelling: Span<UInt8>, _ name: String) -> Bool {
        var index = 0
        for byte in name.utf8 {
            guard index < spelling.count, spelling[index] == byte else { return false }
            index += 1
        }
        return index == spelling.count
    }

    @inlinable
    static func hash(_ word: UInt64) -> Int {
        Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }

    @inlinable
    static func word(_ bytes: Span<UInt8>) -> UInt64 {
        var word: UInt64 = 0
        for index in 0..<min(8, bytes.count) { word = word << 8 | UInt64(bytes[index]) }
        return word
    }
}
