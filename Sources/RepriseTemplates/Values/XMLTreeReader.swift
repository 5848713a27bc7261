// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Reads an XML document (XML 1.0) for `xPath` and `formatXml`.
///
/// Foundation's parser on Linux leaks memory for each document that is not well-formed.
enum XMLTreeReader {
    /// Reads a document, or returns `nil` if it is not well-formed, is too deep, or declares entities.
    static func document(_ xml: String, keepsWhitespace: Bool = true) -> XMLTree? {
        guard let read = XMLReader.read(Array(xml.utf8)[...]) else { return nil }
        let document = XMLTree(.document)
        var elements: [Int: XMLTree] = [:]
        for (place, node) in read.nodes.enumerated() {
            let parent = node.parent.flatMap { elements[$0] } ?? document
            switch node.kind {
            case .element:
                let declarations = node.declarations.map { declaration in
                    let prefix = declaration.name.local
                    return XMLTree(
                        .attribute,
                        name: prefix.isEmpty ? "xmlns" : "xmlns:\(prefix)",
                        value: declaration.value
                    )
                }
                let attributes = node.attributes.map { XMLTree(.attribute, name: $0.name.qualified, value: $0.value) }
                let sorted = (declarations + attributes).sorted { $0.name < $1.name }
                let element = XMLTree(.element, name: node.name.qualified, attributes: sorted)
                parent.append(element)
                elements[place] = element
            case .text:
                guard keepsWhitespace || !node.text.allSatisfy({ " \t\n\r\r\n".contains($0) }) else { continue }
                if let last = parent.children.last, last.kind == .text {
                    last.value += node.text
                } else {
                    parent.append(XMLTree(.text, value: node.text))
                }
            case .comment, .instruction: continue
            }
        }
        return document
    }
}
