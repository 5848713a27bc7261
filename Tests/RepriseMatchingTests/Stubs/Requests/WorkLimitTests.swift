// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseMatching
import RepriseStubs
import RepriseText
import Testing

@Suite struct WorkLimitTests {
    private static func compiled(_ matchers: [ValueMatcher]) throws -> CompiledStubRequest {
        var request = StubRequest()
        request.body = matchers
        return try CompiledStubRequest(request)
    }

    private static let letters = String(repeating: "a", count: 15_000)
    private static let numbers = "[" + (0..<3000).map(String.init).joined(separator: ",") + "]"
    private static let elements = "<r>" + String(repeating: "<a/>", count: 3700) + "</r>"

    /// Conditions that take long on a content.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let matchers: [ValueMatcher]
        let body: String

        init(_ name: String, _ matchers: [ValueMatcher], _ body: String) {
            (testDescription, self.matchers, self.body) = (name, matchers, body)
        }
    }

    static let cases = [
        Case("lookahead", [.matches("(?=(a+)+$).*!")], String(repeating: "a", count: 60) + "!"),
        Case("negated", [.not(.matches("(?=(a+)+$).*!"))], String(repeating: "a", count: 60) + "!"),
        Case("automaton", [.matches("(.*a){30}c")], letters + "c"),
        Case("negated automaton", [.doesNotMatch("(.*a){30}c")], letters + "c"),
        Case("path", [.matchesJSONPath("$..a..b")], numbers), Case("JSON", [.equalToJSON(.array([.null]))], numbers),
        Case("schema", [.matchesJSONSchema(.object([]))], numbers), Case("XML", [.equalToXML("<r/>")], elements),
        Case("XPath", [.matchesXPath("//r//a//b")], elements), Case("size", [.contains("b")], letters + letters),
        Case("texts", Array(repeating: .doesNotContain("b"), count: 1000), letters),
        Case("paths", (0..<1000).map { .matchesJSONPath("$..a\($0)", .absent) }, "[1,2,3,4,5,6,7,8,9]"),
    ]

    @Test(arguments: cases)
    func longWorkIsInterruptedAndNoMatch(work: Case) throws {
        let compiled = try Self.compiled(work.matchers)
        let interrupted = facts("POST", "/", body: work.body, limit: .short)
        #expect(compiled.matches(interrupted) == false)
        #expect(interrupted.isInterrupted == true)
        let finished = facts("POST", "/", body: work.body)
        _ = compiled.matches(finished)
        #expect(finished.isInterrupted == false)
    }

    @Test func compressedContentIsLeftToLongerWork() throws {
        // Whatever it decompresses to.
        let bytes: [UInt8] = [0x1F, 0x8B] + Array(repeating: 0, count: 300)
        let facts = facts("POST", "/", bytes: bytes, limit: .short)
        #expect(try !Self.compiled([.contains("b")]).matches(facts))
        #expect(facts.isInterrupted)
    }

    @Test(
        arguments: [
            ([.matches("[a-z]+/\\d+")], "users/42", true), ([.matches("(?=a)a+")], "aaa", true),
            ([.matchesJSONPath("$.op", .equalTo("x"))], #"{"op": "x", "n": [1, 2, 3]}"#, true),
            ([.equalToJSON(.array([.bool(true)]))], "[true]", true),
            ([.equalToXML("<r><a/></r>")], "<r> <a/></r>", true),
            ([.matchesXPath("//a")], "<r><b/></r>", false),
            ([.contains("b"), .doesNotContain("c")], letters + "b", true),
            (Array(repeating: .contains("b"), count: 300), "abc", true),
        ] as [([ValueMatcher], String, Bool)]
    )
    func commonConditionsAreNotInterrupted(matchers: [ValueMatcher], body: String, expected: Bool) throws {
        let facts = facts("POST", "/", body: body, limit: .short)
        #expect(try Self.compiled(matchers).matches(facts) == expected)
        #expect(!facts.isInterrupted)
    }

    @Test func interruptedStubIsNotDescribedAsMatch() throws {
        let facts = facts("POST", "/", body: Self.letters + Self.letters, limit: .short)
        let compiled = try Self.compiled([.not(.contains("b"))])
        #expect(!compiled.matches(facts))
        #expect(facts.isInterrupted)
        #expect(!compiled.matches(facts))
    }

    @Test func cancellationInterruptsWork() throws {
        let compiled = try Self.compiled([.matches("(?=(a+)+$).*!")])
        let body = String(repeating: "a", count: 60) + "!"
        let cancelled = facts("POST", "/", body: body, limit: .until { true })
        #expect(!compiled.matches(cancelled))
        #expect(cancelled.isInterrupted)
        // It is as if there were no limit until then.
        let whole = facts("POST", "/", body: body, limit: .until { false })
        #expect(!compiled.matches(whole))
        #expect(!whole.isInterrupted && whole.budget.refusals > 0)
    }
}
