// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// Editing of lists and JSON, as in version 3 of WireMock.
enum EditingHelpers {
    static let table: [ExactText: TemplateHelper] = [
        "val": .value(val),
        "arrayAdd": .value { (call) throws(TemplateFailure) in try edit(call, adds: true) },
        "arrayRemove": .value { (call) throws(TemplateFailure) in try edit(call, adds: false) },
        "arrayJoin": .value(join),
        "toJson": .value { (call) throws(TemplateFailure) in
            guard !call.subject.isNull else { return .string("") }
            return .string(indented(call.renderer.tree(of: call.subject), keepsNulls: false))
        },
        "formatJson": .value(formatJSON),
        "jsonMerge": .value(merge),
        "jsonRemove": .value(remove),
        "jsonArrayAdd": .value(append),
    ]

    /// Returns the subject, or `or` if it is nothing; with `assign`, stores it.
    @Sendable private static func val(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        var value = call.arguments.first ?? .null
        if let content = try call.contentText() { value = .string(content) }
        if value.isNull { value = try call.option("or", or: try call.option("default", or: .null)) }
        guard let name = try call.optionText("assign") else { return value }
        call.renderer.variables[name] = value
        return .null
    }

    private static func edit(_ call: HelperInvocation, adds: Bool) throws(TemplateFailure) -> TemplateValue {
        guard var elements = call.subject.elements else { return .string("[ERROR: Base value must be a list]") }
        try call.renderer.charge(elements.count)
        let end = adds ? elements.count : elements.count - 1
        let position: Int
        switch try call.option("position") {
        case nil, .string("end")?: position = end
        case .string("start")?: position = 0
        case let value?: position = try NumberHelpers.integer(value, call)
        }
        guard position >= 0, position <= max(end, 0) else {
            return .string(
                "[ERROR: position must be greater than or equal to 0 and less than or equal to \(max(end, 0))]"
            )
        }
        if adds {
            var value = call.parameter(0)
            if let content = try call.contentText() { value = .string(content) }
            guard !value.isNull else {
                return .string("[ERROR: Missing required parameter: additional value to add to list]")
            }
            elements.insert(value, at: position)
        } else if !elements.isEmpty {
            elements.remove(at: position)
        }
        return .array(elements)
    }

    @Sendable private static func join(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        guard case .string(let separator) = call.subject else {
            return .string("[ERROR: Separator parameter must be a String]")
        }
        // Several arguments are the elements themselves.
        let listed = call.arguments.count > 2 ? Array(call.parameters) : nil
        guard let elements = call.parameter(0).elements ?? listed else {
            return .string("[ERROR: The parameter must be list]")
        }
        return try call.joined(elements, separator) { element, index throws(TemplateFailure) in
            try text(of: element, index, elements.count, call)
        }
    }

