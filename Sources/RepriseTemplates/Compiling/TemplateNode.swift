// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A part of a compiled template.
indirect enum TemplateNode: Sendable {
    /// Text that is printed as it is.
    case text([UInt8])
    /// A tag that prints a value.
    case output(TemplateExpression, escapes: Bool)
    /// A block with its helper.
    case block(TemplateCall)
    /// A block without a helper: a loop, a condition, or a change of the scope, depending on the value.
    case section(TemplatePath, TemplateBlock)
}

/// A value of a tag.
indirect enum TemplateExpression: Sendable {
    case literal(TemplateValue)
    case path(TemplatePath)
    case call(TemplateCall)
}

/// A helper with its arguments.
struct TemplateCall: Sendable {
    let name: String
    let helper: TemplateHelper
    let arguments: [TemplateExpression]
    let options: [(name: String, value: TemplateExpression)]
    let block: TemplateBlock?
    /// The offset of the name in the template.
    let offset: Int
}

/// The content of a block.
struct TemplateBlock: Sendable {
    let parameters: [String]
    let content: [TemplateNode]
    /// What `{{else}}` begins. Empty if there is none.
    let inverse: [TemplateNode]
}

/// A name, with the parts that lead to it.
struct TemplatePath: Sendable {
    enum Head: Sendable, Hashable {
        /// `this` or `.`
        case this
        /// A name, which is looked up in the enclosing scopes too.
        case name
        /// A name after `this.` or `./`, which is looked up only in the scope.
        case local
        /// `@name`
        case data(String)
        /// `@root`
        case root
    }

    let head: Head
    /// How many scopes `../` leads up.
    let parents: Int
    let segments: [String]
    /// The path as it is written.
    let text: String
}
