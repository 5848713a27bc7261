// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseLocking
import RepriseQueries
import Testing

@Suite struct TextPatternTests {
    private func matches(_ pattern: String, _ text: String, _ budget: WorkBudget = WorkBudget()) throws -> Bool {
        try TextPattern(pattern).matches(Array(text.utf8)[...], budget: budget)
    }

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
        #expect(try matches(pattern, value) == expected)
    }

    @Test(arguments: ["(a+)+$", "(a|a)*b", "(.*)*x", "(a*)*b", "([a-z]+)*=", "(?:a?){50}a{50}"])
    func nestedQuantifiersTakeTimeInProportion(pattern: String) throws {
        let value = String(repeating: "a", count: 20_000) + "!"
        let budget = WorkBudget()
        #expect(try !matches(pattern, value, budget))
        #expect(budget.refusals == 0)
    }

    @Test(arguments: ["(", ")", "*a", "a**", "[", "[]", "a{2,1}", "\\", "(?<1>a)", "a)(b", "(?z)", "\\p{Nope}"])
    func invalidPatternIsRejected(pattern: String) {
        #expect(throws: InvalidPattern.self) { try TextPattern(pattern) }
        for isWhole in [true, false] {
            #expect(throws: InvalidPattern.self) { try FoundationPattern(pattern, isWhole: isWhole) }
        }
    }

    /// A part matches only with what finds it, and the groups are those of each match.
    @Test(arguments: [
        ("[a-z]+", "ab1cd", [["ab"], ["cd"]]), ("(a)(x)?", "aax", [["a", "a", ""], ["ax", "a", "x"]]),
        ("a.b", "a\nb", []), ("(?s)a.b", "a\nb", [["a\nb"]]), ("(😀|é)}", "é}😀}", [["é}", "é"], ["😀}", "😀"]]),
        ("(a)\\2", "aa", []),
    ])
    func groupsAreThoseOfEachMatch(pattern: String, text: String, groups: [[String]]) throws {
        let pattern = try FoundationPattern(pattern)
        #expect(pattern.groups(in: text, budget: WorkBudget()) == groups)
        #expect(pattern.groups(in: text, limit: 1, budget: WorkBudget()) == Array(groups.prefix(1)))
    }

    @Test(arguments: [
        ("a.b", "a\nb", false), ("a|ab", "ab", true), ("\\Qa", "a", true), ("(?x) a # b", "a", true),
        // A backslash before the quotation makes it text.
        ("(a)\\1\\\\Q", "aa\\Q", true), ("\\Qa\\E\\\\Q", "a\\Q", true),
    ])
    func wholeTextMatches(pattern: String, text: String, expected: Bool) throws {
        let pattern = try FoundationPattern(pattern, isWhole: true)
        #expect(pattern.groups(in: text, budget: WorkBudget()).isEmpty != expected)
        #expect(pattern.isFound(in: text, budget: WorkBudget()) == expected)
        #expect(!pattern.isFound(in: text + "b", budget: WorkBudget()))
    }

    @Test(arguments: [WorkLimit.none, .short, .until { true }]) func searchEnds(limit: WorkLimit) throws {
        let budget = WorkBudget(steps: 100_000, limit: limit)
        let text = String(repeating: "a", count: 60)
        #expect(try FoundationPattern("(a+)+b").groups(in: text, budget: budget).isEmpty)
        #expect(budget.isSpent)
    }

    /// A search that backtracks takes the steps of the engine, like a match, and not only those of the places in a text.
    @Test func searchThatBacktracksTakesAsLongAsMatch() throws {
        let text = String(repeating: "a", count: 60)
        let match = try TextPattern("(a+)+[bc](?!x)")
        let milliseconds = Self.milliseconds { _ = match.matches(Array(text.utf8)[...], budget: $0) }
        let search = try FoundationPattern("(a+)+b")
        #expect(Self.milliseconds { _ = search.groups(in: text, budget: $0) } < 5 * milliseconds + 20)
        #expect(Self.milliseconds { _ = search.isFound(in: text, budget: $0) } < 5 * milliseconds + 20)
    }

    /// Returns about how long work takes until it has used up the steps of a template.
    private static func milliseconds(_ work: (WorkBudget) -> Void) -> Int {
        // The limit is asked about once in a millisecond.
        let count = Locked(0)
        let limit = WorkLimit.until {
            count.withLock { $0 += 1 }
            return false
        }
        let budget = WorkBudget(steps: 2_000_000, unitsPerStep: 40, limit: limit)
        work(budget)
        #expect(budget.refusals > 0)
        return count.withLock { $0 }
    }

    @Test func searchReachesNineThousandPlaces() throws {
        let budget = WorkBudget(steps: 2_000_000)
        let text = String(repeating: "a", count: 9000) + "b"
        #expect(try FoundationPattern("[ab]b").groups(in: text, budget: budget) == [["ab"]])
    }

    @Test(arguments: ["((){999999}){999999}", "(((|){9999}){9999}){9999}", "(?:(?:){2,999999})*"])
    func repeatedNothingIsCompiledAtOnce(pattern: String) throws {
        #expect(try matches(pattern, ""))
        #expect(try matches("a\(pattern)b", "ab"))
        #expect(try !matches(pattern, "a"))
    }

    /// A word of the automaton has 64 positions.
    @Test(arguments: [("é", "ö", true), ("a", "b", true), ("ö", "ö", false), ("é", "é", false), ("ü", "ü", false)])
    func positionsBeyondFirstWordAreTheirOwn(first: String, last: String, isMatch: Bool) throws {
        let pattern = String(repeating: "[aé]", count: 64) + String(repeating: "[bö]", count: 6)
        let text = String(repeating: first, count: 64) + String(repeating: last, count: 6)
        #expect(try matches(pattern, text) == isMatch)
        #expect(try !matches(pattern, "ö" + text.dropFirst()))
    }
}
