// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

/// Evaluates expressions of XPath 1.0 in a document.
package final class XPathEvaluation {
    package let tree: XMLTree
    private let budget: WorkBudget

    /// A node, in document order.
    package struct Node: Sendable, Hashable, Comparable {
        /// The place in ``XMLTree/nodes``, or -1 for the document.
        package var place: Int
        /// The number of an attribute of the element, or -1 for the node itself.
        package var attribute = -1

        static let document = Node(place: -1)

        package static func < (left: Node, right: Node) -> Bool {
            (left.place, left.attribute) < (right.place, right.attribute)
        }
    }

    /// The value of an expression.
    package enum Value: Sendable {
        /// Nodes in document order.
        case nodes([Node])
        case number(Double)
        case text(String)
        case bool(Bool)
    }

    /// The node that an expression is evaluated for.
    struct Context {
        var node = Node.document
        var position = 1
        var size = 1
    }

    /// Prepares an evaluation, in which each node that is visited takes a step.
    package init(_ tree: XMLTree, budget: WorkBudget) {
        self.tree = tree
        self.budget = budget.part(steps: .max, unitsPerStep: 8)
    }

    /// Counts steps of work that is already done. If there are not enough, the next step throws.
    func spend(_ steps: Int) { _ = budget.take(steps) }

    func count(_ steps: Int = 1) throws(XPathError) {
        guard budget.take(steps) else { throw XPathError() }
    }

    /// Returns the nodes that an expression finds in the whole document, or `nil` if its value is not a set of nodes or
    /// if it needs too many steps.
    package func nodes(_ expression: XPathExpression) -> [Node]? {
        guard case .nodes(let nodes)? = try? value(expression, Context()), !budget.isSpent else { return nil }
        return nodes
    }

    /// Returns the value of an expression. The parser limits the depth of the recursion.
    func value(_ expression: XPathExpression, _ context: Context) throws(XPathError) -> Value {
        try count()
        switch expression {
        case .text(let text): return .text(text)
        case .number(let number): return .number(number)
        case .or(let left, let right):
            if bool(try value(left, context)) { return .bool(true) }
            return .bool(bool(try value(right, context)))
        case .and(let left, let right):
            if !bool(try value(left, context)) { return .bool(false) }
            return .bool(bool(try value(right, context)))
        case .comparison(let comparison, let left, let right):
            return .bool(try compare(comparison, try value(left, context), try value(right, context)))
        case .arithmetic(let operation, let left, let right):
            let (one, other) = (number(try value(left, context)), number(try value(right, context)))
            return .number(Self.calculate(operation, one, other))
        case .negated(let operand): return .number(-number(try value(operand, context)))
        case .union(let left, let right):
            return .nodes(ordered(try nodes(try value(left, context)) + nodes(try value(right, context))))
        case .path(let isAbsolute, let steps):
            return .nodes(try walk(steps, from: [isAbsolute ? .document : context.node]))
        case .filtered(let primary, let predicates, let steps):
            var found = try nodes(try value(primary, context))
            for predicate in predicates { found = try filter(found, predicate) }
            return .nodes(try walk(steps, from: found))
        case .call(let function, let arguments): return try call(function, arguments, context)
        }
    }

    private static func calculate(_ operation: XPathOperator, _ left: Double, _ right: Double) -> Double {
        switch operation {
        case .plus: left + right
        case .minus: left - right
        case .times: left * right
        case .divided: left / right
        case .remainder: left.truncatingRemainder(dividingBy: right)
        }
    }

    /// Returns the nodes of a value. Throws if the value is not a set of nodes.
    func nodes(_ value: Value) throws(XPathError) -> [Node] {
        guard case .nodes(let nodes) = value else { throw XPathError() }
        return nodes
    }

    private func ordered(_ nodes: [Node]) -> [Node] {
        var result: [Node] = []
        for node in nodes.sorted() where node != result.last { result.append(node) }
        return result
    }
}

// MARK: - Paths

extension XPathEvaluation {
    private func walk(_ steps: [XPathStep], from start: [Node]) throws(XPathError) -> [Node] {
        var nodes = start
        for step in steps {
            var found: [Node] = []
            for node in nodes {
                var selected: [Node] = []
                for candidate in try self.nodes(on: step.axis, of: node) where matches(candidate, step) {
                    selected.append(candidate)
                }
                for predicate in step.predicates { selected = try filter(selected, predicate) }
                found += selected
            }
            nodes = ordered(found)
        }
        return nodes
    }

