// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseMatching
import RepriseStubs
import RepriseText
import Testing

@Suite struct TextMatcherTests {
    @Test(
        arguments: [
            (ValueMatcher.equalTo("a"), "a", true), (.equalTo("a"), "A", false), (.equalTo("a"), "a\n", false),
            (.equalTo(""), "", true), (.equalTo("ÄB", ignoringCase: true), "äb", true),
            // The same letter, composed and decomposed: Java compares code units.
            (.equalTo("\u{E9}"), "e\u{301}", false),
            (.binaryEqualTo([0x61]), "a", true), (.binaryEqualTo([0x61]), "ab", false),
            (.contains("bc"), "abcd", true), (.contains(""), "abcd", true), (.contains("x"), "abcd", false),
            (.contains("aab"), "aaab", true), (.doesNotContain("bc"), "abcd", false),
            (.doesNotContain("x"), "abcd", true),
            (.matches("a.c"), "a\nc", true), (.matches("b"), "abc", false), (.doesNotMatch("b"), "abc", true),
            (.doesNotMatch(".*b.*"), "abc", false), (.absent, "x", false), (.anything, "x", true),
            (.and([.contains("a"), .contains("b")]), "ab", true), (.and([.contains("a"), .contains("b")]), "a", false),
            (.or([.equalTo("a"), .equalTo("b")]), "b", true), (.or([.equalTo("a"), .equalTo("b")]), "c", false),
            (.not(.equalTo("a")), "b", true), (.not(.equalTo("a")), "a", false), (.and([]), "x", true),
            (.or([]), "x", false),
            (.matchesPathTemplate("/a/{id}"), "/a/1", true), (.matchesPathTemplate("/a/{id}"), "/a/1/2", false),
            (.number(.equal, JSONNumber(1)), "1.0", true), (.number(.greater, JSONNumber(1)), "1", false),
            (.number(.greaterOrEqual, JSONNumber(1)), "1e0", true), (.number(.less, JSONNumber(1)), "0.99", true),
            (.number(.lessOrEqual, JSONNumber(1)), "x", false), (.number(.less, JSONNumber(1)), "-", false),
            (.number(.equal, JSONNumber(1)), "2", false), (.number(.equal, JSONNumber(-1)), "-1.0", true),
            (.number(.greater, JSONNumber(1)), "1.1", true), (.number(.greater, JSONNumber(-1)), "-1.1", false),
            (.number(.greaterOrEqual, JSONNumber(1)), "0.9", false),
            (.number(.greaterOrEqual, JSONNumber(-2)), "-1", true),
            (.number(.less, JSONNumber(1)), "1", false), (.number(.less, JSONNumber(1)), "-2", true),
            (.number(.lessOrEqual, JSONNumber(1)), "1", true), (.number(.lessOrEqual, JSONNumber(1)), "1.1", false),
            // More than 64 digits are not read.
            (.number(.equal, JSONNumber(1)), "1.\(String(repeating: "0", count: 62))", true),
            (.number(.equal, JSONNumber(1)), "1.\(String(repeating: "0", count: 63))", false),
            (.matchesPathTemplate("/a/{id}"), "/a/", false), (.matchesPathTemplate("/a/{id}.json"), "/a/1.json", true),
        ] as [(ValueMatcher, String, Bool)]
    )
    func comparesValue(matcher: ValueMatcher, value: String, expected: Bool) throws {
        #expect(try accepts(matcher, value) == expected)
    }

    @Test(arguments: [
        (ValueMatcher.absent, true), (.anything, true), (.doesNotContain("x"), true), (.doesNotMatch("x"), true),
        (.not(.equalTo("x")), true), (.or([.absent, .equalTo("x")]), true), (.and([.absent, .anything]), true),
        (.equalTo(""), false), (.contains(""), false), (.matches(".*"), false), (.number(.less, JSONNumber(1)), false),
        (.matchesPathTemplate("**"), false), (.includes([.equalTo("")]), false), (.hasExactly([]), true),
    ])
    func missingValueAndEmptyContentAreNull(matcher: ValueMatcher, expected: Bool) throws {
        #expect(try accepts(matcher, nil) == expected)
        #expect(try accepts(matcher, body: "") == expected)
    }

