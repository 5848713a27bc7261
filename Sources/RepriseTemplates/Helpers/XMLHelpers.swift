// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// XML in templates.
enum XMLHelpers {
    static let table: [ExactText: TemplateHelper] = [
        "xPath": .value { (call) throws(TemplateFailure) in try xPath(call, isSOAP: false) },
        "soapXPath": .value { (call) throws(TemplateFailure) in try xPath(call, isSOAP: true) },
        "formatXml": .value(formatXML),
    ]

    /// The units of work to visit a node; see ``TemplateMeter``.
    private static let unitsPerVisit = 20

    private static func xPath(_ call: HelperInvocation, isSOAP: Bool) throws(TemplateFailure) -> TemplateValue {
        let xml = call.subject.isNull ? "" : try call.text(call.subject)
        guard !call.parameter(0).isNull, case let path = try call.text(call.parameter(0)), !path.isEmpty else {
            return .string("[ERROR: The XPath expression cannot be empty]")
        }
        guard !xml.contains("<!DOCTYPE") else {
            return .string("[ERROR: XML with a document type declaration is not supported]")
        }
        guard let document = try document(xml, call) else { return .string("[ERROR: \(xml) is not valid XML]") }
        guard let expression = SimpleXPath(isSOAP ? "/Envelope/Body" + path : path) else {
            return .string("[ERROR: \(path) is not a valid XPath expression]")
        }
        let renderer = call.renderer
        let available = min(SimpleXPath.maximumVisits, renderer.meter.units / unitsPerVisit)
        var visits = available
        let nodes = expression.nodes(from: document, ignoresPrefixes: isSOAP, visits: &visits)
        let isInterrupted = nodes == nil && available < SimpleXPath.maximumVisits
        renderer.spend(isInterrupted ? .max : (available - max(0, visits)) * unitsPerVisit)
        guard let nodes else {
            throw TemplateFailure("expected an XPath that visits fewer nodes; make the path more specific")
        }
        var found: [TemplateXML] = []
        for node in nodes {
            try renderer.charge(0)
            let value = TemplateXML(node)
            renderer.spend(value.text.utf8.count)
            found.append(value)
        }
        return found.isEmpty ? .null : .xml(found)
    }

    @Sendable private static func formatXML(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        var xml = call.isBlock ? try call.contentText() ?? "" : ""
        if !call.isBlock, !call.subject.isNull { xml = try call.text(call.subject) }
        guard let document = try document(xml, call, keepsWhitespace: false) else {
            return .string("[ERROR: Input is not valid XML]")
        }
        let isCompact = try call.optionText("format")?.lowercased() == "compact"
        var text = ""
        document.append(to: &text, indentation: isCompact ? nil : 0)
        return .string(text)
    }

    /// Parses a document, or returns `nil` if it is invalid.
    private static func document(
        _ xml: String,
        _ call: HelperInvocation,
        keepsWhitespace: Bool = true
    ) throws(TemplateFailure) -> XMLTree? {
        try call.renderer.charge(xml.utf8.count / 16)
        return XMLTreeReader.document(xml, keepsWhitespace: keepsWhitespace)
    }
}

extension TemplateXML {
    convenience init(_ node: XMLTree) {
        var text = ""
        if node.kind == .element {
            node.append(to: &text)
            text += "\n"
        } else {
            text = node.content
        }
        self.init(
            name: node.name,
            text: text,
            content: node.content,
            attributes: node.attributes.map { TemplateValue.Entry($0.name, .string($0.value)) }
        )
    }
}
