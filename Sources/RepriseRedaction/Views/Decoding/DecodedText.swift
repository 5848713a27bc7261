// SPDX-License-Identifier: Apache-2.0

/// A text without its escapes, with a map from its offsets to the ranges that spell them in the escaped text.
struct DecodedText: Sendable {
    /// The decoded text.
    private(set) var bytes: [UInt8] = []
    private var runs: [OffsetMap.Run] = []
    /// Whether an escape stands for a character that can be part of a key or token.
    private(set) var hasEscapedLetters = false

    init(capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    /// The map from the decoded text to the escaped one.
    var map: OffsetMap { .runs(runs) }
    /// The map, for a text that is joined from lines. What is between the lines is not part of any range.
    var lineMap: OffsetMap { .lines(runs) }

    /// Appends a byte that is spelled by `unit` bytes starting at `source`: one byte of UTF-8, two of UTF-16.
    mutating func append(_ byte: UInt8, at source: Int, unit: Int = 1) {
        if let last = runs.indices.last, runs[last].unit == unit,
            runs[last].source + runs[last].count * unit == source
        {
            runs[last].count += 1
        } else {
            runs.append(OffsetMap.Run(start: bytes.count, count: 1, source: source, sourceCount: unit, unit: unit))
        }
        bytes.append(byte)
    }

    /// Appends the bytes of `text` in `range`, which are spelled as they are.
    mutating func append(_ text: Span<UInt8>, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        append(text[range.lowerBound], at: range.lowerBound)
        for index in range.dropFirst() { bytes.append(text[index]) }
        runs[runs.count - 1].count += range.count - 1
    }

    /// Appends the character that the escape at `range` encodes.
    ///
    /// - Parameter isByte: Whether `code` is one byte of UTF-8, as in percent-encoding.
    mutating func append(_ code: UInt32, for range: Range<Int>, isByte: Bool = false) {
        let start = bytes.count
        if code < 0x80 || (isByte && code < 0x100) {
            bytes.append(UInt8(code))
        } else {
            let scalar = Unicode.Scalar(code) ?? "?"
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        runs.append(
            OffsetMap.Run(
                start: start,
                count: bytes.count - start,
                source: range.lowerBound,
                sourceCount: range.count,
                unit: 0
            )
        )
        if code > 0x20, code != 0x22, code != 0x5C { hasEscapedLetters = true }
    }
}

/// Maps ranges of a view to the ranges that spell them in the text it shows.
enum OffsetMap: Sendable {
    /// The view is a part of the text that starts at this offset.
    case part(at: Int)
    /// Each part of the view is spelled by the whole range, as in Base64.
    case whole(Range<Int>)
    /// The view consists of runs, in order and without gaps.
    case runs([Run])
    /// The view is joined from lines of the text.
    case lines([Run])

    /// Bytes of a view that are spelled alike.
    struct Run: Sendable {
        /// The offset in the view.
        var start: Int
        /// The number of bytes in the view.
        var count: Int
        /// The offset in the text.
        var source: Int
        /// The number of bytes in the text, for an escape.
        var sourceCount: Int
        /// The number of bytes in the text for each byte of the view; 0 for an escape, which is never split.
        var unit: Int

        fileprivate func lower(_ offset: Int) -> Int { source + (offset - start) * unit }
        fileprivate func upper(_ end: Int) -> Int {
            unit == 0 ? source + sourceCount : source + (end - start) * unit
        }
    }

    /// Returns the range that spells `range`, which is not empty.
    func source(of range: Range<Int>) -> Range<Int> {
        switch self {
        case .part(let start): return range.lowerBound + start..<range.upperBound + start
        case .whole(let whole): return whole
        case .runs(let runs), .lines(let runs):
            let first = Self.run(at: range.lowerBound, in: runs)
            let last = Self.run(at: range.upperBound - 1, in: runs)
            guard let first, let last else { return 0..<0 }
            let lower = first.lower(range.lowerBound)
            return lower..<max(lower, last.upper(range.upperBound))
        }
    }

    private static func run(at offset: Int, in runs: [Run]) -> Run? {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].start + runs[middle].count <= offset { low = middle + 1 } else { high = middle }
        }
        return low < runs.count ? runs[low] : nil
    }

    /// Returns the ranges that spell `range`, one for each line.
    func sources(of range: Range<Int>) -> [Range<Int>] {
        guard case .lines(let runs) = self else { return [source(of: range)] }
        var sources: [Range<Int>] = []
        for run in runs where run.start < range.upperBound && run.start + run.count > range.lowerBound {
            let overlap = range.clamped(to: run.start..<run.start + run.count)
            // A line feed between two lines is not written.
            guard run.unit > 0 else { continue }
            sources.append(run.lower(overlap.lowerBound)..<run.upper(overlap.upperBound))
        }
        return sources
    }
}
