// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension XMLTree {
    /// Returns the XML of a node, with the attributes in the order of their names, as Java writes it.
    ///
    /// - Parameters:
    ///   - isIndented: Whether each node of an element that does not contain only text gets a line of its own.
    ///   - keepsBlanks: Whether texts of white space are written.
    package func xml(of place: Int, isIndented: Bool = false, keepsBlanks: Bool = true) -> String {
        var text = ""
        append(place, to: &text, lineBreak: isIndented ? "\n" : nil, keepsBlanks)
        return text
    }

    /// Returns the declarations of namespaces of a node, and then its attributes, each in the order of their names.
    package func attributes(of place: Int) -> [(name: String, value: String)] {
        let node = nodes[place]
        let declarations = node.declarations.map { declaration in
            let prefix = declaration.name.local
            return (name: prefix.isEmpty ? "xmlns" : "xmlns:\(prefix)", value: declaration.value)
        }
        let attributes = node.attributes.map { (name: $0.name.qualified, value: $0.value) }
        return declarations.sorted { $0.name < $1.name } + attributes.sorted { $0.name < $1.name }
    }

    /// The reader limits the depth of the recursion.
    ///
    /// - Parameter lineBreak: What precedes a node on a line of its own; `nil` if nodes follow each other directly.
    private func append(_ place: Int, to text: inout String, lineBreak: String?, _ keepsBlanks: Bool) {
        let node = nodes[place]
        switch node.kind {
        case .text: text += Self.escaped(node.text)
        case .comment: text += "<!--\(node.text)-->"
        case .instruction: text += "<?\(node.name.local) \(node.text)?>"
        case .element:
            text += "<" + node.name.qualified
            for attribute in attributes(of: place) {
                text += " \(attribute.name)=\"\(Self.escaped(attribute.value, inAttribute: true))\""
            }
            let children = node.children.filter {
                keepsBlanks || nodes[$0].kind != .text || !nodes[$0].text.trimmedXML.isEmpty
            }
            guard !children.isEmpty else {
                text += "/>"
                return
            }
            text += ">"
            let breaks = children.contains { nodes[$0].kind != .text } ? lineBreak : nil
            for child in children {
                if let breaks { text += breaks + "  " }
                append(child, to: &text, lineBreak: breaks.map { $0 + "  " }, keepsBlanks)
            }
            text += "\(breaks ?? "")</\(node.name.qualified)>"
        }
    }

    /// Returns a text with the characters escaped that XML reserves.
    package static func escaped(_ text: String, inAttribute isAttribute: Bool = false) -> String {
        guard text.utf8.contains(where: { "&<>\"\t\n\r".utf8.contains($0) }) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"" where isAttribute: escaped += "&quot;"
            case "\t" where isAttribute, "\n" where isAttribute, "\r": escaped += "&#\(scalar.value);"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension String {
    /// The text without the XML white space around it.
    package var trimmedXML: String {
        guard let first = utf8.first, let last = utf8.last, isDocumentSpace(first) || isDocumentSpace(last) else {
            return self
        }
        let bytes = Array(utf8)
        let start = bytes.firstIndex { !isDocumentSpace($0) } ?? bytes.count
        let end = (bytes.lastIndex { !isDocumentSpace($0) } ?? -1) + 1
        return start < end ? String(decoding: bytes[start..<end], as: UTF8.self) : ""
    }
}
