// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Compiles the text of a template.
///
/// As in WireMock, only what is between the first `{{` and the last `}}` is a template; the rest is text, with its
/// whitespace.
struct TemplateParser {
    let text: [UInt8]
    /// The offset of the next byte.
    var index = 0
    /// The end of the last tag.
    var end = 0
    /// How many blocks and subexpressions are open.
    var depth = 0
    /// Whether the previous tag ends with `~}}`, so that the whitespace after it is dropped.
    var trimsNextText = false
    var prepared = PreparedArguments()
    var warnings: [TemplateProblem] = []
    /// The first helper that does not exist.
    var unknownHelper: TemplateProblem?

    /// The maximum depth of nested blocks, `else` chains, and subexpressions.
    static let maximumDepth = 128

    init(_ text: String) {
        self.text = Array(text.utf8)
    }

    /// Parses the whole text.
    mutating func template() throws(TemplateProblem) -> [TemplateNode] {
        guard let start = firstIndex(of: "{{", from: 0), let last = lastEnd(of: "}}"), last > start else {
            return text.isEmpty ? [] : [.text(text)]
        }
        index = start
        end = last
        var nodes: [TemplateNode] = start > 0 ? [.text(Array(text[..<start]))] : []
        switch try content(into: &nodes) {
        case .end: break
        case .close(let name, let offset):
            throw problem("expected no {{/\(name)}}, because no block is open; remove it or open the block", at: offset)
        case .otherwise(_, let offset):
            throw problem("expected {{else}} inside a block, found it outside; remove it", at: offset)
        }
        if last < text.count { nodes.append(.text(Array(text[last...]))) }
        return nodes
    }

    /// What ended the content of a block.
    enum ContentEnd {
        case end
        case close(String, offset: Int)
        /// `{{else}}`, with what follows it in the tag: `if a`, for example.
        case otherwise(TagHead?, offset: Int)
    }

    /// Parses text and tags up to the end of the block.
    mutating func content(into nodes: inout [TemplateNode]) throws(TemplateProblem) -> ContentEnd {
        var run: [UInt8] = []
        while index < end {
            guard starts(with: "{{") else {
                takeText(into: &run)
                continue
            }
            if index > 0, text[index - 1] == UInt8(ascii: "\\"), !run.isEmpty, takeEscapedTag(into: &run) { continue }
            trimsNextText = false
            let opening = try openTag()
            if opening.trims { while let last = run.last, isWhitespace(last) { run.removeLast() } }
            if !run.isEmpty {
                nodes.append(.text(run))
                run = []
            }
            if let end = try tag(opening, into: &nodes) { return end }
        }
        if !run.isEmpty { nodes.append(.text(run)) }
        return .end
    }

    /// Appends text up to the next tag.
    private mutating func takeText(into run: inout [UInt8]) {
        if trimsNextText {
            while index < end, isWhitespace(text[index]) { index += 1 }
            trimsNextText = false
        }
        let start = index
        while index < end, !starts(with: "{{") { index += 1 }
        run += text[start..<index]
    }

    /// Appends a tag that a backslash escapes, without the backslash.
    private mutating func takeEscapedTag(into run: inout [UInt8]) -> Bool {
        guard let close = firstIndex(of: "}}", from: index) else { return false }
        run.removeLast()
        run += text[index..<close + 2]
        index = close + 2
        return true
    }
}

extension TemplateParser {
    func starts(with token: String) -> Bool { starts(with: token, at: index) }

    func starts(with token: String, at offset: Int) -> Bool {
        var index = offset
        for byte in token.utf8 {
            guard index < text.count, text[index] == byte else { return false }
            index += 1
        }
        return true
    }

    func firstIndex(of token: String, from offset: Int) -> Int? {
        var index = offset
        while index < text.count {
            if starts(with: token, at: index) { return index }
            index += 1
        }
        return nil
    }

    private func lastEnd(of token: String) -> Int? {
        var index = text.count - 2
        while index >= 0 {
            if starts(with: token, at: index) { return index + 2 }
            index -= 1
        }
        return nil
    }

    func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

    mutating func skipWhitespace() {
        while index < text.count, isWhitespace(text[index]) { index += 1 }
    }

    func problem(_ message: String, at offset: Int) -> TemplateProblem {
        TemplateProblem(message, at: offset, in: text)
    }

    /// What is at `offset`, for a message.
    func found(at offset: Int) -> String {
        guard offset < end else { return "the end" }
        var stop = offset
        while stop < text.count, stop < offset + 20, !isWhitespace(text[stop]) || stop == offset { stop += 1 }
        return "'\(String(decoding: text[offset..<stop], as: UTF8.self))'"
    }
}
