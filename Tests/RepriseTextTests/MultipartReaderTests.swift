// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseText

@Suite struct MultipartReaderTests {
    /// Content, and for each of its parts the header lines and what follows them.
    @Test(
        arguments: [
            ("", []), ("--b", ["|-"]), ("--b--", []),
            ("preamble\r\n--b\r\nA: 1\r\n\r\none\r\n--b--epilogue", ["A: 1|one"]),
            ("--b\nA: 1 \nB:2\n\none\n--b\n\n\r\n\n--b--\n--b\n\nno", ["A: 1,B:2|one", "|\r\n"]),
            ("--b\r\n\r\n--bc\r\n--b\r\n\r\n--b--", ["|--bc", "|-"]),
            ("--b\r\nA: 1\r\n \r\nB: 2\r\n\r\none\r\n--b--", ["A: 1,B: 2|one"]),
            ("--b\r\nA: 1\r\n \t\r\none\r\nB: 2\r\n\r\n\r\n--b--", ["A: 1|one\r\nB: 2\r\n\r\n"]),
            ("--b\nA: 1\n \none\n--b--", ["A: 1|one"]), ("--b\nA: 1\n \n two\n\n--b--", ["A: 1| two\n"]),
            ("--b\r\nA: 1\r\n \r\n \r\n--b--", ["A: 1| "]),
            ("--b\r\nA: 1\r\n--b--", ["A: 1|-"]), ("--b\r\nA: 1\r\n\r\ncut", ["A: 1|cut-"]),
        ] as [(String, [String])]
    )
    func readsParts(content: String, expected: [String]) {
        let bytes = Array(content.utf8)
        var reader = MultipartReader(bytes.span, boundary: Array("b".utf8))
        var parts: [String] = []
        while let part = reader.next(in: bytes.span) {
            let lines = MultipartReader.headerLines(in: bytes.span, part.headers)
                .map { String(decoding: $0.bytes, as: UTF8.self) }
            let text = part.hasContent ? String(decoding: bytes[part.content], as: UTF8.self) : ""
            let isWhole = part.hasContent && part.isComplete
            parts.append("\(lines.joined(separator: ","))|\(text)\(isWhole ? "" : "-")")
        }
        #expect(parts == expected)
    }

    @Test func readsPrefixesOfContent() {
        let bytes = Array("--b\r\nA: 1\r\n\r\none\r\n--b\r\n\r\n\r\n--b--\r\n".utf8)
        for end in bytes.indices {
            let cut = bytes[..<end]
            var reader = MultipartReader(cut.span, boundary: Array("b".utf8))
            while let part = reader.next(in: cut.span) {
                #expect(part.headers.upperBound == part.content.lowerBound && part.content.upperBound <= end)
            }
        }
    }
}
