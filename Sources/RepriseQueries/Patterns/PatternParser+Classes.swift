// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Escapes and character classes.
extension PatternParser {
    /// Reads an escape outside a class, after its backslash.
    mutating func escape() throws -> PatternNode {
        guard let character = next else { throw Uncertain() }
        switch Unicode.Scalar(character) {
        case "A":
            index += 1
            return .start
        case "z", "Z":
            index += 1
            return .end
        case "b", "B", "G":
            // `\b{g}` has braces.
            guard peek(1) != 0x7B else { throw Uncertain() }
            index += 1
            isRegular = false
            return .empty
        case "1", "2", "3", "4", "5", "6", "7", "8", "9":
            while let digit = next, ScalarSet.digits.contains(digit) { index += 1 }
            isRegular = false
            return .unknown
        case "R":
            index += 1
            let carriageReturn = PatternNode.set(ScalarSet(0x0D))
            return .choice([
                .sequence([carriageReturn, .set(ScalarSet(0x0A))]), .set(.verticalWhitespace),
            ])
        case "k":
            guard let end = scalars[index...].firstIndex(of: 0x3E), peek(1) == 0x3C else { throw Uncertain() }
            index = end + 1
            isRegular = false
            return .unknown
        default:
            guard let set = try escapedSet() else {
                isRegular = false
                return .unknown
            }
            return .set(ignoresCase ? set.ignoringASCIICase : set)
        }
    }

    /// Reads an escape that stands for one character, after its backslash. Returns `nil` if it is valid, but its
    /// characters are unknown here.
    private mutating func escapedSet() throws -> ScalarSet? {
        guard let character = next else { throw Uncertain() }
        index += 1
        switch Unicode.Scalar(character) {
        case "d": return .digits
        case "D": return ScalarSet.digits.complement
        case "w": return .wordCharacters
        case "W": return ScalarSet.wordCharacters.complement
        case "s": return .whitespace
        case "S": return ScalarSet.whitespace.complement
        case "h": return .horizontalWhitespace
        case "H": return ScalarSet.horizontalWhitespace.complement
        case "v": return .verticalWhitespace
        case "V": return ScalarSet.verticalWhitespace.complement
        case "t": return ScalarSet(0x09)
        case "n": return ScalarSet(0x0A)
        case "r": return ScalarSet(0x0D)
        case "f": return ScalarSet(0x0C)
        case "a": return ScalarSet(0x07)
        case "e": return ScalarSet(0x1B)
        case "x": return ScalarSet(try hexadecimal(2))
        case "u": return ScalarSet(try hexadecimal(4))
        case "p", "P": return try property(isNegated: character == 0x50)
        default:
            // Letters and digits without a meaning are errors.
            guard ScalarSet.posix("Alnum")?.contains(character) == false else { throw Uncertain() }
            return ScalarSet(character)
        }
    }

    private mutating func hexadecimal(_ digits: Int) throws -> UInt32 {
        guard index + digits <= scalars.count else { throw Uncertain() }
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = Unicode.Scalar(scalars[index]).flatMap({ Character($0).hexDigitValue }) else {
                throw Uncertain()
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        // One half of a surrogate pair.
        guard Unicode.Scalar(value) != nil else { throw Uncertain() }
        return value
    }

    /// Reads the name of `\p{name}`.
    private mutating func property(isNegated: Bool) throws -> ScalarSet? {
        guard take("{"), let end = scalars[index...].firstIndex(of: 0x7D) else { throw Uncertain() }
        let name = String(String.UnicodeScalarView(scalars[index..<end].compactMap(Unicode.Scalar.init)))
        index = end + 1
        guard let set = ScalarSet.posix(name) else { return nil }
        return isNegated ? set.complement : set
    }

    /// Reads a class, after its opening bracket.
    mutating func characterClass() throws -> ScalarSet {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw Uncertain() }
        let isNegated = take("^")
        // Whether a bracket at the start is literal differs between engines.
        guard next != 0x5D else { throw Uncertain() }
        var result: ScalarSet?
        repeat {
            let operand = try classOperand()
            result = result.map { $0.intersection(operand) } ?? operand
        } while takeIntersection()
        guard take("]"), let result else { throw Uncertain() }
        return isNegated ? result.complement : result
    }

    private mutating func takeIntersection() -> Bool {
        guard next == 0x26, peek(1) == 0x26 else { return false }
        differences.insert(.classOperators)
        index += 2
        return true
    }

    /// Reads the union of characters, ranges, and nested classes up to `&&` or the end of the class.
    private mutating func classOperand() throws -> ScalarSet {
        var union = ScalarSet.none
        var isEmpty = true
        while let character = next, character != 0x5D, !(character == 0x26 && peek(1) == 0x26) {
            isEmpty = false
            if take("[") {
                differences.insert(.classOperators)
                union = union.union(try characterClass())
            } else {
                union = union.union(try classItem())
            }
        }
        guard !isEmpty else { throw Uncertain() }
        return union
    }

    /// Reads a character, a range, or an escape in a class.
    private mutating func classItem() throws -> ScalarSet {
        let lower = try classCharacter()
        guard next == 0x2D, let following = peek(1), following != 0x5D else { return cased(lower) }
        // `[a-[b]]`, `[a-&&b]` and `[a--b]` mean something else in each engine.
        guard following != 0x5B, following != 0x26, following != 0x2D else {
            differences.insert(.classOperators)
            throw Uncertain()
        }
        index += 1
        let upper = try classCharacter()
        guard let first = lower.single, let last = upper.single, first <= last else { throw Uncertain() }
        return cased(ScalarSet([first...last]))
    }

    private func cased(_ set: ScalarSet) -> ScalarSet { ignoresCase ? set.ignoringASCIICase : set }

    private mutating func classCharacter() throws -> ScalarSet {
        if take("\\") {
            guard let set = try escapedSet() else { throw Uncertain() }
            return set
        }
        guard let character = next else { throw Uncertain() }
        index += 1
        return ScalarSet(character)
    }
}
