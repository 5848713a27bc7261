// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The strings into which WireMock turns JSON values before matchers compare them.
extension JSONTree {
    /// The value as text: a string as it is, a number as Java prints it, an object indented, and an array compact.
    /// `nil` for `null`.
    package var javaText: String? {
        switch self {
        case .null: return nil
        case .bool(let value): return value ? "true" : "false"
        case .number(let number): return JavaLibrary.jackson.text(of: number)
        case .string(let text): return text
        case .array:
            var text: [UInt8] = []
            append(to: &text, as: .jackson)
            return String(decoding: text, as: UTF8.self)
        case .object: return indentedJavaText
        }
    }

    /// The value as JSON in the layout of Jackson's default printer, without members that are null.
    package var indentedJavaText: String {
        var text: [UInt8] = []
        appendIndented(to: &text, as: .jackson)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the value as JSON with one member per line.
    package func appendIndented(
        to text: inout [UInt8],
        as library: JavaLibrary,
        depth: Int = 0,
        keepsNulls: Bool = false
    ) {
        switch self {
        case .array(let elements):
            text += "[ ".utf8
            for (index, element) in elements.enumerated() {
                if index > 0 { text += ", ".utf8 }
                element.appendIndented(to: &text, as: library, depth: depth, keepsNulls: keepsNulls)
            }
            text += (elements.isEmpty ? "]" : " ]").utf8
        case .object(let all):
            let members = keepsNulls ? all : all.filter { $0.value != .null }
            text.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                JSONTree.appendLine(depth + 1, to: &text)
                JSONTree.append(member.name, to: &text)
                text += " : ".utf8
                member.value.appendIndented(to: &text, as: library, depth: depth + 1, keepsNulls: keepsNulls)
            }
            if members.isEmpty { text.append(UInt8(ascii: " ")) } else { JSONTree.appendLine(depth, to: &text) }
            text.append(UInt8(ascii: "}"))
        case .number(let number): text += library.text(of: number).utf8
        default: append(to: &text)
        }
    }

    private static func appendLine(_ depth: Int, to text: inout [UInt8]) {
        text.append(0x0A)
        text.append(contentsOf: repeatElement(0x20, count: 2 * depth))
    }
}

/// The libraries with which WireMock writes JSON.
package enum JavaLibrary: Sendable {
    /// In matchers.
    case jackson
    /// In templates. It escapes slashes in compact JSON.
    case jsonSmart

    /// Returns a number as Java prints it after the library has read it: an integer as spelled, any other number as a
    /// double, such as `1.5` or `1.0E10`, or as spelled if a double has too few digits.
    func text(of number: JSONNumber) -> String {
        let spelling = number.spelling.utf8
        let mantissa = spelling.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let isInteger = mantissa.count == spelling.count && !mantissa.contains(UInt8(ascii: "."))
        let isKept =
            switch self {
            case .jackson: mantissa.count { $0 &- 0x30 < 10 } > 18 || !number.double.isFinite
            case .jsonSmart: spelling.count > 18
            }
        return isInteger || isKept ? number.spelling : number.double.javaText
    }
}

extension Double {
    /// The number as Java prints it: `1.5`, `3.0`, `1.0E10`.
    package var javaText: String {
        if isNaN { return "NaN" }
        let sign = self.sign == .minus ? "-" : ""
        if isInfinite { return sign + "Infinity" }
        if self == 0 { return sign + "0.0" }
        let decimal = JSONDecimal(magnitude.description)
        guard magnitude < 1e-3 || magnitude >= 1e7 else {
            return sign + decimal.positional + (decimal.exponent < 0 ? "" : ".0")
        }
        let digits = String(decoding: decimal.digits, as: UTF8.self)
        let rest = digits.dropFirst()
        let exponent = decimal.digits.count + decimal.exponent - 1
        return "\(sign)\(digits.prefix(1)).\(rest.isEmpty ? "0" : rest)E\(exponent)"
    }
}
