// SPDX-License-Identifier: Apache-2.0

import RepriseText

/// Evaluates expressions of XPath 1.0 in a document.
struct XPathEvaluation {
    let tree: XMLTree
    let budget: StepBudget

    /// A node, in document order.
    struct Node: Sendable, Hashable, Comparable {
        /// The place in ``XMLTree/nodes``, or -1 for the document.
        var place: Int
        /// The number of an attribute of the element, or -1 for the node itself.
        var attribute = -1

        static let document = Node(place: -1)

        static func < (left: Node, right: Node) -> Bool {
            (left.place, left.attribute) < (right.place, right.attribute)
        }
    }

    /// The value of an expression.
    enum Value: Sendable {
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

    init(_ tree: XMLTree, budget: StepBudget) {
        self.tree = tree
        self.budget = budget
    }

    /// The units of work in each step; see ``StepBudget/work(_:)``.
    static let unitsPerStep = 8

    func count(_ steps: Int = 1) throws(XPathError) {
        guard budget.take(steps, units: steps * Self.unitsPerStep) else { throw XPathError() }
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
        }
    }

    /// Returns the name of an element or an attribute.
    func name(of node: Node) -> XMLTree.Name? {
        guard node.place >= 0 else { return nil }
        let element = tree.nodes[node.place]
        guard node.attribute < 0 else { return element.attributes[node.attribute].name }
        return element.kind == .element || element.kind == .instruction ? element.name : nil
    }

    private func children(of node: Node) -> [Int] {
        guard node.attribute < 0 else { return [] }
        return node.place < 0 ? [tree.root] : tree.nodes[node.place].children
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
        case .namespace: found = []
        case .descendant: found = descendants(of: node)
        case .descendantOrSelf: found = [node] + descendants(of: node)
        case .ancestor: found = ancestors(of: node)
        case .ancestorOrSelf: found = [node] + ancestors(of: node)
        case .followingSibling: found = siblings(of: node).filter { $0 > node }
        case .precedingSibling: found = siblings(of: node).filter { $0 < node }.reversed()
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

    private func siblings(of node: Node) -> [Node] {
        guard node.attribute < 0, let parent = parent(of: node) else { return [] }
        return children(of: parent).map { Node(place: $0) }
    }
}
