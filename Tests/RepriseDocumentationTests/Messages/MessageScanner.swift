// SPDX-License-Identifier: Apache-2.0

/// Finds the string literals of Swift source that are messages for people: errors, notes, and log lines.
///
/// An interpolation is shown as its expression if that is short, and otherwise as an ellipsis. Literals joined by `+`
/// are one message.
struct MessageScanner {
    private let text: [UInt8]
    private var offset = 0

    /// The messages of `source`, in their order.
    static func messages(in source: String) -> [String] {
        var scanner = MessageScanner(text: Array(source.utf8))
        var messages: [String] = []
        while let message = scanner.nextLiteral() { messages.append(message) }
        return messages.filter(isMessage)
    }

    private init(text: [UInt8]) { self.text = text }

    /// Whether `literal` has at least three words, which text formats and names do not.
    private static func isMessage(_ literal: String) -> Bool {
        let words = literal.split(separator: " ").filter { word in
            word.count > 1 && word.utf8.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
        }
        return words.count >= 3 && !literal.hasPrefix("HTTP/1.1")
    }

    /// Returns the next literal that can be a message, or `nil` at the end of the source.
    private mutating func nextLiteral() -> String? {
        while offset < text.count {
            if text[offset] == UInt8(ascii: "/") && isAt("//") {
                skipLine()
            } else if text[offset] == UInt8(ascii: "#") && isAt("#\"") {
                skipRawLiteral()
            } else if text[offset] == UInt8(ascii: "\"") {
                let start = offset
                let literal = concatenation()
                if !isForDevelopers(lineOf: start) && !isInWordList(literal, at: start) { return literal }
            } else {
                offset += 1
            }
        }
        return nil
    }

    /// Whether the literal at `start` is the text of a precondition or an attribute, or help for the command line.
    private func isForDevelopers(lineOf start: Int) -> Bool {
        let lineStart = text[..<start].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = String(decoding: text[lineStart..<start], as: UTF8.self)
        return ["precondition", "fatalError", "@available", "help:", "ArgumentHelp(", "abstract:", "discussion:"]
            .contains { line.contains($0) }
    }

    /// Whether `literal`, which ends at the offset, is a list of words, or a short element of an array.
    private func isInWordList(_ literal: String, at start: Int) -> Bool {
        let before = text[..<start].lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") } ?? start
        if text[...before].suffix(4).elementsEqual("set(".utf8) { return true }
        let after = text[min(offset, text.count)...].first
        return literal.split(separator: " ").count <= 3
            && [UInt8(ascii: "["), UInt8(ascii: ",")].contains(text[before])
            && [UInt8(ascii: "]"), UInt8(ascii: ",")].contains(after)
    }

    /// Reads the literal at the offset, and those joined to it by `+`.
    private mutating func concatenation() -> String {
        var whole = literal()
        while true {
            let end = offset
            skipWhitespace()
            guard isAt("+") else {
                offset = end
                return whole
            }
            offset += 1
            skipWhitespace()
            guard isAt("\"") else {
                offset = end
                return whole
            }
            whole += literal()
        }
    }

    private mutating func literal() -> String {
        let delimiter = isAt("\"\"\"") ? "\"\"\"" : "\""
        offset += delimiter.utf8.count
        var bytes: [UInt8] = []
        while offset < text.count, !isAt(delimiter) {
            if isAt("\\(") {
                offset += 2
                bytes += placeholder(for: interpolation()).utf8
            } else if isAt("\\\n") {
                offset += 2
                skipWhitespace()
            } else if isAt("\\n") || isAt("\n") {
                offset += isAt("\n") ? 1 : 2
                if delimiter.utf8.count == 3 { skipWhitespace() }
                bytes.append(UInt8(ascii: " "))
            } else if isAt("\\") {
                bytes += text[min(offset + 1, text.count - 1)...].prefix(1)
                offset += 2
            } else {
                bytes.append(text[offset])
                offset += 1
            }
        }
        offset += delimiter.utf8.count
        return String(decoding: bytes, as: UTF8.self).trimmingPrefix(while: \.isWhitespace).description
    }

    /// Reads an interpolation up to its closing parenthesis and returns its expression.
    private mutating func interpolation() -> String {
        let start = offset
        var depth = 1
        while offset < text.count {
            switch text[offset] {
            case UInt8(ascii: "\""):
                _ = literal()
                continue
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            offset += 1
            if depth == 0 { break }
        }
        return String(decoding: text[start..<max(start, min(offset, text.count) - 1)], as: UTF8.self)
    }

    private func placeholder(for expression: String) -> String {
        let isName = expression.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." }
        return isName && expression.count <= 30 ? "<\(expression)>" : "<…>"
    }

    private mutating func skipLine() {
        while offset < text.count, text[offset] != UInt8(ascii: "\n") { offset += 1 }
    }

    /// Skips a literal such as `#"a"#`. It is data and not a message, and its quotes need not be in pairs.
    private mutating func skipRawLiteral() {
        offset += 2
        while offset < text.count, !isAt("\"#") { offset += 1 }
        offset += 2
    }

    private mutating func skipWhitespace() {
        while offset < text.count, text[offset] == UInt8(ascii: " ") || text[offset] == UInt8(ascii: "\n") {
            offset += 1
        }
    }

    private func isAt(_ expected: String) -> Bool { text.dropFirst(offset).starts(with: expected.utf8) }
}
