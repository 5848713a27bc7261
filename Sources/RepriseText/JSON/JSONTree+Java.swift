// SPDX-License-Identifier: Apache-2.0

/// The strings into which WireMock turns JSON values before matchers compare them.
extension JSONTree {
    /// The value as text: a string as it is, a number as Java prints it, an object indented, and an array compact.
    /// `nil` for `null`.
    package var javaText: String? {
        switch self {
        case .null: return nil
        case .bool(let value): return value ? "true" : "false"
        case .number(let number): return number.javaText
        case .string(let text): return text
        case .array:
            var text: [UInt8] = []
            append(to: &text, asJava: true)
            return String(decoding: text, as: UTF8.self)
        case .object: return indentedJavaText
        }
    }

    /// The value as JSON in the layout of Jackson's default printer, without members that are null.
    package var indentedJavaText: String {
        var text: [UInt8] = []
        appendIndentedJava(to: &text, depth: 0)
        return String(decoding: text, as: UTF8.self)
    }

    private func appendIndentedJava(to text: inout [UInt8], depth: Int) {
        switch self {
        case .number(let number): text += number.javaText.utf8
        case .array(let elements):
            text += "[ ".utf8
            for (index, element) in elements.enumerated() {
                if index > 0 { text += ", ".utf8 }
                element.appendIndentedJava(to: &text, depth: depth)
            }
            text += (elements.isEmpty ? "]" : " ]").utf8
        case .object(let all):
            let members = all.filter { $0.value != .null }
            text.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                JSONTree.appendLine(depth + 1, to: &text)
                JSONTree.append(member.name, to: &text)
                text += " : ".utf8
                member.value.appendIndentedJava(to: &text, depth: depth + 1)
            }
            if members.isEmpty { text.append(UInt8(ascii: " ")) } else { JSONTree.appendLine(depth, to: &text) }
            text.append(UInt8(ascii: "}"))
        default: append(to: &text)
        }
    }

    private static func appendLine(_ depth: Int, to text: inout [UInt8]) {
        text.append(0x0A)
        text.append(contentsOf: repeatElement(0x20, count: 2 * depth))
    }
}

extension JSONNumber {
    /// The number as Java prints it after a JSON library has read it: an integer as spelled, any other number as a
    /// double, such as `1.5` or `1.0E10`, or as spelled if a double has too few digits.
    package var javaText: String {
        let mantissa = spelling.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let isInteger = mantissa.count == spelling.utf8.count && !mantissa.contains(UInt8(ascii: "."))
        let digits = mantissa.count { $0 >= 0x30 && $0 <= 0x39 }
        guard !isInteger, digits <= 18, double.isFinite else { return spelling }
        if double == 0 { return double.sign == .minus ? "-0.0" : "0.0" }
        let sign = double < 0 ? "-" : ""
        let (significant, exponent) = Self.decimal(double.magnitude)
        if double.magnitude < 1e-3 || double.magnitude >= 1e7 {
            let rest = significant.dropFirst()
            return "\(sign)\(significant.prefix(1)).\(rest.isEmpty ? "0" : rest)E\(exponent - 1)"
        }
        if exponent <= 0 { return "\(sign)0.\(String(repeating: "0", count: -exponent))\(significant)" }
        let whole = significant.prefix(exponent)
        let fraction = significant.dropFirst(exponent)
        let zeros = String(repeating: "0", count: exponent - whole.count)
        return "\(sign)\(whole)\(zeros).\(fraction.isEmpty ? "0" : fraction)"
    }

    /// Returns the digits of a positive number, and the place of the point relative to the first one.
    private static func decimal(_ value: Double) -> (digits: Substring, exponent: Int) {
        let parts = value.description.split(separator: "e")
        let number = parts[0].split(separator: ".")
        let all = number.joined()
        let digits = all.drop { $0 == "0" }
        let power = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let zeros = digits.reversed().prefix { $0 == "0" }.count
        return (digits.dropLast(zeros), number[0].count - (all.count - digits.count) + power)
    }
}
