// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A regular expression as an automaton that never backtracks: matching takes time in proportion to the length of the
/// text, regardless of the expression.
///
/// Each character or class of the expression is a position (Glushkov's construction). The set of positions that a text
/// may have reached is a bit mask of one or more words.
struct PatternAutomaton: Sendable {
    private let words: Int
    private let matchesEmpty: Bool
    private let first: [UInt64]
    private let last: [UInt64]
    /// The positions that may follow each position.
    private let follow: [UInt64]
    /// The class of each ASCII character. Characters of the same class are members of the same positions.
    private let classes: [UInt8]
    /// The positions of each class.
    private let masks: [UInt64]
    /// The positions of all scalars beyond ASCII.
    private let wide: [UInt64]
    /// The positions of some scalars beyond ASCII.
    private let partlyWide: [(position: Int, set: ScalarSet)]

    /// The maximum number of positions. Larger expressions are left to Foundation.
    static let maximumPositions = 256

    /// Creates the automaton of an expression, or returns `nil` if the expression is not regular or too large.
    init?(_ node: PatternNode) {
        guard let count = node.positions(limit: Self.maximumPositions + 1), count <= Self.maximumPositions else {
            return nil
        }
        var builder = AutomatonBuilder(words: max(1, (count + 63) / 64))
        let whole = builder.part(node)
        words = builder.words
        matchesEmpty = whole.isNullable
        first = whole.first
        last = whole.last
        follow = builder.follow
        var masks: [[UInt64]] = []
        classes = (0..<128).map { scalar in
            let mask = builder.mask { $0.contains(UInt32(scalar)) }
            if let known = masks.firstIndex(of: mask) { return UInt8(known) }
            masks.append(mask)
            return UInt8(masks.count - 1)
        }
        self.masks = masks.flatMap { $0 }
        wide = builder.mask { $0.containsAllBeyondASCII }
        partlyWide = builder.sets.enumerated()
            .filter { !$1.containsAllBeyondASCII && $1.containsAnyBeyondASCII }
            .map { (position: $0, set: $1) }
    }

    /// The units of work that a byte of text takes at most; see ``WorkBudget/work(_:)``.
    var unitsPerByte: Int { words == 1 ? 1 + follow.count / 8 : follow.count / 8 }

    /// Whether the expression matches the whole text.
    func matches(_ text: ArraySlice<UInt8>) -> Bool {
        guard !text.isEmpty else { return matchesEmpty }
        return words == 1 ? matchesNarrow(text) : matchesWide(text)
    }

    private func matchesNarrow(_ text: ArraySlice<UInt8>) -> Bool {
        var reached = first[0]
        var index = text.startIndex
        var isFirst = true
        while index < text.endIndex {
            let byte = text[index]
            let mask: UInt64
            if byte < 0x80 {
                mask = masks[Int(classes[Int(byte)])]
                index += 1
            } else {
                mask = wideMask(of: ScalarDecoder.next(text, &index), word: 0)
            }
            if !isFirst { reached = following(reached) }
            isFirst = false
            reached &= mask
            if reached == 0 { return false }
        }
        return reached & last[0] != 0
    }

    @inline(__always)
    private func following(_ reached: UInt64) -> UInt64 {
        var rest = reached
        var next: UInt64 = 0
        while rest != 0 {
            next |= follow[rest.trailingZeroBitCount]
            rest &= rest - 1
        }
        return next
    }

    private func matchesWide(_ text: ArraySlice<UInt8>) -> Bool {
        var reached = first
        var next = first
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            var scalar = UInt32(byte)
            if byte < 0x80 { index += 1 } else { scalar = ScalarDecoder.next(text, &index) }
            var isDead = true
            for word in 0..<words {
                next[word] &=
                    scalar < 0x80 ? masks[Int(classes[Int(scalar)]) * words + word] : wideMask(of: scalar, word: word)
                if next[word] != 0 { isDead = false }
            }
            if isDead { return false }
            swap(&reached, &next)
            if index < text.endIndex { follow(reached, into: &next) }
        }
        return (0..<words).contains { reached[$0] & last[$0] != 0 }
    }

    private func follow(_ reached: [UInt64], into next: inout [UInt64]) {
        for word in 0..<words { next[word] = 0 }
        for word in 0..<words {
            var rest = reached[word]
            while rest != 0 {
                let position = word * 64 + rest.trailingZeroBitCount
                for other in 0..<words { next[other] |= follow[position * words + other] }
                rest &= rest - 1
            }
        }
    }

    private func wideMask(of scalar: UInt32, word: Int) -> UInt64 {
        var mask = wide[word]
        for entry in partlyWide where entry.position / 64 == word && entry.set.contains(scalar) {
            mask |= 1 << UInt64(entry.position % 64)
        }
        return mask
    }
}

