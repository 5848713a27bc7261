// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// Compares JSON with expected JSON, as WireMock's `equalToJson` does.
///
/// Numbers are equal if their values are, exactly. Names must be distinct, and their order has no meaning.
struct EqualToJSON: Sendable {
    /// What is allowed to differ.
    struct Options: Sendable, Hashable {
        /// Whether the elements of arrays may be in any order.
        var ignoresArrayOrder = false
        /// Whether objects may have more members, and arrays more elements: at the end, or anywhere if
        /// ``ignoresArrayOrder`` is set as well.
        var ignoresExtraElements = false
    }

    /// The regular expressions among the placeholders.
    let patterns: JSONPatterns
    let expected: ExpectedJSON
    let options: Options

    /// Prepares a comparison with `expected`.
    init(expected: JSONTree, options: Options = Options()) {
        var expressions: [String] = []
        self.expected = ExpectedJSON(expected, options, patterns: &expressions)
        self.options = options
        patterns = JSONPatterns(expressions)
    }

    /// Whether `actual` is equal to the expected JSON.
    ///
    /// - Parameter budget: Each value that is visited takes a step. If there are not enough, the result is `false`.
    func matches(_ actual: JSONTree, budget: WorkBudget) -> Bool {
        let comparison = JSONComparison(self, budget)
        return comparison.matches(expected, actual) && !comparison.budget.isSpent
    }

    /// Returns how far `actual` is from the expected JSON, as WireMock measures it: the number of values that differ,
    /// divided by the number of all values. As in WireMock, it exceeds 1 if most values are missing and others are in
    /// their place.
    func result(_ actual: JSONTree, budget: WorkBudget) -> MatchResult {
        let comparison = JSONComparison(self, budget)
        if comparison.matches(expected, actual) { return comparison.budget.isSpent ? .mismatch : .match }
        let differences = comparison.differences(expected, actual)
        guard !comparison.budget.isSpent, differences > 0 else { return .mismatch }
        return MatchResult(distance: Double(differences) / Double(max(expected.size, ExpectedJSON.size(of: actual))))
    }
}
