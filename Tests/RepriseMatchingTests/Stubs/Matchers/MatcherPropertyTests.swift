// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseMatching
import RepriseStubs
import RepriseTestSupport
import RepriseText
import Testing

@Suite struct MatcherPropertyTests {
    private static let texts = [
        "", "a", "A", "ab", "a b", "1", "1.50", "-0", "2021-06-15T12:00:00Z", "now", "{\"a\":[1,{\"b\":null}]}", "[]",
        "\"x\"",
        "<a/>", "<a b='1'><c>x</c></a>", "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", "é\u{301}", "😀", "(a+)+$", "\u{0}",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "/users/7", "/users/{id}", "**", "$.a", "$..a[?(@.b == 1)]", "/a/c",
        "//c/text()",
    ]

    @Test(arguments: 0..<50) func distanceAndVerdictAgreeWithMatch(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            var request = StubRequest(url: Self.url(&random))
            func conditions() -> [NamedMatcher] {
                (0..<Int.random(in: 0...1, using: &random)).map { _ in
                    NamedMatcher("q", Self.matcher(&random, depth: 2))
                }
            }
            request.query = conditions()
            request.headers = conditions()
            request.cookies = conditions()
            request.body = conditions().map(\.matcher)
            // Not every text is a valid operand.
            guard let compiled = try? CompiledStubRequest(request) else { continue }
            let value = Self.texts.randomElement(using: &random) ?? ""
            let facts = facts(
                "POST",
                "/users/7?q=\(value.utf8.map { "%" + String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined())",
                headers: ["q: \(value)", "Cookie: q=\(value)"],
                body: Self.texts.randomElement(using: &random) ?? ""
            )
            let matches = compiled.matches(facts)
            let distance = compiled.distance(from: facts)
            #expect(matches == (distance == 0), "\(request)")
            #expect((0...1).contains(distance), "\(request)")
            let verdicts = compiled.verdicts(on: facts)
            #expect(verdicts.allSatisfy { $0.isMatch == ($0.distance == 0) }, "\(request)")
            #expect(matches == verdicts.allSatisfy(\.isMatch), "\(request)")
        }
    }

    private static func url(_ random: inout SeededGenerator) -> StubRequest.URLCondition {
        let text = texts.randomElement(using: &random) ?? ""
        return [
            .any, .any, .any, .equalTo(text), .path(text), .matching(text), .pathMatching(text), .pathTemplate(text),
        ]
        .randomElement(using: &random) ?? .any
    }

    private static func matcher(_ random: inout SeededGenerator, depth: Int) -> ValueMatcher {
        let text = texts.randomElement(using: &random) ?? ""
        func inner() -> ValueMatcher { matcher(&random, depth: depth - 1) }
        switch Int.random(in: 0..<(depth > 0 ? 22 : 14), using: &random) {
        case 0: return .equalTo(text, ignoringCase: Bool.random(using: &random))
        case 1: return .binaryEqualTo(Array(text.utf8))
        case 2: return .contains(text)
        case 3: return .doesNotContain(text)
        case 4: return .matches(text)
        case 5: return .doesNotMatch(text)
        case 6: return .absent
        case 7: return .anything
        case 8: return .matchesPathTemplate(text)
        case 9:
            return .number(
                ValueMatcher.NumberComparison.allCases.randomElement(using: &random) ?? .equal,
                JSONNumber(1)
            )
        case 10: return .date(.init(.before, text))
        case 11:
            let json = (try? JSONTree(parsing: Array(text.utf8))) ?? .null
            return .equalToJSON(json, ignoresArrayOrder: Bool.random(using: &random))
        case 12: return .equalToXML(text)
        case 13: return .matchesJSONSchema(.object([]))
        case 14: return .and([inner(), inner()])
        case 15: return .or([inner(), inner()])
        case 16: return .not(inner())
        case 17: return .hasExactly([inner()])
        case 18: return .includes([inner(), inner()])
        case 19: return .matchesJSONPath(text, Bool.random(using: &random) ? inner() : nil)
        default: return .matchesXPath(text, namespaces: [], Bool.random(using: &random) ? inner() : nil)
        }
    }

    @Test func largeContentIsComparedOnceForAllStubs() throws {
        var body = [UInt8](repeating: UInt8(ascii: "a"), count: 33 << 20)
        body[body.count - 1] = UInt8(ascii: "b")
        let facts = facts("POST", "/", bytes: body)
        let matchers: [ValueMatcher] = [
            .equalTo("b"), .contains("c"), .matches("(?=(a+)+b).*"), .matches("(a+)+b"), .number(.equal, JSONNumber(1)),
            .matchesPathTemplate("/{id}"), .date(.init(.before, "now")),
        ]
        for matcher in matchers {
            var request = StubRequest()
            request.body = [matcher]
            #expect(try !CompiledStubRequest(request).matches(facts))
        }
        #expect(facts.json == nil)
        #expect(facts.budget.refusals > 0)
    }
}
