// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

extension JSONSchemaCompiler {
    typealias Keyword = CompiledJSONSchema.Keyword

    private var isBefore2019: Bool { version == .v4 || version == .v6 || version == .v7 }

    /// Compiles the keywords of one schema. Those that need to know what others have evaluated come last.
    mutating func keywords(of place: JSONSchemaPlace) throws(JSONSchemaError) -> [Keyword] {
        guard case .object = place.tree else { return place.tree == .bool(false) ? [.never] : [] }
        var keywords = try references(place)
        // Up to draft 7, a reference replaces everything next to it.
        if isBefore2019, !keywords.isEmpty { return keywords }
        keywords += try assertions(place)
        keywords += try numbers(place)
        keywords += try combinations(place)
        keywords += try arrays(place)
        keywords += try objects(place)
        if !isBefore2019 {
            if let tree = place.tree["unevaluatedItems"] {
                schema.tracksEvaluated = true
                keywords.append(.unevaluatedItems(try node(tree, place, "unevaluatedItems")))
            }
            if let tree = place.tree["unevaluatedProperties"] {
                schema.tracksEvaluated = true
                keywords.append(.unevaluatedProperties(try node(tree, place, "unevaluatedProperties")))
            }
        }
        return keywords
    }

    private mutating func references(_ place: JSONSchemaPlace) throws(JSONSchemaError) -> [Keyword] {
        var keywords: [Keyword] = []
        if let text = try text("$ref", place) {
            keywords.append(.reference(try target(text, from: place, "$ref").node))
        }
        if version == .v201909, let text = try text("$recursiveRef", place) {
            let node = try target(text, from: place, "$recursiveRef").node
            let isDynamic = isRecursive(schema.nodes[node].resource)
            keywords.append(isDynamic ? .dynamicReference(node, name: "") : .reference(node))
        }
        if version == .v202012, let text = try text("$dynamicRef", place) {
            let target = try target(text, from: place, "$dynamicRef")
            keywords.append(
                target.dynamicName.map { .dynamicReference(target.node, name: $0) } ?? .reference(target.node)
            )
        }
        return keywords
    }

    private mutating func assertions(_ place: JSONSchemaPlace) throws(JSONSchemaError) -> [Keyword] {
        var keywords: [Keyword] = []
        if let tree = place.tree["type"] { keywords.append(.type(try types(tree, place))) }
        if let tree = place.tree["enum"] {
            guard case .array(let values) = tree else { throw wrong(place, "enum", "an array", tree) }
            keywords.append(.values(values))
        }
        if version != .v4, let value = place.tree["const"] { keywords.append(.values([value])) }
        if let range = try range("minLength", "maxLength", place) { keywords.append(.length(range)) }
        if let text = try text("pattern", place) { keywords.append(.pattern(try pattern(text))) }
        // Unknown formats are not checked. Since 2019-09, no format is.
        if isBefore2019, let text = try text("format", place), let format = JSONSchemaFormat(rawValue: text) {
            keywords.append(.format(format))
        }
        return keywords
    }

    private func types(_ tree: JSONTree, _ place: JSONSchemaPlace) throws(JSONSchemaError) -> JSONTypes {
        let names: [JSONTree] = if case .array(let elements) = tree { elements } else { [tree] }
        var types: JSONTypes = []
        for name in names {
            guard case .string(let text) = name, let type = JSONTypes(name: text, isDraft4: version == .v4) else {
                let found = name.description()
                throw error(
                    place,
                    ["type"],
                    "expected null, boolean, object, array, number, string, or integer, found \(found)"
                )
            }
            types.insert(type)
        }
        return types
    }

