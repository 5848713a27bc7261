// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// Editing of lists and JSON, as in version 3 of WireMock.
enum EditingHelpers {
    static let table: [ExactText: TemplateHelper] = [
        "val": .value(val),
        "arrayAdd": .value { (call) throws(TemplateFailure) in try edit(call, adds: true) },
        "arrayRemove": .value { (call) throws(TemplateFailure) in try edit(call, adds: false) },
        "arrayJoin": .value(join),
        "toJson": .value { (call) throws(TemplateFailure) in .string(indented(call.subject.jsonTree)) },
        "formatJson": .value(formatJSON),
        "jsonMerge": .value(merge),
        "jsonRemove": .value(remove),
        "jsonArrayAdd": .value(append),
    ]

    /// Returns the subject, or `or` if it is nothing; with `assign`, stores it.
    @Sendable private static func val(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        var value = call.arguments.first ?? .null
        if let content = try call.contentText() { value = .string(content) }
        if value.isNull { value = try call.option("or", or: .null) }
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
        guard let elements = call.parameter(0).elements else {
            return .string("[ERROR: The parameter must be list]")
        }
        var texts: [String] = []
        var size = 0
        for (index, element) in elements.enumerated() {
            texts.append(try text(of: element, index, elements.count, call))
            size += texts[index].utf8.count + separator.utf8.count
            try call.renderer.checkSize(size)
        }
        let joined = texts.joined(separator: separator)
        return .string((try call.optionText("prefix") ?? "") + joined + (try call.optionText("suffix") ?? ""))
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

    private static func indented(_ tree: JSONTree) -> String {
        var bytes: [UInt8] = []
        JavaJSON.appendIndented(tree, keepsNulls: true, to: &bytes)
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

    @Sendable private static func merge(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        let second = call.isBlock ? TemplateValue.string(try call.contentText() ?? "") : call.parameter(0)
        guard let base = try document(call.subject, call), case .object = base else {
            return .string("[ERROR: Base JSON must be an object]")
        }
        guard let other = try document(second, call), case .object = other else {
            return .string("[ERROR: JSON to merge must be an object]")
        }
        return .string(indented(merged(base, other, removesNulls: try call.flag("removeNulls"))))
    }

    private static func merged(_ base: JSONTree, _ other: JSONTree, removesNulls: Bool) -> JSONTree {
        guard case .object(var members) = base, case .object(let changes) = other else { return other }
        let places = Dictionary(members.enumerated().map { (ExactText($1.name), $0) }) { first, _ in first }
        var removed: Set<Int> = []
        for change in changes {
            let place = places[change.name]
            if removesNulls, change.value == .null {
                if let place { removed.insert(place) }
            } else if let place {
                members[place].value = merged(members[place].value, change.value, removesNulls: removesNulls)
            } else {
                members.append(change)
            }
        }
        if removed.isEmpty { return .object(members) }
        return .object(members.enumerated().filter { !removed.contains($0.offset) }.map(\.element))
    }

    @Sendable private static func remove(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        guard let tree = try document(call.subject, call) else { return .string("[ERROR: Input is not valid JSON]") }
        guard let path = DefinitePath(try call.text(call.parameter(0))) else {
            return .string("[ERROR: A definite JSONPath such as $.a[0].b is required]")
        }
        return .string(indented(path.edit(tree) { _ in nil } ?? .null))
    }

    @Sendable private static func append(_ call: HelperInvocation) throws(TemplateFailure) -> TemplateValue {
        guard let tree = try document(call.subject, call) else { return .string("[ERROR: Input is not valid JSON]") }
        let item = call.isBlock ? TemplateValue.string(try call.contentText() ?? "") : call.parameter(0)
        guard let added = try document(item, call) else { return .string("[ERROR: Item to add is not valid JSON]") }
        guard let path = DefinitePath(try call.optionText("jsonPath") ?? "$") else {
            return .string("[ERROR: A definite JSONPath such as $.a[0].b is required]")
        }
        var items = [added]
        if try call.flag("flatten"), case .array(let elements) = added { items = elements }
        var maximum: Int?
        if let value = try call.option("maxItems") { maximum = max(0, try NumberHelpers.integer(value, call)) }
        var isArray = false
        let edited = path.edit(tree) { target in
            guard case .array(let elements) = target else { return target }
            isArray = true
            let all = elements + items
            return .array(maximum.map { Array(all.suffix($0)) } ?? all)
        }
        return isArray ? .string(indented(edited ?? .null)) : .string("[ERROR: Target JSON is not an array]")
    }
}
