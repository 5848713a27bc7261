// SPDX-License-Identifier: Apache-2.0
import RepriseWire
import Testing

@Suite struct FieldValueTests {
    @Test(arguments: [
        ("close", "close", true), ("CLOSE", "close", true), ("close", "CLOSE", true), ("clos", "close", false),
        ("closed", "close", false), ("", "", true), ("a[", "A{", false), ("a\u{E9}", "a\u{69}", false),
    ])
    func comparesCaseInsensitively(value: String, other: String, isEqual: Bool) {
        let input = bytes("x" + value + "y")
        #expect(FieldValue.matches(1..<input.count - 1, of: input.span, other) == isEqual)
        #expect(FieldName.matches(1..<input.count - 1, of: input.span, other) == isEqual)
    }

    @Test(arguments: [
        ("Close", "close", true), ("close", "clos", false), ("", "", true), ("a[", "A{", false), ("é", "É", false),
    ])
    func comparesNamesCaseInsensitively(name: String, other: String, isEqual: Bool) {
        #expect(FieldName.areEqual(name, other) == isEqual)
    }

    @Test(arguments: [
        ("", true), (" a\té\u{80}", true), ("a\n", false), ("\r", false), ("\u{0}", false), ("\u{7F}", false),
    ])
    func recognizesFieldContent(value: String, isContent: Bool) {
        #expect(FieldValue.isContent(value) == isContent)
    }

    @Test(
        arguments: [
            ("", []), (",", []), (" , ,\t", []), ("a", ["a"]), ("a,b", ["a", "b"]), (" a b ,\tc\t,", ["a b", "c"]),
        ] as [(String, [String])]
    )
    func iteratesOverListElements(value: String, elements: [String]) {
        let input = bytes(value)
        var list = FieldValue.List(0..<input.count)
        var found: [String] = []
        while let element = list.next(in: input.span) { found.append(text(input, element)) }
        #expect(found == elements)
    }

    @Test(arguments: [("a, Close", true), ("closed", false), ("a close", false), ("", false)])
    func findsListElement(value: String, contains: Bool) {
        let input = bytes(value)
        #expect(FieldValue.listContains("close", at: 0..<input.count, of: input.span) == contains)
    }

    @Test(
        arguments: [
            ("0", 0), ("00012", 12), ("9223372036854775807", Int.max), ("9223372036854775808", nil), ("", nil),
            ("1x", nil),
            ("-1", nil), ("99999999999999999999999", nil), (" 1", nil),
        ] as [(String, Int?)]
    )
    func readsDecimalNumbers(value: String, number: Int?) {
        let input = bytes(value)
        #expect(FieldValue.decimal(at: 0..<input.count, of: input.span) == number)
    }

    @Test(arguments: [("a", true), ("X-Y_z.0!", true), ("", false), ("a b", false), ("a:", false), ("\u{E9}", false)])
    func recognizesTokens(name: String, isToken: Bool) {
        #expect(FieldName.isToken(name) == isToken)
    }
}
