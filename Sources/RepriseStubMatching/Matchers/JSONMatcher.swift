// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseStubs
import RepriseText

/// `equalToJson`, `matchesJsonPath`, and `matchesJsonSchema`, with the regular expressions in them.
struct JSONMatcher: Sendable {
    private let form: Form
    private let patterns: JSONPatterns

    private indirect enum Form: Sendable {
        case equalTo(EqualToJSON)
        case path(MatchesJSONPath, CompiledMatcher?)
        case schema(MatchesJSONSchema)
    }

    /// Compiles `equalToJson` or `matchesJsonSchema`.
    init(
        _ matcher: ValueMatcher,
        at place: StubPointer,
        _ findings: inout CompiledMatcher.Findings
    ) throws(StubMatcherProblem) {
        switch matcher {
        case .equalToJSON(let expected, let ignoresArrayOrder, let ignoresExtraElements):
            let options = EqualToJSON.Options(
                ignoresArrayOrder: ignoresArrayOrder,
                ignoresExtraElements: ignoresExtraElements
            )
            let equalTo = EqualToJSON(expected: expected, options: options)
            form = .equalTo(equalTo)
            patterns = try JSONPatterns(equalTo.patterns, at: place, &findings)
        case .matchesJSONSchema(let schema, let version):
            do {
                let compiled = try MatchesJSONSchema(schema, version: version)
                form = .schema(compiled)
                patterns = try JSONPatterns(compiled.patterns, findsPart: true, at: place, &findings)
            } catch let error as JSONSchemaError {
                throw StubMatcherProblem(pointer: place.text + error.pointer, message: error.message)
            } catch let problem as StubMatcherProblem {
                throw problem
            } catch {
                preconditionFailure("compiling a schema throws nothing else")
            }
        default: preconditionFailure("not a matcher of JSON")
        }
    }

    /// Compiles `matchesJsonPath`. Returns `nil` and adds a warning if the path is not valid. As in WireMock, no value
    /// matches it.
    init?(
        _ text: String,
        _ inner: CompiledMatcher?,
        at place: StubPointer,
        _ findings: inout CompiledMatcher.Findings
    ) throws(StubMatcherProblem) {
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
        form = .path(MatchesJSONPath(path, requirement), inner)
        do throws(StubMatcherProblem) { patterns = try JSONPatterns(path, at: place, &findings) } catch {
            findings.warnings.append(error)
            return nil
        }
    }

    /// Whether a value satisfies the matcher.
    func matches(_ value: MatchedValue) -> Bool {
        guard value.bytes != nil else { return false }
        let budget = value.facts.budget
        switch form {
        case .equalTo(let matcher):
            guard let tree = value.json else { return false }
            return budget.count(limit: EqualToJSON.defaultSteps, unitsPerStep: Self.unitsPerValue) { steps in
                matcher.matches(tree, steps: &steps) { patterns.matches($0, $1, budget) }
            }
        case .schema(let matcher):
            // A pattern that runs out of steps counts as a mismatch, which a schema could negate. The document then
            // does not match either.
            let before = budget.refusals
            return Self.documents(value).contains { document in
                budget.count(limit: MatchesJSONSchema.defaultSteps, unitsPerStep: Self.unitsPerSchema) { steps in
                    matcher.matches(document, steps: &steps) { patterns.matches($0, $1, budget) }
                }
            } && budget.refusals == before
        case .path(let matcher, let inner):
            guard let found = found(matcher.path, value) else { return false }
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
            let result = budget.count(limit: EqualToJSON.defaultSteps, unitsPerStep: Self.unitsPerValue) { steps in
                matcher.result(tree, steps: &steps) { patterns.matches($0, $1, budget) }
            }
            return min(1, result.distance)
        case .path(let matcher, let inner):
            guard let found = found(matcher.path, value) else { return 1 }
            let result = matcher.result(of: found) { text in
                let part = MatchedValue(Array(text.utf8)[...], in: value.facts)
                return inner.map { MatchResult(distance: $0.distance(part)) } ?? .match
            }
            return min(1, result.distance)
        case .schema: return matches(value) ? 0 : 1
        }
    }

    /// The units of work to compare a value, or to apply a schema; see ``StepBudget/work(_:)``.
    private static let unitsPerValue = 20
    private static let unitsPerSchema = 50

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
    private func found(_ path: JSONPath, _ value: MatchedValue) -> JSONPath.Result? {
        if value.isContent { return value.facts.found(path, patterns) }
        return StubRequestFacts.pathRoot(value.json, value.bytes ?? []).flatMap {
            value.facts.evaluate(path, patterns, $0)
        }
    }
}

/// The regular expressions of a matcher of JSON, by their text.
struct JSONPatterns: Sendable {
    private var patterns: [ExactText: TextPattern] = [:]

    /// Compiles expressions. As in WireMock, nothing matches one that is not valid, unless it is in a schema.
    ///
    /// - Parameter findsPart: Whether it is enough that a part of the text matches, as in a schema.
    init(
        _ expressions: [String],
        findsPart: Bool = false,
        at place: StubPointer,
        _ findings: inout CompiledMatcher.Findings
    ) throws(StubMatcherProblem) {
        for expression in expressions {
            let source = findsPart ? TextPattern.finding(expression) : expression
            do throws(StubMatcherProblem) {
                patterns[expression] = try TextPattern(source, at: place, &findings)
            } catch {
                guard !findsPart else { throw error }
                findings.warnings.append(error)
            }
        }
    }

    /// Compiles the expressions of a path.
    init(
        _ path: JSONPath,
        at place: StubPointer,
        _ findings: inout CompiledMatcher.Findings
    ) throws(StubMatcherProblem) {
        for pattern in path.patterns {
            let key = Self.key(pattern.expression, pattern.flags)
            patterns[key] = try TextPattern(key, at: place, &findings)
        }
    }

    /// The expressions of a path that is known to be valid.
    init(_ path: JSONPath) {
        for pattern in path.patterns {
            let key = Self.key(pattern.expression, pattern.flags)
            if let compiled = try? TextPattern(key) { patterns[key] = compiled }
        }
    }

    private static func key(_ expression: String, _ flags: String) -> String {
        flags.isEmpty ? expression : "(?\(flags))\(expression)"
    }

    func matches(_ expression: String, _ text: String, _ budget: StepBudget) -> Bool {
        patterns[expression]?.matches(Array(text.utf8)[...], budget: budget) ?? false
    }

    func matches(_ expression: String, flags: String, _ text: String, _ budget: StepBudget) -> Bool {
        matches(Self.key(expression, flags), text, budget)
    }
}
