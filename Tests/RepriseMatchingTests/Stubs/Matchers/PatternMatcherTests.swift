// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseMatching
import RepriseStubs
import Testing

@Suite struct PatternMatcherTests {
    @Test(arguments: ["(", ")", "*a", "a**", "[", "[]", "a{2,1}", "\\", "(?<1>a)", "a)(b", "(?z)", "\\p{Nope}"])
    func invalidPatternIsRejected(pattern: String) {
        #expect(throws: StubMatcherProblem.self) { try accepts(.matches(pattern), "a") }
    }

    @Test func catastrophicBacktrackingIsMismatchAndIsReported() throws {
        // The lookahead needs backtracking.
        let pattern = "(?=(a+)+$).*"
        for matcher in [ValueMatcher.matches(pattern), .doesNotMatch(pattern), .not(.matches(pattern))] {
            let facts = facts("POST", "/", body: String(repeating: "a", count: 60) + "!")
            var request = StubRequest()
            request.body = [matcher]
            #expect(try !CompiledStubRequest(request).matches(facts))
            #expect(facts.budget.refusals > 0)
        }
    }

    @Test func patternsOfOneRequestShareTheirSteps() throws {
        var request = StubRequest()
        request.body = [.matches("[a-z]+")]
        let compiled = try CompiledStubRequest(request)
        let facts = facts("POST", "/", body: "abcdef", steps: 15)
        #expect(compiled.matches(facts))
        #expect(compiled.matches(facts))
        #expect(facts.budget.refusals == 0)
        #expect(!compiled.matches(facts))
        #expect(facts.budget.refusals > 0)
    }

    @Test(arguments: [("(?x) a b # c", true), ("(?=a)[a-z&&[^b]]", true), ("[a-z&&[^b]]", false), ("a+", false)])
    func differencesFromJavaAddWarnings(pattern: String, expected: Bool) throws {
        let warnings = try CompiledStubRequest(StubRequest(url: .matching(pattern))).warnings
        #expect(warnings.map(\.pointer) == (expected ? ["/request/urlPattern"] : []))
    }

    /// In Java, nothing matches a reference to a group that does not exist.
    @Test(arguments: [
        ("(a)\\2", "aa", false), ("(a)\\2|b", "b", true), ("a(\\9)?", "a", true), ("(?:a)\\1", "aa", false),
        ("a\\10", "a0", false),
    ])
    func nothingMatchesReferenceToMissingGroup(pattern: String, text: String, expected: Bool) throws {
        #expect(try accepts(.matches(pattern), text) == expected)
        #expect(try accepts(.doesNotMatch(pattern), text) != expected)
        let compiled = try CompiledStubRequest(StubRequest(url: .pathMatching(pattern)))
        #expect(compiled.warnings.map(\.pointer) == ["/request/urlPathPattern"])
        #expect(compiled.warnings.allSatisfy { $0.message.contains("which nothing matches") })
    }
}