    private func numbers(_ place: JSONSchemaPlace) throws(JSONSchemaError) -> [Keyword] {
        var keywords: [Keyword] = []
        let isDraft4 = version == .v4
        if let limit = try number("minimum", place) {
            let isExclusive = isDraft4 && place.tree["exclusiveMinimum"] == .bool(true)
            keywords.append(.minimum(limit, isExclusive: isExclusive))
        }
        if let limit = try number("maximum", place) {
            let isExclusive = isDraft4 && place.tree["exclusiveMaximum"] == .bool(true)
            keywords.append(.maximum(limit, isExclusive: isExclusive))
        }
        if !isDraft4 {
            if let limit = try number("exclusiveMinimum", place) { keywords.append(.minimum(limit, isExclusive: true)) }
            if let limit = try number("exclusiveMaximum", place) { keywords.append(.maximum(limit, isExclusive: true)) }
        }
        if let divisor = try number("multipleOf", place) {
            guard divisor.double > 0 else {
                throw error(place, ["multipleOf"], "expected a number greater than 0, found \(divisor.spelling)")
            }
            keywords.append(.multipleOf(divisor))
        }
        return keywords
    }

    private mutating func combinations(_ place: JSONSchemaPlace) throws(JSONSchemaError) -> [Keyword] {
        var keywords: [Keyword] = []
        if let nodes = try list("allOf", place) { keywords.append(.allOf(nodes)) }
        if let nodes = try list("anyOf", place) { keywords.append(.anyOf(nodes)) }
        if let nodes = try list("oneOf", place) { keywords.append(.oneOf(nodes)) }
        if let node = try optional("not", place) { keywords.append(.not(node)) }
        if version != .v4, version != .v6, let condition = try optional("if", place) {
            keywords.append(.condition(condition, then: try optional("then", place), else: try optional("else", place)))
        }
        return keywords
    }

    private mutating func arrays(_ place: JSONSchemaPlace) throws(JSONSchemaError) -> [Keyword] {
        var keywords: [Keyword] = []
        if let range = try range("minItems", "maxItems", place) { keywords.append(.itemCount(range)) }
        if place.tree["uniqueItems"] == .bool(true) { keywords.append(.uniqueItems) }
        if version == .v202012 {
            let prefix = try list("prefixItems", place) ?? []
            let rest = try optional("items", place)
            if !prefix.isEmpty || rest != nil { keywords.append(.items(prefix: prefix, rest: rest)) }
        } else if case .array? = place.tree["items"] {
            let prefix = try list("items", place) ?? []
            keywords.append(.items(prefix: prefix, rest: try optional("additionalItems", place)))
        } else if let rest = try optional("items", place) {
            keywords.append(.items(prefix: [], rest: rest))
        }
        if version != .v4, let node = try optional("contains", place) {
            let range = isBefore2019 ? nil : try range("minContains", "maxContains", place, minimum: 1)
            keywords.append(.contains(node, range ?? 1...Int.max))
        }
        return keywords
    }

    private mutating func objects(_ place: JSONSchemaPlace) throws(JSONSchemaError) -> [Keyword] {
        var keywords: [Keyword] = []
        if let range = try range("minProperties", "maxProperties", place) { keywords.append(.memberCount(range)) }
        if let tree = place.tree["required"], !(version == .v4 && tree.isBool) {
            keywords.append(.required(try names(tree, place, "required")))
        }
        var properties: [ExactText: Int] = [:]
        for member in try members("properties", place) {
            properties[member.name] = try node(member.value, place, "properties", member.name)
        }
        var patterns: [CompiledJSONSchema.PatternProperty] = []
        for member in try members("patternProperties", place) {
            let pattern = try pattern(member.name)
            let node = try node(member.value, place, "patternProperties", member.name)
            patterns.append(CompiledJSONSchema.PatternProperty(pattern: pattern, node: node))
        }
        let additional = try optional("additionalProperties", place)
        if !properties.isEmpty || !patterns.isEmpty || additional != nil {
            keywords.append(.properties(properties, patterns: patterns, additional: additional))
        }
        if version != .v4, let node = try optional("propertyNames", place) { keywords.append(.propertyNames(node)) }
        keywords += try dependencies(place)
        return keywords
    }

