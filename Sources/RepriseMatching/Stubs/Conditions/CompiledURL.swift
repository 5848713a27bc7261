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

    /// Whether the index finds exactly the targets that satisfy the condition.
    var isFoundExactly: Bool {
        switch target {
        case .containing: false
        case .any, .url, .path, .template: true
        }
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
    func matches(_ facts: DecodedRequest) -> Bool {
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

    /// Returns how far the target of a request is from satisfying the condition: 0 for a match, at most 1.
    func distance(_ facts: DecodedRequest) -> Double {
        if matches(facts) { return 0 }
        switch self {
        case .rawURL(let url): return EditDistance.normalized(url[...], facts.rawURL, facts.budget, facts.urlPattern)
        case .path(let path): return EditDistance.normalized(path[...], facts.path, facts.budget, facts.pathPattern)
        case .any, .template, .urlPattern, .pathPattern: return 1
        }
    }

    /// Returns the verdict on the target of a request, or `nil` if there is no condition.
    func verdict(_ facts: DecodedRequest) -> StubVerdict? {
        let expected: String
        var found = facts.path
        switch self {
        case .any: return nil
        case .rawURL(let url): (expected, found) = (String(decoding: url, as: UTF8.self), facts.rawURL)
        case .path(let path): expected = "[path] \(String(decoding: path, as: UTF8.self))"
        case .template(let template): expected = "[path template] \(template.source)"
        case .urlPattern(let url): (expected, found) = ("[regex] \(url.source)", facts.rawURL)
        case .pathPattern(let path): expected = "[path regex] \(path.source)"
        }
        let distance = distance(facts)
        return StubVerdict(
            field: "url",
            expected: expected,
            found: String(decoding: found, as: UTF8.self),
            isMatch: distance == 0,
            distance: distance
        )
    }

    /// Returns the values of a parameter of the path template.
    func parameters(named name: [UInt8], _ facts: DecodedRequest) -> [ArraySlice<UInt8>] {
        guard case .template(let template) = self else { return [] }
        return template.parameters(of: facts.path)?.values(named: name) ?? []
    }
}
