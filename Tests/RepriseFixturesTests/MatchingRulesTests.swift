// SPDX-License-Identifier: Apache-2.0

import RepriseFixtures
import RepriseMatching
import Testing

@Suite struct MatchingRulesTests {
    @Test(
        arguments: [
            ([Matcher.method], .method), ([.path], .path), ([.query], .query), ([.body], .body),
            ([.query(ignoring: ["t"])], .query), ([.body(ignoring: ["/id"])], .body), ([.host], []),
            ([.headers(["A"])], []),
            ([.method, .path], [.method, .path]), (.standard, [.method, .path, .query, .body]), ([], []),
        ] as [([Matcher], MatchingOptions.Fields)]
    )
    func eachMatcherComparesItsPart(matchers: [Matcher], fields: MatchingOptions.Fields) {
        let rules = MatchingRules(matchers, afterLast: .miss)
        #expect(rules.options.fields == fields)
        #expect(rules.options.afterLast == .miss)
        #expect(rules.custom.isEmpty)
    }

    @Test func optionsHaveWhatMatchersName() {
        let custom = Matcher.custom("c") { _, _ in true }
        let rules = MatchingRules([.host, .headers(["A"]), .headers(["B", "C"]), custom], afterLast: .repeat)
        #expect(rules.options.requiresHost)
        #expect(rules.options.headerNames == ["A", "B", "C"])
        #expect(rules.custom.map(\.name) == ["c"])
        #expect(rules.options.afterLast == .repeat)
        #expect(!MatchingRules(.standard, afterLast: .repeat).options.requiresHost)
    }
}
