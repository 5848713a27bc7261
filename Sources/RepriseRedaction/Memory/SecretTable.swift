// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A table that finds any of its values in bytes, on word boundaries. It looks only at every third offset, because it
/// indexes four bytes of each value at three offsets.
package struct SecretTable: Sendable {
    /// The minimum length of a value.
    static let minimumLength = 6
    private static let step = minimumLength - 3
    private static let maximumFilterBits = 1 << 20

    /// The position of a value.
    struct Match: Hashable {
        var range: Range<Int>
        /// The number of the secret (``SecretMemory/remember(_:name:isSearched:)``).
        var secret: Int
        /// Where the value was looked for.
        var form = Form.word

        /// The range with the characters that hold bits of the secret and of its neighbors. Another secret has other
        /// bits there, so that a replay would not match them.
        ///
        /// - Parameter start: The first index that the range can include.
        func extent(in bytes: Span<UInt8>, from start: Int) -> Range<Int> {
            guard case .inner(let sharesFirst, let sharesLast) = form else { return range }
            var (lower, upper) = (range.lowerBound, range.upperBound)
            if sharesFirst, lower > start, EncodedText.alphabet.contains(bytes[lower - 1]) { lower -= 1 }
            if sharesLast, upper < bytes.count, EncodedText.alphabet.contains(bytes[upper]) { upper += 1 }
            return lower..<upper
        }
    }

    /// Where the spelling of a value can occur.
    enum Form: Sendable, Hashable {
        /// Between two word boundaries.
        case word
        /// Anywhere, because it is a part of a longer text in Base64. The characters before and after it can hold some
        /// of its bits.
        case inner(sharesFirst: Bool, sharesLast: Bool)
    }

    /// A spelling of a secret. Its bytes are a part of ``text``.
    private struct Value {
        var start: Int
        var secret: Int
        var form: Form
    }

    /// A value with a group of four bytes, and the next such value with the same last bytes.
    private struct Place {
        var value: Int32
        var next: Int32
    }

    /// The values of one length that contain a group of four bytes at an offset, and the next length for this group.
    ///
    /// Tokens often start alike, but seldom end alike, so their last bytes tell them apart.
    private struct Length {
        var count: Int32
        var next: Int32
        var offset: UInt8
        /// The values, if the group starts them.
        var values: [Int32] = []
    }

    /// The last four bytes of a value with a length of a group.
    private struct Ending: Hashable {
        var length: Int32
        var gram: UInt32
    }

    /// Fewer than four bytes with which a value starts.
    private struct Start: Hashable {
        var bytes: UInt32
        var count: UInt8
        var isWord: Bool
    }

    private var values: [Value] = []
    /// The bytes of all values.
    private var text: [UInt8] = []
    private var places: [Place] = []
    private var lengths: [Length] = []
    /// The last length of each group of four bytes.
    private var heads: [UInt32: Int32] = [:]
    /// The last place of each ending.
    private var endings: [Ending: Int32] = [:]
    /// The first one, two, and three bytes of all values.
    private var starts: Set<Start> = []
    /// One bit for the hash of each group of four bytes.
    private var filter = [UInt8](repeating: 0, count: 1 << 13)
    private var shift: UInt32 = 16
    /// The length of the longest value.
    package private(set) var longest = 0

    var isEmpty: Bool { values.isEmpty }

    /// Adds a spelling of the secret with this number.
    mutating func insert(_ value: [UInt8], secret: Int, form: Form = .word) {
        guard value.count >= Self.minimumLength else { return }
        let number = Int32(values.count)
        let last = Self.gram(value.span, at: value.count - 4)
        for offset in 0..<Self.step {
            let gram = Self.gram(value.span, at: offset)
            set(gram)
            let length = length(value.count, gram, at: offset)
            if offset == 0 { lengths[Int(length)].values.append(number) }
            let ending = Ending(length: length, gram: last)
            places.append(Place(value: number, next: endings[ending] ?? -1))
            endings[ending] = Int32(places.count - 1)
        }
        for count in 1...3 { starts.insert(Self.start(value.span, at: 0, count, isWord: form == .word)) }
        values.append(Value(start: text.count, secret: secret, form: form))
        text += value
        longest = max(longest, value.count)
        growFilter()
    }

    /// Returns the index of a length of a group, which is added if it is new.
    private mutating func length(_ count: Int, _ gram: UInt32, at offset: Int) -> Int32 {
        let head = heads[gram] ?? -1
        var next = head
        while next >= 0 {
            let length = lengths[Int(next)]
            if Int(length.count) == count, Int(length.offset) == offset { return next }
            next = length.next
        }
        lengths.append(Length(count: Int32(count), next: head, offset: UInt8(offset)))
        heads[gram] = Int32(lengths.count - 1)
        return Int32(lengths.count - 1)
    }

    private mutating func set(_ gram: UInt32) {
        let bit = Self.hash(gram, shift)
        filter[bit >> 3] |= 1 << UInt8(bit & 7)
    }

    /// Keeps the filter so large that it rules out most offsets.
    private mutating func growFilter() {
        guard heads.count * 32 > filter.count * 8, filter.count * 8 < Self.maximumFilterBits else { return }
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
            let number = next
            let (count, offset) = (Int(lengths[Int(number)].count), Int(lengths[Int(number)].offset))
            next = lengths[Int(number)].next
            let first = index - offset
            guard starts.contains(first), first + count <= bytes.count else { continue }
            if let best, (best.range.lowerBound, -best.range.count) <= (first, -count) { continue }
            let last = Self.gram(bytes, at: first + count - 4)
            var place = endings[Ending(length: number, gram: last)] ?? -1
            while place >= 0 {
                let value = Int(places[Int(place)].value)
                place = places[Int(place)].next
                guard isMatch(values[value], count, bytes, first) else { continue }
                best = Match(range: first..<first + count, secret: values[value].secret, form: values[value].form)
                break
            }
        }
        return best
    }

    private func isMatch(_ value: Value, _ count: Int, _ bytes: Span<UInt8>, _ first: Int) -> Bool {
        guard starts(value, with: count, bytes, first) else { return false }
        guard value.form == .word else { return true }
        let end = first + count
        // `secret1` does not occur in `secret10`.
        if end < bytes.count, isAlphanumeric(bytes[end - 1]), isAlphanumeric(bytes[end]) { return false }
        return !isAlphanumeric(bytes[first]) || SecretPattern.isAtStart(first, in: bytes)
    }

    private func starts(_ value: Value, with count: Int, _ bytes: Span<UInt8>, _ first: Int) -> Bool {
        for offset in 0..<count where text[value.start &+ offset] != bytes[first &+ offset] { return false }
        return true
    }

    /// Returns the first offset from `start` on at which a value can start that continues after the bytes, or whose end
    /// depends on the next byte. If there is none, returns the number of bytes.
    func undecided(in bytes: Span<UInt8>, from start: Int) -> Int {
        var index = max(start, bytes.count - longest)
        while index < bytes.count, !canContinue(bytes, at: index) { index += 1 }
        return index
    }

    private func canContinue(_ bytes: Span<UInt8>, at first: Int) -> Bool {
        let isWord = !isAlphanumeric(bytes[first]) || SecretPattern.isAtStart(first, in: bytes)
        let count = bytes.count - first
        guard count >= 4 else {
            return starts.contains(Self.start(bytes, at: first, count, isWord: false))
                || isWord && starts.contains(Self.start(bytes, at: first, count, isWord: true))
        }
        let gram = Self.gram(bytes, at: first)
        let bit = Self.hash(gram, shift)
        guard filter[bit >> 3] >> UInt8(bit & 7) & 1 != 0 else { return false }
        var next = heads[gram] ?? -1
        while next >= 0 {
            let length = Int(next)
            next = lengths[length].next
            guard lengths[length].offset == 0, lengths[length].count >= count else { continue }
            for number in lengths[length].values {
                let value = values[Int(number)]
                if isWord || value.form != .word, starts(value, with: count, bytes, first) { return true }
            }
        }
        return false
    }

    private static func start(_ bytes: Span<UInt8>, at first: Int, _ count: Int, isWord: Bool) -> Start {
        var start = Start(bytes: 0, count: UInt8(count), isWord: isWord)
        for index in first..<first + count { start.bytes = start.bytes << 8 | UInt32(bytes[index]) }
        return start
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
            let range = match.extent(in: bytes.span, from: start)
            if let text = replacement.text(for: Array(bytes[range]), .remembered(match.secret)) {
                occurrences.append(Occurrence(range: range, text: text))
            }
            start = range.upperBound
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
            let range = match.extent(in: bytes.span, from: start)
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
    private let order: WideOrder

    /// Returns `nil` if the bytes are not UTF-16 with mostly such characters.
    init?(_ wide: [UInt8]) {
        guard wide.count % 2 == 0, let order = WideOrder(startOf: wide) else { return nil }
        self.order = order
        start = order.start
        bytes = order.narrowed(wide[start...])
    }

    /// Returns `text`, which is ASCII, in the same encoding.
    func encoded(_ text: [UInt8]) -> [UInt8] {
        order.encoded(text)
    }
}

