// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseText
import Testing

@Suite struct ExactTextTests {
    /// A text, and another one with the same look that Swift's own comparison calls equal.
    static let lookalikes = [
        ("\u{E4}", "a\u{308}"), ("\u{212A}", "K"), ("\u{37E}", ";"), ("\u{1FEF}", "`"), ("\u{2126}", "\u{3A9}"),
        ("\u{AC00}", "\u{1100}\u{1161}"), ("a\u{323}\u{307}", "a\u{307}\u{323}"),
        (String(repeating: "\u{E9}", count: 40), String(repeating: "e\u{301}", count: 40)),
    ]

    @Test(arguments: lookalikes)
    func lookalikesDiffer(one: String, other: String) {
        #expect(!(one == other) && one != other && one == one)
        #expect(!(one[...] == other[...]) && one[...] != other[...])
        #expect(!(one[...] == other) && one != other[...])
        let optional: String? = one
        #expect(!(optional == other) && optional != other && optional == one && optional != nil)
        #expect(!([one] == [other]) && [one] != [other] && [one] == [one])
        #expect(![one].contains(other) && [one].contains(one) && [other, one].firstIndex(of: one) == 1)
        #expect(!one.hasPrefix(other) && !one.hasSuffix(other) && !one.contains(other))
        #expect((one < other) == one.utf8.lexicographicallyPrecedes(other.utf8))
        #expect(Set([ExactText(one), ExactText(other), ExactText(one)]).count == 2)
        switch one {
        case other: Issue.record("the pattern matches")
        default: break
        }
    }

    /// Texts of one length that differ in one byte, or in how a character is composed.
    @Test(arguments: 0..<40)
    func comparesEachByte(length: Int) {
        let text = String(repeating: "x", count: length)
        #expect(text == String(decoding: Array(text.utf8), as: UTF8.self))
        for place in 0..<length {
            var other = Array(text.utf8)
            other[place] = 0x79
            #expect(text != String(decoding: other, as: UTF8.self))
        }
        #expect(text + "a\u{323}\u{307}" != text + "a\u{307}\u{323}")
        #expect(text + "\u{E4}" == "\(text)\u{E4}")
    }

    @Test func searchesIgnoreHowCharactersAreComposed() {
        #expect("a\u{308}b".hasPrefix("a") && "a\u{308}b".contains("a") && "xa\u{308}".hasSuffix("\u{308}"))
        #expect("a\u{308}b"[...].hasPrefix("a") && "a\u{308}b"[...].contains("\u{308}b"))
        #expect("abc".contains("") && "abc".hasPrefix("") && "abc".hasSuffix("") && !"".contains("a"))
        #expect("abc".hasSuffix("bc") && !"abc".hasSuffix("ac") && !"a".hasSuffix("ba"))
    }

    @Test(arguments: lookalikes)
    func treeKeepsMembersWithLookalikeNames(one: String, other: String) throws {
        for padding in ["", (0..<20).map { "\"\($0)\":0," }.joined()] {
            let tree = try JSONTree(parsing: Array("{\(padding)\"\(one)\":1,\"\(other)\":2}".utf8))
            #expect(tree[one] == 1 && tree[other] == 2)
            let exchanged = try JSONTree(parsing: Array("{\(padding)\"\(one)\":2,\"\(other)\":1}".utf8))
            #expect(!tree.isEqual(to: exchanged, WorkBudget()) && tree != exchanged)
        }
        let literal: JSONTree = ["\u{E4}": 1, "a\u{308}": 2]
        #expect(literal["a\u{308}"] == 2)
    }
}
