// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension JSONPathParser {
    /// Parses a JSON value, in which strings may have single quotes.
    mutating func literal() throws(JSONPathError) -> JSONTree {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else {
            throw error("expected at most \(Self.maximumDepth) nested values")
        }
        switch current {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try quotedText())
        case UInt8(ascii: "["): return .array(try elements())
        case UInt8(ascii: "{"): return .object(try members())
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return .number(try number())
        default:
            for (word, value) in [("null", JSONTree.null), ("true", .bool(true)), ("false", .bool(false))]
            where startsHere(word) {
                position += word.utf8.count
                return value
            }
            throw expected("a path, a number, a string in quotes, true, false, null, or a list")
        }
    }

    private mutating func number() throws(JSONPathError) -> JSONNumber {
        let start = position
        while let byte = current, "+-.eE".utf8.contains(byte) || (byte >= 0x30 && byte <= 0x39) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let number = JSONNumber(text) else {
            position = start
            throw error("expected a JSON number, found \(text)")
        }
        return number
    }

    private mutating func elements() throws(JSONPathError) -> [JSONTree] {
        var elements: [JSONTree] = []
        try list(until: "]") { (parser) throws(JSONPathError) in elements.append(try parser.literal()) }
        return elements
    }

    private mutating func members() throws(JSONPathError) -> [JSONTree.Member] {
        var members: [JSONTree.Member] = []
        try list(until: "}") { (parser) throws(JSONPathError) in
            let name = try parser.name(distinctFrom: members)
            members.append(JSONTree.Member(name, try parser.literal()))
        }
        return members
    }

    /// Parses the name of a member and the colon after it.
    private mutating func name(distinctFrom members: [JSONTree.Member]) throws(JSONPathError) -> String {
        guard current == UInt8(ascii: "'") || current == UInt8(ascii: "\"") else { throw expected("a name in quotes") }
        let start = position
        let name = try quotedText()
        guard !members.contains(where: { $0.name == name }) else {
            position = start
            throw error("expected distinct names, found \(name) twice")
        }
        skipWhiteSpace()
        try skip(UInt8(ascii: ":"), orThrow: "':'")
        skipWhiteSpace()
        return name
    }

    /// Parses elements with commas between them, from the opening to the closing bracket.
    mutating func list(
        until close: Unicode.Scalar,
        _ element: (inout JSONPathParser) throws(JSONPathError) -> Void
    ) throws(JSONPathError) {
        position += 1
        skipWhiteSpace()
        var isFirst = true
        while current != UInt8(ascii: close) {
            if !isFirst {
                try skip(UInt8(ascii: ","), orThrow: "',' or '\(close)'")
                skipWhiteSpace()
            }
            isFirst = false
            try element(&self)
            skipWhiteSpace()
        }
        position += 1
    }

    /// Parses a string in single or double quotes, with the escapes of JSON.
    mutating func quotedText() throws(JSONPathError) -> String {
        let start = position
        let quote = bytes[start]
        position += 1
        while let byte = current, byte != quote { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
        guard position < bytes.count else {
            position = start
            throw error("expected a closing quote")
        }
        let content = bytes[(start + 1)..<position]
        var text: [UInt8] = []
        if let escape = JSONEscapes.append(content.span, to: &text, surrogates: "\u{FFFD}") {
            position = start + 1 + escape + "\\u".utf8.count
            while let byte = current, hexadecimalValue(byte) != nil { position += 1 }
            throw expected("four hexadecimal digits after \\u")
        }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }
}
