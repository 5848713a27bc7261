// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the stubs whose patterns require a text that occurs in a target, without trying every pattern.
///
/// Each pattern is stored under up to eight bytes of a text that it requires: those that occur in the fewest other
/// patterns. A search looks up the bytes at each position of the target.
struct LiteralTable: Sendable {
    /// The buckets by the bytes as a number, for each length.
    private var buckets: [[UInt64: Int32]] = Array(repeating: [:], count: LiteralTable.longest + 1)
    private var lengths: [Int] = []

    private static let longest = 8
    private static let shortest = 2

    var isEmpty: Bool { lengths.isEmpty }

    /// A part of a text: its length and its bytes as a number.
    struct Part: Hashable {
        let length: Int
        let word: UInt64
    }

    /// Returns the parts of the texts under which a pattern can be stored.
    static func parts(of literals: [[UInt8]]) -> [Part] {
        var parts: [Part] = []
        // Shorter texts occur in too many targets.
        guard let length = literals.map(\.count).max().map({ min($0, longest) }), length >= shortest else { return [] }
        for literal in literals where literal.count >= length {
            for start in 0...(literal.count - length) {
                parts.append(Part(length: length, word: word(literal[start..<(start + length)])))
            }
        }
        return parts
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Stores a bucket under a part.
    mutating func insert(_ part: Part, bucket: Int32) {
        buckets[part.length][part.word] = bucket
        if !lengths.contains(part.length) { lengths.append(part.length) }
    }

    /// Returns the bucket under a part.
    func bucket(of part: Part) -> Int32? { buckets[part.length][part.word] }

    /// Calls `body` with the bucket of each part that occurs in `text`, possibly more than once.
    func forEachBucket(in text: Span<UInt8>, _ body: (Int32) -> Void) {
        for length in lengths {
            guard text.count >= length else { continue }
            let table = buckets[length]
            let mask = length == 8 ? UInt64.max : (1 << UInt64(8 * length)) - 1
            var word: UInt64 = 0
            for index in 0..<text.count {
                word = (word << 8 | UInt64(text[index])) & mask
                if index >= length - 1, let bucket = table[word] { body(bucket) }
            }
        }
    }
}
