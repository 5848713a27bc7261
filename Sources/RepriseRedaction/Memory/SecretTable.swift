// SPDX-License-Identifier: Apache-2.0

/// A table that finds any of its values in bytes, on word boundaries. It looks only at every third offset, because it
/// indexes four bytes of each value at three offsets.
package struct SecretTable: Sendable {
    /// The minimum length of a value.
    static let minimumLength = 6
    /// The number of bytes after a value that decide whether it ends there.
    static let lookAhead = 1
    private static let step = minimumLength - 3
    private static let maximumFilterBits = 1 << 20

    /// The position of a value.
    struct Match: Hashable {
        var range: Range<Int>
        /// The number of the secret (``SecretMemory/remember(_:name:isSearched:)``).
        var secret: Int
        /// Where the value was looked for.
        var form = Form.word
    }

    /// Where the spelling of a value can occur.
    enum Form: Sendable, Hashable {
        /// Between two word boundaries.
        case word
        /// Anywhere, because it is a part of a longer text in Base64. The characters before and after it can hold some
        /// of its bits.
        case inner(sharesFirst: Bool, sharesLast: Bool)
    }

    private struct Value {
        var bytes: [UInt8]
        var secret: Int
        var form: Form
    }

    /// An offset in a value that contains a group of four bytes, and the next place of the same group.
    private struct Place {
        var value: Int32
        var next: Int32
        var offset: UInt8
    }

    private var values: [Value] = []
    private var places: [Place] = []
    /// The last place of each group of four bytes.
    private var heads: [UInt32: Int32] = [:]
    /// One bit for the hash of each group of four bytes.
    private var filter = [UInt8](repeating: 0, count: 1 << 13)
    private var shift: UInt32 = 16
    /// The length of the longest value.
    package private(set) var longest = 0

    var isEmpty: Bool { values.isEmpty }

    /// Adds a spelling of the secret with this number.
    mutating func insert(_ value: [UInt8], secret: Int, form: Form = .word) {
        guard value.count >= Self.minimumLength else { return }
        for offset in 0..<Self.step {
            let gram = Self.gram(value.span, at: offset)
            set(gram)
            places.append(
                Place(value: Int32(values.count), next: heads[gram] ?? -1, offset: UInt8(truncatingIfNeeded: offset))
            )
            heads[gram] = Int32(places.count - 1)
        }
        values.append(Value(bytes: value, secret: secret, form: form))
        longest = max(longest, value.count)
        growFilter()
    }

    private mutating func set(_ gram: UInt32) {
        let bit = Self.hash(gram, shift)
        filter[bit >> 3] |= 1 << UInt8(bit & 7)
    }

    /// Keeps the filter so large that it rules out most offsets.
    private mutating func growFilter() {
        guard places.count * 32 > filter.count * 8, filter.count * 8 < Self.maximumFilterBits else { return }
        filter = [UInt8](repeating: 0, count: filter.count * 2)
        shift -= 1
        for gram in heads.keys { set(gram) }
    }

    /// Returns the first value that starts at `start` or later but before `limit`. If several start there, returns
    /// the longest.
    func next(in bytes: Span<UInt8>, from start: Int, before limit: Int) -> Match? {
        next(bytes, start, limit, filter.span)
    }

    private func next(_ bytes: Span<UInt8>, _ start: Int, _ limit: Int, _ filter: Span<UInt8>) -> Match? {
        var index = start
        let end = min(bytes.count - 4, limit + Self.step - 1)
        while index <= end {
            let gram = Self.gram(bytes, at: index)
            let bit = Self.hash(gram, shift)
            if filter[bit >> 3] >> UInt8(bit & 7) & 1 != 0,
                let match = match(bytes, gram, at: index, start..<max(start, limit))
            {
                return match
            }
            index &+= Self.step
        }
        return nil
    }

    private func match(_ bytes: Span<UInt8>, _ gram: UInt32, at index: Int, _ starts: Range<Int>) -> Match? {
        var next = heads[gram] ?? -1
        var best: Match?
        while next >= 0 {
            let place = places[Int(next)]
            next = place.next
            let first = index - Int(place.offset)
            let value = values[Int(place.value)]
            guard starts.contains(first), isMatch(value, bytes, first) else { continue }
            if let best, (best.range.lowerBound, -best.range.count) <= (first, -value.bytes.count) { continue }
            best = Match(range: first..<first + value.bytes.count, secret: value.secret, form: value.form)
        }
        return best
    }

    /// The last byte rules out most values with the same start.
    private func isMatch(_ value: Value, _ bytes: Span<UInt8>, _ first: Int) -> Bool {
        let end = first + value.bytes.count
        let last = value.bytes[value.bytes.count - 1]
        guard end <= bytes.count, bytes[end - 1] == last, bytes.has(value.bytes, at: first) else { return false }
        guard value.form == .word else { return true }
        // `secret1` does not occur in `secret10`.
        if end < bytes.count, isAlphanumeric(last), isAlphanumeric(bytes[end]) { return false }
        return !isAlphanumeric(value.bytes[0]) || SecretPattern.isAtStart(first, in: bytes)
    }

    @inline(__always)
    private static func gram(_ bytes: Span<UInt8>, at index: Int) -> UInt32 {
        UInt32(bytes[index]) | UInt32(bytes[index &+ 1]) << 8 | UInt32(bytes[index &+ 2]) << 16
            | UInt32(bytes[index &+ 3]) << 24
    }

    @inline(__always)
    private static func hash(_ gram: UInt32, _ shift: UInt32) -> Int {
        Int(truncatingIfNeeded: (gram &* 0x9E37_79B1) >> shift)
    }

    // MARK: Whole texts

    /// A place of a secret, and the text that replaces it.
    package struct Occurrence: Hashable, Sendable {
        package var range: Range<Int>
        package var text: [UInt8]

        package init(range: Range<Int>, text: [UInt8]) {
            self.range = range
            self.text = text
        }
    }

    /// Returns the places of secrets in `bytes` that start before `limit`.
    package func occurrences(in bytes: [UInt8], before limit: Int, _ replacement: SecretReplacement) -> [Occurrence] {
        var occurrences: [Occurrence] = []
        var start = 0
        while let match = next(in: bytes.span, from: start, before: limit) {
            let value = Array(bytes[match.range])
            if let text = replacement.text(for: value, .remembered(match.secret)) {
                occurrences.append(Occurrence(range: match.range, text: text))
            }
            start = match.range.upperBound
        }
        let escaped = cuts(inEscapes: bytes.span).filter { $0.range.lowerBound < limit }
        guard !escaped.isEmpty else { return occurrences }
        for cut in escaped where !occurrences.contains(where: { $0.range.overlaps(cut.range) }) {
            guard let text = replacement.text(for: Array(bytes[cut.range]), cut.replacement) else { continue }
            occurrences.append(Occurrence(range: cut.range, text: text))
        }
        return occurrences.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Returns the cuts that remove the values from `bytes`, which can be UTF-16.
    package func cuts(in bytes: [UInt8]) -> [Cut] {
        if let wide = WideText(bytes) {
            return cuts(inNarrow: wide.bytes).map { cut in
                let range = wide.start + 2 * cut.range.lowerBound..<wide.start + 2 * cut.range.upperBound
                return Cut(range: range, replacement: cut.replacement)
            }
        }
        return cuts(inNarrow: bytes)
    }

    private func cuts(inNarrow bytes: [UInt8]) -> [Cut] {
        var cuts: [Cut] = []
        var start = 0
        while let match = next(in: bytes.span, from: start, before: bytes.count) {
            var range = match.range
            if case .inner(let sharesFirst, let sharesLast) = match.form {
                let lower = sharesFirst && range.lowerBound > start ? range.lowerBound - 1 : range.lowerBound
                let upper = sharesLast && range.upperBound < bytes.count ? range.upperBound + 1 : range.upperBound
                range = lower..<upper
            }
            cuts.append(Cut(range: range, replacement: .remembered(match.secret)))
            start = range.upperBound
        }
        let escaped = self.cuts(inEscapes: bytes.span)
        guard !escaped.isEmpty else { return cuts }
        cuts += escaped
        cuts.normalize()
        return cuts
    }
}

/// Text in UTF-16 whose characters are all in one byte, as the values of secrets are.
struct WideText {
    /// The low byte of each character. For other characters, the byte is zero, which no value contains.
    let bytes: [UInt8]
    /// The offset of the first character: 2 after a byte order mark.
    let start: Int
    /// Whether the low byte comes first.
    let isLittleEndian: Bool

    /// The number of bytes that are looked at before the others are copied.
    private static let sampleLength = 64

    /// Returns `nil` if the bytes are not UTF-16 with mostly such characters.
    init?(_ wide: [UInt8]) {
        guard wide.count >= 8, wide.count % 2 == 0 else { return nil }
        switch (wide[0], wide[1]) {
        case (0xFF, 0xFE): (start, isLittleEndian) = (2, true)
        case (0xFE, 0xFF): (start, isLittleEndian) = (2, false)
        case (0, 1...): (start, isLittleEndian) = (0, false)
        case (1..., 0): (start, isLittleEndian) = (0, true)
        default: return nil
        }
        let (low, high) = isLittleEndian ? (0, 1) : (1, 0)
        let sample = stride(from: start, to: min(wide.count, Self.sampleLength), by: 2)
        guard sample.allSatisfy({ wide[$0 + high] == 0 && wide[$0 + low] != 0 }) || start == 2 else { return nil }
        bytes = stride(from: start, to: wide.count, by: 2).map { wide[$0 + high] == 0 ? wide[$0 + low] : 0 }
    }

    /// Returns `text`, which is ASCII, in the same encoding.
    func encoded(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { isLittleEndian ? [$0, 0] : [0, $0] }
    }
}
