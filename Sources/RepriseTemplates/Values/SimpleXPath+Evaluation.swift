// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension SimpleXPath {
    /// The number of nodes that an expression may visit.
    static let maximumVisits = 200_000

    /// Returns the nodes, in the order of the document, or `nil` if there are too many to visit.
    ///
    /// - Parameters:
    ///   - ignoresPrefixes: Whether a name matches elements with a prefix too.
    ///   - visits: The number of nodes that may still be visited.
    func nodes(from start: XMLTree, ignoresPrefixes: Bool, visits: inout Int) -> [XMLTree]? {
        var nodes = [start]
        for step in steps {
            var next: [XMLTree] = []
            for node in nodes {
                let origins = step.isDeep ? descendants(of: node, &visits) : [node]
                for origin in origins {
                    let candidates = candidates(step.test, origin, ignoresPrefixes)
                    visits -= candidates.count + 1
                    guard visits > 0 else { return nil }
                    next += filtered(candidates, step.predicates, ignoresPrefixes)
                }
            }
            nodes = next
        }
        return nodes
    }

    private func descendants(of node: XMLTree, _ visits: inout Int) -> [XMLTree] {
        var found: [XMLTree] = []
        var pending = [node]
        while let next = pending.popLast(), visits > 0 {
            visits -= 1
            found.append(next)
            pending += next.children.filter { $0.kind == .element }.reversed()
        }
        return found
    }

    private func candidates(_ test: Test, _ node: XMLTree, _ ignoresPrefixes: Bool) -> [XMLTree] {
        switch test {
        case .name(let name): return elements(node).filter { has($0, name, ignoresPrefixes) }
        case .anyElement: return elements(node)
        case .attribute(let name): return attributes(node).filter { $0.name == name }
        case .anyAttribute: return attributes(node)
        case .text: return node.children.filter { $0.kind == .text }
        case .this: return [node]
        case .parent: return node.parent.map { [$0] } ?? []
        }
    }

    private func elements(_ node: XMLTree) -> [XMLTree] { node.children.filter { $0.kind == .element } }

    private func attributes(_ node: XMLTree) -> [XMLTree] { node.attributes }

    private func has(_ node: XMLTree, _ name: String, _ ignoresPrefixes: Bool) -> Bool {
        node.name == name || (ignoresPrefixes && Self.localName(node) == Self.localName(name))
    }

    private static func localName(_ node: XMLTree) -> String { localName(node.name) }

    private static func localName(_ name: String) -> String {
        name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    private func filtered(
        _ nodes: [XMLTree],
        _ predicates: [Predicate],
        _ ignoresPrefixes: Bool
    ) -> [XMLTree] {
        var nodes = nodes
        for predicate in predicates {
            switch predicate {
            case .position(let position):
                nodes = position > 0 && position <= nodes.count ? [nodes[position - 1]] : []
            case .last: nodes = nodes.last.map { [$0] } ?? []
            case .exists(let operand): nodes = nodes.filter { !values(operand, $0, ignoresPrefixes).isEmpty }
            case .equal(let operand, let text):
                nodes = nodes.filter { values(operand, $0, ignoresPrefixes).contains(text) }
            case .notEqual(let operand, let text):
                nodes = nodes.filter { values(operand, $0, ignoresPrefixes).contains { $0 != text } }
            case .contains(let operand, let text):
                nodes = nodes.filter { values(operand, $0, ignoresPrefixes).first?.contains(text) == true }
            case .startsWith(let operand, let text):
                nodes = nodes.filter { values(operand, $0, ignoresPrefixes).first?.hasPrefix(text) == true }
            }
        }
        return nodes
    }

    private func values(_ operand: Operand, _ node: XMLTree, _ ignoresPrefixes: Bool) -> [String] {
        switch operand {
        case .attribute(let name): attributes(node).filter { $0.name == name }.map { $0.content }
        case .child(let name): elements(node).filter { has($0, name, ignoresPrefixes) }.map { $0.content }
        case .text: node.children.filter { $0.kind == .text }.map { $0.content }
        case .content: [node.content]
        case .name: [node.name]
        case .localName: [Self.localName(node)]
        }
    }
}
