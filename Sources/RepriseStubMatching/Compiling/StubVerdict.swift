// SPDX-License-Identifier: Apache-2.0

/// Whether a request satisfies one condition of a stub, for explanations and near misses.
package struct StubVerdict: Sendable, Hashable {
    /// What the condition looks at, such as `method`, `url`, `header Accept`, or `body`.
    package var field: String
    /// What the stub expects, such as `/users` or `[contains] json`.
    package var expected: String
    /// What the request has; `nil` if it has nothing.
    package var found: String?
    /// Whether the condition is satisfied.
    package var isMatch: Bool
    /// From 0, a match, to 1, nothing in common.
    package var distance: Double
    /// Whether the comparison reached the limit of steps for a request, and so counts as a mismatch.
    package var isUndecided = false
}
