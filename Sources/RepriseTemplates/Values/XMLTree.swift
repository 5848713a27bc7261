// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RepriseText

/// A node of an XML document. On Linux, Foundation's own document leaks its memory.
final class XMLTree {
    enum Kind { case document, element, attribute, text }

    let kind: Kind
    /// The name with its prefix.
    let name: String
    /// The value of an attribute or a text.
    var value: String
    /// The attributes, sorted by name, as in Java.
    let attributes: [XMLTree]
    var children: [XMLTree] = []
    private(set) weak var parent: XMLTree?

    init(_ kind: Kind, name: String = "", value: String = "", attributes: [XMLTree] = []) {
        self.kind = kind
        self.name = name
        self.value = value
        self.attributes = attributes
    }

    func append(_ child: XMLTree) {
        child.parent = self
        children.append(child)
    }

    /// The text inside.
    var content: String {
        switch kind {
        case .attribute, .text: value
        case .document, .element: children.map(\.content).joined()
        }
    }

    /// Appends the node as XML.
    ///
    /// - Parameter indentation: The depth to indent the elements by, or `nil` to leave the whitespace.
    func append(to text: inout String, indentation: Int? = nil) {
        switch kind {
        case .document: for child in children { child.append(to: &text, indentation: indentation) }
        case .text: text += Self.escaped(value)
        case .attribute: text += "\(name)=\"\(Self.escaped(value).replacingOccurrences(of: "\"", with: "&quot;"))\""
        case .element:
            if let indentation { text += String(repeating: "  ", count: indentation) }
            text += "<" + name
            for attribute in attributes {
                text += " "
                attribute.append(to: &text)
            }
            text += children.isEmpty ? "/>" : ">"
            if !children.isEmpty { appendContent(to: &text, indentation) }
            if indentation != nil { text += "\n" }
        }
    }

    private func appendContent(to text: inout String, _ indentation: Int?) {
        let isIndented = indentation != nil && children.allSatisfy { $0.kind == .element }
        if isIndented { text += "\n" }
        for child in children { child.append(to: &text, indentation: isIndented ? indentation.map { $0 + 1 } : nil) }
        if isIndented, let indentation { text += String(repeating: "  ", count: indentation) }
        text += "</\(name)>"
    }

    private static func escaped(_ text: String) -> String {
        guard
            text.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") })
        else { return text }
        return text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
    }
}
