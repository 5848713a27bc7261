// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A node that `xPath` found.
package final class TemplateXML: Sendable {
    let name: String
    /// The text that the node prints: an element with its tags, or the value of an attribute or text node.
    let text: String
    /// The text inside.
    let content: String
    let attributes: [TemplateValue.Entry]

    init(name: String, text: String, content: String, attributes: [TemplateValue.Entry]) {
        self.name = name
        self.text = text
        self.content = content
        self.attributes = attributes
    }

    /// Returns a property of the node.
    func property(_ name: String) -> TemplateValue {
        switch name {
        case "name": .string(self.name)
        case "text": .string(content)
        case "attributes": .map(attributes)
        default: .null
        }
    }
}
