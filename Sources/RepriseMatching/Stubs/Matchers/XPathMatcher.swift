// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseQueries
import RepriseStubs
import RepriseText

/// `matchesXPath`: the value is XML in which the expression finds nodes, and one of them satisfies the matcher, if any.
///
/// An expression whose result is a number, a string, or a Boolean finds nothing. Without declared prefixes, names are
/// compared without their namespaces.
struct XPathMatcher: ValueCondition {
    private let expression: XPathExpression
    private let isNamespaceAware: Bool
    private let inner: CompiledMatcher?

    /// Compiles an expression. Returns `nil` and adds a warning if it is not valid. As in WireMock, no value matches
    /// it.
    init?(
        _ text: String,
        _ namespaces: [ValueMatcher.XMLNamespace],
        _ inner: CompiledMatcher?,
        at place: StubPointer,
        _ findings: inout CompiledMatcher.Findings
    ) {
        var uris: [ExactText: String] = [:]
        for namespace in namespaces { uris[namespace.prefix] = namespace.uri }
        isNamespaceAware = !namespaces.isEmpty
        self.inner = inner
        do {
            expression = try XPathParser.parse(text, namespaces: namespaces.isEmpty ? nil : uris)
        } catch {
            let problem =
                if let feature = error.unsupported {
                    """
                    expected a supported XPath 1.0 expression, found "\(text)" with \(feature); select the nodes \
                    without it
                    """
                } else {
                    """
                    expected an XPath 1.0 expression, found "\(text)", which is not valid; correct it, and declare its \
                    prefixes in "xPathNamespaces"
                    """
                }
            findings.warnings.append(place.problem(problem))
            return nil
        }
        guard expression.findsNodes else {
            findings.warnings.append(
                place.problem(
                    """
                    expected an expression that finds nodes, found "\(text)", whose result is a number, a text, or a \
                    Boolean, which nothing matches; write it as a predicate, as in "/*[count(//a) = 2]"
                    """
                )
            )
            return nil
        }
    }

    var cost: Int { 4 }

    func matches(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool { distance(bytes, value) == 0 }

    func distance(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Double {
        let budget = value.facts.budget
        guard bytes.count <= DecodedRequest.maximumParsedSize,
            budget.take(bytes.count, units: bytes.count * XMLReader.unitsPerByte),
            let tree = XMLReader.read(bytes, isNamespaceAware: isNamespaceAware)
        else { return 1 }
        let evaluation = XPathEvaluation(tree, budget: budget)
        guard let nodes = evaluation.nodes(expression), !nodes.isEmpty else { return 1 }
        guard let inner else { return 0 }
        var nearest = 1.0
        for node in nodes {
            let text = Array(Self.text(of: node, evaluation).utf8)[...]
            guard budget.take(text.count + 1) else { return 1 }
            nearest = min(nearest, inner.distance(MatchedValue(text, in: value.facts)))
            if nearest == 0 { return 0 }
        }
        return nearest
    }

    /// Returns the value of a text or an attribute, or the XML of any other node.
    private static func text(of node: XPathEvaluation.Node, _ evaluation: XPathEvaluation) -> String {
        let place = node.place < 0 ? evaluation.tree.root : node.place
        let isValue = node.attribute >= 0 || evaluation.tree.nodes[place].kind == .text
        return isValue ? evaluation.text(of: node) : evaluation.tree.xml(of: place)
    }
}
