// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseMatching
import RepriseStubs
import RepriseText
import Testing

/// A condition that needs more steps than are left is a mismatch, and so is its negation: the result is unknown.
@Suite struct StepLimitTests {
    private static let json = #"{"a": [1, 2, {"b": "text"}], "c": [3, 3]}"#
    private static let xml = "<r><a>x</a><b>y</b><b>z</b></r>"

    private static func tree(_ text: String) -> JSONTree { (try? JSONTree(parsing: Array(text.utf8))) ?? .null }

    /// A matcher whose work is counted, and a content.
    struct Case: Sendable, CustomTestStringConvertible {
        let matcher: ValueMatcher
        let body: String
        let matches: Bool

        init(_ matcher: ValueMatcher, _ body: String, _ matches: Bool) {
            (self.matcher, self.body, self.matches) = (matcher, body, matches)
        }

        var testDescription: String { "\(matcher), \(matches)" }
    }

    static let cases = [
        Case(.equalToJSON(tree(json)), json, true),
        Case(.equalToJSON(tree(#"{"a": [1, 2, {"b": "text"}], "c": [3, 4]}"#)), json, false),
        Case(.equalToJSON(tree(#"{"c": [4, 3], "a": [1, 2]}"#), ignoresArrayOrder: true), json, false),
        Case(
            .equalToJSON(
                tree(#"{"a": [2, {"b": "text"}], "c": [3]}"#),
                ignoresArrayOrder: true,
                ignoresExtraElements: true
            ),
            json,
            true
        ),
        Case(.equalToJSON(tree(#"{"a": [1, 2, {"b": "${json-unit.regex}t.*"}], "c": [3, 3]}"#)), json, true),
        Case(.equalToJSON(tree(#"{"a": [1, 2, {"b": "${json-unit.regex}x.*"}], "c": [3, 3]}"#)), json, false),
        // The text takes a step.
        Case(
            .equalToJSON(tree(#"{"b": "${json-unit.regex}t+"}"#)),
            #"{"b": "\#(String(repeating: "t", count: 64))"}"#,
            true
        ),
        Case(.matchesJSONPath("$.a[?(@.b == 'text')]"), json, true),
        Case(.matchesJSONPath("$.a[?(@.b == 'other')]"), json, false),
        Case(.matchesJSONPath("$.a[2].b", .matches("[a-z]+")), json, true),
        Case(.matchesJSONPath("$.a[2].b", .matches("[0-9]+")), json, false),
        Case(.matchesJSONSchema(tree(#"{"properties": {"a": {"uniqueItems": true}}}"#)), json, true),
        Case(.matchesJSONSchema(tree(#"{"properties": {"c": {"uniqueItems": true}}}"#)), json, false),
        Case(.matchesJSONSchema(tree(#"{"not": {"required": ["a"]}}"#)), json, false),
        Case(.matchesJSONSchema(tree(#"{"if": {"required": ["d"]}, "then": false}"#)), json, true),
        Case(.matchesJSONSchema(tree(#"{"properties": {"a": {"contains": {"type": "string"}}}}"#)), json, false),
        Case(.matchesJSONSchema(tree(#"{"not": {"const": \#(json)}}"#)), json, false),
        Case(.matchesJSONSchema(tree(#"{"not": {"enum": [1, \#(json)]}}"#)), json, false),
        Case(.matchesJSONSchema(tree(#"{"oneOf": [{"const": \#(json)}, true]}"#)), json, false),
        Case(.matchesJSONSchema(tree(#"{"if": {"const": \#(json)}, "then": false}"#)), json, false),
        Case(.matchesJSONSchema(tree(#"{"not": {"properties": {"c": {"uniqueItems": true}}}}"#)), json, true),
        Case(
            .matchesJSONSchema(tree(#"{"properties": {"c": {"contains": {"const": 3}, "maxContains": 1}}}"#)),
            json,
            false
        ),
        Case(.matchesJSONSchema(tree(#"{"not": {"pattern": "^[a-z]+$"}}"#)), #""abcdefgh""#, false),
        Case(.matchesJSONSchema(tree(#"{"not": {"pattern": "^(?=a)[a-z]+$"}}"#)), #""abcdefgh""#, false),
        Case(.equalToXML(xml), xml, true), Case(.equalToXML("<r><a>x</a><b>y</b><b>w</b></r>"), xml, false),
        Case(.matchesXPath("//b"), xml, true), Case(.matchesXPath("//c"), xml, false),
        Case(.matchesXPath("//b[. = 'z']"), xml, true), Case(.matchesXPath("//b[contains(., 'w')]"), xml, false),
        Case(.matchesXPath("//b", .equalTo("<b>z</b>")), xml, true),
        Case(.matchesXPath("//b/text()", .equalTo("x")), xml, false),
        Case(.matches("(?=a)[a-z]+"), "abcdef", true), Case(.matches("(?=a)[a-z]+"), "abcde1", false),
        Case(.matches("[a-z]+"), "abcdef", true), Case(.doesNotMatch("[a-z]+"), "abcdef", false),
        Case(.doesNotMatch("[a-z]+"), "abcde1", true),
    ]

    @Test(arguments: cases) func conditionWithoutEnoughStepsIsMismatch(work: Case) throws {
        for matcher in [work.matcher, .not(work.matcher)] {
            var request = StubRequest()
            request.body = [matcher]
            let compiled = try CompiledStubRequest(request)
            var isEnough = false
            var steps = 0
            while !isEnough, steps < 20_000 {
                let first = facts("POST", "/", body: work.body, steps: steps)
                let second = facts("POST", "/", body: work.body, steps: steps)
                let matches = compiled.matches(first)
                let distance = compiled.distance(from: second)
                if first.budget.refusals > 0 { #expect(!matches, "\(steps) steps") }
                if second.budget.refusals > 0 { #expect(distance > 0, "\(steps) steps") }
                isEnough = first.budget.refusals == 0 && second.budget.refusals == 0
                if isEnough { #expect(matches == (work.matches == (matcher == work.matcher))) }
                steps += 1
            }
            #expect(isEnough)
            // The first attempt had none.
            #expect(steps > 1)
        }
    }

    @Test(arguments: [WorkLimit.nothing, .until { true }]) func interruptedWorkDoesNotGoOn(limit: WorkLimit) {
        let facts = facts("POST", "/", body: Self.json, limit: limit)
        while facts.budget.work(1000), !Task.isCancelled {}
        #expect(facts.isInterrupted)
        #expect(!facts.budget.work(0))
        #expect(!facts.budget.work(1))
    }
}
