// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Writes JSON as the libraries of WireMock do.
enum JavaJSON {
    /// Appends compact JSON.
    static func appendCompact(_ tree: JSONTree, to output: inout [UInt8]) {
        switch tree {
        case .number(let number): output.append(contentsOf: text(of: number).utf8)
        case .string(let text): append(text, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                appendCompact(element, to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                append(member.name, to: &output)
                output.append(UInt8(ascii: ":"))
                appendCompact(member.value, to: &output)
            }
            output.append(UInt8(ascii: "}"))
        default: tree.append(to: &output)
        }
    }

    /// Appends a string. Slashes are escaped, as json-smart does.
    private static func append(_ text: String, to output: inout [UInt8]) {
        guard text.utf8.contains(UInt8(ascii: "/")) else { return JSONTree.append(text, to: &output) }
        var string: [UInt8] = []
        JSONTree.append(text, to: &string)
        for byte in string {
            if byte == UInt8(ascii: "/") { output.append(UInt8(ascii: "\\")) }
            output.append(byte)
        }
    }

    /// Appends JSON with one member per line. Members that are null are left out.
    static func appendIndented(_ tree: JSONTree, depth: Int = 0, keepsNulls: Bool = false, to output: inout [UInt8]) {
        switch tree {
        case .number(let number): output.append(contentsOf: text(of: number).utf8)
        case .array(let elements):
            output.append(contentsOf: "[ ".utf8)
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(contentsOf: ", ".utf8) }
                appendIndented(element, depth: depth, keepsNulls: keepsNulls, to: &output)
            }
            output.append(contentsOf: (elements.isEmpty ? "]" : " ]").utf8)
        case .object(let all):
            let members = keepsNulls ? all : all.filter { $0.value != .null }
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                breakLine(depth + 1, &output)
                JSONTree.append(member.name, to: &output)
                output.append(contentsOf: " : ".utf8)
                appendIndented(member.value, depth: depth + 1, keepsNulls: keepsNulls, to: &output)
            }
            if members.isEmpty {
                output.append(contentsOf: " }".utf8)
            } else {
                breakLine(depth, &output)
                output.append(UInt8(ascii: "}"))
            }
        default: tree.append(to: &output)
        }
    }

    private static func breakLine(_ depth: Int, _ output: inout [UInt8]) {
        output.append(0x0A)
        output.append(contentsOf: repeatElement(0x20, count: 2 * depth))
    }

    private static func text(of number: JSONNumber) -> String {
        let isInteger = number.spelling.utf8.allSatisfy {
            $0 == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
        }
        return isInteger || number.spelling.utf8.count > 18 ? number.spelling : JavaNumber.text(number.double)
    }
}
