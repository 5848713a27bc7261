// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseQueries
internal import RepriseText

/// XML in templates.
enum XMLHelpers {
    static let table: [ExactText: TemplateHelper] = [
        "xPath": .value { (call) throws(TemplateFailure) in try xPath(call, isSOAP: false) },
        "soapXPath": .value { (call) throws(TemplateFailure) in try xPath(call, isSOAP: true) },
        "formatXml": .value(formatXML),
    ]

    private static func xPath(_ call: HelperInvocation, isSOAP: Bool) throws(TemplateFailure) -> TemplateValue {
        let xml = call.subject.isNull ? "null" : try call.text(call.subject)
        guard !call.parameter(0).isNull, case let path = try call.text(call.parameter(0)) else {
            return .string("[ERROR: The XPath expression cannot be empty]")
        }
        guard let document = try document(xml, call) else { return .string("[ERROR: \(xml) is not valid XML]") }
        let invalid = TemplateValue.string("[ERROR: \(path) is not a valid XPath expression]")
        guard
            let expression = try? XPathParser.parse(
                isSOAP ? "/Envelope/Body" + path : path,
                namespaces: nil,
                comparesPrefixes: true
            )
        else { return invalid }
        let evaluation = XPathEvaluation(document, budget: call.renderer.budget)
        let nodes = evaluation.nodes(expression)
        try call.renderer.charge(0)
        guard let nodes else { return invalid }
        var found: [TemplateXML] = []
        for node in nodes {
            try call.renderer.charge(0)
            let value = TemplateXML(node, evaluation)
            call.renderer.spend(value.text.utf8.count)
            found.append(value)
        }
        return found.isEmpty ? .null : .xml(found)
    }

    @Sendable private static func formatXML(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        var xml = call.isBlock ? try call.contentText() ?? "" : ""
        if !call.isBlock, !call.subject.isNull { xml = try call.text(call.subject) }
        guard let document = try document(xml, call) else { return .string("[ERROR: Input is not valid XML]") }
        let isCompact = try call.optionText("format")?.lowercased() == "compact"
        let parts = document.outermost.map { document.xml(of: $0, isIndented: !isCompact, keepsBlanks: false) }
        return .string(parts.joined(separator: isCompact ? "" : "\n") + (isCompact ? "" : "\n"))
    }

    /// Parses a document, or returns `nil` if it is not well-formed.
    private static func document(_ xml: String, _ call: HelperInvocation) throws(TemplateFailure) -> XMLTree? {
        try call.renderer.charge(xml.utf8.count / 16)
        return XMLReader.read(Array(xml.utf8)[...])
    }
}

extension TemplateXML {
    convenience init(_ node: XPathEvaluation.Node, _ evaluation: XPathEvaluation) {
        let tree = evaluation.tree
        let place = node.place < 0 ? tree.root : node.place
        let attribute = node.attribute < 0 ? nil : tree.nodes[place].attributes[node.attribute]
        let content = attribute?.value ?? tree.stringValue(of: place)
        let isElement = attribute == nil && tree.nodes[place].kind == .element
        let text =
            switch tree.nodes[place].kind {
            case .element where isElement: tree.xml(of: place, isIndented: true) + "\n"
            // As Java describes them.
            case .comment: "[#comment: \(content)]"
            case .instruction: "[\(tree.nodes[place].name.local): \(content)]"
            case .element, .text: content
            }
        self.init(
            name: evaluation.name(of: node)?.qualified ?? "",
            text: text,
            content: content,
            attributes: isElement
                ? tree.attributes(of: place).map { TemplateValue.Entry($0.name, .string($0.value)) } : []
        )
    }
}
