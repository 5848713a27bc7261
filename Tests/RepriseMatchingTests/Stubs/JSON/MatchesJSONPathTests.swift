// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseMatching
import RepriseText
import Testing

@Suite struct MatchesJSONPathTests {
    private static let document = #"""
        {"a":1,"s":"x","l":[1,2,"x",1.50,true],"n":null,"ln":[null,"x"],"o":{"k":"v","n":null,"l":[1,{"q":[]}],"e":{}},
        "ll":[[1,2],["a"]],"e":[],"eo":{},"d":1.50,"d2":1e10,"t":true,"f":false,"big":12345678901234567890,"es":""}
        """#

    private func result(
        _ path: String,
        _ requirement: MatchesJSONPath.Requirement,
        _ document: String = MatchesJSONPathTests.document,
        inner: (String) -> MatchResult = { _ in .mismatch }
    ) throws -> MatchResult {
        let tree = try JSONTree(parsing: Array(document.utf8))
        let found = try JSONPath(path).evaluate(tree, budget: WorkBudget()) { _, _ in false }
        return MatchesJSONPath(try JSONPath(path), requirement).result(of: found, inner: inner)
    }

    @Test(arguments: [
        ("$.a", true), ("$.s", true), ("$.es", true), ("$.f", true), ("$.l", true), ("$.o", true), ("$.ln", true),
        ("$.n", false), ("$.e", false), ("$.eo", false), ("$.none", false), ("$..none", false), ("$..a", true),
        ("$.e.length()", true), ("$.l[?(@ == 9)]", false),
    ])
    func pathAloneRequiresValue(path: String, isMatch: Bool) throws {
        #expect(try result(path, .presence).isMatch == isMatch)
    }

    @Test(arguments: [
        ("$.none", true), ("$.n", true), ("$.e", true), ("$..none", true), ("$.eo", false), ("$.es", false),
        ("$.a", false), ("$.a[?(@ == 1)]", false), ("$.l[?(@ == 9)]", true),
    ])
    func absenceAcceptsNullAndEmptyList(path: String, isMatch: Bool) throws {
        #expect(try result(path, .absence).isMatch == isMatch)
    }

    @Test(arguments: [
        ("$.a", ["1"]), ("$.s", ["x"]), ("$.es", [""]), ("$.l", ["1", "2", "x", "1.5", "true"]), ("$.ln", ["x"]),
        ("$.n", []),
        ("$.none", []), ("$.e", []), ("$.d", ["1.5"]), ("$.d2", ["1.0E10"]), ("$.big", ["12345678901234567890"]),
        ("$.ll", ["[1,2]", #"["a"]"#]), ("$.ll[0]", ["1", "2"]), ("$.eo", ["{ }"]),
        ("$.o", ["{\n  \"k\" : \"v\",\n  \"l\" : [ 1, {\n    \"q\" : [ ]\n  } ],\n  \"e\" : { }\n}"]),
    ])
    func eachValueIsComparedAsText(path: String, texts: [String]) throws {
        var seen: [String] = []
        #expect(
            try !result(path, .text) {
                seen.append($0); return MatchResult(distance: 0.5)
            }.isMatch
        )
        #expect(seen == texts)
    }

    @Test func nearestValueDecides() throws {
        #expect(try result("$.l", .text) { $0 == "x" ? .match : .mismatch } == .match)
        #expect(try result("$.l", .text) { MatchResult(distance: $0 == "2" ? 0.2 : 0.7) }.distance == 0.2)
        #expect(try result("$.none", .text) { _ in .match } == .mismatch)
    }

    @Test(arguments: [
        ("$.l", #"[ 1, 2, "x", 1.5, true ]"#), ("$.l[?(@ == 1)]", "[ 1 ]"), ("$.s", #""x""#), ("$.n", "null"),
        ("$.none", "null"),
    ])
    func jsonIsComparedAsWhole(path: String, text: String) throws {
        #expect(try result(path, .json) { $0 == text ? .match : .mismatch }.isMatch)
    }

    @Test(arguments: [
        ("1.0", "1.0"), ("1e10", "1.0E10"), ("100000000000", "100000000000"), ("0.00001", "1.0E-5"), ("-0.0", "-0.0"),
        ("12345678.9", "1.23456789E7"), ("1.23456789012345678901", "1.23456789012345678901"),
        ("1234567.5", "1234567.5"),
        ("0.001", "0.001"), ("1e3", "1000.0"), ("-1.50e2", "-150.0"),
    ])
    func numberIsComparedAsJavaPrintsIt(number: String, text: String) throws {
        #expect(try result("$.v", .text, "{\"v\":\(number)}") { $0 == text ? .match : .mismatch }.isMatch)
    }
}
