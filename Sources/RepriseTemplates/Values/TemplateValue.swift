// SPDX-License-Identifier: Apache-2.0

package import RepriseDocuments
internal import RepriseText

/// A value that a template can print, compare, and iterate over.
package indirect enum TemplateValue: Sendable {
    /// Nothing: an unknown name, or JSON's `null`.
    case null
    case bool(Bool)
    case integer(Int)
    case double(Double)
    /// A number that prints as it is spelled.
    case number(JSONNumber)
    case string(String)
    /// Text that never equals a string, such as the method of a request in WireMock.
    case opaque(String)
    /// Values of a query parameter, a header field, or a cookie. It prints as its first value.
    case values([String])
    /// The path of a request. It prints as the decoded path, and its elements are its segments.
    case path(String, segments: [String], parameters: [Entry])
    case array([TemplateValue])
    case map([Entry])
    /// An array or an object of a JSON text.
    case json(JSONTree, JSONStyle)
    case date(TemplateDate)
    /// Nodes of a document, which print as the first node.
    case xml([TemplateXML])
    /// A part of the request model, which is looked up only when it is needed.
    case model(ModelPart)

    /// A member of a map.
    package struct Entry: Sendable {
        package let name: String
        package let value: TemplateValue

        package init(_ name: String, _ value: TemplateValue) {
            self.name = name
            self.value = value
        }
    }

    /// How an array or object of a JSON text is printed.
    package enum JSONStyle: Sendable {
        /// The result of `jsonPath`: an object is indented, without members that are null.
        case result
        /// A value inside such a result: an array is compact JSON, an object is `{name=value}`.
        case nested
        /// A value of `parseJson` or of the parameters: `[one, two]` and `{name=value}`.
        case plain
    }

    /// A part of the request model.
    package enum ModelPart: Sendable, Hashable {
        case root
        case request(isOriginal: Bool)
        case requestLine(isOriginal: Bool)
        case query(isOriginal: Bool)
        case headers(isOriginal: Bool)
        case cookies(isOriginal: Bool)
        case parts(isOriginal: Bool)
        case part(Int, isOriginal: Bool)
    }
}

extension TemplateValue {
    /// Creates the value of a JSON tree.
    package init(_ tree: JSONTree, _ style: JSONStyle) {
        switch tree {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .string(let value): self = .string(value)
        case .array, .object: self = .json(tree, style)
        case .number(let number):
            let isInteger = number.spelling.utf8.allSatisfy {
                $0 == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
            }
            if isInteger {
                self = Int(number.spelling).map { .integer($0) } ?? .number(number)
            } else {
                self = style == .plain || number.spelling.utf8.count > 18 ? .number(number) : .double(number.double)
            }
        }
    }

    /// Whether a condition treats the value as false: null, false, zero, or empty.
    var isEmpty: Bool {
        switch self {
        case .null: true
        case .bool(let value): !value
        case .integer(let value): value == 0
        case .double(let value): value == 0
        case .number(let value): value.double == 0
        case .string(let value): value.isEmpty
        case .values(let values): values.isEmpty
        case .path(_, let segments, _): segments.isEmpty
        case .array(let elements): elements.isEmpty
        case .xml(let nodes): nodes.isEmpty
        case .json(.array(let elements), _): elements.isEmpty
        case .json, .map, .opaque, .date, .model: false
        }
    }

    /// The work to look at the whole value once, in units of about 10 ns.
    var units: Int {
        switch self {
        case .null, .bool, .integer, .double, .number, .date, .model: 1
        case .string(let text), .opaque(let text): 1 + text.utf8.count / 2
        case .values(let values): 1 + values.count * 4
        case .path(let text, let segments, _): 1 + text.utf8.count / 2 + segments.count * 4
        case .array(let elements): 1 + elements.count * 4
        case .map(let entries): 1 + entries.count * 4
        case .json(.array(let elements), _): 1 + elements.count * 8
        case .json(.object(let members), _): 1 + members.count * 8
        case .json: 1
        case .xml(let nodes): 1 + nodes.count * 8
        }
    }

    var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The elements, if this is a list.
    var elements: [TemplateValue]? {
        switch self {
        case .values(let values): values.map { .string($0) }
        case .path(_, let segments, _): segments.map { .string($0) }
        case .array(let elements): elements
        case .xml(let nodes): nodes.map { .xml([$0]) }
        case .json(.array(let elements), let style): elements.map { TemplateValue($0, style.inside) }
        default: nil
        }
    }
}

extension TemplateValue.JSONStyle {
    var inside: Self { self == .plain ? .plain : .nested }
}
