// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

/// A regular expression in Java's syntax that a whole text must match. A dot matches line ends too.
///
/// Literals with `.*` in between are searched as bytes. Other expressions that need no backtracking become an
/// automaton, which takes time in proportion to the length of the text. The rest, such as a lookahead or a back
/// reference, is left to Foundation, which counts its steps.
package struct TextPattern: Sendable {
    /// The expression as written.
    package let source: String
    /// The literals that every match contains.
    package let literals: RequiredLiterals
    /// A message if the expression may match different text than in Java; otherwise `nil`.
    package let warning: String?
    private let form: Form

    private enum Form: Sendable {
        /// Literals with any text in between. One literal stands for itself.
        case literals([[UInt8]])
        case automaton(PatternAutomaton)
        case foundation(FoundationPattern)
    }

    /// Compiles an expression.
    ///
    /// - Throws: A message if it is not valid.
    package init(_ source: String) throws(InvalidPattern) {
        self.source = source
        var parser = PatternParser(source)
        let node = parser.parse().withoutImpliedAnchors
        literals = RequiredLiterals(node)
        if parser.isRegular, let pieces = Self.pieces(node) {
            form = .literals(pieces)
            warning = nil
        } else if parser.isRegular, let automaton = PatternAutomaton(node) {
            form = .automaton(automaton)
            warning = nil
        } else {
            form = .foundation(try FoundationPattern(source, isWhole: true, dotMatchesLineEnds: true))
            let hasDifferences = !parser.differences.isEmpty
            warning =
                JavaPatternText.refersToMissingGroup(source)
                ? Self.missingGroup : hasDifferences ? Self.warning(of: parser.differences) : nil
        }
    }

    private static let missingGroup =
        "expected references to groups that the regular expression has, found one to another group, which nothing "
        + "matches, as in WireMock; correct the number"

    private static func warning(of differences: Set<PatternParser.Difference>) -> String {
        let names = differences.map(\.rawValue).sorted().joined(separator: ", and ")
        return "expected a regular expression that means the same in Java and here, found \(names); "
            + "rewrite the expression without them, or test what it matches"
    }

    /// Returns an expression that matches a whole text if `source` matches a part of it.
    package static func finding(_ source: String) -> String {
        // An expression of one sequence needs nothing around it where it has an anchor.
        let isOneSequence = !source.contains("|") && !source.contains("\\Q")
        let start = isOneSequence && source.hasPrefix("^") ? "" : ".*"
        let end = isOneSequence && source.hasSuffix("$") && !source.hasSuffix("\\$") ? "" : ".*"
        return "\(start)(?:\(source))\(end)"
    }

    /// Whether the expression matches the whole text.
    package func matches(_ text: ArraySlice<UInt8>, budget: WorkBudget) -> Bool {
        guard budget.work(text.count / 16) else { return false }
        if case .literals(let pieces) = form { return Self.matches(text, pieces) }
        guard ByteSearch.hasPrefix(text, literals.prefix), ByteSearch.hasSuffix(text, literals.suffix),
            literals.longest.count <= literals.prefix.count
                || ByteSearch.firstIndex(of: literals.longest, in: text) != nil
        else { return false }
        switch form {
        case .literals: return false
        case .automaton(let automaton):
            return budget.take(text.count, units: text.count * automaton.unitsPerByte) && automaton.matches(text)
        case .foundation(let pattern): return pattern.matches(text, budget: budget)
        }
    }

    /// Returns the literals of an expression that consists of literals with `.*` in between.
    private static func pieces(_ node: PatternNode) -> [[UInt8]]? {
        var pieces: [[UInt8]] = [[]]
        let parts: [PatternNode] = if case .sequence(let parts) = node { parts } else { [node] }
        for part in parts {
            switch part {
            case .empty: break
            case .repetition(.set(.all), minimum: 0, maximum: nil): pieces.append([])
            case .set(let set):
                guard let scalar = set.single.flatMap(Unicode.Scalar.init), scalar != "\u{FFFD}" else { return nil }
                pieces[pieces.count - 1] += Array(String(Character(scalar)).utf8)
            default: return nil
            }
        }
        return pieces
    }

    private static func matches(_ text: ArraySlice<UInt8>, _ pieces: [[UInt8]]) -> Bool {
        guard pieces.count > 1 else { return ByteSearch.isEqual(text, pieces[0]) }
        let (head, tail) = (pieces[0], pieces[pieces.count - 1])
        guard text.count >= head.count + tail.count, ByteSearch.hasPrefix(text, head),
            ByteSearch.hasSuffix(text, tail)
        else { return false }
        let middle = text[(text.startIndex + head.count)..<(text.endIndex - tail.count)]
        var index = middle.startIndex
        // Taking the first occurrence of each literal leaves the most text for the next ones.
        for piece in pieces[1..<(pieces.count - 1)] where !piece.isEmpty {
            guard let found = ByteSearch.firstIndex(of: piece, in: middle, from: index) else { return false }
            index = found + piece.count
        }
        return true
    }
}

/// The reason that a regular expression is not valid.
package struct InvalidPattern: Error, Hashable {
    package let message: String
}
