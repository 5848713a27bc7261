// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseQueries
import RepriseStubs
private import RepriseText

/// The condition on the target of a request, ready to be evaluated and indexed.
package enum CompiledURL: Sendable {
    /// Every target.
    case any
    /// Exactly this path and query, as sent.
    case rawURL([UInt8])
    /// Exactly this path, as sent.
    case path([UInt8])
    /// The path has the parts of a template.
    case template(PathTemplateMatcher)
    /// The path and query match a regular expression, and so contain its literals.
    case urlPattern(URLPattern)
    /// The path matches a regular expression, and so contains its literals.
    case pathPattern(URLPattern)

    /// A regular expression on a URL or a path.
    package struct URLPattern: Sendable {
        let pattern: TextPattern
        /// The expression as written.
        package var source: String { pattern.source }
        /// The text that every match starts with.
        package var prefix: [UInt8] { pattern.literals.prefix }
        /// The literals that every match contains.
        package var literals: [[UInt8]] { [prefix, pattern.literals.longest, pattern.literals.suffix] }
    }

    init(
        _ condition: StubRequest.URLCondition,
        _ findings: inout CompiledMatcher.Findings
    ) throws(StubMatcherProblem) {
        let request = StubPointer.request
        switch condition {
        case .any: self = .any
        case .equalTo(let text): self = .rawURL(Array(text.utf8))
        case .path(let text): self = .path(Array(text.utf8))
        case .matching(let source):
            self = .urlPattern(
                URLPattern(pattern: try TextPattern(source, at: request.member("urlPattern"), &findings))
            )
        case .pathMatching(let source):
            let place = request.member("urlPathPattern")
            self = .pathPattern(URLPattern(pattern: try TextPattern(source, at: place, &findings)))
        case .pathTemplate(let template):
            self = .template(try PathTemplateMatcher(template, at: request.member("urlPathTemplate")))
        }
    }

    /// Whether the target of a request satisfies the condition.
    func matches(_ facts: StubRequestFacts) -> Bool {
        switch self {
        case .any: true
        case .rawURL(let url): ByteSearch.isEqual(facts.rawURL, url)
        case .path(let path): ByteSearch.isEqual(facts.path, path)
        case .template(let template):
            facts.budget.work(facts.path.count * template.parts.count) && template.matches(facts.path)
        case .urlPattern(let url): url.pattern.matches(facts.rawURL, budget: facts.budget)
        case .pathPattern(let path): path.pattern.matches(facts.path, budget: facts.budget)
        }
    }

    /// Returns the verdict on the target of a request, or `nil` if there is no condition.
    func verdict(_ facts: StubRequestFacts) -> StubVerdict? {
        let isMatch = matches(facts)
        var distance = isMatch ? 0.0 : 1
        let expected: String
        var found = facts.path
        switch self {
        case .any: return nil
        case .rawURL(let url):
            expected = String(decoding: url, as: UTF8.self)
            found = facts.rawURL
            if !isMatch { distance = EditDistance.normalized(url[...], found, facts.budget) }
        case .path(let path):
            expected = "[path] \(String(decoding: path, as: UTF8.self))"
            if !isMatch { distance = EditDistance.normalized(path[...], found, facts.budget) }
        case .template(let template): expected = "[path template] \(template.source)"
        case .urlPattern(let url):
            expected = "[regex] \(url.source)"
            found = facts.rawURL
        case .pathPattern(let path): expected = "[path regex] \(path.source)"
        }
        return StubVerdict(
            field: "url",
            expected: expected,
            found: String(decoding: found, as: UTF8.self),
            isMatch: isMatch,
            distance: distance
        )
    }
}
