// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Reads the words of a text, separated by whitespace.
struct WordReader {
    private var index = 0
    /// The words before the current one in its line, the last of them last.
    private var before: [Range<Int>] = []

    mutating func next(_ text: Span<UInt8>) -> Range<Int>? {
        if let last = current { before.append(last) }
        if before.count > 8 { before.removeFirst(4) }
        while index < text.count, text[index] <= 0x20 {
            if text[index] == 0x0A { before.removeAll(keepingCapacity: true) }
            index += 1
        }
        guard index < text.count else { return nil }
        let start = index
        while index < text.count, text[index] > 0x20 { index += 1 }
        current = start..<index
        return current
    }

    private var current: Range<Int>?

    /// The range of up to three words before a word.
    func phrase(before word: Range<Int>) -> Range<Int> {
        guard let first = before.suffix(3).first else { return word.lowerBound..<word.lowerBound }
        return first.lowerBound..<max(first.lowerBound, word.lowerBound - 1)
    }

    /// The word before the current one in its line.
    var last: Range<Int>? { before.last }

    /// The range of a word and the one before it.
    func pair(with word: Range<Int>) -> Range<Int> {
        guard let last = before.last, last.upperBound + 1 == word.lowerBound else { return word }
        return last.lowerBound..<word.upperBound
    }

    /// Whether a word precedes the current one in its line.
    func contains(_ word: [UInt8], _ text: Span<UInt8>) -> Bool {
        before.contains { $0.count == word.count && text.hasWord(word, at: $0.lowerBound) }
    }
}
