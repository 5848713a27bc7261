// SPDX-License-Identifier: Apache-2.0

/// Bytes of a body that go, and what comes in their place.
struct Cut: Sendable, Hashable {
    /// The bytes, counted from the start of the body.
    var range: Range<Int>
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
}
