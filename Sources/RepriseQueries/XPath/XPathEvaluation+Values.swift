// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// Conversions and comparisons (XPath 1.0, sections 3.4 and 4).
extension XPathEvaluation {
    /// Returns the text of a node.
    package func text(of node: Node) -> String {
        if node.attribute >= 0 { return tree.nodes[node.place].attributes[node.attribute].value }
        let place = node.place < 0 ? tree.root : node.place
        let text = tree.stringValue(of: place)
        spend(end(of: Node(place: place)) - place + text.utf8.count / 16)
        return text
    }

    func text(_ value: Value) -> String {
        switch value {
        case .nodes(let nodes): nodes.first.map { text(of: $0) } ?? ""
        case .text(let text): text
        case .bool(let bool): bool ? "true" : "false"
        case .number(let number): Self.text(number)
        }
    }

    static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        return JSONNumber(shortest: number)?.positional ?? ""
    }

    func number(_ value: Value) -> Double {
        switch value {
        case .number(let number): number
        case .bool(let bool): bool ? 1 : 0
        case .nodes, .text: Self.number(text(value))
        }
    }

    /// Returns the number that a text spells: an optional minus sign, digits, and an optional fraction.
    static func number(_ text: String) -> Double {
        let text = text.trimmedXML
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let isPlain = digits.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") }
        guard isPlain, digits.utf8.contains(where: { $0 &- 0x30 < 10 }) else { return .nan }
        let padded = digits.hasPrefix(".") ? "0\(digits)" : String(digits)
        guard let value = Double(padded.hasSuffix(".") ? padded + "0" : padded) else { return .nan }
        return text.hasPrefix("-") ? -value : value
    }

    func bool(_ value: Value) -> Bool {
        switch value {
        case .nodes(let nodes): !nodes.isEmpty
        case .number(let number): number != 0 && !number.isNaN
        case .text(let text): !text.isEmpty
        case .bool(let bool): bool
        }
    }

    /// Compares two values. Of nodes, one pair that compares is enough.
    func compare(_ comparison: XPathComparison, _ left: Value, _ right: Value) throws(XPathError) -> Bool {
        switch (left, right) {
        case (.bool(let bool), _) where comparison == .equal || comparison == .notEqual:
            return (bool == self.bool(right)) == (comparison == .equal)
        case (_, .bool(let bool)) where comparison == .equal || comparison == .notEqual:
            return (bool == self.bool(left)) == (comparison == .equal)
        case (.nodes(let nodes), .nodes(let others)):
            let texts = others.map { text(of: $0) }
            for node in nodes {
                let text = text(of: node)
                for other in texts {
                    try count()
                    if Self.compares(comparison, .text(text), .text(other), self) { return true }
                }
            }
            return false
        case (.nodes(let nodes), _):
            for node in nodes {
                try count()
                if Self.compares(comparison, .text(text(of: node)), right, self) { return true }
            }
            return false
        case (_, .nodes): return try compare(comparison.mirrored, right, left)
        default: return Self.compares(comparison, left, right, self)
        }
    }

    private static func compares(
        _ comparison: XPathComparison,
        _ left: Value,
        _ right: Value,
        _ evaluation: XPathEvaluation
    ) -> Bool {
        if comparison == .equal || comparison == .notEqual, case .text(let one) = left, case .text(let other) = right {
            return (one == other) == (comparison == .equal)
        }
        let (one, other) = (evaluation.number(left), evaluation.number(right))
        return switch comparison {
        case .equal: one == other
        case .notEqual: one != other
        case .less: one < other
        case .lessOrEqual: one <= other
        case .greater: one > other
        case .greaterOrEqual: one >= other
        }
    }
}
