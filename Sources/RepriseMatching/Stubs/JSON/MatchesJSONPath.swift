// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

/// Compares what a JSONPath finds, as WireMock's `matchesJsonPath` does.
package struct MatchesJSONPath: Sendable, Hashable {
    /// What is required of the values that the path finds.
    package enum Requirement: Sendable, Hashable {
        /// There is one that is neither `null` nor an empty array nor an empty object.
        case presence
        /// There is none, or it is `null` or an empty list. As in WireMock, a path that does not apply is no absence.
        case absence
        /// The text of one of them satisfies a matcher. The elements of a list are compared one by one.
        case text
        /// What was found, as one JSON text, satisfies a matcher. `null` if nothing was found.
        case json
    }

    /// The path.
    package let path: JSONPath
    /// What is required.
    package let requirement: Requirement

    /// Creates a matcher.
    package init(_ path: JSONPath, _ requirement: Requirement = .presence) {
        self.path = path
        self.requirement = requirement
    }

    /// Returns the result for what the path has found.
    package func result(of found: JSONPath.Result, inner: (String) -> MatchResult) -> MatchResult {
        switch requirement {
        case .presence: return Self.isPresent(found) ? .match : .mismatch
        case .absence: return Self.isAbsent(found) ? .match : .mismatch
        case .json: return inner(found.tree?.indentedJavaText ?? "null")
        case .text: return Self.nearest(to: found, inner)
        }
    }

    private static func isPresent(_ found: JSONPath.Result) -> Bool {
        switch found.tree {
        case nil, .null?: false
        case .array(let elements)?: !elements.isEmpty
        case .object(let members)?: !members.isEmpty
        default: true
        }
    }

    private static func isAbsent(_ found: JSONPath.Result) -> Bool {
        if found == .inapplicable { return false }
        return switch found.tree {
        case nil, .null?: true
        case .array(let elements)?: elements.isEmpty
        default: false
        }
    }

    /// Returns the result of the value that is nearest to satisfying the matcher. A `null` has no text.
    private static func nearest(to found: JSONPath.Result, _ inner: (String) -> MatchResult) -> MatchResult {
        guard case .array(let elements)? = found.tree else {
            return found.tree?.javaText.map(inner) ?? .mismatch
        }
        var nearest = MatchResult.mismatch
        for element in elements {
            guard let text = element.javaText else { continue }
            let result = inner(text)
            if result.isMatch { return result }
            if result.distance < nearest.distance { nearest = result }
        }
        return nearest
    }
}
