// SPDX-License-Identifier: Apache-2.0

import RepriseStubs
import RepriseText

/// `equalToXml`: the value is XML with the same elements, attributes, and texts.
///
/// Whitespace around text, comments, the order of attributes, and the order of elements with different names don't
/// matter.
struct EqualToXMLMatcher: Sendable {
    private let expected: XMLTree
    private let options: ValueMatcher.XMLOptions
    private let namespaces: Namespaces
    private let exempted: Set<XMLComparisonKind>
    private let placeholders: XMLPlaceholders?

    /// How names with namespaces are compared.
    private enum Namespaces: String, CaseIterable {
        /// By local name and namespace.
        case strict = "STRICT"
        /// Elements by local name, and by namespace if the expected element has one without a prefix; attributes as
        /// written.
        case legacy = "LEGACY"
        /// As written; declarations are attributes.
        case none = "NONE"
    }

    init(
        _ text: String,
        _ options: ValueMatcher.XMLOptions,
        at pointer: StubPointer,
        _ findings: inout CompiledMatcher.Findings
    ) throws(StubMatcherProblem) {
        guard let tree = XMLReader.read(Array(text.utf8)[...]) else {
            throw pointer.member("equalToXml").problem(
                "expected XML without entities, found \"\(clipped(text, to: 200))\"; correct it"
            )
        }
        expected = tree
        self.options = options
        guard let namespaces = Namespaces(rawValue: options.namespaceAwareness ?? "LEGACY") else {
            throw pointer.member("namespaceAwareness").problem(
                "expected STRICT, LEGACY, or NONE, found \"\(options.namespaceAwareness ?? "")\"; use one of these"
            )
        }
        self.namespaces = namespaces
        var exempted: Set<XMLComparisonKind> = []
        for (index, name) in options.exemptedComparisons.enumerated() {
            guard let kind = XMLComparisonKind(rawValue: name) else {
                throw pointer.member("exemptedComparisons").element(index).problem(
                    "expected a kind of comparison such as NAMESPACE_URI, found \"\(name)\"; use one of "
                        + XMLComparisonKind.allCases.map(\.rawValue).joined(separator: ", ")
                )
            }
            exempted.insert(kind)
        }
        self.exempted = exempted
        placeholders =
            options.enablesPlaceholders ? try XMLPlaceholders(options, in: tree, at: pointer, &findings) : nil
    }

    func matches(_ value: ArraySlice<UInt8>, budget: StepBudget) -> Bool { distance(value, budget: budget) == 0 }

    /// Returns the part of the comparisons that differ.
    func distance(_ value: ArraySlice<UInt8>, budget: StepBudget) -> Double {
        guard value.count <= StubRequestFacts.maximumParsedSize,
            budget.take(value.count, units: value.count * XMLReader.unitsPerByte),
            let actual = XMLReader.read(value)
        else { return 1 }
        var comparison = Comparison(matcher: self, actual: actual, budget: budget)
        comparison.compare(expected.root, actual.root)
        return comparison.differences == 0
            ? 0 : min(1, Double(comparison.differences) / Double(max(1, comparison.count)))
    }

    /// One comparison of two documents.
    private struct Comparison {
        let matcher: EqualToXMLMatcher
        let actual: XMLTree
        let budget: StepBudget
        var count = 0
        var differences = 0

        private var expected: XMLTree { matcher.expected }
        /// The units of work for an element without its children; see ``StepBudget/work(_:)``.
        private static let unitsPerElement = 200

        private mutating func check(_ kind: XMLComparisonKind, _ isEqual: Bool) {
            guard !matcher.exempted.contains(kind) else { return }
            count += 1
            if !isEqual { differences += 1 }
        }

        /// Compares two elements. The reader limits the depth of the recursion.
        mutating func compare(_ left: Int, _ right: Int) {
            guard budget.work(Self.unitsPerElement) else {
                differences += 1
                return
            }
            let (one, other) = (expected.nodes[left], actual.nodes[right])
            check(.elementTagName, name(one.name) == name(other.name))
            switch matcher.namespaces {
            case .strict: check(.namespaceURI, one.name.uri == other.name.uri)
            case .legacy where one.name.prefix.isEmpty && !one.name.uri.isEmpty:
                check(.namespaceURI, other.name.prefix.isEmpty && one.name.uri == other.name.uri)
            case .legacy, .none: break
            }
            compareAttributes(one, other)
            compareChildren(left, right)
        }

        private func name(_ name: XMLTree.Name) -> String {
            matcher.namespaces == .none ? name.qualified : name.local
        }

        private func key(_ name: XMLTree.Name) -> String {
            matcher.namespaces == .strict ? "\(name.uri) \(name.local)" : name.qualified
        }

