// SPDX-License-Identifier: Apache-2.0

internal import RepriseQueries
import RepriseStubs
internal import RepriseText

extension CompiledMatcher {
    /// The findings of compiling besides errors.
    package struct Findings {
        /// The conditions that do not work as in WireMock.
        package var warnings: [StubMatcherProblem] = []
    }

    /// Matchers nested deeper than this are refused.
    private static let maximumDepth = 64

    /// Compiles a matcher.
    ///
    /// - Parameter pointer: The place of the object that contains the matcher.
    init(
        _ matcher: ValueMatcher,
        at pointer: StubPointer,
        _ findings: inout Findings,
        depth: Int = 0
    ) throws(StubMatcherProblem) {
        guard depth <= Self.maximumDepth else {
            throw pointer.problem(
                "expected matchers nested at most \(Self.maximumDepth) deep, found more; simplify the condition"
            )
        }
        let place = pointer.member(matcher.key)
        self.matcher = matcher
        func compiled(_ matchers: [ValueMatcher]) throws(StubMatcherProblem) -> [CompiledMatcher] {
            var result: [CompiledMatcher] = []
            for (index, matcher) in matchers.enumerated() {
                result.append(try CompiledMatcher(matcher, at: place.element(index), &findings, depth: depth + 1))
            }
            return result
        }
        switch matcher {
        case .equalTo(let text, let ignoringCase): form = .equalTo(EqualToMatcher(text, ignoringCase: ignoringCase))
        case .binaryEqualTo(let bytes): form = .binaryEqualTo(BinaryEqualToMatcher(expected: bytes))
        case .contains(let text): form = .contains(ContainsMatcher(text))
        case .doesNotContain(let text): form = .doesNotContain(ContainsMatcher(text))
        case .matches(let pattern): form = .matches(try TextPattern(pattern, at: place, &findings))
        case .doesNotMatch(let pattern): form = .doesNotMatch(try TextPattern(pattern, at: place, &findings))
        case .absent: form = .absent
        case .anything: form = .anything
        case .matchesPathTemplate(let template): form = .pathTemplate(try PathTemplateMatcher(template, at: place))
        case .number(let comparison, let number):
            form = .number(NumberMatcher(comparison: comparison, expected: number))
        case .and(let matchers): form = .and(try compiled(matchers))
        case .or(let matchers): form = .or(try compiled(matchers))
        case .not(let matcher):
            form = .not(try CompiledMatcher(matcher, at: place, &findings, depth: depth + 1))
        case .hasExactly(let matchers): form = .hasExactly(try compiled(matchers))
        case .includes(let matchers): form = .includes(try compiled(matchers))
        case .date(let date): form = .date(try DateComparison(date, at: pointer, &findings))
        case .equalToJSON, .matchesJSONSchema: form = .json(try JSONMatcher(matcher, at: place, &findings))
        case .matchesJSONPath(let path, let inner):
            var compiled: CompiledMatcher?
            if let inner { compiled = try CompiledMatcher(inner, at: place, &findings, depth: depth + 1) }
            form = JSONMatcher(path, compiled, at: place, &findings).map { .json($0) } ?? .never
        case .equalToXML(let text, let options):
            form = .xml(try EqualToXMLMatcher(text, options, at: pointer, &findings))
        case .matchesXPath(let path, let namespaces, let inner):
            var compiled: CompiledMatcher?
            if let inner { compiled = try CompiledMatcher(inner, at: place, &findings, depth: depth + 1) }
            form = XPathMatcher(path, namespaces, compiled, at: place, &findings).map { .xPath($0) } ?? .never
        }
    }
}

extension TextPattern {
    /// Compiles a regular expression at a place of a stub mapping.
    init(
        _ source: String,
        at place: StubPointer,
        _ findings: inout CompiledMatcher.Findings
    ) throws(StubMatcherProblem) {
        do {
            self = try TextPattern(source)
        } catch {
            throw place.problem(error.message)
        }
        if let warning { findings.warnings.append(place.problem(warning)) }
    }
}

extension PathTemplateMatcher {
    /// Templates with more parts are refused.
    private static let maximumCount = 200

    /// Compiles a template at a place of a stub mapping.
    init(_ template: String, at place: StubPointer) throws(StubMatcherProblem) {
        self.init(template)
        guard parts.count <= Self.maximumCount else {
            throw place.problem(
                "expected at most \(Self.maximumCount) parts in a path template, found \(parts.count); shorten it"
            )
        }
    }
}

extension ValueMatcher {
    /// The name of the member that holds the matcher in a stub mapping.
    var key: String {
        switch self {
        case .equalTo: "equalTo"
        case .binaryEqualTo: "binaryEqualTo"
        case .contains: "contains"
        case .doesNotContain: "doesNotContain"
        case .matches: "matches"
        case .doesNotMatch: "doesNotMatch"
        case .absent: "absent"
        case .anything: "anything"
        case .equalToJSON: "equalToJson"
        case .matchesJSONPath: "matchesJsonPath"
        case .matchesJSONSchema: "matchesJsonSchema"
        case .equalToXML: "equalToXml"
        case .matchesXPath: "matchesXPath"
        case .date(let date): date.comparison.rawValue
        case .and: "and"
        case .or: "or"
        case .not: "not"
        case .hasExactly: "hasExactly"
        case .includes: "includes"
        case .matchesPathTemplate: "matchesPathTemplate"
        case .number(let comparison, _): comparison.rawValue
        }
    }
}
