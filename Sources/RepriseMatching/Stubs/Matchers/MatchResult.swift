// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// How well a value or a request satisfies a condition.
package struct MatchResult: Sendable, Hashable {
    /// From 0, an exact match, to 1, nothing in common.
    package var distance: Double

    /// Whether the condition is satisfied.
    package var isMatch: Bool { distance == 0 }

    /// Creates a result.
    package init(distance: Double) { self.distance = distance }

    /// The result of a value that satisfies a condition.
    package static let match = MatchResult(distance: 0)
    /// The result of a value that has nothing in common with the expected one.
    package static let mismatch = MatchResult(distance: 1)
}
