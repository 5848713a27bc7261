// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseQueries
internal import RepriseText

extension TemplateRenderer {
    /// Returns the compiled expression, or `nil` if it is invalid.
    func pattern(_ source: String, isWhole: Bool = false) -> FoundationPattern? {
        if let known = isWhole ? prepared.wholePatterns[source] : prepared.patterns[source] { return known }
        if let last = compiledPattern, last.isWhole == isWhole, last.source == source { return last.pattern }
        spend(2000 + source.utf8.count * 10)
        let pattern = try? FoundationPattern(source, isWhole: isWhole)
        compiledPattern = (source, isWhole, pattern)
        return pattern
    }

    /// Whether an expression matches a whole text, or `nil` if it is invalid.
    func matches(_ source: String, _ text: String) throws(TemplateFailure) -> Bool? {
        guard let pattern = pattern(source, isWhole: true) else { return nil }
        let isMatch = pattern.isFound(in: text, budget: budget)
        try charge(0)
        return isMatch
    }

    /// Returns the texts of the groups of each match, beginning with that of the match.
    func groups(of pattern: FoundationPattern, in text: String, limit: Int = .max) throws(TemplateFailure) -> [[String]]
    {
        let groups = pattern.groups(in: text, limit: limit, budget: budget)
        try charge(0)
        return groups
    }
}