    @Test(arguments: [
        (ValueMatcher.equalTo("2"), true), (.doesNotMatch("1"), true), (.not(.equalTo("2")), true),
        (.equalTo("4"), false),
        (.hasExactly([.equalTo("3"), .equalTo("1"), .equalTo("2")]), true), (.hasExactly([.equalTo("1")]), false),
        (.includes([.equalTo("3"), .equalTo("1")]), true), (.includes([.equalTo("3"), .equalTo("4")]), false),
        (.absent, false),
    ])
    func oneOfRepeatedValuesIsEnough(matcher: ValueMatcher, expected: Bool) throws {
        var request = StubRequest()
        request.headers = [NamedMatcher("X-A", matcher)]
        let compiled = try CompiledStubRequest(request)
        #expect(compiled.matches(facts("GET", "/", headers: ["x-a: 1", "X-A: 2", "x-A: 3"])) == expected)
    }

    @Test func emptyBinaryContentIsEmpty() throws {
        #expect(try accepts(.binaryEqualTo([]), body: ""))
        #expect(try !accepts(.binaryEqualTo([]), nil))
    }

    @Test func distanceOfStringsCountsEdits() throws {
        var request = StubRequest()
        request.query = [NamedMatcher("q", .equalTo("abcd"))]
        let compiled = try CompiledStubRequest(request)
        #expect(compiled.verdicts(on: facts("GET", "/?q=abxd")).map(\.distance) == [0.25])
        #expect(compiled.verdicts(on: facts("GET", "/?q=")).map(\.distance) == [1])
        #expect(compiled.verdicts(on: facts("GET", "/")).map(\.distance) == [1])
    }

    /// For near misses: the mean of the conditions that must all hold, and the nearest of those of which one is enough.
    @Test(
        arguments: [
            (ValueMatcher.and([.contains("1"), .contains("x")]), ["1"], 1.0 / 2),
            (.and([.contains("1"), .contains("2")]), ["12"], 0),
            (.or([.equalTo("ab"), .contains("x")]), ["a"], 1.0 / 2),
            (.or([]), ["a"], 1), (.equalTo("ab"), ["xy", "ax"], 1.0 / 2), (.contains("x"), [], 1),
            (.hasExactly([.equalTo("1"), .equalTo("2")]), ["1"], 2.0 / 3),
            (.hasExactly([.equalTo("1"), .equalTo("2")]), ["1", "2", "3"], 1.0 / 3), (.hasExactly([]), [], 0),
            (.includes([.equalTo("1"), .equalTo("2")]), ["1", "3"], 1.0 / 2), (.includes([.equalTo("1")]), [], 1),
            (.not(.equalTo("1")), ["1"], 1), (.equalTo("a", ignoringCase: true), ["A"], 0),
            (.equalTo("ab", ignoringCase: true), ["AX"], 1), (.equalTo(""), ["a"], 1),
        ] as [(ValueMatcher, [String], Double)]
    )
    func distanceOfCombinationIsThatOfItsParts(matcher: ValueMatcher, values: [String], distance: Double) throws {
        var request = StubRequest()
        request.headers = [NamedMatcher("X-A", matcher)]
        let facts = facts("GET", "/", headers: values.map { "x-a: \($0)" })
        #expect(try CompiledStubRequest(request).verdicts(on: facts).map(\.distance) == [distance])
    }

    /// The texts differ by two edits. If both are long, everything between these counts as replaced, because to count
    /// edits takes as many steps as the product of the lengths.
    @Test(arguments: [(1000, 2.0 / 1004), (2000, 2003.0 / 2004)])
    func distanceOfLongStringsCountsFromFirstToLastDifference(count: Int, expected: Double) throws {
        let middle = String(repeating: "ab", count: count / 2)
        var request = StubRequest()
        request.query = [NamedMatcher("q", .equalTo("x\(middle)cyz"))]
        let found = facts("GET", "/?q=\(middle)cXz")
        #expect(try CompiledStubRequest(request).verdicts(on: found).map(\.distance) == [expected])
    }
}
