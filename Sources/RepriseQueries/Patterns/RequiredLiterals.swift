// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The literal text that every match of a regular expression contains, in UTF-8. An index uses it to skip expressions
/// that cannot match.
package struct RequiredLiterals: Sendable, Hashable {
    /// The text that every match starts with. Empty if there is none.
    package private(set) var prefix: [UInt8]
    /// The longest text known that every match contains. Empty if there is none.
    package private(set) var longest: [UInt8]
    /// The text that every match ends with. Empty if there is none.
    package private(set) var suffix: [UInt8]
    /// Whether the expression matches only the text ``prefix``.
    package private(set) var isExact: Bool

    /// Longer literals are cut, because the rest would exclude hardly any more texts.
    private static let maximumCount = 256

    private init(exactly text: [UInt8]) {
        prefix = text
        longest = text
        suffix = text
        isExact = true
    }

    private static let unknown: RequiredLiterals = {
        var literals = RequiredLiterals(exactly: [])
        literals.isExact = false
        return literals
    }()

    /// Creates the literals of an expression that must match a whole text.
    init(_ node: PatternNode) {
        switch node {
        case .empty, .start, .end: self.init(exactly: [])
        case .unknown: self = .unknown
        case .set(let set):
            // Bytes that are not UTF-8 read as U+FFFD.
            if let scalar = set.single.flatMap(Unicode.Scalar.init), scalar != "\u{FFFD}" {
                self.init(exactly: Array(String(Character(scalar)).utf8))
            } else {
                self = .unknown
            }
        case .sequence(let parts): self = parts.reduce(RequiredLiterals(exactly: [])) { $0.followed(by: .init($1)) }
        case .choice(let branches):
            var branches = branches.map { RequiredLiterals($0) }[...]
            self = branches.popFirst() ?? .unknown
            for branch in branches { self = merged(with: branch) }
        case .repetition(let part, let minimum, let maximum):
            guard minimum > 0 else {
                self = maximum == 0 ? .init(exactly: []) : .unknown
                return
            }
            let once = RequiredLiterals(part)
            self = once
            for _ in 1..<min(minimum, 16) { self = followed(by: once) }
            if maximum != minimum || minimum > 16 {
                // More of the same may follow in the middle, so the end is the end of the last one.
                isExact = false
                suffix = once.suffix
            }
        }
    }

    private func followed(by next: RequiredLiterals) -> RequiredLiterals {
        let joint = suffix + next.prefix
        var result = self
        result.isExact = isExact && next.isExact && joint.count <= Self.maximumCount
        if isExact { result.prefix = Array(joint.prefix(Self.maximumCount)) }
        result.suffix = next.isExact ? Array(joint.suffix(Self.maximumCount)) : next.suffix
        for candidate in [next.longest, Array(joint.prefix(Self.maximumCount))]
        where candidate.count > result.longest.count {
            result.longest = candidate
        }
        return result
    }

    /// The literals that the matches of either expression contain.
    private func merged(with other: RequiredLiterals) -> RequiredLiterals {
        guard self != other else { return self }
        var result = RequiredLiterals.unknown
        result.prefix = zip(prefix, other.prefix).prefix { $0 == $1 }.map { $0.0 }
        result.suffix = zip(suffix.reversed(), other.suffix.reversed()).prefix { $0 == $1 }.map { $0.0 }.reversed()
        result.longest = result.prefix.count >= result.suffix.count ? result.prefix : result.suffix
        return result
    }
}
