// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseText

@Suite struct HeaderLineTests {
    @Test(arguments: [
        "A: b", "A:b", "A:", "x-!#$%&'*+.^_`|~9: \tv\t", "A: ü", "A: b:c",
    ])
    func acceptsTokensAsNames(text: String) {
        #expect(HeaderLine(text)?.bytes == Array(text.utf8))
        #expect(HeaderLine.problem(in: Array(text.utf8)) == nil)
    }

    @Test(
        arguments: [
            ("A b: c", .invalidNameByte(0x20), "\\x20 in the name"),
            ("A(b): c", .invalidNameByte(0x28), "'(' in the name"),
            ("Ä: c", .invalidNameByte(0xC3), "\\xC3 in the name"),
            ("Content-Length : 5", .spaceBeforeColon, "whitespace before the colon"),
            ("A\t: 5", .spaceBeforeColon, "whitespace before the colon"),
            (" folded: x", .leadingSpace, "whitespace before the name"),
            (": x", .emptyName, "no name before the colon"),
            ("", .noColon, "no colon"),
            ("A b", .noColon, "no colon"),
            ("A: b\r\nC: d", .controlInValue(0x0D), "a CR, LF, or NUL"),
            ("A\nB: c", .controlInValue(0x0A), "a CR, LF, or NUL"),
            ("A: \u{0}", .controlInValue(0), "a CR, LF, or NUL"),
            ("A: \u{1B}[2J", .controlInValue(0x1B), "the control character \\x1B in the value"),
            ("A: \u{7F}", .controlInValue(0x7F), "the control character \\x7F in the value"),
        ] as [(String, HeaderLine.Problem, String)]
    )
    func reportsProblem(text: String, problem: HeaderLine.Problem, description: String) {
        #expect(HeaderLine(text) == nil)
        #expect(HeaderLine.problem(in: Array(text.utf8)) == problem)
        #expect(problem.description == description)
    }

    @Test func acceptsInvalidUTF8InValue() {
        #expect(HeaderLine(bytes: [0x41, 0x3A, 0xFF, 0x80])?.valueBytes == [0xFF, 0x80])
    }

    @Test(arguments: [("Accept: a", "accept", true), ("Accept: a", "accep", false), ("Accept: a", "accept:", false)])
    func comparesNamesCaseInsensitively(text: String, name: String, isEqual: Bool) {
        #expect(HeaderLine(text)?.hasName(name) == isEqual)
    }
}
