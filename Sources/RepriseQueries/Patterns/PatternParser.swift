// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Reads a regular expression in Java's syntax, with the option DOTALL.
///
/// The result describes every text that matches, but may describe more: what only a backtracking engine decides, such
/// as a lookahead or a back reference, is left out or unknown, and ``isRegular`` is `false`. Where the syntax is not
/// certain, reading stops, and the result is ``PatternNode/unknown``.
struct PatternParser {
    /// Whether the result of ``parse(_:)`` matches exactly the texts that the expression matches.
    var isRegular = true
    /// The constructs whose meaning differs between Java and Foundation.
    var differences: Set<Difference> = []

    let scalars: [UInt32]
    var index = 0
    var depth = 0
    var ignoresCase = false

    /// A construct whose meaning differs between Java and Foundation.
    enum Difference: String, Sendable, Hashable, CaseIterable {
        case classOperators = "operators and nested sets in a character class"
        case comments = "comments and spaces with (?x)"
    }

    /// The syntax is not certain, so another parser must decide.
    struct Uncertain: Error {}

    /// Groups nested deeper than this are left to Foundation.
    static let maximumDepth = 64

    init(_ pattern: String) { scalars = pattern.unicodeScalars.map(\.value) }

    /// Reads the whole expression.
    mutating func parse() -> PatternNode {
        do {
            let node = try choice()
            guard index == scalars.count else { throw Uncertain() }
            return node
        } catch {
            isRegular = false
            return .unknown
        }
    }

    var next: UInt32? { index < scalars.count ? scalars[index] : nil }

    func peek(_ offset: Int) -> UInt32? {
        index + offset < scalars.count ? scalars[index + offset] : nil
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == character.value else { return false }
        index += 1
        return true
    }
}

// MARK: - Sequences and groups

extension PatternParser {
    private mutating func choice() throws -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw Uncertain() }
        let outerIgnoresCase = ignoresCase
        defer { ignoresCase = outerIgnoresCase }
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws -> PatternNode {
        var parts: [PatternNode] = []
        while let character = next, character != 0x7C, character != 0x29 {
            if character == 0x5C, peek(1) == 0x51 {
                try quoted(&parts)
            } else {
                let part = try atom()
                parts.append(try quantified(part))
            }
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    /// Reads `\Q…\E`. A quantifier after it applies to the last character.
    private mutating func quoted(_ parts: inout [PatternNode]) throws {
        index += 2
        while index < scalars.count, !(next == 0x5C && peek(1) == 0x45) {
            parts.append(literal(scalars[index]))
            index += 1
        }
        index = min(index + 2, scalars.count)
        if let last = parts.popLast() { parts.append(try quantified(last)) }
    }

    private mutating func atom() throws -> PatternNode {
        guard let character = next else { throw Uncertain() }
        index += 1
        switch Unicode.Scalar(character) {
        case "(": return try group()
        case "[": return .set(try characterClass())
        case ".": return .set(.all)
        case "^": return .start
        case "$": return .end
        case "\\": return try escape()
        case "*", "+", "?", "{": throw Uncertain()
        default: return literal(character)
        }
    }

    private func literal(_ scalar: UInt32) -> PatternNode {
        let set = ScalarSet(scalar)
        return .set(ignoresCase ? set.ignoringASCIICase : set)
    }

    /// Reads a group, after its parenthesis. Flags without content, such as `(?i)`, hold until the end of the enclosing
    /// choice, which restores them.
    private mutating func group() throws -> PatternNode {
        var isAssertion = false
        let outerIgnoresCase = ignoresCase
        if take("?") {
            if take(">") {
                isRegular = false
            } else if take("=") || take("!") {
                isAssertion = true
            } else if take("<") {
                if take("=") || take("!") { isAssertion = true } else { try groupName() }
            } else if !take(":"), try flags() {
                return .empty
            }
        }
        let content = try choice()
        ignoresCase = outerIgnoresCase
        guard take(")") else { throw Uncertain() }
        guard isAssertion else { return content }
        isRegular = false
        return .empty
    }

    private mutating func groupName() throws {
        guard let first = next, ScalarSet.posix("Alpha")?.contains(first) == true else { throw Uncertain() }
        while let character = next, ScalarSet.posix("Alnum")?.contains(character) == true { index += 1 }
        guard take(">") else { throw Uncertain() }
    }

    /// Reads flags up to `)` or `:`. Returns whether it was `)`.
    private mutating func flags() throws -> Bool {
        var isOn = true
        while let character = next {
            index += 1
            switch Unicode.Scalar(character) {
            case "i": ignoresCase = isOn
            case "s" where isOn: break
            case "-": isOn = false
            case ")": return true
            case ":": return false
            case "x":
                differences.insert(.comments)
                throw Uncertain()
            default: throw Uncertain()
            }
        }
        throw Uncertain()
    }

    private mutating func quantified(_ part: PatternNode) throws -> PatternNode {
        guard let (minimum, maximum) = try quantifier() else { return part }
        if take("+") { isRegular = false } else { _ = take("?") }
        // Java and ICU differ in whether a quantifier may follow another one.
        if let character = next, "*+?{".unicodeScalars.contains(where: { $0.value == character }) { throw Uncertain() }
        if case .start = part { throw Uncertain() }
        if case .end = part { throw Uncertain() }
        return .repetition(part, minimum: minimum, maximum: maximum)
    }

    private mutating func quantifier() throws -> (Int, Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard take("{") else { return nil }
        let minimum = try number()
        var maximum: Int? = minimum
        if take(",") { maximum = next == 0x7D ? nil : try number() }
        guard take("}"), maximum.map({ $0 >= minimum }) ?? true else { throw Uncertain() }
        return (minimum, maximum)
    }

    private mutating func number() throws -> Int {
        var value = 0
        let start = index
        while let digit = next, ScalarSet.digits.contains(digit), index - start < 6 {
            value = value * 10 + Int(digit - 0x30)
            index += 1
        }
        guard index > start else { throw Uncertain() }
        return value
    }
}
