// SPDX-License-Identifier: Apache-2.0

/// A range of a body to remove, and its replacement.
package struct Cut: Sendable, Hashable {
    /// The range, counted from the start of the body.
    package var range: Range<Int>
    /// The text that replaces the range.
    var replacement: Replacement
    /// The encoding of the text around the range, in which a marker must be written.
    package var encoding = TextEncoding.utf8

    /// The replacement for a range. The order of the cases decides between cuts that start at the same byte.
    enum Replacement: Sendable, Hashable {
        /// Nothing, because the secret started earlier, directly before this range.
        case restOfSecret
        /// A marker, as an index into ``RedactionRules/markers``.
        case marker(Int)
        /// A marker for a value that is new in each request. The value is not looked for elsewhere.
        case freshValue
        /// The stand-in of the secret with this number in the ``SecretMemory``.
        case remembered(Int)
        /// A text in the traffic that looks like a marker. Unless the cassette lists it as a stand-in, it stays.
        case literal
        /// The sort key. Among named markers, that of the first rule takes precedence, regardless of how the body is
        /// split.
        fileprivate var rank: Int {
            switch self {
            case .restOfSecret: 0
            case .marker(let number) where number > 0: number
            case .remembered: .max - 3
            case .marker: .max - 2
            case .freshValue: .max - 1
            // A secret that starts with such a text is replaced as a whole.
            case .literal: .max
            }
        }
    }
}

extension Cut {
    /// The part of a cut at a range, with the same replacement.
    fileprivate func part(_ range: Range<Int>) -> Cut {
        Cut(range: range, replacement: replacement, encoding: encoding)
    }
}

extension [Cut] {
    /// Returns `text` with another text in place of each cut. The cuts are in order and do not overlap.
    ///
    /// - Parameter replacement: Returns the text that replaces a value, or `nil` if the value stays.
    func applied(to text: [UInt8], _ replacement: (_ value: [UInt8], _ cut: Cut) -> [UInt8]?) -> [UInt8] {
        var output: [UInt8] = []
        var kept = 0
        for cut in self {
            output += text[kept..<cut.range.lowerBound]
            let value = [UInt8](text[cut.range])
            output += replacement(value, cut) ?? value
            kept = cut.range.upperBound
        }
        return output + text[kept...]
    }

    /// Sorts the cuts and merges overlapping ones. The replacement of the first one applies.
    mutating func normalize() {
        guard count > 1 else { return }
        sort { ($0.range.lowerBound, $0.replacement.rank) < ($1.range.lowerBound, $1.replacement.rank) }
        var last = 0
        for index in 1..<count {
            let next = self[index]
            if next.range.lowerBound < self[last].range.upperBound
                || next.range.lowerBound == self[last].range.lowerBound
            {
                self[last].range =
                    self[last].range.lowerBound..<Swift.max(self[last].range.upperBound, next.range.upperBound)
            } else {
                last += 1
                self[last] = next
            }
        }
        removeSubrange((last + 1)...)
    }

    /// Removes ranges, which are in order, from all cuts that replace a secret.
    mutating func subtract(_ ranges: [Range<Int>]) {
        guard !ranges.isEmpty else { return }
        self = flatMap { cut -> [Cut] in
            guard cut.replacement != .literal else { return [cut] }
            var parts: [Cut] = []
            var start = cut.range.lowerBound
            for range in ranges where range.overlaps(cut.range) {
                if range.lowerBound > start { parts.append(cut.part(start..<range.lowerBound)) }
                start = Swift.max(start, range.upperBound)
            }
            if start < cut.range.upperBound { parts.append(cut.part(start..<cut.range.upperBound)) }
            return parts
        }
    }

    /// Splits all cuts except the first `known` at line ends, with a marker in each line, so that a body of records
    /// keeps its lines.
    ///
    /// - Parameter bytes: The bytes of the body, starting at offset `base`. They contain the cuts to split and the byte
    ///   before each.
    mutating func keepLineEnds(behind known: Int, _ bytes: Span<UInt8>, from base: Int) {
        guard count > known else { return }
        var lines: [Cut] = []
        // The rest of a secret gets the same marker as its start.
        var marker = Cut.Replacement.marker(0)
        for cut in self[known...] {
            if cut.replacement != .restOfSecret { marker = cut.replacement }
            var start = cut.range.lowerBound
            for index in cut.range.lowerBound...cut.range.upperBound {
                let isEnd = index == cut.range.upperBound
                guard isEnd || Self.isLineEnd(bytes[index - base]) else { continue }
                if index > start {
                    let startsLine = start > base && Self.isLineEnd(bytes[start - base - 1])
                    lines.append(Cut(range: start..<index, replacement: startsLine ? marker : cut.replacement))
                }
                start = index + 1
            }
        }
        replaceSubrange(known..., with: lines)
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}

extension [Cut] {
    /// Splits the cuts at the slashes of `path`. Each segment gets its own marker, because a mask matches within one
    /// segment.
    func keepingSlashes(in path: [UInt8]) -> [Cut] {
        var kept: [Cut] = []
        var marker = 0
        for cut in self {
            if case .marker(let number) = cut.replacement { marker = number }
            var replacement = cut.replacement
            for segment in path[cut.range].split(separator: UInt8(ascii: "/")) {
                kept.append(Cut(range: segment.startIndex..<segment.endIndex, replacement: replacement))
                replacement = .marker(marker)
            }
        }
        return kept
    }
}
