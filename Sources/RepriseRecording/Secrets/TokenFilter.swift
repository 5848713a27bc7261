// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A set of the words in all text that a recording wrote: runs of letters and digits. It never denies a word that was
/// added. It sometimes claims one that was not (a Bloom filter).
///
/// A secret that is named later is searched for on the disk only if the filter has all of its words. Short words
/// occur everywhere, so two short words in a row are also added as one.
///
/// The filter grows with its content, from 1 MiB to 31 MiB. That is enough for 19 million words, about as many as a
/// million exchanges contain. Up to that number, it claims about one in a hundred words that were not added. With more
/// words, it claims more of them, and the disk is searched more often than necessary.
struct TokenFilter {
    /// The layers, each twice as large as the one before it. Words are added to the last one.
    private var layers: [Layer]
    private let maximumLayers: Int

    /// - Parameters:
    ///   - size: The size of the first layer, in blocks of 64 bytes. It must be a power of two.
    ///   - maximumLayers: How often the filter can grow, plus one.
    init(size: Int = 1 << 14, maximumLayers: Int = 5) {
        layers = [Layer(size: size)]
        self.maximumLayers = maximumLayers
    }

    /// A part of the filter. The bits of a word are all in one block, which is one line of a processor's cache.
    private struct Layer {
        private static let hashCount = 7
        private static let wordsPerBlock = 8
        private var bits: [UInt64]
        private var setCount = 0

        init(size: Int) {
            bits = [UInt64](repeating: 0, count: size * Self.wordsPerBlock)
        }

        var size: Int { bits.count / Self.wordsPerBlock }

        /// Whether two fifths of the bits are set. With more words, the layer would claim too many that were not added.
        var isFull: Bool { setCount * 5 >= bits.count * 128 }

        func contains(_ hash: UInt64) -> Bool {
            let block = block(hash)
            var places = Self.places(hash)
            for _ in 0..<Self.hashCount {
                if bits[block + Int(places >> 6 & 7)] >> (places & 63) & 1 == 0 { return false }
                places >>= 9
            }
            return true
        }

        mutating func insert(_ hash: UInt64) {
            let block = block(hash)
            var places = Self.places(hash)
            for _ in 0..<Self.hashCount {
                let (word, bit) = (block + Int(places >> 6 & 7), UInt64(1) << (places & 63))
                if bits[word] & bit == 0 { setCount += 1 }
                bits[word] |= bit
                places >>= 9
            }
        }

        /// The index of the first word of the block for a hash.
        private func block(_ hash: UInt64) -> Int {
            Int(truncatingIfNeeded: hash & UInt64(size - 1)) * Self.wordsPerBlock
        }

        /// Seven times nine bits, each the place of a bit in the block.
        private static func places(_ hash: UInt64) -> UInt64 {
            let mixed = (hash ^ hash >> 31) &* 0xBF58_476D_1CE4_E5B9
            return mixed ^ mixed >> 32
        }
    }

    /// - Parameter tokenizer: The state between the parts.
    mutating func insert(_ text: Span<UInt8>, _ tokenizer: inout Tokenizer) {
        for index in text.indices { tokenizer.append(text[index]) { add($0) } }
    }

    mutating func insert(_ text: [UInt8]) {
        var tokenizer = Tokenizer()
        let slice = text[...]
        insert(slice.span, &tokenizer)
        end(&tokenizer)
    }

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
        guard !contains(hash) else { return }
        if let last = layers.last, last.isFull, layers.count < maximumLayers {
            layers.append(Layer(size: 2 * last.size))
        }
        layers[layers.count - 1].insert(hash)
    }

    private func contains(_ hash: UInt64) -> Bool {
        layers.contains { $0.contains(hash) }
    }
}

/// Finds the words of a text and hashes them. After the start of an escape (`\n`, `\u003d`, `%3D`), where it is unclear
/// which letters belong to the escape, a word is hashed with and without them.
///
/// A word after another one is also hashed with it and what is between them, if both are short.
struct Tokenizer {
    /// The length from which a word is not short.
    private static let longWord = 4
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
    /// The hashes of the previous word, if it was short, and of what followed it.
    private var previous: UInt64?
    private var previousShortened: [UInt64] = []
    private var between = start

    init(readsEscapes: Bool = true) {
        self.readsEscapes = readsEscapes
    }

    /// Takes the next byte. Calls `found` with the hashes of the word that ended before it.
    @inline(__always)
    mutating func append(_ byte: UInt8, _ found: (UInt64) -> Void) {
        guard isDigit(byte) || (byte | 0x20) &- 0x61 < 26 else {
            if length > 0 { endWord(found) }
            lead = byte
            between = (between ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
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

    mutating func end(_ found: (UInt64) -> Void) {
        if length > 0 { endWord(found) }
        self = Tokenizer(readsEscapes: readsEscapes)
    }

    private mutating func endWord(_ found: (UInt64) -> Void) {
        found(Self.mixed(hash))
        if length < Self.longWord {
            if let previous { found(pair(previous)) }
            for previous in previousShortened { found(pair(previous)) }
        }
        previous = length < Self.longWord ? hash : nil
        if !previousShortened.isEmpty { previousShortened = [] }
        for (skipped, hash) in shortened where length > skipped {
            found(Self.mixed(hash))
            if length - skipped < Self.longWord { previousShortened.append(hash) }
        }
        if !shortened.isEmpty { shortened = [] }
        (hash, length, between) = (Self.start, 0, Self.start)
    }

    /// The hash of the current word after a previous one.
    private func pair(_ previous: UInt64) -> UInt64 {
        Self.mixed(((previous ^ between) &* 0x0000_0100_0000_01B3 ^ hash) &* 0x0000_0100_0000_01B3)
    }

    /// The high bits of FNV-1a depend on all bytes only after another round.
    private static func mixed(_ hash: UInt64) -> UInt64 {
        let mixed = (hash ^ hash >> 32) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ mixed >> 29
    }
}
