// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

/// Compares JSON with expected JSON, as WireMock's `equalToJson` does.
///
/// Numbers are equal if their values are, exactly. Names must be distinct, and their order has no meaning.
package struct EqualToJSON: Sendable, Hashable {
    /// What is allowed to differ.
    package struct Options: Sendable, Hashable {
        /// Whether the elements of arrays may be in any order.
        package var ignoresArrayOrder: Bool
        /// Whether objects may have more members, and arrays more elements: at the end, or anywhere if
        /// ``ignoresArrayOrder`` is set as well.
        package var ignoresExtraElements: Bool

        /// Creates options.
        package init(ignoresArrayOrder: Bool = false, ignoresExtraElements: Bool = false) {
            self.ignoresArrayOrder = ignoresArrayOrder
            self.ignoresExtraElements = ignoresExtraElements
        }
    }

    /// The number of values that a comparison may visit. Only arrays in any order with many elements that may be equal
    /// to many others need that many. A comparison that needs more is a mismatch.
    package static let defaultSteps = 2_000_000

    /// The regular expressions among the placeholders, so that they can be compiled and reported at load.
    package let patterns: [String]
    let expected: ExpectedJSON
    let options: Options

    /// Prepares a comparison with `expected`.
    package init(expected: JSONTree, options: Options = Options()) {
        var patterns: [String] = []
        self.expected = ExpectedJSON(expected, options, patterns: &patterns)
        self.patterns = patterns
        self.options = options
    }

    /// Whether `actual` is equal to the expected JSON.
    ///
    /// - Parameters:
    ///   - steps: The number of values that may still be visited. The result is `false` if it reaches 0.
    ///   - matches: Whether a regular expression matches a whole text.
    package func matches(
        _ actual: JSONTree,
        steps: inout Int,
        matches: (_ pattern: String, _ text: String) -> Bool
    ) -> Bool {
        withoutActuallyEscaping(matches) { matches in
            var comparison = JSONComparison(options: options, steps: steps, matchesPattern: matches)
            let result = comparison.matches(expected, actual)
            steps = comparison.steps
            return result && steps > 0
        }
    }

    /// Returns how far `actual` is from the expected JSON, as WireMock measures it: the number of values that differ,
    /// divided by the number of all values. As in WireMock, it exceeds 1 if most values are missing and others are in
    /// their place.
    package func result(
        _ actual: JSONTree,
        steps: inout Int,
        matches: (_ pattern: String, _ text: String) -> Bool
    ) -> MatchResult {
        withoutActuallyEscaping(matches) { matches in
            var comparison = JSONComparison(options: options, steps: steps, matchesPattern: matches)
            defer { steps = comparison.steps }
            if comparison.matches(expected, actual) { return comparison.steps > 0 ? .match : .mismatch }
            let differences = comparison.differences(expected, actual)
            guard comparison.steps > 0, differences > 0 else { return .mismatch }
            return MatchResult(
                distance: Double(differences) / Double(max(expected.size, ExpectedJSON.size(of: actual)))
            )
        }
    }
}
