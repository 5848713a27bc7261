// SPDX-License-Identifier: Apache-2.0

import RepriseStubMatching
import RepriseStubs
import Testing

@Suite struct TextPatternTests {
    /// The values are what Java's `Pattern.matches` with DOTALL says.
    @Test(arguments: [
        ("", "", true), ("", "a", false), ("a|b|", "", true), ("a|b|", "b", true), ("abc", "abc", true),
        ("a\\.c", "abc", false),
        (".*", "", true), (".+", "", false), (".", "😀", true), ("..", "😀", false), (".*b", "aab", true),
        ("a.*a", "a", false),
        ("a.*b.*c", "a-b-c", true), ("a.*b.*c", "acb", false), ("(ab)+", "ababab", true), ("(ab)+", "aba", false),
        ("a{2,3}", "aa", true), ("a{2,3}", "aaaa", false), ("a{0}b", "b", true), ("(a|b){2,}", "abba", true),
        ("[a-c]+", "abc", true), ("[^a-c]+", "abc", false), ("[^a]", "é", true), ("[é-ü]+", "öü", true),
        ("[é-ü]+", "a", false),
        ("[a-z&&[^aeiou]]+", "xyz", true), ("[a-z&&[^aeiou]]+", "xay", false), ("[a-c[x-z]]+", "ax", true),
        ("[\\d\\-]+", "1-2", true), ("[a-]+", "a-", true), ("[.]", "a", false), ("\\d+", "٣", false),
        ("\\w+", "é", false),
        ("\\p{Alpha}+", "ab", true), ("\\p{Punct}", "$", true), ("\\p{L}+", "éa", true), ("\\p{Lu}", "a", false),
        ("\\Qa.b\\E+", "a.bb", true), ("\\Qa.b", "a.b", true), ("(?i)abc", "aBC", true), ("(?i)a|b", "B", true),
        ("a(?i)b", "AB", false), ("(?i:a)b", "Ab", true), ("(?i:a)b", "AB", false), ("(?i)é", "É", false),
        ("(?<n>a)\\k<n>", "aa", true), ("(a)\\1", "ab", false), ("a(?=b).*", "ab", true), ("(?!x).*", "xa", false),
        ("a++b", "aab", true), ("a*+a", "aa", false), ("(?>a|ab)c", "abc", false), ("\\bfoo\\b.*", "foo bar", true),
        ("^/a$", "/a", true), ("a$b", "ab", false), ("^(a|b)$", "b", true), ("(^a|b$)", "a", true),
        ("\\x41\\u0042", "AB", true),
        ("\\R", "\r\n", true), ("\\h", "\u{A0}", true), ("\\S+", "a b", false), ("a\\/b", "a/b", true),
        ("}", "}", true),
        ("]", "]", true),
        (
            "/users/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/orders/[0-9]{1,10}",
            "/users/123e4567-e89b-12d3-a456-426614174000/orders/12", true
        ),
        (
            "/users/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/orders/[0-9]{1,10}",
            "/users/123e4567-e89b-12d3-a456-42661417400/orders/12", false
        ),
        ("(a{1,30}){1,30}", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", true), ("a{1000}", "a", false),
        ("(?s)a.b", "a\nb", true),
        ("[a-z]{70}", String(repeating: "q", count: 70), true), ("[a-z]{70}", String(repeating: "q", count: 71), false),
    ])
    func matchesWholeValueAsInJava(pattern: String, value: String, expected: Bool) throws {
        #expect(try accepts(.matches(pattern), value) == expected)
        #expect(try accepts(.doesNotMatch(pattern), value) == !expected)
    }

    @Test(arguments: ["(", ")", "*a", "a**", "[", "[]", "a{2,1}", "\\", "(?<1>a)", "a)(b", "(?z)", "\\p{Nope}"])
    func invalidPatternIsRejected(pattern: String) {
        #expect(throws: StubMatcherProblem.self) { try accepts(.matches(pattern), "a") }
    }

    @Test(arguments: ["(a+)+$", "(a|a)*b", "(.*)*x", "(a*)*b", "([a-z]+)*=", "(?:a?){50}a{50}"])
    func nestedQuantifiersTakeTimeInProportion(pattern: String) throws {
        let value = String(repeating: "a", count: 20_000) + "!"
        let facts = facts("POST", "/", body: value)
        var request = StubRequest()
        request.body = [.matches(pattern)]
        #expect(try !CompiledStubRequest(request).matches(facts))
        #expect(!facts.exhaustedBudget)
    }

    @Test func catastrophicBacktrackingIsMismatchAndIsReported() throws {
        // The lookahead needs backtracking.
        let pattern = "(?=(a+)+$).*"
        for matcher in [ValueMatcher.matches(pattern), .doesNotMatch(pattern), .not(.matches(pattern))] {
            let facts = facts("POST", "/", body: String(repeating: "a", count: 60) + "!")
            var request = StubRequest()
            request.body = [matcher]
            #expect(try !CompiledStubRequest(request).matches(facts))
            #expect(facts.exhaustedBudget)
        }
    }

    @Test func patternsOfOneRequestShareTheirSteps() throws {
        var request = StubRequest()
        request.body = [.matches("[a-z]+")]
        let compiled = try CompiledStubRequest(request)
        let facts = facts("POST", "/", body: "abcdef", steps: 15)
        #expect(compiled.matches(facts))
        #expect(compiled.matches(facts))
        #expect(!facts.exhaustedBudget)
        #expect(!compiled.matches(facts))
        #expect(facts.exhaustedBudget)
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

    @Test(arguments: ["((){999999}){999999}", "(((|){9999}){9999}){9999}", "(?:(?:){2,999999})*"])
    func repeatedNothingIsCompiledAtOnce(pattern: String) throws {
        #expect(try accepts(.matches(pattern), ""))
        #expect(try accepts(.matches("a\(pattern)b"), "ab"))
        #expect(try !accepts(.matches(pattern), "a"))
    }

    /// A word of the automaton has 64 positions.
    @Test(arguments: [("é", "ö", true), ("a", "b", true), ("ö", "ö", false), ("é", "é", false), ("ü", "ü", false)])
    func positionsBeyondFirstWordAreTheirOwn(first: String, last: String, isMatch: Bool) throws {
        let pattern = String(repeating: "[aé]", count: 64) + String(repeating: "[bö]", count: 6)
        let text = String(repeating: first, count: 64) + String(repeating: last, count: 6)
        #expect(try accepts(.matches(pattern), text) == isMatch)
        #expect(try !accepts(.matches(pattern), "ö" + text.dropFirst()))
    }
}
