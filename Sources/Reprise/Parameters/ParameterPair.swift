// SPDX-License-Identifier: Apache-2.0

/// A parameter before it is escaped.
struct ParameterPair: Sendable, Hashable {
    let name: String
    /// More than one, or none, if they are joined by commas.
    let values: [String]

    init(_ name: String, _ values: [String]) {
        self.name = name
        self.values = values
    }

    /// As it stands in a query or in a form. The commas between its values are not escaped, those within them are.
    func escaped(_ part: URLPart) -> String {
        "\(part.escape(name))=\(values.map { part.escape($0) }.joined(separator: ","))"
    }

    /// The value where nothing is escaped.
    var text: String { values.joined(separator: ",") }
}

extension [ParameterPair] {
    /// As they stand in a query or in a form.
    func escaped(_ part: URLPart) -> String {
        map { $0.escaped(part) }.joined(separator: "&")
    }

    /// The parameters that a value is, in its style.
    ///
    /// - Throws: ``ClientError/Code/invalidParameters`` if it has no names for them, or holds what none can be.
    init(_ node: ParameterNode, style: ParameterStyle) throws {
        self = []
        for (name, value) in try node.spelled(style.keys).objectEntries() {
            try add(value, as: name, style)
        }
    }

    private mutating func add(_ node: ParameterNode, as name: String, _ style: ParameterStyle) throws {
        switch node {
        case .null: break
        case .single(let value): append(ParameterPair(name, [try value.text(style, of: name)]))
        case .array(let elements): try add(elements, as: name, style)
        case .fields(let entries), .dictionary(let entries):
            for (key, value) in entries { try add(value, as: "\(name)[\(key)]", style) }
        }
    }

    private mutating func add(_ elements: [ParameterNode], as name: String, _ style: ParameterStyle) throws {
        var texts: [String] = []
        for (index, element) in elements.enumerated() {
            switch element {
            case .null: break
            case .single(let value): texts.append(try value.text(style, of: name))
            // By its number: what belongs together would fall apart otherwise.
            case .array, .fields, .dictionary: try add(element, as: "\(name)[\(index)]", style)
            }
        }
        switch style.arrays {
        case .repeated: append(contentsOf: texts.map { ParameterPair(name, [$0]) })
        case .brackets: append(contentsOf: texts.map { ParameterPair("\(name)[]", [$0]) })
        case .commas: if !texts.isEmpty { append(ParameterPair(name, texts)) }
        }
    }
}

extension ParameterNode {
    /// Its entries.
    ///
    /// - Throws: ``ClientError/Code/invalidParameters`` if it has none, being no object.
    func objectEntries() throws -> [(key: String, value: ParameterNode)] {
        guard let entries else {
            throw ClientError(
                .invalidParameters,
                "\(kind) has no names for parameters: expected an object at the top level"
            )
        }
        return entries
    }
}

extension ParameterScalar {
    fileprivate func text(_ style: ParameterStyle, of name: String) throws -> String {
        do {
            return try text(style)
        } catch {
            throw ClientError(parameter: name, error)
        }
    }
}

extension ClientError {
    /// What is wrong with a parameter.
    init(parameter name: String, _ error: any Error) {
        let why = (error as? ClientError)?.message ?? "\(error)"
        self.init(.invalidParameters, "the parameter \(name.debugDescription): \(why)", underlying: error)
    }
}
