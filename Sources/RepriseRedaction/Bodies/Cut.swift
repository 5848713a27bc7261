// SPDX-License-Identifier: Apache-2.0

/// Bytes of a body that go, and what comes in their place.
package struct Cut: Sendable, Hashable {
    /// The bytes, counted from the start of the body.
    package var range: Range<Int>
    /// What comes in their place.
    var replacement: Replacement

    /// What comes in the place of the bytes, in the order in which one that starts at the same byte as another counts.
    enum Replacement: Sendable, Hashable {
        /// Nothing: the secret began earlier, right before these bytes.
        case restOfSecret
        /// A marker, of ``RedactionRules/markers``.
        case marker(Int)
        /// Of markers with names the rule that was given first counts, however the body was cut.
        fileprivate var rank: Int {
            switch self {
            case .restOfSecret: 0
            case .marker(0): .max
            case .marker(let number): number
            }
        }
    }
}

extension [Cut] {
    /// Puts the cuts in order and makes one of those that overlap: what the first says, counts.
    mutating func normalise() {
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

    /// Cuts those behind the first `known` into lines, with a marker in each, so that a body in records keeps its lines.
    ///
    /// - Parameter bytes: the bytes of the body from `base` on; they hold those cuts, and the byte before each.
    mutating func keepLineEnds(behind known: Int, _ bytes: Span<UInt8>, from base: Int) {
        guard count > known else { return }
        var lines: [Cut] = []
        // A secret goes on with the marker that it began with.
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
    /// The same, but for the slashes of `path`: each segment has a marker of its own, since a marker answers one segment.
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
