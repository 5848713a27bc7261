// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct CodeBlockTests {
    @Test func findsSwiftBlocksInMarkdown() {
        let text = "Words\n```swift\nlet a = 1\n\n  b()\n```\n```sh\nls\n```\n- item\n  ```swift\n  c()\n  ```\n"
        let blocks = CodeBlock.all(in: text, of: "a.md")
        #expect(blocks.map(\.description) == ["a.md:3", "a.md:12"])
        #expect(blocks.map { $0.lines.joined(separator: "\n") } == ["let a = 1\n\n  b()", "c()"])
    }

    @Test func findsSwiftBlocksInDocComments() {
        let text = "/// Words:\n///\n/// ```swift\n/// a {\n///\n///     b\n/// }\n/// ```\nfunc a() {}\n"
        let blocks = CodeBlock.all(in: text, of: "a.swift")
        #expect(blocks.map { $0.lines.joined(separator: "\n") } == ["a {\n\n    b\n}"])
    }

    @Test(arguments: [
        ("a {\n\n    b\n}", true), ("        a {\n\n            b\n        }\n", true), ("a {\n    b\n}", false),
        ("a {\n\n        b\n}", false), ("a {\n\n    c\n}", false), ("a {", false),
    ])
    func matchesCodeAtAnyIndentation(source: String, expected: Bool) {
        let block = CodeBlock(
            document: "",
            line: 1,
            lines: "a {\n\n    b\n}".split(separator: "\n", omittingEmptySubsequences: false)
        )
        #expect(block.occurs(in: source.split(separator: "\n", omittingEmptySubsequences: false)) == expected)
    }
}
