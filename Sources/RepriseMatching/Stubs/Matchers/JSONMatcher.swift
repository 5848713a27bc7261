// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseQueries
import RepriseStubs
import RepriseText

/// `equalToJson`, `matchesJsonPath`, and `matchesJsonSchema`, with the regular expressions in them.
struct JSONMatcher: Sendable {
    private let form: Form

    private indirect enum Form: Sendable {
        case equalTo(EqualToJSON)
        case path(MatchesJSONPath, JSONPatterns, CompiledMatcher?)
        case schema(MatchesJSONSchema)
    }

    /// Compiles `equalToJson` or `matchesJsonSchema`.
    init(
        _ matcher: ValueMatcher,
        at place: StubPointer,
        _ findings: inout CompiledMatcher.Findings
    ) throws(StubMatcherProblem) {
        let warnings: [String]
        switch matcher {
        case .equalToJSON(let expected, let ignoresArrayOrder, let ignoresExtraElements):
            let options = EqualToJSON.Options(
                ignoresArrayOrder: ignoresArrayOrder,
                ignoresExtraElements: ignoresExtraElements
            )
            let equalTo = EqualToJSON(expected: expected, options: options)
            form = .equalTo(equalTo)
            warnings = equalTo.patterns.warnings
        case .matchesJSONSchema(let tree, let version):
            do throws(JSONSchemaError) {
                let schema = try MatchesJSONSchema(tree, version: JSONSchemaVersion(version))
                form = .schema(schema)
                warnings = schema.warnings
            } catch {
                throw StubMatcherProblem(pointer: place.text + error.pointer, message: error.message)
            }
        default: preconditionFailure("not a matcher of JSON")
        }
        findings.warnings += warnings.map { place.problem($0) }
    }

    /// Compiles `matchesJsonPath`. Returns `nil` and adds a warning if the path is not valid. As in WireMock, no value
    /// matches it.
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
        let patterns = JSONPatterns(path.patterns.map(\.text))
        form = .path(MatchesJSONPath(path, requirement), patterns, inner)
        findings.warnings += patterns.warnings.map { place.problem($0) }
        if patterns.isIncomplete { return nil }
    }

    /// Whether a value satisfies the matcher.
    func matches(_ value: MatchedValue) -> Bool {
        guard value.bytes != nil else { return false }
        let budget = value.facts.budget
        switch form {
        case .equalTo(let matcher):
            guard let tree = value.json else { return false }
            return matcher.matches(tree, budget: budget)
        case .schema(let matcher):
            // A pattern that runs out of steps counts as a mismatch, which a schema could negate. The document then
            // does not match either.
            let before = budget.refusals
            return Self.documents(value).contains { matcher.matches($0, budget: budget) } && budget.refusals == before
        case .path(let matcher, let patterns, let inner):
            guard let found = found(matcher.path, patterns, value) else { return false }
            return matcher.result(of: found) { text in
                let part = MatchedValue(Array(text.utf8)[...], in: value.facts)
                return inner?.matches(part) ?? true ? .match : .mismatch
            }.isMatch
        }
    }

    /// Returns how far a value is from satisfying the matcher: 0 for a match, at most 1.
    func distance(_ value: MatchedValue) -> Double {
        guard value.bytes != nil else { return 1 }
        let budget = value.facts.budget
        switch form {
        case .equalTo(let matcher):
            guard let tree = value.json else { return 1 }
            return min(1, matcher.result(tree, budget: budget).distance)
        case .path(let matcher, let patterns, let inner):
            guard let found = found(matcher.path, patterns, value) else { return 1 }
            let result = matcher.result(of: found) { text in
                let part = MatchedValue(Array(text.utf8)[...], in: value.facts)
                return inner.map { MatchResult(distance: $0.distance(part)) } ?? .match
            }
            return min(1, result.distance)
        case .schema: return matches(value) ? 0 : 1
        }
    }

    /// Returns what a schema may accept: the JSON; and the text, as a string, if that is not JSON, or is a number, a
    /// Boolean, or `null`. As in WireMock, because a header field or a query parameter has no quotation marks.
    private static func documents(_ value: MatchedValue) -> [JSONTree] {
        let json = value.json
        switch json {
        case .object?, .array?, .string?: return json.map { [$0] } ?? []
        default:
            guard let text = value.text, text.utf8.count <= StubRequestFacts.maximumParsedSize else { return [] }
            return (json.map { [$0] } ?? []) + [.string(text)]
        }
    }

    /// Returns what a path finds, or `nil` if there is nothing to look in or the path took too many steps.
    private func found(_ path: JSONPath, _ patterns: JSONPatterns, _ value: MatchedValue) -> JSONPath.Result? {
        if value.isContent { return value.facts.found(path, patterns) }
        return StubRequestFacts.pathRoot(value.json, value.bytes ?? []).flatMap {
            value.facts.evaluate(path, patterns, $0)
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

extension JSONSchemaVersion {
    fileprivate init(_ version: ValueMatcher.JSONSchemaVersion) {
        self =
            switch version {
            case .v4: .v4
            case .v6: .v6
            case .v7: .v7
            case .v201909: .v201909
            case .v202012: .v202012
            }
    }
}
