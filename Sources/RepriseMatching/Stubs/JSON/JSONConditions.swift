// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseQueries
import RepriseStubs
import RepriseText

// The matchers of JSON, with the regular expressions in them.

extension EqualToJSON: ValueCondition {
    func matches(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool {
        value.json.map { matches($0, budget: value.facts.budget) } ?? false
    }

    func distance(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Double {
        value.json.map { min(1, result($0, budget: value.facts.budget).distance) } ?? 1
    }

    var cost: Int { 3 }
}

extension MatchesJSONSchema: ValueCondition {
    func matches(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool {
        // A pattern that runs out of steps counts as a mismatch, which a schema could negate. The document then does
        // not match either.
        let budget = value.facts.budget
        let before = budget.refusals
        return Self.documents(value).contains { matches($0, budget: budget) } && budget.refusals == before
    }

    var cost: Int { 3 }

    /// Compiles a schema at a place of a stub mapping.
    init(
        _ tree: JSONTree,
        _ version: ValueMatcher.JSONSchemaVersion,
        at place: StubPointer,
        _ findings: inout CompiledMatcher.Findings
    ) throws(StubMatcherProblem) {
        do throws(JSONSchemaError) {
            self = try MatchesJSONSchema(tree, version: version)
        } catch {
            throw StubMatcherProblem(pointer: place.text + error.pointer, message: error.message)
        }
        findings.warnings += warnings.map { place.problem($0) }
    }

    /// Returns what a schema may accept: the JSON; and the text, as a string, if that is not JSON, or is a number, a
    /// Boolean, or `null`. As in WireMock, because a header field or a query parameter has no quotation marks.
    private static func documents(_ value: MatchedValue) -> [JSONTree] {
        let json = value.json
        switch json {
        case .object?, .array?, .string?: return json.map { [$0] } ?? []
        default:
            guard let text = value.text, text.utf8.count <= DecodedRequest.maximumParsedSize else { return [] }
            return (json.map { [$0] } ?? []) + [.string(text)]
        }
    }
}

/// `matchesJsonPath`: what a path finds, and the matcher that it must satisfy, if any.
struct JSONPathCondition: ValueCondition {
    private let matcher: MatchesJSONPath
    private let patterns: JSONPatterns
    private let inner: CompiledMatcher?

    /// Compiles a path. Returns `nil` and adds a warning if it is not valid. As in WireMock, no value matches it.
    init?(
        _ text: String,
        _ inner: CompiledMatcher?,
        at place: StubPointer,
        _ findings: inout CompiledMatcher.Findings
    ) {
        let path: JSONPath
        do {
            path = try JSONPath(text)
        } catch {
            findings.warnings.append(
                place.problem("expected a JSONPath, found \"\(text)\", which is not valid (\(error)); correct it")
            )
            return nil
        }
        let requirement: MatchesJSONPath.Requirement
        switch inner?.matcher {
        case nil: requirement = .presence
        case .absent?: requirement = .absence
        case .equalToJSON?: requirement = .json
        default: requirement = .text
        }
        matcher = MatchesJSONPath(path, requirement)
        patterns = JSONPatterns(path.patterns.map(\.text))
        self.inner = inner
        findings.warnings += patterns.warnings.map { place.problem($0) }
        if patterns.isIncomplete { return nil }
    }

    func matches(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool {
        result(value) { inner, part in inner.matches(part) ? .match : .mismatch }.isMatch
    }

    func distance(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Double {
        min(1, result(value) { inner, part in MatchResult(distance: inner.distance(part)) }.distance)
    }

    var cost: Int { 3 }

    private func result(_ value: MatchedValue, _ ofPart: (CompiledMatcher, MatchedValue) -> MatchResult) -> MatchResult
    {
        guard let found = found(value) else { return .mismatch }
        return matcher.result(of: found) { text in
            inner.map { ofPart($0, MatchedValue(Array(text.utf8)[...], in: value.facts)) } ?? .match
        }
    }

    /// Returns what the path finds, or `nil` if there is nothing to look in or the path took too many steps.
    private func found(_ value: MatchedValue) -> JSONPath.Result? {
        if value.isContent { return value.facts.found(matcher.path, patterns) }
        return DecodedRequest.pathRoot(value.json, value.bytes ?? []).flatMap {
            value.facts.evaluate(matcher.path, patterns, $0)
        }
    }
}

/// The regular expressions of a JSON matcher, by their text. As in WireMock, nothing matches an invalid one.
struct JSONPatterns: Sendable {
    private var patterns: [ExactText: TextPattern] = [:]
    /// Warnings about invalid expressions, and about those that may match other text than in Java.
    private(set) var warnings: [String] = []
    /// Whether any expression is invalid.
    private(set) var isIncomplete = false

    init(_ expressions: [String]) {
        for expression in expressions {
            do throws(InvalidPattern) {
                let pattern = try TextPattern(expression)
                patterns[expression] = pattern
                if let warning = pattern.warning { warnings.append(warning) }
            } catch {
                warnings.append(error.message)
                isIncomplete = true
            }
        }
    }

    func matches(_ expression: String, _ text: String, _ budget: WorkBudget) -> Bool {
        patterns[expression]?.matches(Array(text.utf8)[...], budget: budget) ?? false
    }
}
