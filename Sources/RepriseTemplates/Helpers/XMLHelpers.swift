// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(FoundationXML)
    internal import FoundationXML
#endif

/// XML in templates.
enum XMLHelpers {
    static let table: [String: TemplateHelper] = [
        "xPath": .value { (call) throws(TemplateFailure) in try xPath(call, isSOAP: false) },
        "soapXPath": .value { (call) throws(TemplateFailure) in try xPath(call, isSOAP: true) },
        "formatXml": .value(formatXML),
    ]

    @Sendable private static func formatXML(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        var xml = call.isBlock ? try call.contentText() ?? "" : ""
        if !call.isBlock, !call.subject.isNull { xml = try call.text(call.subject) }
        #if os(macOS) || canImport(FoundationXML)
            guard let document = try document(xml, call, preservesSpace: false) else {
                return .string("[ERROR: Input is not valid XML]")
            }
            let isCompact = try call.optionText("format")?.lowercased() == "compact"
            return .string(document.xmlString(options: isCompact ? [] : .nodePrettyPrint))
        #else
            return .string("[ERROR: XML is not available on this platform]")
        #endif
    }

    #if os(macOS) || canImport(FoundationXML)
        /// Parses a document, or returns `nil` if it is not well-formed, or is a risk.
        private static func document(
            _ xml: String,
            _ call: HelperInvocation,
            preservesSpace: Bool
        ) throws(TemplateFailure) -> XMLDocument? {
            try call.renderer.charge(xml.utf8.count / 16)
            // Entities could read files, or expand without bounds.
            guard !xml.contains("<!DOCTYPE"), !xml.contains("<!ENTITY"), xml.utf8.contains(UInt8(ascii: "<")),
                depth(of: xml) <= 256,
                // The document alone accepts text that is not well-formed.
                isWellFormed(xml)
            else { return nil }
            return try? XMLDocument(xmlString: xml, options: preservesSpace ? .nodePreserveWhitespace : [])
        }
    #endif

    private static func xPath(_ call: HelperInvocation, isSOAP: Bool) throws(TemplateFailure) -> TemplateValue {
        let xml = call.subject.isNull ? "" : try call.text(call.subject)
        guard !call.parameter(0).isNull, case let path = try call.text(call.parameter(0)), !path.isEmpty else {
            return .string("[ERROR: The XPath expression cannot be empty]")
        }
        #if os(macOS) || canImport(FoundationXML)
            guard !xml.contains("<!DOCTYPE") else {
                return .string("[ERROR: XML with a document type declaration is not supported]")
            }
            guard let document = try document(xml, call, preservesSpace: true) else {
                return .string("[ERROR: \(xml) is not valid XML]")
            }
            guard let expression = SimpleXPath(isSOAP ? "/Envelope/Body" + path : path) else {
                return .string("[ERROR: \(path) is not a valid XPath expression]")
            }
            guard let nodes = expression.nodes(from: document, ignoresPrefixes: isSOAP) else {
                throw TemplateFailure("expected an XPath that visits fewer nodes; make the path more specific")
            }
            return nodes.isEmpty ? .null : .xml(nodes.map { TemplateXML($0) })
        #else
            return .string("[ERROR: XPath is not available on this platform]")
        #endif
    }

    #if os(macOS) || canImport(FoundationXML)
        private static func isWellFormed(_ xml: String) -> Bool {
            let parser = XMLParser(data: Data(xml.utf8))
            guard parser.parse() else { return false }
            // From 97 on, the codes are warnings, and errors of namespaces.
            return (parser.parserError as NSError?).map { $0.code >= 97 } ?? true
        }
    #endif

    /// The greatest number of open elements, roughly, so that no document exhausts the stack.
    private static func depth(of xml: String) -> Int {
        var depth = 0
        var maximum = 0
        var previous: UInt8 = 0
        for byte in xml.utf8 {
            if previous == UInt8(ascii: "<") {
                if byte == UInt8(ascii: "/") { depth -= 1 } else if byte != UInt8(ascii: "!") { depth += 1 }
                maximum = max(maximum, depth)
            } else if previous == UInt8(ascii: "/"), byte == UInt8(ascii: ">") {
                depth -= 1
            }
            previous = byte
        }
        return maximum
    }
}

#if os(macOS) || canImport(FoundationXML)
    extension TemplateXML {
        convenience init(_ node: XMLNode) {
            let element = node as? XMLElement
            let content = node.stringValue ?? ""
            self.init(
                name: node.name ?? "",
                text: element == nil ? content : node.xmlString + "\n",
                content: content,
                attributes: (element?.attributes ?? []).map {
                    TemplateValue.Entry($0.name ?? "", .string($0.stringValue ?? ""))
                }
            )
        }
    }
#endif
