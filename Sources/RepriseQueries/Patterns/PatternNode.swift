// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A part of a regular expression.
indirect enum PatternNode: Sendable, Hashable {
    /// The empty text.
    case empty
    /// One scalar of a set.
    case set(ScalarSet)
    /// All of these, one after the other.
    case sequence([PatternNode])
    /// One of these.
    case choice([PatternNode])
    /// A repeated part; a `maximum` of `nil` means that there is none.
    case repetition(PatternNode, minimum: Int, maximum: Int?)
    /// The start of the text.
    case start
    /// The end of the text, or the end without a last line end.
    case end
    /// Text that this syntax tree does not describe, possibly none.
    case unknown

    /// The part without the anchors that matching a whole text implies.
    var withoutImpliedAnchors: PatternNode { trimmed(leading: true, trailing: true) }

    private func trimmed(leading: Bool, trailing: Bool) -> PatternNode {
        switch self {
        case .start where leading: return .empty
        case .end where trailing: return .empty
        case .choice(let branches):
            return .choice(branches.map { $0.trimmed(leading: leading, trailing: trailing) })
        case .sequence(let parts):
            return .sequence(
                parts.enumerated().map { index, part in
                    part.trimmed(leading: leading && index == 0, trailing: trailing && index == parts.count - 1)
                }
            )
        default: return self
        }
    }

    /// The number of positions of the automaton, or `nil` if the part needs more than a finite automaton. Saturates
    /// at `limit`.
    func positions(limit: Int) -> Int? {
        switch self {
        case .empty: return 0
        case .set: return 1
        case .start, .end, .unknown: return nil
        case .sequence(let parts), .choice(let parts):
            var sum = 0
            for part in parts {
                guard let count = part.positions(limit: limit) else { return nil }
                sum = min(limit, sum + count)
            }
            return sum
        case .repetition(let part, let minimum, let maximum):
            guard let count = part.positions(limit: limit) else { return nil }
            let (product, overflows) = count.multipliedReportingOverflow(by: max(maximum ?? minimum, 1))
            return overflows ? limit : min(limit, product)
        }
    }
}
