// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// An XML document (XML 1.0, Namespaces in XML 1.0) as a tree. The document type is left out.
package struct XMLTree: Sendable, Hashable {
    /// The nodes in document order.
    package private(set) var nodes: [Node] = []
    /// The places of the nodes that are in no element: the root element, and the comments and instructions around it.
    package private(set) var outermost: [Int] = []
    /// The place of the root element; `nil` while the reader has not reached it.
    private var rootPlace: Int?

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
    package var root: Int { rootPlace ?? 0 }
    /// Whether there is a root element.
    var hasRoot: Bool { rootPlace != nil }

    /// Adds a node at the end of its parent and returns its place.
    mutating func add(_ node: Node) -> Int {
        nodes.append(node)
        let place = nodes.count - 1
        if let parent = node.parent {
            nodes[parent].children.append(place)
        } else {
            outermost.append(place)
            if node.kind == .element { rootPlace = place }
        }
        return place
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
}