    private mutating func dependencies(_ place: JSONSchemaPlace) throws(JSONSchemaError) -> [Keyword] {
        var keywords: [Keyword] = []
        if isBefore2019 {
            for member in try members("dependencies", place) {
                if case .array = member.value {
                    keywords.append(.dependentRequired(member.name, try names(member.value, place, "dependencies")))
                } else {
                    let node = try node(member.value, place, "dependencies", member.name)
                    keywords.append(.dependentSchema(member.name, node))
                }
            }
            return keywords
        }
        for member in try members("dependentRequired", place) {
            keywords.append(.dependentRequired(member.name, try names(member.value, place, "dependentRequired")))
        }
        for member in try members("dependentSchemas", place) {
            let node = try node(member.value, place, "dependentSchemas", member.name)
            keywords.append(.dependentSchema(member.name, node))
        }
        return keywords
    }
}

// MARK: - Reading values

extension JSONSchemaCompiler {
    private func wrong(
        _ place: JSONSchemaPlace,
        _ keyword: String,
        _ expected: String,
        _ found: JSONTree
    ) -> JSONSchemaError {
        error(place, [keyword], "expected \(expected), found \(found.description())")
    }

    private func text(_ keyword: String, _ place: JSONSchemaPlace) throws(JSONSchemaError) -> String? {
        guard let tree = place.tree[keyword] else { return nil }
        guard case .string(let text) = tree else { throw wrong(place, keyword, "a string", tree) }
        return text
    }

    private func number(_ keyword: String, _ place: JSONSchemaPlace) throws(JSONSchemaError) -> JSONNumber? {
        guard let tree = place.tree[keyword] else { return nil }
        guard case .number(let number) = tree else { throw wrong(place, keyword, "a number", tree) }
        return number
    }

    private func count(_ keyword: String, _ place: JSONSchemaPlace) throws(JSONSchemaError) -> Int? {
        guard let number = try number(keyword, place) else { return nil }
        guard number.isInteger, number.double >= 0 else {
            throw error(place, [keyword], "expected a whole number, found \(number.spelling)")
        }
        return number.double < 1e15 ? Int(number.double) : Int.max
    }

    /// Returns the range of two keywords, or `nil` if neither is present. An empty range becomes one with only the
    /// largest number.
    private func range(
        _ lower: String,
        _ upper: String,
        _ place: JSONSchemaPlace,
        minimum: Int = 0
    ) throws(JSONSchemaError) -> ClosedRange<Int>? {
        let low = try count(lower, place)
        let high = try count(upper, place)
        if low == nil, high == nil { return nil }
        let start = low ?? minimum
        let end = high ?? Int.max
        return start <= end ? start...end : Int.max...Int.max
    }

    private func names(
        _ tree: JSONTree,
        _ place: JSONSchemaPlace,
        _ keyword: String
    ) throws(JSONSchemaError) -> [String] {
        guard case .array(let elements) = tree else { throw wrong(place, keyword, "an array of names", tree) }
        var names: [String] = []
        for element in elements {
            guard case .string(let name) = element else { throw wrong(place, keyword, "an array of names", element) }
            names.append(name)
        }
        return names
    }

    private func members(
        _ keyword: String,
        _ place: JSONSchemaPlace
    ) throws(JSONSchemaError) -> [JSONTree.Member] {
        guard let tree = place.tree[keyword] else { return [] }
        guard case .object(let members) = tree else { throw wrong(place, keyword, "an object", tree) }
        return members
    }

    private mutating func optional(_ keyword: String, _ place: JSONSchemaPlace) throws(JSONSchemaError) -> Int? {
        guard let tree = place.tree[keyword] else { return nil }
        return try node(tree, place, keyword)
    }

    private mutating func list(_ keyword: String, _ place: JSONSchemaPlace) throws(JSONSchemaError) -> [Int]? {
        guard let tree = place.tree[keyword] else { return nil }
        guard case .array(let elements) = tree else { throw wrong(place, keyword, "an array of schemas", tree) }
        var nodes: [Int] = []
        for (index, element) in elements.enumerated() { nodes.append(try node(element, place, keyword, String(index))) }
        return nodes
    }
}

extension JSONTree {
    fileprivate var isBool: Bool { if case .bool = self { true } else { false } }
}
