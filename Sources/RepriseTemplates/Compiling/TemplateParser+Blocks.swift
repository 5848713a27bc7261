// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension TemplateParser {
    /// Parses a block after `{{#` or `{{^`.
    mutating func block(_ offset: Int, isInverse: Bool) throws(TemplateProblem) -> TemplateNode {
        skipWhitespace()
        let head = try head()
        try closeTag("}}", offset)
        var (content, inverse) = try body(of: head, offset)
        if isInverse { (content, inverse) = (inverse, content) }
        return try node(head, content, inverse)
    }

    /// Parses the content of a block up to its `{{/name}}`, and what is after its `{{else}}`.
    private mutating func body(
        of head: TagHead,
        closing name: String? = nil,
        _ offset: Int
    ) throws(TemplateProblem) -> ([TemplateNode], [TemplateNode]) {
        let name = name ?? head.path.text
        try enter(offset)
        defer { depth -= 1 }
        var content: [TemplateNode] = []
        switch try self.content(into: &content) {
        case .end: throw unclosed(name, offset)
        case .close(let closed, let place):
            try check(closed, closes: name, place)
            return (content, [])
        case .otherwise(nil, _):
            var inverse: [TemplateNode] = []
            switch try self.content(into: &inverse) {
            case .end: throw unclosed(name, offset)
            case .close(let closed, let place): try check(closed, closes: name, place)
            case .otherwise(_, let place):
                throw problem("expected {{/\(name)}} after {{else}}, found a second {{else}}", at: place)
            }
            return (content, inverse)
        case .otherwise(let chained?, let place):
            let (next, inverse) = try body(of: chained, closing: name, place)
            return (content, [try node(chained, next, inverse)])
        }
    }

    private func check(_ closed: String, closes name: String, _ offset: Int) throws(TemplateProblem) {
        guard closed != name else { return }
        throw problem("expected {{/\(name)}}, found {{/\(closed)}}; close the blocks in order", at: offset)
    }

    private func unclosed(_ name: String, _ offset: Int) -> TemplateProblem {
        problem("expected {{/\(name)}}, found the end of the template; close the block", at: offset)
    }

    mutating func enter(_ offset: Int) throws(TemplateProblem) {
        depth += 1
        if depth > Self.maximumDepth {
            throw problem("expected at most \(Self.maximumDepth) nested blocks and parentheses", at: offset)
        }
    }

    /// Parses a raw block after `{{{{`. Its content is text.
    mutating func rawBlock(_ offset: Int) throws(TemplateProblem) -> TemplateNode {
        skipWhitespace()
        let head = try head()
        try closeTag("}}}}", offset)
        trimsNextText = false
        let close = "{{{{/" + head.path.text
        guard let stop = firstIndex(of: close, from: index) else { throw unclosed(head.path.text, offset) }
        let content = Array(text[index..<stop])
        index = stop + close.utf8.count
        try closeTag("}}}}", offset)
        return try node(head, content.isEmpty ? [] : [.text(content)], [])
    }

    private mutating func node(
        _ head: TagHead,
        _ content: [TemplateNode],
        _ inverse: [TemplateNode]
    ) throws(TemplateProblem) -> TemplateNode {
        let block = TemplateBlock(parameters: head.parameters, content: content, inverse: inverse)
        if let call = try call(head, block) { return .block(call) }
        return .section(head.path, block)
    }
}
