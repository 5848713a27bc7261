// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseText
import Testing

@testable import RepriseMatching

@Suite struct EqualToJSONTests {
    private func tree(_ text: String) throws -> JSONTree { try JSONTree(parsing: Array(text.utf8)) }

    private func distance(_ expected: String, _ actual: String, _ options: String = "") throws -> Double {
        let matcher = EqualToJSON(
            expected: try tree(expected),
            options: .init(ignoresArrayOrder: options.contains("o"), ignoresExtraElements: options.contains("x"))
        )
        let result = matcher.result(try tree(actual), budget: WorkBudget())
        #expect(matcher.matches(try tree(actual), budget: WorkBudget()) == result.isMatch)
        return result.distance
    }

    /// WireMock's distances, tried: expected, actual, options (any [o]rder, e[x]tra elements), distance.
    private static let distances = #"""
        {"a":1} | {"a":1.0} | | 0
        {"a":1.10} | {"a":1.1} | | 0
        1 | 1 | | 0
        null | null | | 0
        {"a":1} | {"a":"1"} | | 1/2
        {"a":1} | {"a":true} | | 1/2
        {"a":1,"b":2} | {"b":2,"a":1} | | 0
        {"a":1,"b":2} | {"a":1} | | 1/3
        {"a":1} | {"a":1,"b":2} | | 1/3
        {"a":1} | {"a":1,"b":2} | x | 0
        {"a":null} | {} | | 1/2
        {} | {"a":null} | | 1/2
        {"a":null} | {} | x | 1/2
        {"a":{"b":1}} | {"a":{"b":1,"c":2}} | x | 0
        [1,2] | [2,1] | | 2/3
        [1,2] | [2,1] | o | 0
        [1,2] | [1,2,3] | | 1/4
        [1,2] | [1,2,3] | x | 0
        [1,2] | [3,1,2] | x | 1/2
        [1,2] | [3,2,1] | ox | 0
        [1,1] | [1,2] | o | 1/3
        [1,1] | [1,2] | ox | 1/3
        [1,2,3] | [1,2] | | 1/4
        [1,2,3] | [1,2] | ox | 1/4
        {"a":[[1,2],[3,4]]} | {"a":[[4,3],[2,1]]} | o | 0
        {"a":1} | [] | | 1/1
        {} | [] | | 1/1
        {"a":1,"b":{"c":[1,2]}} | {"a":1,"b":{"c":[1,3]}} | | 1/8
        {"a":1,"b":{"c":[1,2]}} | {"a":1,"b":5} | | 5/8
        {"a":1,"b":{"c":[1,2]}} | {} | | 6/8
        {"a":1,"b":{"c":[1,2]}} | {"x":{"y":[1,2,3]}} | | 12/8
        {"a":[]} | {"a":{}} | | 1/3
        [1,2,3] | [3,1] | o | 1/4
        [1,2,3] | [4,5,6] | o | 6/4
        [{"a":1,"b":2}] | [{"a":1,"b":3}] | o | 1/5
        [{"a":1,"b":2},{"a":2,"b":2}] | [{"a":1,"b":3},{"a":2,"b":3}] | o | 12/9
        {"a":0.1} | {"a":0.10000000000000000001} | | 1/2
        {"a":"é"} | {"a":"\u00e9"} | | 0
        [] | [1] | x | 0
        {} | {"a":1} | x | 0
        """#

    @Test(arguments: distances.split(separator: "\n").map(String.init))
    func distanceCountsDifferentValues(row: String) throws {
        let cells = row.split(separator: "|").map { String($0.drop { $0 == " " }) }
        let numbers = cells[3].split(separator: "/").map { Double($0) ?? 0 }
        let expected = numbers[0] / (numbers.count > 1 ? numbers[1] : 1)
        #expect(try abs(distance(cells[0], cells[1], cells[2]) - expected) < 1e-9)
    }

    /// WireMock reads `1e2` as another number than `100`.
    @Test func numbersWithExponentCompareByValue() throws {
        #expect(try distance("100", "1e2") == 0)
    }

    @Test(arguments: [
        ("ignore}", #""abc" 1 true null {"x":1}"#), ("ignore-element}", #""abc" 1 true null {"x":1} missing"#),
        ("any-string}", #""abc" "" "xabcx""#), ("any-number}", "1 1.5"), ("any-boolean}", "true false"),
        ("regex}[a-c]+", #""abc""#), ("matches:name}", ""), ("unknown}", ""), ("any-string} ", ""),
    ])
    func placeholderAcceptsValuesOfItsType(placeholder: String, accepted: String) throws {
        let accepted = accepted.split(separator: " ").map(String.init)
        for value in [#""abc""#, #""""#, #""xabcx""#, "1", "1.5", "true", "false", "null", #"{"x":1}"#, "missing"] {
            let isAccepted = accepted.contains(value) || (value != "missing" && placeholder.hasPrefix("ignore"))
            let actual = value == "missing" ? "{}" : #"{"a":\#(value)}"#
            for prefix in ["$", "#"] {
                #expect(
                    try (distance(#"{"a":"\#(prefix){json-unit.\#(placeholder)"}"#, actual) == 0) == isAccepted,
                    "\(actual)"
                )
            }
        }
    }

    @Test(arguments: [
        (#"["${json-unit.any-number}",1]"#, "[1,2]", true), (#"[1,"${json-unit.any-number}"]"#, "[2,1]", true),
        (#"["${json-unit.any-number}","${json-unit.ignore}","x"]"#, #"["y","x",1]"#, true),
        (#"["${json-unit.any-number}","${json-unit.any-number}","x"]"#, #"["y","x",1]"#, false),
        (#"[{"x":1},{"x":"${json-unit.ignore}"}]"#, #"[{"x":2},{"x":1}]"#, true),
    ])
    func placeholdersMatchRemainingElements(expected: String, actual: String, isMatch: Bool) throws {
        #expect(try (distance(expected, actual, "o") == 0) == isMatch)
        let many = (0..<20).map { #""\#($0)","# }.joined()
        #expect(try (distance("[\(many)" + expected.dropFirst(), "[\(many)" + actual.dropFirst(), "o") == 0) == isMatch)
    }

    /// A text that only looks like a placeholder is equal to itself. A matcher of Java accepts nothing.
    @Test(arguments: [
        ("${json-unit.unknown}", true), ("${json-unit.any-string} ", true), ("${json-unit.any-number", true),
        ("{json-unit.ignore}", true), ("$${json-unit.ignore}", true), ("${json-unit.matches:x}", false),
        ("#{json-unit.matches:x}", false), ("${json-unit.any-number}", false), ("${json-unit.any-string}", true),
    ])
    func onlyKnownPlaceholderIsNotText(text: String, isEqual: Bool) throws {
        #expect(try (distance(#"{"a":"\#(text)"}"#, #"{"a":"\#(text)"}"#) == 0) == isEqual)
    }

    /// A member that may be missing takes no other's place.
    @Test(
        arguments: [
            (#"{"a":"${json-unit.ignore-element}"}"#, "{}", "", 0),
            (#"{"a":"${json-unit.ignore-element}"}"#, #"{"b":1}"#, "", 0.5),
            (#"{"a":"${json-unit.ignore-element}"}"#, #"{"b":1}"#, "x", 0),
            (#"{"a":"${json-unit.ignore-element}","b":1}"#, #"{"b":2}"#, "", 1.0 / 3),
            (#"{"a":"${json-unit.ignore}"}"#, #"{"b":1}"#, "", 1), (#"["${json-unit.ignore-element}"]"#, "[]", "", 0.5),
        ] as [(String, String, String, Double)]
    )
    func missingMemberIsIgnoredOnlyIfAllowed(expected: String, actual: String, options: String, result: Double) throws {
        #expect(try abs(distance(expected, actual, options) - result) < 1e-9)
    }

    /// There are more pairs than are remembered.
    @Test(arguments: [("1", true), (#""x""#, false)]) func manyPairsMatchInAnyOrder(last: String, isMatch: Bool) throws
    {
        let expected = Array(repeating: #""${json-unit.any-number}""#, count: 2001).joined(separator: ",")
        let actual = Array(repeating: "1", count: 2000).joined(separator: ",")
        let options = EqualToJSON.Options(ignoresArrayOrder: true, ignoresExtraElements: true)
        let matcher = EqualToJSON(expected: try tree("[\(expected)]"), options: options)
        let budget = WorkBudget()
        #expect(matcher.matches(try tree("[\(actual),\"x\",\(last)]"), budget: budget) == isMatch)
        #expect(budget.refusals == 0)
    }

    @Test func largeArraysMatchInAnyOrder() throws {
        let elements = (0..<3_000).map { #"{"id":\#($0),"tags":["a","b"],"n":{"x":\#($0).0}}"# }
        let reversed = (0..<3_000).reversed().map { #"{"n":{"x":\#($0)},"tags":["b","a"],"id":\#($0)}"# }
        let expected = "[\(elements.joined(separator: ","))]"
        #expect(try distance(expected, "[\(reversed.joined(separator: ","))]", "o") == 0)
        #expect(try distance(expected, "[\(elements.joined(separator: ",")),1]", "ox") == 0)
        #expect(try distance(expected, "[\(reversed.dropLast().joined(separator: ",")),1]", "o") > 0)
    }

    /// Each expected element fits half of the elements, so that trying all orders would never end.
    @Test func comparisonOfAmbiguousArraysEnds() throws {
        let expected = (0..<2_000).map { $0 % 2 == 0 ? #""${json-unit.any-number}""# : #""${json-unit.ignore}""# }
        let actual = (0..<2_000).map { $0 < 1_001 ? #""x""# : "1" }
        #expect(try distance("[\(expected.joined(separator: ","))]", "[\(actual.joined(separator: ","))]", "o") > 0)
    }

    @Test func invalidPatternIsWarning() throws {
        let matcher = EqualToJSON(expected: try tree(##"{"a":["${json-unit.regex}x+"],"b":"#{json-unit.regex}("}"##))
        #expect(matcher.patterns.isIncomplete)
        #expect(matcher.patterns.warnings.map { $0.contains("found \"(\"") } == [true])
    }
}
