// SPDX-License-Identifier: Apache-2.0

/// An XML document (XML 1.0, Namespaces in XML 1.0) as a tree. Comments, processing instructions outside elements,
/// and the document type are left out.
package struct XMLTree: Sendable, Hashable {
    /// The elements and texts in document order. The first is the root element.
    package private(set) var nodes: [Node] = []

    /// A node, with the nodes around it by their place in ``XMLTree/nodes``.
    package struct Node: Sendable, Hashable {
        package var kind: Kind
        package var parent: Int?
        package var children: [Int] = []
        /// The name of an element as written, or the target of a processing instruction.
        package var name = Name()
        /// The attributes of an element, in order. Declarations of namespaces are in ``declarations``.
        package var attributes: [Attribute] = []
        /// The declarations of namespaces of an element: prefix and URI.
        package var declarations: [Attribute] = []
        /// The content of a text node, a comment, or a processing instruction.
        package var text = ""
    }

    /// The kinds of nodes.
    package enum Kind: Sendable, Hashable {
        case element
        case text
        case comment
        case instruction
    }

    /// A name with the URI of its namespace.
    package struct Name: Sendable, Hashable {
        package var prefix = ""
        package var local = ""
        /// Empty if the name is in no namespace.
        package var uri = ""

        /// The name as written.
        package var qualified: String { prefix.isEmpty ? local : "\(prefix):\(local)" }
    }

    /// An attribute of an element.
    package struct Attribute: Sendable, Hashable {
        package var name: Name
        package var value: String
    }

    /// The place of the root element.
    package var root: Int { 0 }

    /// Adds a node at the end of its parent and returns its place.
    mutating func add(_ node: Node) -> Int {
        nodes.append(node)
        if let parent = node.parent { nodes[parent].children.append(nodes.count - 1) }
        return nodes.count - 1
    }

    /// Adds text after the last node, to that node if it is text of the same element.
    mutating func add(text: String, to parent: Int) {
        guard !text.isEmpty else { return }
        if let last = nodes[parent].children.last, nodes[last].kind == .text {
            nodes[last].text += text
        } else {
            _ = add(Node(kind: .text, parent: parent, text: text))
        }
    }

    /// Returns the text of a node and of everything in it.
    package func stringValue(of place: Int) -> String {
        switch nodes[place].kind {
        case .text, .comment, .instruction: return nodes[place].text
        case .element:
            var value = ""
            // Everything in an element directly follows it.
            var index = place + 1
            while index < nodes.count, isInside(index, place) {
                if nodes[index].kind == .text { value += nodes[index].text }
                index += 1
            }
            return value
        }
    }

    /// Whether the node at `index`, which follows `place`, is in the element at `place`.
    private func isInside(_ index: Int, _ place: Int) -> Bool {
        var ancestor = nodes[index].parent
        while let current = ancestor, current > place { ancestor = nodes[current].parent }
        return ancestor == place
    }

    /// Returns the XML of a node.
    package func xml(of place: Int) -> String {
        var text = ""
        append(place, to: &text)
        return text
    }

    /// The parser limits the depth of the recursion.
    private func append(_ place: Int, to text: inout String) {
        let node = nodes[place]
        switch node.kind {
        case .text: text += Self.escaped(node.text)
        case .comment: text += "<!--\(node.text)-->"
        case .instruction: text += "<?\(node.name.local) \(node.text)?>"
        case .element:
            text += "<" + node.name.qualified
            for declaration in node.declarations {
                text += declaration.name.local.isEmpty ? " xmlns" : " xmlns:\(declaration.name.local)"
                text += "=\"\(Self.escaped(declaration.value))\""
            }
            for attribute in node.attributes {
                text += " \(attribute.name.qualified)=\"\(Self.escaped(attribute.value))\""
            }
            text += node.children.isEmpty ? "/>" : ">"
            for child in node.children { append(child, to: &text) }
            if !node.children.isEmpty { text += "</\(node.name.qualified)>" }
        }
    }

    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { "&<>\"".utf8.contains($0) }) else { return text }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
