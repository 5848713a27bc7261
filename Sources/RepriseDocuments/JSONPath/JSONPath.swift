// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A compiled JSONPath, in the dialect of Jayway's JsonPath, which WireMock uses.
///
/// ```swift
/// let path = try JSONPath("$.store.book[?(@.price < 10)].title")
/// var steps = JSONPath.defaultSteps
/// let titles = path.evaluate(tree, steps: &steps) { _, _, _ in false }
/// ```
///
/// If a path does not begin with `$`, `$.` is put in front of it.
public struct JSONPath: Sendable, Hashable {
    /// A limit on steps that is high enough for any document written by hand: 1,000,000.
    public static let defaultSteps = 1_000_000

    /// What a path finds in a document.
    public enum Result: Sendable, Hashable {
        /// There is nothing at the path.
        case missing
        /// The path has a filter for a part of the document that is neither an object nor an array.
        case inapplicable
        /// The value at a definite path.
        case value(JSONTree)
        /// The values at an indefinite path, in the order of the document.
        case list([JSONTree])

        /// The result as one value: a list becomes an array. `nil` if nothing was found.
        public var tree: JSONTree? {
            switch self {
            case .missing, .inapplicable: nil
            case .value(let value): value
            case .list(let values): .array(values)
            }
        }
    }

    /// A regular expression of the operator `=~`.
    public struct Pattern: Sendable, Hashable {
        /// The expression, which must match the whole text.
        public var expression: String
        /// Java's flags, such as `i`.
        public var flags: String

        /// Creates a pattern.
        public init(_ expression: String, flags: String = "") {
            self.expression = expression
            self.flags = flags
        }
    }

    /// The text of the path.
    public let text: String
    /// Whether the path finds at most one value. An indefinite path finds a list.
    public let isDefinite: Bool
    /// The regular expressions in the path, so that they can be compiled and reported before the first document.
    public let patterns: [Pattern]
    let steps: [JSONPathStep]

    /// Compiles a path.
    ///
    /// - Throws: ``JSONPathError`` with the place of the mistake.
    public init(_ text: String) throws(JSONPathError) {
        self.text = text
        var parser = JSONPathParser(Array(text.utf8))
        steps = JSONPathStep.aggregatingScans(try parser.path())
        patterns = parser.patterns
        isDefinite = JSONPathStep.areDefinite(steps)
    }

    /// Evaluates the path.
    ///
    /// - Parameters:
    ///   - tree: The document.
    ///   - steps: The number of values that the evaluation may still visit. It is reduced; if it is 0 or less
    ///     afterwards, the document is too large for the path, and the result is ``Result/missing``.
    ///   - missingLeavesAreNull: Whether a property that an object lacks is null at the end of the path, as in
    ///     WireMock's templates. Otherwise, there is nothing.
    ///   - matches: Whether a regular expression, given with its flags, matches a whole text.
    public func evaluate(
        _ tree: JSONTree,
        steps: inout Int,
        missingLeavesAreNull: Bool = false,
        matches: (_ expression: String, _ flags: String, _ text: String) -> Bool
    ) -> Result {
        withoutActuallyEscaping(matches) { matches in
            var evaluation = JSONPathEvaluation(
                root: tree,
                budget: steps,
                missingLeavesAreNull: missingLeavesAreNull,
                matches: matches
            )
            let result = evaluation.result(of: self.steps, in: tree)
            steps = evaluation.budget
            return evaluation.budget > 0 ? result : .missing
        }
    }
}