    /// Returns the text of an element of a list, or of the block for it.
    private static func text(
        of element: TemplateValue,
        _ index: Int,
        _ count: Int,
        _ call: HelperInvocation
    ) throws(TemplateFailure) -> String {
        guard let block = call.call.block else { return try call.text(element) }
        var bytes: [UInt8] = []
        let iteration = TemplateRenderer.Iteration(key: .integer(index), index: index, isLast: index == count - 1)
        let scope = TemplateRenderer.Scope(
            value: element,
            names: block.parameters,
            values: [element],
            iteration: iteration
        )
        try call.renderContent(in: scope, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func indented(_ tree: JSONTree, keepsNulls: Bool = true) -> String {
        var bytes: [UInt8] = []
        tree.appendIndented(to: &bytes, as: .jsonSmart, keepsNulls: keepsNulls)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Sendable private static func formatJSON(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        guard let tree = try document(call.isBlock ? .string(call.contentText() ?? "") : call.subject, call) else {
            return .string("[ERROR: Input is not valid JSON]")
        }
        let isCompact = try call.optionText("format")?.lowercased() == "compact"
        return .string(isCompact ? String(decoding: tree.bytes, as: UTF8.self) : indented(tree))
    }

    private static func document(
        _ value: TemplateValue,
        _ call: HelperInvocation
    ) throws(TemplateFailure) -> JSONTree? {
        if let tree = value.tree { return tree }
        return value.isNull ? nil : call.renderer.json(try call.text(value))
    }

    /// Returns an argument of a helper that edits JSON.
    ///
    /// - Parameter name: What WireMock's complaints call it.
    private static func argument(
        _ value: TemplateValue,
        _ name: String,
        _ call: HelperInvocation
    ) throws(TemplateFailure) -> JSONTree {
        if let tree = value.tree { return tree }
        guard case .string(let text) = value else { throw .printed("\(name) must be a string") }
        guard let tree = call.renderer.json(text) else { throw .printed("\(name) is not valid JSON ('\(text)')") }
        return tree
    }

    /// Returns the content of the block, or the argument after the first.
    private static func second(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        try call.contentText().map { .string($0) } ?? call.parameter(0)
    }

    private static func compact(_ tree: JSONTree) -> TemplateValue {
        .string(String(decoding: tree.bytes, as: UTF8.self))
    }

    @Sendable private static func merge(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        let base = try argument(call.subject, "Base JSON", call)
        guard case .object = base else {
            throw .printed("Base JSON is not a JSON object ('\(try call.text(call.subject))')")
        }
        let value = try second(call)
        let other = try argument(value, "JSON to merge", call)
        guard case .object = other else {
            throw .printed("JSON to merge is not a JSON object ('\(try call.text(value))')")
        }
        return compact(base.merged(with: other, removesNulls: try call.flag("removeNulls")))
    }

    @Sendable private static func remove(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        if case .string("null") = call.subject { return call.subject }
        guard call.arguments.count == 2 else {
            throw .printed("A single JSONPath expression parameter must be supplied")
        }
        guard case .string(let path) = call.parameter(0) else { throw .printed("JSONPath parameter must be a string") }
        let tree = try argument(call.subject, "Input JSON", call)
        var isFound = false
        let edited = try edit(tree, path, "JSONPath parameter", call) { _ in
            isFound = true
            return nil
        }
        guard let edited else {
            throw .printed("Delete operation cannot be applied to JSONPath expression ('\(path)')")
        }
        return isFound ? compact(edited) : call.subject
    }

    @Sendable private static func append(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        let tree = try argument(call.subject, "Base JSON", call)
        let added = try argument(try second(call), "Item-to-add JSON", call)
        let path = try call.optionText("jsonPath")
        var items = [added]
        if try call.flag("flatten"), case .array(let elements) = added { items = elements }
        var maximum: Int?
        if let value = try call.option("maxItems") {
            guard case .integer(let count) = value else { throw .printed("maxItems option must be an integer") }
            guard count >= 0 else { throw .printed("maxItems option integer must be positive") }
            maximum = count
        }
        var isArray = false
        let edited = try edit(tree, path ?? "$", "jsonPath option", call) { target in
            guard case .array(let elements) = target else { return target }
            isArray = true
            let all = elements + items
            return .array(maximum.map { Array(all.suffix($0)) } ?? all)
        }
        guard isArray, let edited else {
            let found = "'\(try call.text(call.subject))'"
            throw .printed(
                "Target JSON is not a JSON array (\(path.map { "root: \(found), jsonPath: '\($0)'" } ?? found))"
            )
        }
        return compact(edited)
    }

    /// Returns a tree after an edit of what a path leads to, or `nil` if the tree itself is removed.
    private static func edit(
        _ tree: JSONTree,
        _ text: String,
        _ name: String,
        _ call: HelperInvocation,
        _ change: (JSONTree) -> JSONTree?
    ) throws(TemplateFailure) -> JSONTree? {
        guard let path = call.renderer.jsonPath(text), !path.hasFunction else {
            throw .printed("\(name) is not a valid JSONPath expression ('\(text)')")
        }
        let edited = path.editing(tree, budget: call.renderer.budget, matches: call.renderer.isMatch(_:_:), change)
        try call.renderer.charge(0)
        return edited
    }
}
