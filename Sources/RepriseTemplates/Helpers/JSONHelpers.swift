// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// JSON in templates.
enum JSONHelpers {
    static let table: [ExactText: TemplateHelper] = [
        "jsonPath": .value(jsonPath),
        "parseJson": .value(parseJSON),
    ]

    /// Finds a value. As in WireMock, what is missing or null is an empty string, and in a list of results null.
    @Sendable private static func jsonPath(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        guard !call.arguments.isEmpty, !call.subject.isNull else {
            return try call.option(
                "default",
                or: .string(call.arguments.isEmpty ? "[ERROR: The JSONPath cannot be empty]" : "")
            )
        }
        guard !call.parameter(0).isNull else { return .string("[ERROR: The JSONPath cannot be empty]") }
        let text = try call.text(call.parameter(0))
        guard let path = call.renderer.jsonPath(text) else {
            return .string("[ERROR: \(text) is not a valid JSONPath expression]")
        }
        guard let document = try document(call) else { return try call.option("default", or: .string("")) }
        let result = path.evaluate(
            document,
            budget: call.renderer.budget,
            limit: .max,
            missingLeavesAreNull: true,
            matches: call.renderer.isMatch(_:_:)
        )
        try call.renderer.charge(0)
        guard let tree = result.tree, tree != .null else { return try call.option("default", or: .string("")) }
        return TemplateValue(tree, .result)
    }

    /// Returns the document of the call, or `nil` if it is not JSON.
    private static func document(_ call: HelperInvocation) throws(TemplateFailure) -> JSONTree? {
        if let tree = call.subject.tree { return tree }
        let text = try call.text(call.subject)
        return text.isEmpty ? nil : call.renderer.json(text)
    }

    @Sendable private static func parseJSON(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        let content = try call.contentText()
        guard call.isBlock || !call.arguments.isEmpty else { throw .printed("Missing required JSON string parameter") }
        let argument = call.subject.isNull ? "" : try call.text(call.subject)
        let text = content ?? argument
        // As in WireMock, an empty object is printed, and not stored.
        let visible = text.utf8.lazy.filter { $0 > 0x20 }
        if visible.isEmpty || visible.elementsEqual("{}".utf8) { return .json(.object([]), .plain) }
        guard let tree = call.renderer.json(text) else {
            throw call.failure(expected: "a JSON text", found: .string(text), "check its syntax")
        }
        let name: TemplateValue = call.isBlock ? (call.arguments.first ?? .null) : call.parameter(0)
        return try EncodingHelpers.store(TemplateValue(tree, .plain), as: name, call)
    }
}

extension TemplateRenderer {
    /// Returns the compiled path, or `nil` if it is invalid.
    func jsonPath(_ text: String) -> JSONPath? { prepared.jsonPaths[text] ?? (try? JSONPath(text)) }

    /// Whether a regular expression of a path matches a whole text.
    func isMatch(_ pattern: String, _ text: String) -> Bool { (try? matches(pattern, text)) == true }

    /// Returns a value as JSON. A part of the request that is a map becomes an object.
    func tree(of value: TemplateValue) -> JSONTree {
        guard case .model = value, let members = members(of: value) else { return value.jsonTree }
        spend(members.count * 4)
        return .object(members.map { JSONTree.Member($0.name, tree(of: $0.value)) })
    }

    /// Parses a text, or returns the tree of the last parsing.
    func json(_ text: String) -> JSONTree? {
        if let parsedJSON, parsedJSON.text == text { return parsedJSON.tree }
        spend(text.utf8.count * 8)
        let tree = try? JSONTree(parsing: Array(text.utf8))
        parsedJSON = (text, tree)
        return tree
    }
}

extension TemplateValue {
    /// The value as JSON, if it is a list or a map. Other values are read as a text.
    var tree: JSONTree? {
        switch self {
        case .json(let tree, _): tree
        case .array, .map, .values: jsonTree
        default: nil
        }
    }

    var jsonTree: JSONTree {
        switch self {
        case .null, .model, .xml, .date: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .number(JSONNumber(value))
        case .double(let value): JSONNumber(value.javaText).map { .number($0) } ?? .null
        case .number(let number): .number(number)
        case .string(let text), .opaque(let text): .string(text)
        case .path(_, let segments, _): .array(segments.map { .string($0) })
        case .values(let values): values.count == 1 ? .string(values[0]) : .array(values.map { .string($0) })
        case .array(let elements): .array(elements.map(\.jsonTree))
        case .map(let entries): .object(entries.map { JSONTree.Member($0.name, $0.value.jsonTree) })
        case .json(let tree, _): tree
        }
    }
}
