// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A set of Unicode scalars, as a character class of a regular expression describes it.
struct ScalarSet: Sendable, Hashable {
    /// Disjoint ranges in ascending order, with at least one scalar between two of them.
    private(set) var ranges: [ClosedRange<UInt32>]

    /// Every scalar.
    static let all = ScalarSet([0...0x10FFFF])
    static let none = ScalarSet([])

    /// Creates the union of ranges in any order.
    init(_ ranges: [ClosedRange<UInt32>]) {
        self.ranges = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = self.ranges.last, range.lowerBound <= last.upperBound + 1 {
                self.ranges[self.ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
    }

    init(_ scalar: UInt32) { ranges = [scalar...scalar] }

    /// The only member, if there is exactly one.
    var single: UInt32? {
        guard ranges.count == 1, ranges[0].count == 1 else { return nil }
        return ranges[0].lowerBound
    }

    /// Whether all scalars outside ASCII are members.
    var containsAllBeyondASCII: Bool { ranges.last.map { $0.lowerBound <= 0x80 && $0.upperBound == 0x10FFFF } ?? false }

    /// Whether any scalar outside ASCII is a member.
    var containsAnyBeyondASCII: Bool { ranges.last.map { $0.upperBound >= 0x80 } ?? false }

    /// Whether the set contains `scalar`.
    func contains(_ scalar: UInt32) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(scalar)
    }

    /// The scalars that are not members.
    var complement: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= 0x10FFFF { gaps.append(next...0x10FFFF) }
        return ScalarSet(gaps)
    }

    /// Returns the scalars of either set.
    func union(_ other: ScalarSet) -> ScalarSet { ScalarSet(ranges + other.ranges) }

    /// Returns the scalars of both sets.
    func intersection(_ other: ScalarSet) -> ScalarSet { complement.union(other.complement).complement }

    /// The set with the other case of each letter of ASCII, as Java's `(?i)` adds it.
    var ignoringASCIICase: ScalarSet {
        var added: [ClosedRange<UInt32>] = []
        for range in ranges {
            for (letters, offset) in [(0x41...0x5A, 0x20), (0x61...0x7A, -0x20)] as [(ClosedRange<UInt32>, Int)] {
                let (lower, upper) = (
                    max(range.lowerBound, letters.lowerBound), min(range.upperBound, letters.upperBound)
                )
                if lower <= upper { added.append(UInt32(Int(lower) + offset)...UInt32(Int(upper) + offset)) }
            }
        }
        return ScalarSet(ranges + added)
    }
}

// MARK: - The classes that Java predefines

extension ScalarSet {
    static let digits = ScalarSet([0x30...0x39])
    static let wordCharacters = ScalarSet([0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F...0x5F])
    static let whitespace = ScalarSet([0x09...0x0D, 0x20...0x20])
    static let horizontalWhitespace = ScalarSet([
        0x09...0x09, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x180E...0x180E, 0x2000...0x200A, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000,
    ])
    static let verticalWhitespace = ScalarSet([0x0A...0x0D, 0x85...0x85, 0x2028...0x2029])

    /// Returns the class `\p{name}` of POSIX, which Java restricts to ASCII; `nil` for any other name.
    static func posix(_ name: String) -> ScalarSet? {
        switch name {
        case "Lower": ScalarSet([0x61...0x7A])
        case "Upper": ScalarSet([0x41...0x5A])
        case "ASCII": ScalarSet([0x00...0x7F])
        case "Alpha": ScalarSet([0x41...0x5A, 0x61...0x7A])
        case "Digit": digits
        case "Alnum": ScalarSet([0x30...0x39, 0x41...0x5A, 0x61...0x7A])
        case "Punct": ScalarSet([0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E])
        case "Graph": ScalarSet([0x21...0x7E])
        case "Print": ScalarSet([0x20...0x7E])
        case "Blank": ScalarSet([0x09...0x09, 0x20...0x20])
        case "Cntrl": ScalarSet([0x00...0x1F, 0x7F...0x7F])
        case "XDigit": ScalarSet([0x30...0x39, 0x41...0x46, 0x61...0x66])
        case "Space": whitespace
        default: nil
        }
    }
}