    /// Returns the nodes, in the order of the axis, for which a predicate holds.
    private func filter(_ nodes: [Node], _ predicate: XPathExpression) throws(XPathError) -> [Node] {
        var result: [Node] = []
        for (index, node) in nodes.enumerated() {
            let context = Context(node: node, position: index + 1, size: nodes.count)
            let value = try value(predicate, context)
            let holds: Bool = if case .number(let number) = value { number == Double(index + 1) } else { bool(value) }
            if holds { result.append(node) }
        }
        return result
    }

    private func matches(_ node: Node, _ step: XPathStep) -> Bool {
        let kind = node.place >= 0 ? tree.nodes[node.place].kind : nil
        switch step.test {
        case .node: return true
        case .text: return node.attribute < 0 && kind == .text
        case .comment: return node.attribute < 0 && kind == .comment
        case .instruction(let target):
            return node.attribute < 0 && kind == .instruction
                && target.map { $0 == tree.nodes[node.place].name.local } ?? true
        case .name(let local, let uri):
            guard let name = name(of: node), step.axis == .attribute || (node.attribute < 0 && kind == .element) else {
                return false
            }
            return (local ?? name.local) == name.local && (uri ?? name.uri) == name.uri
        case .written(let written):
            return (node.attribute >= 0 || kind == .element) && name(of: node)?.qualified == written
        }
    }

    /// Returns the name of an element or an attribute.
    package func name(of node: Node) -> XMLTree.Name? {
        guard node.place >= 0 else { return nil }
        let element = tree.nodes[node.place]
        guard node.attribute < 0 else { return element.attributes[node.attribute].name }
        return element.kind == .element || element.kind == .instruction ? element.name : nil
    }

    private func children(of node: Node) -> [Int] {
        guard node.attribute < 0 else { return [] }
        return node.place < 0 ? tree.outermost : tree.nodes[node.place].children
    }

    private func parent(of node: Node) -> Node? {
        guard node.place >= 0 else { return nil }
        guard node.attribute < 0 else { return Node(place: node.place) }
        return Node(place: tree.nodes[node.place].parent ?? -1)
    }

    private func nodes(on axis: XPathAxis, of node: Node) throws(XPathError) -> [Node] {
        let found: [Node]
        switch axis {
        case .itself: found = [node]
        case .child: found = children(of: node).map { Node(place: $0) }
        case .parent: found = parent(of: node).map { [$0] } ?? []
        case .attribute:
            let isElement = node.place >= 0 && node.attribute < 0
            found =
                isElement
                ? tree.nodes[node.place].attributes.indices.map { Node(place: node.place, attribute: $0) } : []
        case .descendant: found = descendants(of: node)
        case .descendantOrSelf: found = [node] + descendants(of: node)
        case .ancestor: found = ancestors(of: node)
        case .ancestorOrSelf: found = [node] + ancestors(of: node)
        case .followingSibling: found = siblings(of: node, after: true)
        case .precedingSibling: found = siblings(of: node, after: false)
        case .following:
            let end = node.attribute < 0 ? self.end(of: node) : node.place + 1
            found = (end..<max(end, tree.nodes.count)).map { Node(place: $0) }
        case .preceding:
            let excluded = Set(ancestors(of: node))
            found = (0..<max(0, node.place)).reversed().map { Node(place: $0) }.filter { !excluded.contains($0) }
        }
        try count(found.count + 1)
        return found
    }

    /// Returns the place after the last node in `node`.
    func end(of node: Node) -> Int {
        var last = node.place
        var children = children(of: node)
        while let child = children.last {
            last = child
            children = tree.nodes[child].children
        }
        return last + 1
    }

    private func descendants(of node: Node) -> [Node] {
        guard node.attribute < 0 else { return [] }
        let first = node.place + 1
        return (first..<max(first, end(of: node))).map { Node(place: $0) }
    }

    private func ancestors(of node: Node) -> [Node] {
        var ancestors: [Node] = []
        var current = parent(of: node)
        while let ancestor = current {
            ancestors.append(ancestor)
            current = parent(of: ancestor)
        }
        return ancestors
    }

    /// Returns the siblings after a node, or those before it from the nearest one. The time is that of the result.
    private func siblings(of node: Node, after isAfter: Bool) -> [Node] {
        guard node.attribute < 0, let parent = parent(of: node) else { return [] }
        let all = children(of: parent)
        var (low, high) = (0, all.count)
        while low < high {
            let middle = (low + high) / 2
            if all[middle] < node.place { low = middle + 1 } else { high = middle }
        }
        return (isAfter ? Array(all[low...].dropFirst()) : all[..<low].reversed()).map { Node(place: $0) }
    }
}
