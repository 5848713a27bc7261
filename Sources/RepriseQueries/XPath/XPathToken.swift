// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A token of an expression of XPath 1.0 (section 3.7).
enum XPathToken: Sendable, Hashable {
    /// A parenthesis, an operator of symbols, and so on.
    case symbol(String)
    /// `and`, `or`, `mod`, `div`, or `*` between operands.
    case `operator`(String)
    /// A name, with its prefix if it has one. The local name may be `*`.
    case name(String)
    /// `*` where a name may stand.
    case star
    /// The name of an axis, before `::`.
    case axis(String)
    case text(String)
    case number(Double)

    /// Longer expressions are refused.
    private static let maximumCount = 16 << 10

    /// Returns the tokens of an expression.
    static func tokens(of text: String) throws(XPathError) -> [XPathToken] {
        let bytes = Array(text.utf8)
        guard bytes.count <= maximumCount else { throw XPathError() }
        var tokens: [XPathToken] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if isDocumentSpace(byte) {
                index += 1
            } else {
                tokens.append(try next(bytes, &index, after: tokens.last))
            }
        }
        return tokens
    }

    private static func next(
        _ bytes: [UInt8],
        _ index: inout Int,
        after previous: XPathToken?
    ) throws(XPathError) -> XPathToken {
        let byte = bytes[index]
        let isDigit = byte &- 0x30 < 10
        let startsFraction =
            byte == UInt8(ascii: ".") && index + 1 < bytes.count && bytes[index + 1] &- 0x30 < 10
        if isDigit || startsFraction { return try number(bytes, &index) }
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            guard let end = bytes[(index + 1)...].firstIndex(of: byte) else { throw XPathError() }
            defer { index = end + 1 }
            return .text(String(decoding: bytes[(index + 1)..<end], as: UTF8.self))
        }
        if isNameStart(byte) { return try name(bytes, &index, previous) }
        for symbol in symbols where bytes[index...].starts(with: symbol.utf8) {
            index += symbol.utf8.count
            guard symbol == "*" else { return .symbol(symbol) }
            return isOperand(previous) ? .operator("*") : .star
        }
        throw XPathError()
    }

    private static let symbols = [
        "//", "::", "..", "!=", "<=", ">=", "/", "(", ")", "[", "]", ".", "@", ",", "|", "+", "-", "=", "<", ">", "*",
    ]

    /// Whether an operator may follow `token`.
    private static func isOperand(_ token: XPathToken?) -> Bool {
        switch token {
        case .name?, .star?, .text?, .number?: true
        case .symbol(let symbol)?: [")", "]", ".", ".."].contains(symbol)
        case .operator?, .axis?, nil: false
        }
    }

    private static func number(_ bytes: [UInt8], _ index: inout Int) throws(XPathError) -> XPathToken {
        let start = index
        while index < bytes.count, bytes[index] &- 0x30 < 10 { index += 1 }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            while index < bytes.count, bytes[index] &- 0x30 < 10 { index += 1 }
        }
        let spelling = "0" + String(decoding: bytes[start..<index], as: UTF8.self) + "0"
        // XPath allows `1.` and `.5`. The zeros complete them.
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let value = Double(text.contains(".") ? spelling : text) else { throw XPathError() }
        return .number(value)
    }

    private static func name(
        _ bytes: [UInt8],
        _ index: inout Int,
        _ previous: XPathToken?
    ) throws(XPathError) -> XPathToken {
        var text = part(bytes, &index)
        if isOperand(previous), ["and", "or", "mod", "div"].contains(text) { return .operator(text) }
        if index + 1 < bytes.count, bytes[index] == UInt8(ascii: ":"), bytes[index + 1] != UInt8(ascii: ":") {
            index += 1
            if bytes[index] == UInt8(ascii: "*") {
                index += 1
                return .name(text + ":*")
            }
            guard isNameStart(bytes[index]) else { throw XPathError() }
            text += ":" + part(bytes, &index)
        }
        var next = index
        while next < bytes.count, bytes[next] == 0x20 { next += 1 }
        if next + 1 < bytes.count, bytes[next] == UInt8(ascii: ":"), bytes[next + 1] == UInt8(ascii: ":") {
            index = next + 2
            return .axis(text)
        }
        return .name(text)
    }

    private static func part(_ bytes: [UInt8], _ index: inout Int) -> String {
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            let isPart =
                isNameStart(byte) || byte &- 0x30 < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            guard isPart else { break }
            index += 1
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_")
    }
}
