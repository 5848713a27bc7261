// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseDocuments

@Suite struct JSONFieldsTests {
    /// An object that is read as one with a number `count` and a list `tags`, and the place and text of its mistake.
    @Test(
        arguments: [
            ("[]", "", "expected an object for a thing, found an array"),
            (#"{"kount": 1}"#, "/kount", #"expected a field of a thing, found "kount"; did you mean "count"?"#),
            (
                #"{"other/~": 1}"#, "/other~1~0",
                #"expected a field of a thing, found "other/~"; use one of "count", "tags""#
            ),
            (#"{"count": "1"}"#, "/count", #"expected an integer for "count", found the string "1""#),
            (#"{"count": 1.5}"#, "/count", #"expected an integer for "count", found the number 1.5"#),
            (#"{"tags": {"a": [1]}}"#, "/tags/a/0", "expected an object for an element, found the number 1"),
            (#"{"tags": {"a": [{}, {"b": null}]}}"#, "/tags/a/0/b", #"expected a string for "b", found none"#),
            (
                #"{"tags": {"a": [{"b": ""}, {"b": 2}]}}"#, "/tags/a/1/b",
                #"expected a string for "b", found the number 2"#
            ),
            (#"{"tags": {"a": 1}}"#, "/tags/a", #"expected an array for "a", found the number 1"#),
        ]
    )
    func mistakeHasPointerAndMessage(text: String, pointer: String, message: String) throws {
        let tree = try JSONTree(parsing: Array(text.utf8))
        var reader = JSONReader(Array(text.utf8))
        // The place is the same whether the value is from a text or not.
        for root in [JSONNode(tree), try JSONNode(&reader) { $0 }] {
            let mistake = #expect(throws: JSONMistake.self) { try read(root) }
            #expect(mistake?.message == message)
            #expect(mistake.map { root.pointer(to: $0) } == pointer)
            #expect(root.tree == tree)
        }
    }

    private func read(_ root: JSONNode) throws(JSONMistake) {
        let fields = try JSONFields(reading: root, "a thing", known: ["count", "tags"])
        _ = try fields.integer("count")
        for element in try fields.object("tags")?.elements("a") ?? [] {
            _ = try JSONFields(reading: element, "an element").requiredString("b")
        }
    }

    @Test func lastMemberWithNameCounts() throws {
        var reader = JSONReader(Array(#"{"a": 1, "b": 2, "a": 3, "c": 4, "c": null}"#.utf8))
        let root = try JSONNode(&reader) { $0 }
        let fields = try #require(JSONFields(root, "a thing", known: ["a", "c"]))
        #expect(try fields.integer("a") == 3)
        #expect(fields["c"] == nil)
        #expect(fields.unknown.map(\.name) == ["b"])
        #expect(fields.repeated.map(\.name) == ["a", "c"])
        #expect(root.tree == ["a": 3, "b": 2, "c": nil])
    }
}
