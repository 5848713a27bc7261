// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseText

@Suite struct MultipartDelimiterTests {
    private static let delimiter = MultipartDelimiter(boundary: "b".utf8)

    private func read(_ text: String, isLast: Bool) -> MultipartDelimiter.Reading {
        let bytes = Array(text.utf8)
        return Self.delimiter.read(bytes.span, at: 0, isLast: isLast)
    }

    @Test(arguments: [
        ("--b\r\nx", 5, false), ("--b\nx", 4, false), ("--b \t\r\nx", 7, false), ("--b--\r\nx", 7, true),
        ("--b-- \nx", 7, true),
    ])
    func findsEndOfDelimiter(text: String, end: Int, isClosing: Bool) {
        #expect(read(text, isLast: false) == .delimiter(end: end, isLast: isClosing))
        #expect(read(text, isLast: true) == .delimiter(end: end, isLast: isClosing))
    }

    @Test(arguments: [
        "-b\n", "--c\n", "--bc\n", "--b-\n", "--b--c\n", "b\n",
    ])
    func rejectsOtherLines(text: String) {
        #expect(read(text, isLast: true) == .none)
    }

    @Test(arguments: [0, 1, 63, 64, 65, 100])
    func acceptsLimitedPadding(count: Int) {
        let text = "--b" + String(repeating: " ", count: count) + "\nx"
        let expected = count <= 64 ? MultipartDelimiter.Reading.delimiter(end: count + 4, isLast: false) : .none
        #expect(read(text, isLast: true) == expected)
        #expect(read(text, isLast: false) == expected)
    }

    @Test func acceptsEpilogueOnSameLine() {
        let bytes = Array("--b--end\nx".utf8)
        let reading = Self.delimiter.read(bytes.span, at: 0, isLast: true, allowsEpilogue: true)
        #expect(reading == .delimiter(end: 9, isLast: true))
    }

    @Test func isUndecidedUntilLineEnds() {
        for text in ["", "-", "--", "--b", "--b-", "--b--", "--b-- \r"] {
            #expect(read(text, isLast: false) == .undecided)
        }
        #expect(read("--", isLast: true) == .none)
        #expect(read("--b", isLast: true) == .delimiter(end: 3, isLast: false))
        #expect(read("--b--", isLast: true) == .delimiter(end: 5, isLast: true))
    }
}
