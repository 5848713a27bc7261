// SPDX-License-Identifier: Apache-2.0

/// A block of Swift in a document.
struct CodeBlock: Sendable, CustomStringConvertible {
    /// The path of the document, relative to the package's folder.
    let document: String
    /// The line number of its first line of code.
    let line: Int
    let lines: [Substring]

    var description: String { "\(document):\(line)" }

    /// The blocks fenced as `swift` in a Markdown text, or in the doc comments of a Swift file.
    static func all(in text: String, of document: String) -> [CodeBlock] {
        let isSource = document.hasSuffix(".swift")
        var blocks: [CodeBlock] = []
        var current: (line: Int, indentation: Int, lines: [Substring])?
        for (index, whole) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let line = isSource ? commentText(of: whole) : whole else {
                current = nil
                continue
            }
            let content = line.drop { $0 == " " }
            if let block = current {
                if content.hasPrefix("```") {
                    blocks.append(CodeBlock(document: document, line: block.line, lines: block.lines))
                    current = nil
                } else {
                    current?.lines.append(line.dropIndentation(atMost: block.indentation))
                }
            } else if content == "```swift" {
                current = (index + 2, line.count - content.count, [])
            }
        }
        return blocks
    }

    /// The text after `///`; nil if the line isn't a doc comment.
    private static func commentText(of line: Substring) -> Substring? {
        let content = line.drop { $0 == " " }
        guard content.hasPrefix("///") else { return nil }
        return content.dropFirst(3).dropIndentation(atMost: 1)
    }

    /// Whether the lines occur consecutively in `source`, at any indentation.
    func occurs(in source: [Substring]) -> Bool {
        guard let first = lines.first else { return true }
        let firstContent = first.drop { $0 == " " }
        return source.indices.contains { start in
            guard source[start].drop(while: { $0 == " " }) == firstContent, start + lines.count <= source.count else {
                return false
            }
            let depth = source[start].count - first.count
            guard depth >= 0 else { return false }
            let indentation = String(repeating: " ", count: depth)
            return zip(lines, source[start...]).allSatisfy { line, candidate in
                line.isEmpty ? candidate.isEmpty : candidate == indentation + line
            }
        }
    }
}

extension Substring {
    fileprivate func dropIndentation(atMost count: Int) -> Substring {
        let spaces = prefix { $0 == " " }.count
        return dropFirst(Swift.min(count, spaces))
    }
}
