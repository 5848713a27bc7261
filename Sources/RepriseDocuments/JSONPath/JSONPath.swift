// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A compiled JSONPath, in the dialect of Jayway's JsonPath, which WireMock uses.
///
/// ```swift
/// let path = try JSONPath("$.store.book[?(@.price < 10)].title")
/// let titles = path.evaluate(tree, budget: WorkBudget()) { _, _ in false }
/// ```
///
/// If a path does not begin with `$`, `$.` is put in front of it.
public struct JSONPath: Sendable, Hashable {
    /// A limit on the values that an evaluation may visit, high enough for any document written by hand.
    package static let maximumSteps = 1_000_000
    static let unitsPerStep = 50

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

        /// The expression with its flags.
        package var text: String { flags.isEmpty ? expression : "(?\(flags))\(expression)" }

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
    ///   - budget: Each value that the evaluation visits takes a step. If there are not enough, the result is
    ///     ``Result/missing``.
    ///   - limit: The number of values that the evaluation may visit at most.
    ///   - missingLeavesAreNull: Whether a property that an object lacks is null at the end of the path, as in
    ///     WireMock's templates. Otherwise, there is nothing.
    ///   - matches: Tells whether a regular expression matches a whole text.
    package func evaluate(
        _ tree: JSONTree,
        budget: WorkBudget,
        limit: Int = JSONPath.maximumSteps,
        missingLeavesAreNull: Bool = false,
        matches: (_ pattern: String, _ text: String) -> Bool
    ) -> Result {
        withoutActuallyEscaping(matches) { matches in
            var evaluation = JSONPathEvaluation(
                root: tree,
                budget: budget.part(steps: limit, unitsPerStep: Self.unitsPerStep),
                missingLeavesAreNull: missingLeavesAreNull,
                matches: matches
            )
            let result = evaluation.result(of: steps, in: tree)
            return evaluation.budget.isSpent ? .missing : result
        }
    }
}
