// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension TemplateParser {
    /// How a tag begins.
    struct TagOpening {
        enum Kind { case escaped, unescaped, triple, rawBlock, block, inverse, close, comment }
        let kind: Kind
        let offset: Int
        /// Whether `~` drops the whitespace before the tag.
        let trims: Bool
    }

    /// The name in a tag with its arguments.
    struct TagHead {
        let path: TemplatePath
        let arguments: [TemplateExpression]
        let options: [(name: String, value: TemplateExpression)]
        let parameters: [String]
        let offset: Int
    }

    /// Reads `{{` and the characters after it that determine the kind of the tag.
    mutating func openTag() throws(TemplateProblem) -> TagOpening {
        let offset = index
        if starts(with: "{{{{") {
            index += 4
            return TagOpening(kind: .rawBlock, offset: offset, trims: false)
        }
        index += 2
        var trims = false
        if starts(with: "~") {
            trims = true
            index += 1
        }
        let kind: TagOpening.Kind
        switch index < text.count ? text[index] : 0 {
        case UInt8(ascii: "{"): kind = .triple
        case UInt8(ascii: "&"): kind = .unescaped
        case UInt8(ascii: "#"): kind = .block
        case UInt8(ascii: "^"): kind = .inverse
        case UInt8(ascii: "/"): kind = .close
        case UInt8(ascii: "!"): kind = .comment
        case UInt8(ascii: ">"): throw refusal("partials", at: offset)
        case UInt8(ascii: "="): throw refusal("other delimiters", at: offset)
        default: return TagOpening(kind: .escaped, offset: offset, trims: trims)
        }
        index += 1
        if kind == .block, starts(with: ">") || starts(with: "*") { throw refusal("partials", at: offset) }
        return TagOpening(kind: kind, offset: offset, trims: trims)
    }

    func refusal(_ what: String, at offset: Int) -> TemplateProblem {
        problem("expected a value or a block, found \(found(at: offset)): \(what) are not supported", at: offset)
    }

    /// Parses a tag after its opening. Returns how it ends the content of a block, or `nil` if it does not.
    mutating func tag(_ opening: TagOpening, into nodes: inout [TemplateNode]) throws(TemplateProblem) -> ContentEnd? {
        switch opening.kind {
        case .comment: try skipComment(opening.offset)
        case .rawBlock: nodes.append(try rawBlock(opening.offset))
        case .close:
            skipWhitespace()
            let path = try path()
            try closeTag("}}", opening.offset)
            return .close(path.text, offset: opening.offset)
        case .inverse:
            skipWhitespace()
            if starts(with: "}}") || starts(with: "~}}") {
                try closeTag("}}", opening.offset)
                return .otherwise(nil, offset: opening.offset)
            }
            nodes.append(try block(opening.offset, isInverse: true))
        case .block: nodes.append(try block(opening.offset, isInverse: false))
        case .escaped, .unescaped, .triple:
            skipWhitespace()
            if opening.kind == .escaped, startsWithElse { return try elseTag(opening.offset) }
            let head = try head()
            try closeTag(opening.kind == .triple ? "}}}" : "}}", opening.offset)
            guard head.parameters.isEmpty else {
                throw problem("expected block parameters in a block only", at: opening.offset)
            }
            guard !["true", "false"].contains(head.path.text) else {
                throw problem(
                    "expected a name, found '\(head.path.text)'; write the text without braces",
                    at: head.offset
                )
            }
            nodes.append(.output(try expression(head), escapes: opening.kind == .escaped))
        }
        return nil
    }

    private var startsWithElse: Bool {
        guard starts(with: "else") else { return false }
        let next = index + 4
        return next < text.count
            && (isWhitespace(text[next]) || text[next] == UInt8(ascii: "}") || text[next] == UInt8(ascii: "~"))
    }

    private mutating func elseTag(_ offset: Int) throws(TemplateProblem) -> ContentEnd {
        index += 4
        skipWhitespace()
        if starts(with: "}}") || starts(with: "~}}") {
            try closeTag("}}", offset)
            return .otherwise(nil, offset: offset)
        }
        let head = try head()
        try closeTag("}}", offset)
        return .otherwise(head, offset: offset)
    }

    /// Reads the end of a tag.
    mutating func closeTag(_ token: String, _ offset: Int) throws(TemplateProblem) {
        skipWhitespace()
        if token == "}}}", starts(with: "}~}}") {
            index += 4
            trimsNextText = true
            return
        }
        if starts(with: "~") {
            trimsNextText = true
            index += 1
        }
        guard starts(with: token) else { throw problem("expected '\(token)', found \(found(at: index))", at: index) }
        index += token.utf8.count
    }

    private mutating func skipComment(_ offset: Int) throws(TemplateProblem) {
        let isLong = starts(with: "--")
        guard var close = firstIndex(of: isLong ? "--" : "}}", from: isLong ? index + 2 : index) else {
            throw problem("expected the end of the comment, found the end of the template", at: offset)
        }
        if isLong {
            while !starts(with: "--}}", at: close), !starts(with: "--~}}", at: close) {
                guard let next = firstIndex(of: "--", from: close + 1) else {
                    throw problem("expected '--}}', found the end of the template", at: offset)
                }
                close = next
            }
            close += 2
        } else if close > index, text[close - 1] == UInt8(ascii: "~") {
            close -= 1
        }
        index = close
        try closeTag("}}", offset)
    }
}