/// The order of the bytes in UTF-16, which is known from the start of a text.
package struct WideOrder: Sendable {
    /// The offset of the first character: 2 after a byte order mark.
    let start: Int
    private let isLittleEndian: Bool

    /// The number of bytes that are looked at.
    private static let sampleLength = 64

    /// Returns `nil` if the text does not start like UTF-16 with characters that are in one byte.
    package init?(startOf wide: [UInt8]) {
        guard wide.count >= 8 else { return nil }
        switch (wide[0], wide[1]) {
        case (0xFF, 0xFE): (start, isLittleEndian) = (2, true)
        case (0xFE, 0xFF): (start, isLittleEndian) = (2, false)
        case (0, 1...): (start, isLittleEndian) = (0, false)
        case (1..., 0): (start, isLittleEndian) = (0, true)
        default: return nil
        }
        let (low, high) = isLittleEndian ? (0, 1) : (1, 0)
        let sample = stride(from: start, to: min(wide.count - 1, Self.sampleLength), by: 2)
        guard sample.allSatisfy({ wide[$0 + high] == 0 && wide[$0 + low] != 0 }) || start == 2 else { return nil }
    }

    /// Returns the low byte of each whole character, and zero for characters that are not in one byte.
    package func narrowed(_ wide: ArraySlice<UInt8>) -> [UInt8] {
        let (low, high) = isLittleEndian ? (0, 1) : (1, 0)
        return stride(from: wide.startIndex, to: wide.endIndex - 1, by: 2).map { index in
            wide[index + high] == 0 ? wide[index + low] : 0
        }
    }

    /// Returns `text`, which is ASCII, in the same encoding.
    package func encoded(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { isLittleEndian ? [$0, 0] : [0, $0] }
    }
}
