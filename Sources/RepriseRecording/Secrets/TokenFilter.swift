// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A set of the words in all text that a recording wrote: runs of at least four letters and digits. It needs 4 MiB, and
/// never denies a word that was added. It sometimes claims one that was not (a Bloom filter).
///
/// A secret that is named later is searched for on the disk only if the filter has all of its words.
struct TokenFilter {
    private static let logarithmOfSize = 25
    private static let hashCount = 4

    private var bits = [UInt64](repeating: 0, count: 1 << (logarithmOfSize - 6))

    /// Adds the words of a text, which can be a part of one.
    ///
    /// - Parameter tokenizer: The state between the parts.
    mutating func insert(_ text: Span<UInt8>, _ tokenizer: inout Tokenizer) {
        for index in text.indices { tokenizer.append(text[index]) { add($0) } }
    }

    /// Adds the words of a whole text.
    mutating func insert(_ text: [UInt8]) {
        var tokenizer = Tokenizer()
        let slice = text[...]
        insert(slice.span, &tokenizer)
        end(&tokenizer)
    }

    /// Ends a text that was added in parts.
    mutating func end(_ tokenizer: inout Tokenizer) {
        tokenizer.end { add($0) }
    }

    /// Returns whether a text with `value`, between other characters than letters and digits, may have been added.
    func mayContain(_ value: [UInt8]) -> Bool {
        var tokenizer = Tokenizer(readsEscapes: false)
        var containsAll = true
        for byte in value { tokenizer.append(byte) { containsAll = containsAll && contains($0) } }
        tokenizer.end { containsAll = containsAll && contains($0) }
        return containsAll
    }

    private mutating func add(_ hash: UInt64) {
        for place in Self.places(hash) { bits[place >> 6] |= 1 << UInt64(place & 63) }
    }

    private func contains(_ hash: UInt64) -> Bool {
        Self.places(hash).allSatisfy { bits[$0 >> 6] >> UInt64($0 & 63) & 1 != 0 }
    }

    private static func places(_ hash: UInt64) -> some Sequence<Int> {
        let step = hash >> 32 | 1
        return (0..<UInt64(hashCount)).lazy.map { number in
            Int(truncatingIfNeeded: (hash &+ number &* step) & (1 << UInt64(logarithmOfSize) - 1))
        }
    }
}

/// Finds the words of a text and hashes them. After the start of an escape (`\n`, `\u003d`, `%3D`), where it is unclear
/// which letters belong to the escape, a word is hashed with and without them.
struct Tokenizer {
    private static let minimumLength = 4
    private static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The numbers of letters that can belong to an escape that begins with this byte.
    private static func escapes(after byte: UInt8) -> [Int] {
        byte == UInt8(ascii: "\\") ? [1, 5] : byte == UInt8(ascii: "%") ? [2] : []
    }

    private let readsEscapes: Bool
    private var hash = start
    private var length = 0
    /// The hashes without the first letters of the word.
    private var shortened: [(skipped: Int, hash: UInt64)] = []
    private var lead: UInt8 = 0

    init(readsEscapes: Bool = true) {
        self.readsEscapes = readsEscapes
    }

    /// Takes the next byte. Calls `found` with the hashes of the word that ended before it.
    @inline(__always)
    mutating func append(_ byte: UInt8, _ found: (UInt64) -> Void) {
        guard isDigit(byte) || (byte | 0x20) &- 0x61 < 26 else {
            if length > 0 { end(found) }
            lead = byte
            return
        }
        if length == 0, readsEscapes, lead == UInt8(ascii: "\\") || lead == UInt8(ascii: "%") {
            shortened = Self.escapes(after: lead).map { ($0, Self.start) }
        }
        hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        for index in shortened.indices where length >= shortened[index].skipped {
            shortened[index].hash = (shortened[index].hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        length &+= 1
    }

    /// Ends the text.
    mutating func end(_ found: (UInt64) -> Void) {
        if length >= Self.minimumLength { found(Self.mixed(hash)) }
        for (skipped, hash) in shortened where length - skipped >= Self.minimumLength { found(Self.mixed(hash)) }
        (hash, length, lead) = (Self.start, 0, 0)
        if !shortened.isEmpty { shortened = [] }
    }

    /// The high bits of FNV-1a depend on all bytes only after another round.
    private static func mixed(_ hash: UInt64) -> UInt64 {
        let mixed = (hash ^ hash >> 32) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ mixed >> 29
    }
}
