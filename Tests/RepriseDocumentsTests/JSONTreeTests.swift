// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseText
import Testing

@Suite struct JSONTreeTests {
    @Test(arguments: [
        "null", "true", "-1.50e3", #""a\"\\\u0001é""#, "[]", "{}", #"[1,[2,{"b":null,"a":[false]}]]"#,
    ])
    func keepsOrderAndSpelling(text: String) throws {
        let tree = try JSONTree(parsing: Array(text.utf8))
        #expect(String(decoding: tree.bytes, as: UTF8.self) == text)
    }

    @Test func keepsLastOfEqualNamesInPlaceOfFirst() throws {
        let many = (0..<40).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
        let tree = try JSONTree(parsing: Array("{\"k30\":0,\(many)}".utf8))
        guard case .object(let members) = tree else { return #expect(Bool(false)) }
        #expect(members.count == 40)
        #expect(members[0] == .init("k30", .number(JSONNumber(30))))
        #expect(tree["k39"] == .number(JSONNumber(39)))
    }

    @Test(arguments: ["", "[1", "{\"a\":1,}", "1 2", String(repeating: "[", count: 100_000)])
    func rejectsInvalidText(text: String) {
        #expect(throws: JSONError.self) { try JSONTree(parsing: Array(text.utf8)) }
    }

    @Test(arguments: [("1.5", 1.5), ("1e3", 1000), ("-0", 0)])
    func numbersKeepTheirSpelling(text: String, value: Double) throws {
        let number = try #require(JSONNumber(text))
        #expect(number.spelling == text)
        #expect(number.double == value)
        #expect(JSONNumber("x\(text)") == nil)
    }

    @Test(arguments: [
        ("null", 1), ("1.5", 2), (#""a""#, 1), ("\"\(String(repeating: "a", count: 640))\"", 11),
        (#"[0, {"a": "b"}]"#, 4),
    ])
    func comparisonTakesStepForEachValue(text: String, steps: Int) throws {
        let tree = try JSONTree(parsing: Array(text.utf8))
        let budget = WorkBudget(steps: steps)
        #expect(tree.isEqual(to: tree, budget) && budget.remaining == 0)
        #expect(!tree.isEqual(to: tree, budget) && budget.refusals == 1)
    }

    /// A scalar is compared as a whole, or not at all.
    @Test func longTextTakesItsStepsAtOnce() {
        let text = JSONTree.string(String(repeating: "a", count: 640))
        let budget = WorkBudget(steps: 10)
        #expect(!text.isEqual(to: text, budget) && budget.remaining == 10)
    }
}
