// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseQueries
import RepriseStubs
internal import RepriseText

// The list of matchers: how each is compiled, what it is called, and what it expects. A new matcher is a
// ``ValueCondition``, and a case here.
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
        func compiled(_ matcher: ValueMatcher, at place: StubPointer) throws(StubMatcherProblem) -> CompiledMatcher {
            try CompiledMatcher(matcher, at: place, &findings, depth: depth + 1)
        }
        func compiled(_ matchers: [ValueMatcher]) throws(StubMatcherProblem) -> [CompiledMatcher] {
            var result: [CompiledMatcher] = []
            for (index, matcher) in matchers.enumerated() {
                result.append(try compiled(matcher, at: place.element(index)))
            }
            return result
        }
        let form: Form
        switch matcher {
        case .equalTo(let text, let ignoringCase): form = .one(EqualTo(text, ignoringCase: ignoringCase))
        case .binaryEqualTo(let bytes): form = .one(BinaryEqualTo(expected: bytes))
        case .contains(let text): form = .one(Contains(expected: Array(text.utf8)))
        case .doesNotContain(let text): form = .one(Negation(condition: Contains(expected: Array(text.utf8))))
        case .matches(let pattern): form = .one(try TextPattern(pattern, at: place, &findings))
        case .doesNotMatch(let pattern):
            form = .one(Negation(condition: try TextPattern(pattern, at: place, &findings)))
        case .absent: form = .one(Constant(acceptsValues: false, acceptsMissing: true))
        case .anything: form = .one(Constant(acceptsValues: true, acceptsMissing: true))
        case .matchesPathTemplate(let template): form = .one(try PathTemplateMatcher(template, at: place))
        case .number(let comparison, let number):
            form = .one(NumberComparison(comparison: comparison, expected: number))
        case .and(let matchers): form = .and(try compiled(matchers))
        case .or(let matchers): form = .or(try compiled(matchers))
        case .not(let matcher): form = .not(try compiled(matcher, at: place))
        case .hasExactly(let matchers): form = .hasExactly(try compiled(matchers))
        case .includes(let matchers): form = .includes(try compiled(matchers))
        case .date(let date): form = .one(try DateComparison(date, at: pointer, &findings))
        case .equalToJSON(let json, let ignoresOrder, let ignoresExtra):
            let options = EqualToJSON.Options(ignoresArrayOrder: ignoresOrder, ignoresExtraElements: ignoresExtra)
            let condition = EqualToJSON(expected: json, options: options)
            findings.warnings += condition.patterns.warnings.map { place.problem($0) }
            form = .one(condition)
        case .matchesJSONPath(let path, let inner):
            var requirement: CompiledMatcher?
            if let inner { requirement = try compiled(inner, at: place) }
            form = .one(JSONPathCondition(path, requirement, at: place, &findings) ?? Constant.never)
        case .matchesJSONSchema(let tree, let version):
            form = .one(try MatchesJSONSchema(tree, version, at: place, &findings))
        case .equalToXML(let text, let options):
            form = .one(try EqualToXMLMatcher(text, options, at: pointer, &findings))
        case .matchesXPath(let path, let namespaces, let inner):
            var requirement: CompiledMatcher?
            if let inner { requirement = try compiled(inner, at: place) }
            form = .one(XPathMatcher(path, namespaces, requirement, at: place, &findings) ?? Constant.never)
        }
        self.init(matcher: matcher, form: form)
    }
}

extension ValueMatcher {
    /// What the matcher expects, as near misses and explanations show it: the text for `equalTo`, otherwise the matcher
    /// in brackets and its operand.
    var expectation: String {
        switch self {
        case .equalTo(let text, ignoringCase: false): text
        case .equalTo(let text, ignoringCase: true): "[equalTo, ignoring case] \(text)"
        case .binaryEqualTo(let bytes): "[binaryEqualTo] \(Base64.text(bytes))"
        case .contains(let text), .doesNotContain(let text), .matches(let text), .doesNotMatch(let text),
            .matchesPathTemplate(let text), .equalToXML(let text, _):
            "[\(key)] \(text)"
        case .absent, .anything: "[\(key)]"
        case .equalToJSON(let json, _, _), .matchesJSONSchema(let json, _):
            "[\(key)] \(String(decoding: json.bytes, as: UTF8.self))"
        case .matchesJSONPath(let expression, let matcher), .matchesXPath(let expression, _, let matcher):
            "[\(key)] \(expression)" + (matcher.map { " \($0.bracketed)" } ?? "")
        case .date(let date): "[\(key)] \(date.expected)"
        case .number(_, let number): "[\(key)] \(number.spelling)"
        case .not(let matcher): "[not] \(matcher.bracketed)"
        case .and(let matchers): matchers.map(\.bracketed).joined(separator: " and ")
        case .or(let matchers): matchers.map(\.bracketed).joined(separator: " or ")
        case .hasExactly(let matchers), .includes(let matchers):
            "[\(key)] " + matchers.map(\.bracketed).joined(separator: ", ")
        }
    }

    private var bracketed: String {
        if case .equalTo(let text, ignoringCase: false) = self { return "[equalTo] \(text)" }
        return expectation
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
