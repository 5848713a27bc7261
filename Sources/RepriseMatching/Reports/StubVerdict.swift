// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

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
    package var isUndecided: Bool

    /// - Parameter distance: The default is 0 for a match, and 1 otherwise.
    package init(
        field: String,
        expected: String,
        found: String?,
        isMatch: Bool,
        distance: Double? = nil,
        isUndecided: Bool = false
    ) {
        self.field = field
        self.expected = expected
        self.found = found
        self.isMatch = isMatch
        self.distance = distance ?? (isMatch ? 0 : 1)
        self.isUndecided = isUndecided
    }
}

extension StubVerdict: CustomStringConvertible {
    /// A text such as `header Accept: expected [contains] json, found text/html`, or `method: GET` for a match.
    package var description: String {
        ReportWriter.text { text in
            text.append(value: field)
            text.append(isMatch ? ": " : ": expected ")
            text.append(value: expected)
            guard !isMatch else { return }
            text.append(", found ")
            if let found {
                text.append(found.isEmpty ? "\"\"" : "")
                text.append(value: found)
            } else {
                text.append("nothing")
            }
            if isUndecided {
                text.append("; the comparison reached the limit of steps without a result, so simplify the condition")
            }
        }
    }
}
