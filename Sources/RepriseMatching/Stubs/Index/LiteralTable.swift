// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Finds the stubs whose patterns require a text that occurs in a target, without trying every pattern.
///
/// Each pattern is stored under up to eight bytes of a text that it requires: those that occur in the fewest other
/// patterns. A search looks up the bytes at each position of the target.
struct LiteralTable: Sendable {
    /// The buckets by the bytes.
    private var buckets = KeyTable()
    private var lengths: [Int] = []

    private static let longest = 8
    private static let shortest = 2

    var isEmpty: Bool { lengths.isEmpty }

    /// Returns the parts of the texts under which a pattern can be stored.
    static func parts(of literals: [[UInt8]]) -> [ArraySlice<UInt8>] {
        // Shorter texts occur in too many targets.
        guard let length = literals.map(\.count).max().map({ min($0, longest) }), length >= shortest else { return [] }
        return literals.filter { $0.count >= length }.flatMap { literal in
            (0...(literal.count - length)).map { literal[$0..<($0 + length)] }
        }
    }

    /// Returns the bucket under a part. If there is none, the part is stored with `bucket`.
    mutating func insert(_ part: ArraySlice<UInt8>, bucket: Int32) -> Int32 {
        if !lengths.contains(part.count) { lengths.append(part.count) }
        return buckets.insert(part, value: bucket)
    }

    /// Calls `body` with the bucket of each part that occurs in `text`, possibly more than once.
    func forEachBucket(in text: Span<UInt8>, _ body: (Int32) -> Void) {
        for length in lengths where text.count >= length {
            for start in 0...(text.count - length) {
                if let bucket = buckets.value(of: text.extracting(start..<(start + length))) { body(bucket) }
            }
        }
    }
}
