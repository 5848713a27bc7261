// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(FoundationXML)
    internal import FoundationXML
#endif

/// A node of an XML document. On Linux, Foundation's own document leaks its memory.
final class XMLTree {
    enum Kind { case document, element, attribute, text }

    let kind: Kind
    /// The name with its prefix.
    let name: String
    /// The value of an attribute or a text.
    fileprivate(set) var value: String
    /// The attributes, sorted by name, as in Java.
    let attributes: [XMLTree]
    fileprivate(set) var children: [XMLTree] = []
    private(set) weak var parent: XMLTree?

    init(_ kind: Kind, name: String = "", value: String = "", attributes: [XMLTree] = []) {
        self.kind = kind
        self.name = name
        self.value = value
        self.attributes = attributes
    }

    fileprivate func append(_ child: XMLTree) {
        child.parent = self
        children.append(child)
    }

    /// The text inside.
    var content: String {
        switch kind {
        case .attribute, .text: value
        case .document, .element: children.map(\.content).joined()
        }
    }

    /// Appends the node as XML.
    ///
    /// - Parameter indentation: The depth to indent the elements by, or `nil` to leave the whitespace.
    func append(to text: inout String, indentation: Int? = nil) {
        switch kind {
        case .document: for child in children { child.append(to: &text, indentation: indentation) }
        case .text: text += Self.escaped(value)
        case .attribute: text += "\(name)=\"\(Self.escaped(value).replacingOccurrences(of: "\"", with: "&quot;"))\""
        case .element:
            if let indentation { text += String(repeating: "  ", count: indentation) }
            text += "<" + name
            for attribute in attributes {
                text += " "
                attribute.append(to: &text)
            }
            text += children.isEmpty ? "/>" : ">"
            if !children.isEmpty { appendContent(to: &text, indentation) }
            if indentation != nil { text += "\n" }
        }
    }

    private func appendContent(to text: inout String, _ indentation: Int?) {
        let isIndented = indentation != nil && children.allSatisfy { $0.kind == .element }
        if isIndented { text += "\n" }
        for child in children { child.append(to: &text, indentation: isIndented ? indentation.map { $0 + 1 } : nil) }
        if isIndented, let indentation { text += String(repeating: "  ", count: indentation) }
        text += "</\(name)>"
    }

    private static func escaped(_ text: String) -> String {
        guard
            text.utf8.contains(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") })
        else { return text }
        return text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
    }
}

#if os(macOS) || canImport(FoundationXML)
    extension XMLTree {
        /// Parses a document, or returns `nil` if it is not well-formed, is too deep, or declares a document type,
        /// whose entities could read files, or expand without bounds.
        static func parse(_ xml: String, keepsWhitespace: Bool = true) -> XMLTree? {
            guard !xml.contains("<!DOCTYPE"), !xml.contains("<!ENTITY"), xml.utf8.contains(UInt8(ascii: "<")) else {
                return nil
            }
            let builder = XMLTreeBuilder(keepsWhitespace: keepsWhitespace)
            let parser = XMLParser(data: Data(xml.utf8))
            parser.delegate = builder
            guard parser.parse(), builder.isComplete else { return nil }
            // From 97 on, the codes are warnings, and errors of namespaces.
            guard (parser.parserError as NSError?).map({ $0.code >= 97 }) ?? true else { return nil }
            return builder.document
        }
    }

    /// Builds a tree from the events of a parser.
    private final class XMLTreeBuilder: NSObject, XMLParserDelegate {
        let document = XMLTree(.document)
        private var open: [XMLTree] = []
        private let keepsWhitespace: Bool

        private static let maximumDepth = 256

        init(keepsWhitespace: Bool) {
            self.keepsWhitespace = keepsWhitespace
        }

        /// Whether there is one root, and it is closed.
        var isComplete: Bool { open.isEmpty && document.children.count == 1 }

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            guard open.count < Self.maximumDepth else { return parser.abortParsing() }
            let sorted = attributes.sorted { $0.key < $1.key }.map {
                XMLTree(.attribute, name: $0.key, value: $0.value)
            }
            let element = XMLTree(.element, name: name, attributes: sorted)
            (open.last ?? document).append(element)
            open.append(element)
        }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            if !open.isEmpty { open.removeLast() }
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            guard let element = open.last else { return }
            guard keepsWhitespace || text.contains(where: { !$0.isWhitespace }) else { return }
            if let last = element.children.last, last.kind == .text {
                last.value += text
            } else {
                element.append(XMLTree(.text, value: text))
            }
        }

        func parser(_ parser: XMLParser, foundCDATA data: Data) {
            self.parser(parser, foundCharacters: String(decoding: data, as: UTF8.self))
        }
    }
#endif
