// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension TemplateParser {
    /// Parses the name of a tag with its arguments, options, and block parameters.
    mutating func head() throws(TemplateProblem) -> TagHead {
        let offset = index
        let path = try path()
        var arguments: [TemplateExpression] = []
        var options: [(name: String, value: TemplateExpression)] = []
        var parameters: [String] = []
        while true {
            skipWhitespace()
            guard index < end else { throw problem("expected '}}', found the end of the template", at: offset) }
            if isAtEndOfArguments { break }
            if let names = try blockParameters() {
                parameters = names
                break
            }
            if let name = optionName() {
                options.append((name, try argument()))
            } else if let last = options.last {
                throw problem("expected another option after '\(last.name)', found \(found(at: index))", at: index)
            } else {
                arguments.append(try argument())
            }
        }
        return TagHead(path: path, arguments: arguments, options: options, parameters: parameters, offset: offset)
    }

    private var isAtEndOfArguments: Bool {
        text[index] == UInt8(ascii: "}") || text[index] == UInt8(ascii: "~") || text[index] == UInt8(ascii: ")")
    }

    /// Parses `as |name name|`.
    private mutating func blockParameters() throws(TemplateProblem) -> [String]? {
        guard starts(with: "as"), index + 2 < text.count, isWhitespace(text[index + 2]) else { return nil }
        let start = index
        index += 2
        skipWhitespace()
        guard starts(with: "|") else {
            index = start
            return nil
        }
        index += 1
        var names: [String] = []
        while true {
            skipWhitespace()
            if starts(with: "|") { break }
            guard let name = identifier() else { throw problem("expected '|', found \(found(at: index))", at: index) }
            names.append(name)
        }
        index += 1
        return names
    }

    /// Reads `name=`, or nothing.
    private mutating func optionName() -> String? {
        let start = index
        guard let name = identifier() else { return nil }
        skipWhitespace()
        guard starts(with: "=") else {
            index = start
            return nil
        }
        index += 1
        skipWhitespace()
        return name
    }

    /// Parses a literal, a path, or a subexpression.
    private mutating func argument() throws(TemplateProblem) -> TemplateExpression {
        guard index < end else { throw problem("expected an argument, found the end of the template", at: index) }
        switch text[index] {
        case UInt8(ascii: "("): return try subexpression()
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .literal(.string(try string()))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .literal(try number())
        case UInt8(ascii: "-"): return .literal(try number())
        default: break
        }
        let path = try path()
        switch path.text {
        case "true": return .literal(.bool(true))
        case "false": return .literal(.bool(false))
        case "null", "undefined": return .literal(.null)
        default: return .path(path)
        }
    }

    private mutating func subexpression() throws(TemplateProblem) -> TemplateExpression {
        let offset = index
        try enter(offset)
        defer { depth -= 1 }
        index += 1
        skipWhitespace()
        let head = try head()
        guard starts(with: ")") else { throw problem("expected ')', found \(found(at: index))", at: index) }
        index += 1
        return try expression(head)
    }

    /// Parses a string. A backslash escapes the quote only.
    private mutating func string() throws(TemplateProblem) -> String {
        let quote = text[index]
        let start = index
        index += 1
        var string: [UInt8] = []
        while index < end {
            let byte = text[index]
            if byte == UInt8(ascii: "\\"), index + 1 < end, text[index + 1] == quote {
                string.append(quote)
                index += 2
            } else if byte == quote {
                index += 1
                return String(decoding: string, as: UTF8.self)
            } else {
                string.append(byte)
                index += 1
            }
        }
        throw problem("expected the closing quote of a string, found the end of the template", at: start)
    }

    private mutating func number() throws(TemplateProblem) -> TemplateValue {
        let start = index
        var hasPoint = false
        if text[index] == UInt8(ascii: "-") { index += 1 }
        while index < end {
            if UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[index] {
                index += 1
            } else if text[index] == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
                index += 1
            } else {
                break
            }
        }
        let spelling = String(decoding: text[start..<index], as: UTF8.self)
        let isEnded = index >= end || isWhitespace(text[index]) || isAtEndOfArguments
        if isEnded, !hasPoint, let integer = Int(spelling) { return .integer(integer) }
        if isEnded, hasPoint, !spelling.hasSuffix("."), let double = Double(spelling) { return .double(double) }
        throw problem("expected a number such as 5 or 1.5, found \(found(at: start)); quote other text", at: start)
    }

    /// Returns the value of a tag: a helper's, or what the path leads to.
    mutating func expression(_ head: TagHead) throws(TemplateProblem) -> TemplateExpression {
        if let call = try call(head, nil) { return .call(call) }
        return .path(head.path)
    }

    /// Returns the call of a helper, or `nil` if the name is not a helper's and has no arguments.
    mutating func call(_ head: TagHead, _ block: TemplateBlock?) throws(TemplateProblem) -> TemplateCall? {
        let name = head.path.text
        if ["partial", "block", "embedded", "include"].contains(name) {
            throw problem("expected a value or a block, found '\(name)': partials are not supported", at: head.offset)
        }
        let isCall = !head.arguments.isEmpty || !head.options.isEmpty
        guard let helper = TemplateHelper.table[name] else {
            guard isCall else { return nil }
            let found = problem(
                "expected a helper, found '\(name)'\(TemplateHelper.suggestion(for: name))",
                at: head.offset
            )
            if unknownHelper == nil {
                unknownHelper = found
                warnings.append(found)
            }
            return nil
        }
        let call = TemplateCall(
            name: name,
            helper: helper,
            arguments: head.arguments,
            options: head.options,
            block: block,
            offset: head.offset
        )
        prepare(call)
        return call
    }
}
