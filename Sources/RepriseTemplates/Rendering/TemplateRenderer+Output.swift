// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

extension TemplateRenderer {
    /// Appends a value, and escapes the characters that HTML reserves, as `{{ }}` does.
    func writeEscaped(_ value: TemplateValue, to output: inout [UInt8]) throws(TemplateFailure) {
        switch value {
        case .null, .bool, .integer, .double, .number: try write(value, to: &output)
        case .string(let text), .opaque(let text): Self.escape(text, to: &output)
        case .values(let values): if let first = values.first { Self.escape(first, to: &output) }
        default:
            var bytes: [UInt8] = []
            try write(value, to: &bytes)
            Self.escape(String(decoding: bytes, as: UTF8.self), to: &output)
        }
    }

    private static func escape(_ text: String, to output: inout [UInt8]) {
        guard text.utf8.contains(where: { entity(of: $0) != nil }) else {
            output.append(contentsOf: text.utf8)
            return
        }
        for byte in text.utf8 {
            if let entity = entity(of: byte) {
                output.append(contentsOf: entity.utf8)
            } else {
                output.append(byte)
            }
        }
    }

    @inline(__always)
    private static func entity(of byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#x27;"
        case UInt8(ascii: "`"): "&#x60;"
        case UInt8(ascii: "="): "&#x3D;"
        default: nil
        }
    }

    /// Appends a value as Java prints it. Null that is not inside another value prints nothing.
    func write(_ value: TemplateValue, to output: inout [UInt8]) throws(TemplateFailure) {
        switch value {
        case .null: break
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): output.append(contentsOf: String(value).utf8)
        case .double(let value): output.append(contentsOf: value.javaText.utf8)
        case .number(let number): output.append(contentsOf: JavaNumber.text(number).utf8)
        case .string(let text), .opaque(let text): output.append(contentsOf: text.utf8)
        case .values(let values): if let first = values.first { output.append(contentsOf: first.utf8) }
        case .path(let path, _, _): output.append(contentsOf: path.utf8)
        case .array(let elements): try writeList(elements, to: &output)
        case .date(let date): output.append(contentsOf: date.text(context.timeZone).utf8)
        case .xml(let nodes): if let first = nodes.first { output.append(contentsOf: first.text.utf8) }
        case .json(let tree, let style): try write(tree, style, to: &output)
        case .map(let entries): try writeMap(entries, to: &output)
        case .model(.request(let isOriginal)), .model(.requestLine(let isOriginal)), .model(.part(_, let isOriginal)):
            output.append(contentsOf: "\(model(isOriginal).request.method) \(model(isOriginal).request.url)".utf8)
        case .model(let part): try writeMap(entries(of: part), to: &output)
        }
        try checkSize(output.count)
    }

    private func write(
        _ tree: JSONTree,
        _ style: TemplateValue.JSONStyle,
        to output: inout [UInt8]
    ) throws(TemplateFailure) {
        switch (tree, style) {
        case (.object, .result): tree.appendIndented(to: &output, as: .jsonSmart)
        case (.array, .result), (.array, .nested): tree.append(to: &output, as: .jsonSmart)
        case (.object(let members), _):
            let inside = style.inside
            try writeMap(members.map { TemplateValue.Entry($0.name, TemplateValue($0.value, inside)) }, to: &output)
        case (.array(let elements), .plain): try writeList(elements.map { TemplateValue($0, .plain) }, to: &output)
        default: try write(TemplateValue(tree, style), to: &output)
        }
    }

    private func writeList(_ elements: [TemplateValue], to output: inout [UInt8]) throws(TemplateFailure) {
        output.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { output.append(contentsOf: ", ".utf8) }
            try writeElement(element, to: &output)
        }
        output.append(UInt8(ascii: "]"))
    }

    private func writeMap(_ entries: [TemplateValue.Entry], to output: inout [UInt8]) throws(TemplateFailure) {
        output.append(UInt8(ascii: "{"))
        for (index, entry) in entries.enumerated() {
            if index > 0 { output.append(contentsOf: ", ".utf8) }
            output.append(contentsOf: entry.name.utf8)
            output.append(UInt8(ascii: "="))
            try writeElement(entry.value, to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    private func writeElement(_ value: TemplateValue, to output: inout [UInt8]) throws(TemplateFailure) {
        try charge()
        if value.isNull {
            output.append(contentsOf: "null".utf8)
        } else {
            try write(value, to: &output)
        }
    }

    /// Returns the text of a value, as Java's `toString`.
    func text(of value: TemplateValue) throws(TemplateFailure) -> String {
        switch value {
        case .string(let text), .opaque(let text): return text
        case .values(let values): return values.first ?? ""
        case .path(let path, _, _): return path
        case .integer(let value): return String(value)
        case .bool(let value): return value ? "true" : "false"
        default:
            var bytes: [UInt8] = []
            try write(value, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