        private func attributes(_ node: XMLTree.Node) -> [ExactText: String] {
            var attributes: [ExactText: String] = [:]
            for attribute in node.attributes { attributes[key(attribute.name)] = attribute.value }
            if matcher.namespaces == .none {
                for declaration in node.declarations {
                    attributes["xmlns:\(declaration.name.local)"] = declaration.value
                }
            }
            return attributes
        }

        private mutating func compareAttributes(_ left: XMLTree.Node, _ right: XMLTree.Node) {
            let (one, other) = (attributes(left), attributes(right))
            let required = one.filter { other[$0.key] != nil || !isOptional($0.value) }
            check(.elementNumAttributes, required.count == other.count)
            for (name, value) in required {
                if let found = other[name] {
                    check(.attributeValue, isEqual(value, found))
                } else {
                    check(.attributeNameLookup, false)
                }
            }
        }

        private mutating func compareChildren(_ left: Int, _ right: Int) {
            let one = Children(expected, left, ignoresOrder: matcher.options.ignoresOrderOfSameNode)
            let other = Children(actual, right, ignoresOrder: matcher.options.ignoresOrderOfSameNode)
            // The placeholder stands for one text node or element, or for none.
            if one.elements.isEmpty, one.texts.count == 1, isOptional(one.texts[0]),
                other.elements.count + other.texts.count <= 1
            {
                return
            }
            let isSameCount = one.elements.count == other.elements.count && one.texts.count == other.texts.count
            check(.childNodeListLength, isSameCount && one.instructions.count == other.instructions.count)
            for (text, found) in zip(one.texts, other.texts) { check(.textValue, isEqual(text, found)) }
            for (instruction, found) in zip(one.instructions, other.instructions) {
                check(.instructionTarget, instruction.name == found.name)
                check(.instructionData, instruction.text == found.text)
            }
            if matcher.options.ignoresOrderOfSameNode {
                compareInAnyOrder(one.elements, other.elements)
            } else {
                for (element, found) in zip(one.elements, other.elements) { compare(element, found) }
            }
            for _ in 0..<max(0, one.elements.count - other.elements.count) { check(.childLookup, false) }
        }

        /// Pairs each element with the first remaining one that is equal, or else with the first remaining one.
        private mutating func compareInAnyOrder(_ left: [Int], _ right: [Int]) {
            var rest = right
            var unpaired: [Int] = []
            for element in left {
                let found = rest.firstIndex { candidate in
                    var trial = Comparison(matcher: matcher, actual: actual, budget: budget)
                    guard budget.take(1) else { return false }
                    trial.compare(element, candidate)
                    return trial.differences == 0
                }
                if let found { rest.remove(at: found) } else { unpaired.append(element) }
                count += 1
            }
            for (element, found) in zip(unpaired, rest) { compare(element, found) }
        }

        private func isEqual(_ expected: String, _ found: String) -> Bool {
            let (expected, found) = (expected.trimmedXML, found.trimmedXML)
            if let placeholder = matcher.placeholders?[expected] {
                return placeholder.accepts(found, budget: budget)
            }
            return expected == found
        }

        private func isOptional(_ expected: String) -> Bool {
            if case .ignore? = matcher.placeholders?[expected.trimmedXML] { true } else { false }
        }
    }

    /// The children of an element that are compared.
    private struct Children {
        /// The elements. Those with different names are in the order of their names.
        var elements: [Int] = []
        /// The texts without the whitespace around them.
        var texts: [String] = []
        var instructions: [XMLTree.Node] = []

        init(_ tree: XMLTree, _ parent: Int, ignoresOrder: Bool) {
            var isAfterText = false
            for child in tree.nodes[parent].children {
                switch tree.nodes[child].kind {
                case .comment: break
                case .element:
                    elements.append(child)
                    isAfterText = false
                case .instruction: instructions.append(tree.nodes[child])
                case .text:
                    let text = tree.nodes[child].text.trimmedXML
                    guard !text.isEmpty else { continue }
                    // A comment does not split a text.
                    if isAfterText { texts[texts.count - 1] += text } else { texts.append(text) }
                    isAfterText = true
                }
            }
            elements = elements.enumerated().sorted {
                let (left, right) = (tree.nodes[$0.element].name.local, tree.nodes[$1.element].name.local)
                return left == right ? $0.offset < $1.offset : left < right
            }.map(\.element)
        }
    }
}

extension String {
    /// The text without the XML whitespace around it.
    var trimmedXML: String {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        guard let first = utf8.first, let last = utf8.last, isBlank(first) || isBlank(last) else { return self }
        let bytes = Array(utf8)
        let start = bytes.firstIndex { !isBlank($0) } ?? bytes.count
        let end = (bytes.lastIndex { !isBlank($0) } ?? -1) + 1
        return start < end ? String(decoding: bytes[start..<end], as: UTF8.self) : ""
    }
}
