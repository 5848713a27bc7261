// SPDX-License-Identifier: Apache-2.0

/// A parameter before escaping.
struct ParameterPair: Sendable, Hashable {
    let name: String
    /// The values: exactly one, unless an array is written with commas.
    let values: [String]

    init(_ name: String, _ values: [String]) {
        self.name = name
        self.values = values
    }

    /// Returns the parameter escaped for a query or a form. Commas within values are escaped. The commas between them
    /// are not.
    func escaped(_ part: URLPart) -> String {
        "\(part.escape(name))=\(values.map { part.escape($0) }.joined(separator: ","))"
    }

    /// The value without escaping.
    var text: String { values.joined(separator: ",") }
}

extension [ParameterPair] {
    /// Returns the parameters escaped for a query or a form.
    func escaped(_ part: URLPart) -> String {
        map { $0.escaped(part) }.joined(separator: "&")
    }

    /// Creates the parameters for a value in the given style.
    ///
    /// - Throws: ``ClientError/Code/invalidParameters`` if the value is not an object, or contains a value that
    ///   cannot be a parameter.
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
            // Use the index as the name, so that the fields of one element stay together.
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
    /// Returns the entries of the object.
    ///
    /// - Throws: ``ClientError/Code/invalidParameters`` if the node is not an object.
    func objectEntries() throws -> [(key: String, value: ParameterNode)] {
        guard let entries else {
            throw ClientError(
                .invalidParameters,
                "expected an object with a name for each parameter, found \(kind)"
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
    init(parameter name: String, _ error: any Error) {
        let why = (error as? ClientError)?.message ?? "\(error)"
        self.init(.invalidParameters, "parameter \(name.debugDescription): \(why)", underlying: error)
    }
}
