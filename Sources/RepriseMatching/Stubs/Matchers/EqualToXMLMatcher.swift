// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseStubs
import RepriseText

/// `equalToXml`: the value is XML with the same elements, attributes, and texts.
///
/// Whitespace around text, comments, the order of attributes, and the order of elements with different names don't
/// matter.
struct EqualToXMLMatcher: ValueCondition {
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

    var cost: Int { 4 }

    func matches(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool { distance(bytes, value) == 0 }

    /// Returns the fraction of comparisons that differ.
    func distance(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Double {
        let budget = value.facts.budget
        guard bytes.count <= DecodedRequest.maximumParsedSize,
            budget.take(bytes.count, units: bytes.count * XMLReader.unitsPerByte),
            let actual = XMLReader.read(bytes)
        else { return 1 }
        let known = KnownChildren(expected, actual, ignoresOrder: options.ignoresOrderOfSameNode)
        var comparison = Comparison(matcher: self, actual: actual, budget: budget, known: known)
        comparison.compareDocuments()
        return comparison.differences == 0
            ? 0 : min(1, Double(comparison.differences) / Double(max(1, comparison.count)))
    }

    /// One comparison of two documents.
    private struct Comparison {
        let matcher: EqualToXMLMatcher
        let actual: XMLTree
        let budget: WorkBudget
        let known: KnownChildren
        /// Whether the comparison only finds out whether elements are equal. It takes steps, because each element can
        /// be compared with many others, and ends at the first difference.
        var isTrial = false
        var count = 0
        var differences = 0

        private var expected: XMLTree { matcher.expected }
        /// The units of work for an element or an attribute, and its steps in a trial; see ``WorkBudget``.
        private static let (unitsPerNode, stepsPerNode) = (150, 10)

        private mutating func check(_ kind: XMLComparisonKind, _ isEqual: Bool) {
            guard !matcher.exempted.contains(kind) else { return }
            count += 1
            if !isEqual { differences += 1 }
        }

        /// Compares the root elements, and the instructions around them.
        mutating func compareDocuments() {
            compare(expected.root, actual.root)
            let one = expected.outermost.map { expected.nodes[$0] }.filter { $0.kind == .instruction }
            let other = actual.outermost.map { actual.nodes[$0] }.filter { $0.kind == .instruction }
            if one.isEmpty, other.isEmpty { return }
            check(.childNodeListLength, one.count == other.count)
            compareInstructions(one, other)
        }

        /// Compares two elements. The reader limits the depth of the recursion.
        mutating func compare(_ left: Int, _ right: Int) {
            let (one, other) = (expected.nodes[left], actual.nodes[right])
            let nodes = 1 + (one.attributes.count + other.attributes.count) / 2
            let units = nodes * Self.unitsPerNode
            guard isTrial ? budget.take(nodes * Self.stepsPerNode, units: units) : budget.work(units) else {
                differences += 1
                return
            }
            check(.elementTagName, name(one.name) == name(other.name))
            switch matcher.namespaces {
            case .strict: check(.namespaceURI, one.name.uri == other.name.uri)
            case .legacy where one.name.prefix.isEmpty && !one.name.uri.isEmpty:
                check(.namespaceURI, other.name.prefix.isEmpty && one.name.uri == other.name.uri)
            case .legacy, .none: break
            }
            if !isDecided { compareAttributes(one, other) }
            if !isDecided { compareChildren(left, right) }
        }

        private var isDecided: Bool { isTrial && differences > 0 }

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
            let (one, other) = (known.ofExpected(left), known.ofActual(right))
            // The placeholder stands for one text node or element, or for none.
            if one.elements.isEmpty, one.texts.count == 1, isOptional(one.texts[0]),
                other.elements.count + other.texts.count <= 1
            {
                return
            }
            let isSameCount = one.elements.count == other.elements.count && one.texts.count == other.texts.count
            check(.childNodeListLength, isSameCount && one.instructions.count == other.instructions.count)
            for (text, found) in zip(one.texts, other.texts) { check(.textValue, isEqual(text, found)) }
            compareInstructions(one.instructions, other.instructions)
            if isDecided { return }
            if matcher.options.ignoresOrderOfSameNode {
                compareInAnyOrder(one.elements, other.elements)
            } else {
                for (element, found) in zip(one.elements, other.elements) where !isDecided { compare(element, found) }
            }
            let counts = [
                (one.elements.count, other.elements.count), (one.texts.count, other.texts.count),
                (one.instructions.count, other.instructions.count),
            ]
            let missing = counts.reduce(0) { $0 + max(0, $1.0 - $1.1) }
            for _ in 0..<missing { check(.childLookup, false) }
        }

        private mutating func compareInstructions(_ left: [XMLTree.Node], _ right: [XMLTree.Node]) {
            for (instruction, found) in zip(left, right) {
                check(.instructionTarget, instruction.name == found.name)
                check(.instructionData, instruction.text == found.text)
            }
        }

        /// Pairs each element with the first remaining one that is equal, or else with the first remaining one.
        private mutating func compareInAnyOrder(_ left: [Int], _ right: [Int]) {
            var rest = right
            var unpaired: [Int] = []
            let refusals = budget.refusals
            for element in left where !isDecided {
                let found = rest.firstIndex { candidate in
                    guard budget.refusals == refusals, !budget.isInterrupted else { return true }
                    var trial = Comparison(
                        matcher: matcher,
                        actual: actual,
                        budget: budget,
                        known: known,
                        isTrial: true
                    )
                    trial.compare(element, candidate)
                    return trial.differences == 0
                }
                guard budget.refusals == refusals, !budget.isInterrupted else {
                    differences += 1
                    return
                }
                if let found { rest.remove(at: found) } else { unpaired.append(element) }
                count += 1
                if isTrial { differences += unpaired.count }
            }
            for (element, found) in zip(unpaired, rest) where !isDecided { compare(element, found) }
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

    /// The children of the elements that were compared, because an element can be compared with many others.
    private final class KnownChildren {
        private let (expected, actual): (XMLTree, XMLTree)
        private let ignoresOrder: Bool
        private var (left, right): ([Int: Children], [Int: Children]) = ([:], [:])

        init(_ expected: XMLTree, _ actual: XMLTree, ignoresOrder: Bool) {
            (self.expected, self.actual) = (expected, actual)
            self.ignoresOrder = ignoresOrder
        }

        func ofExpected(_ place: Int) -> Children { Self.children(expected, place, ignoresOrder, &left) }

        func ofActual(_ place: Int) -> Children { Self.children(actual, place, ignoresOrder, &right) }

        private static func children(
            _ tree: XMLTree,
            _ place: Int,
            _ ignoresOrder: Bool,
            _ known: inout [Int: Children]
        ) -> Children {
            if let children = known[place] { return children }
            let children = Children(tree, place, ignoresOrder: ignoresOrder)
            if ignoresOrder { known[place] = children }
            return children
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