/// Builds the positions of a ``PatternAutomaton`` and what follows each.
private struct AutomatonBuilder {
    let words: Int
    var sets: [ScalarSet] = []
    var follow: [UInt64] = []

    struct Part {
        var isNullable: Bool
        var first: [UInt64]
        var last: [UInt64]
    }

    init(words: Int) { self.words = words }

    private var empty: Part {
        let none = [UInt64](repeating: 0, count: words)
        return Part(isNullable: true, first: none, last: none)
    }

    func mask(where isIncluded: (ScalarSet) -> Bool) -> [UInt64] {
        var mask = [UInt64](repeating: 0, count: words)
        for (position, set) in sets.enumerated() where isIncluded(set) {
            mask[position / 64] |= 1 << UInt64(position % 64)
        }
        return mask
    }

    mutating func part(_ node: PatternNode) -> Part {
        switch node {
        case .set(let set): return position(set)
        case .sequence(let nodes): return sequence(nodes.map { part($0) })
        case .choice(let nodes):
            var result = empty
            result.isNullable = false
            for part in nodes.map({ self.part($0) }) {
                result.isNullable = result.isNullable || part.isNullable
                add(part.first, to: &result.first)
                add(part.last, to: &result.last)
            }
            return result
        case .repetition(let node, let minimum, let maximum): return repetition(node, minimum, maximum)
        case .empty, .start, .end, .unknown: return empty
        }
    }

    private mutating func position(_ set: ScalarSet) -> Part {
        let position = sets.count
        sets.append(set)
        follow.append(contentsOf: repeatElement(0, count: words))
        var mask = [UInt64](repeating: 0, count: words)
        mask[position / 64] = 1 << UInt64(position % 64)
        return Part(isNullable: false, first: mask, last: mask)
    }

    private mutating func sequence(_ parts: [Part]) -> Part {
        var result = empty
        for part in parts {
            link(result.last, to: part.first)
            if result.isNullable { add(part.first, to: &result.first) }
            if part.isNullable { add(part.last, to: &result.last) } else { result.last = part.last }
            result.isNullable = result.isNullable && part.isNullable
        }
        return result
    }

    private mutating func repetition(_ node: PatternNode, _ minimum: Int, _ maximum: Int?) -> Part {
        guard maximum != 0 else { return empty }
        var parts: [Part] = []
        let before = sets.count
        for number in 0..<max(maximum ?? minimum, 1) {
            var part = part(node)
            if number >= minimum { part.isNullable = true }
            parts.append(part)
            // Repeating nothing is nothing, however often.
            if sets.count == before { break }
        }
        if maximum == nil, let repeated = parts.last { link(repeated.last, to: repeated.first) }
        return sequence(parts)
    }

    private mutating func link(_ from: [UInt64], to: [UInt64]) {
        for position in sets.indices where from[position / 64] >> UInt64(position % 64) & 1 == 1 {
            for word in 0..<words { follow[position * words + word] |= to[word] }
        }
    }

    private func add(_ mask: [UInt64], to sum: inout [UInt64]) {
        for word in 0..<words { sum[word] |= mask[word] }
    }
}

/// Decodes UTF-8 without allocation. Bytes that are not well-formed read as U+FFFD.
enum ScalarDecoder {
    /// Returns the scalar at `index` and moves `index` past it.
    static func next(_ text: ArraySlice<UInt8>, _ index: inout Int) -> UInt32 {
        let lead = text[index]
        let count = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
        guard count != 1 else {
            index += 1
            return UInt32(lead)
        }
        guard count > 0, index + count <= text.endIndex else { return replacement(&index) }
        var value = UInt32(lead) & (0xFF >> UInt32(count + 1))
        for offset in 1..<count {
            let byte = text[index + offset]
            guard byte & 0xC0 == 0x80 else { return replacement(&index) }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        let isShortest = count == 2 || (count == 3 ? value >= 0x800 : value >= 0x10000)
        guard isShortest, Unicode.Scalar(value) != nil else { return replacement(&index) }
        index += count
        return value
    }

    private static func replacement(_ index: inout Int) -> UInt32 {
        index += 1
        return 0xFFFD
    }
}
