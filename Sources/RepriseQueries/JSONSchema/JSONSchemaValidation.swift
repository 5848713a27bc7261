// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// One validation of a document.
struct JSONSchemaValidation {
    let schema: CompiledJSONSchema
    /// The budget of the request, of which regular expressions take steps.
    let whole: WorkBudget
    /// The budget of this validation. Applying a schema takes one step.
    let budget: WorkBudget
    /// Whether the validation ended early. Then its result has no meaning.
    var isExhausted: Bool { budget.isSpent || isTooDeep }
    private var isTooDeep = false
    private var depth = 0
    /// The resources that the validation has entered, from the outermost. Dynamic references search them.
    private var scope: [Int] = []

    /// The parts of an object or an array that a schema has evaluated, by index.
    struct Evaluated {
        var all = false
        var parts: Set<Int> = []

        mutating func formUnion(_ other: Evaluated) {
            all = all || other.all
            parts.formUnion(other.parts)
        }
    }

    init(schema: CompiledJSONSchema, budget: WorkBudget) {
        self.schema = schema
        whole = budget
        self.budget = budget.part(steps: MatchesJSONSchema.maximumSteps, unitsPerStep: MatchesJSONSchema.unitsPerStep)
    }

    mutating func validate(_ value: JSONTree, against node: Int) -> Bool {
        var evaluated = Evaluated()
        return validate(value, against: node, &evaluated)
    }

    /// Applies a schema to a value and adds the parts of the value that it has evaluated.
    mutating func validate(_ value: JSONTree, against index: Int, _ evaluated: inout Evaluated) -> Bool {
        depth += 1
        defer { depth -= 1 }
        isTooDeep = isTooDeep || depth > MatchesJSONSchema.maximumDepth
        guard budget.take(), !isExhausted else { return false }
        let resource = schema.nodes[index].resource
        let entersResource = scope.last != resource
        if entersResource { scope.append(resource) }
        defer { if entersResource { scope.removeLast() } }
        var own = Evaluated()
        for position in schema.nodes[index].keywords.indices {
            guard satisfies(value, schema.nodes[index].keywords[position], &own) else { return false }
        }
        if schema.tracksEvaluated { evaluated.formUnion(own) }
        return !isExhausted
    }

    private mutating func satisfies(
        _ value: JSONTree,
        _ keyword: CompiledJSONSchema.Keyword,
        _ evaluated: inout Evaluated
    ) -> Bool {
        switch keyword {
        case .never: return false
        case .type(let types): return types.accept(value)
        case .values(let values): return values.contains { value.isEqual(to: $0, budget) }
        case .reference(let node): return validate(value, against: node, &evaluated)
        case .dynamicReference(let node, let name):
            return validate(value, against: dynamicTarget(node, name), &evaluated)
        case .allOf, .anyOf, .oneOf, .not, .condition: return combines(value, keyword, &evaluated)
        default: break
        }
        switch value {
        case .number(let number): return satisfies(number, keyword)
        case .string(let text): return satisfies(text, keyword)
        case .array(let elements): return satisfies(elements, keyword, &evaluated)
        case .object(let members): return satisfies(members, value, keyword, &evaluated)
        case .null, .bool: return true
        }
    }

    /// Returns the schema with a dynamic anchor in the outermost resource that has one.
    private func dynamicTarget(_ node: Int, _ name: String) -> Int {
        for resource in scope {
            let anchor = CompiledJSONSchema.DynamicAnchor(resource: resource, name: name)
            if let target = schema.dynamicAnchors[anchor] { return target }
        }
        return node
    }

    private mutating func combines(
        _ value: JSONTree,
        _ keyword: CompiledJSONSchema.Keyword,
        _ evaluated: inout Evaluated
    ) -> Bool {
        switch keyword {
        case .allOf(let nodes):
            for node in nodes where !validate(value, against: node, &evaluated) { return false }
            return true
        case .anyOf(let nodes):
            var isValid = false
            for node in nodes where validate(value, against: node, &evaluated) {
                isValid = true
                // The others matter only for what they evaluate.
                if !schema.tracksEvaluated { break }
            }
            return isValid
        case .oneOf(let nodes):
            var count = 0
            for node in nodes where validate(value, against: node, &evaluated) {
                count += 1
                if count > 1 { return false }
            }
            return count == 1
        case .not(let node): return !validate(value, against: node) && !isExhausted
        case .condition(let condition, let then, let otherwise):
            guard let next = validate(value, against: condition, &evaluated) ? then : otherwise else {
                return !isExhausted
            }
            return validate(value, against: next, &evaluated)
        default: return true
        }
    }

    // MARK: Scalars

    private func satisfies(_ number: JSONNumber, _ keyword: CompiledJSONSchema.Keyword) -> Bool {
        switch keyword {
        case .minimum(let limit, let isExclusive):
            isExclusive ? limit.isLess(than: number) : !number.isLess(than: limit)
        case .maximum(let limit, let isExclusive):
            isExclusive ? number.isLess(than: limit) : !limit.isLess(than: number)
        case .multipleOf(let divisor):
            number.isMultiple(of: divisor)
                ?? (number.double.truncatingRemainder(dividingBy: divisor.double) == 0)
        default: true
        }
    }

    private mutating func satisfies(_ text: String, _ keyword: CompiledJSONSchema.Keyword) -> Bool {
        switch keyword {
        case .length(let range): return range.contains(text.unicodeScalars.count)
        case .pattern(let pattern): return isMatch(pattern, text)
        case .format(let format): return format.accepts(text)
        default: return true
        }
    }

    private func isMatch(_ pattern: TextPattern, _ text: String) -> Bool {
        budget.take(1 + text.utf8.count / 64) && pattern.matches(Array(text.utf8)[...], budget: whole)
    }
}

// MARK: - Arrays and objects

extension JSONSchemaValidation {
    private mutating func satisfies(
        _ elements: [JSONTree],
        _ keyword: CompiledJSONSchema.Keyword,
        _ evaluated: inout Evaluated
    ) -> Bool {
        switch keyword {
        case .itemCount(let range): return range.contains(elements.count)
        case .uniqueItems: return areUnique(elements)
        case .items(let prefix, let rest):
            for (index, node) in zip(elements.indices, prefix) where !validate(elements[index], against: node) {
                return false
            }
            if schema.tracksEvaluated { evaluated.parts.formUnion(0..<min(prefix.count, elements.count)) }
            guard let rest else { return true }
            for element in elements.dropFirst(prefix.count) where !validate(element, against: rest) { return false }
            evaluated.all = true
            return true
        case .contains(let node, let range):
            var count = 0
            for (index, element) in elements.enumerated() where validate(element, against: node) {
                count += 1
                if schema.tracksEvaluated, schema.containsEvaluates { evaluated.parts.insert(index) }
            }
            return range.contains(count)
        case .unevaluatedItems(let node): return validateRest(of: elements, against: node, &evaluated)
        default: return true
        }
    }

    private mutating func areUnique(_ elements: [JSONTree]) -> Bool {
        var byHash: [Int: [Int]] = [:]
        for (index, element) in elements.enumerated() {
            guard budget.take() else { return false }
            let hash = element.valueHash()
            for other in byHash[hash] ?? [] {
                // Numbers beyond the range of a double all have the same hash.
                if element.isEqual(to: elements[other], budget) || budget.isSpent { return false }
            }
            byHash[hash, default: []].append(index)
        }
        return true
    }

    private mutating func satisfies(
        _ members: [JSONTree.Member],
        _ value: JSONTree,
        _ keyword: CompiledJSONSchema.Keyword,
        _ evaluated: inout Evaluated
    ) -> Bool {
        switch keyword {
        case .memberCount(let range): return range.contains(members.count)
        case .required(let names): return has(names, members)
        case .dependentRequired(let name, let names):
            return !has([name], members) || has(names, members)
        case .dependentSchema(let name, let node):
            return !has([name], members) || validate(value, against: node, &evaluated)
        case .propertyNames(let node):
            for member in members where !validate(.string(member.name), against: node) { return false }
            return true
        case .properties(let properties, let patterns, let additional):
            for (index, member) in members.enumerated() {
                guard validate(member, index, properties, patterns, additional, &evaluated) else { return false }
            }
            return true
        case .unevaluatedProperties(let node):
            return validateRest(of: members.map(\.value), against: node, &evaluated)
        default: return true
        }
    }

    /// Applies a schema to the parts that no other has evaluated.
    private mutating func validateRest(of parts: [JSONTree], against node: Int, _ evaluated: inout Evaluated) -> Bool {
        if evaluated.all { return true }
        for (index, part) in parts.enumerated() where !evaluated.parts.contains(index) {
            guard validate(part, against: node) else { return false }
        }
        evaluated.all = true
        return true
    }

    private mutating func has(_ names: [String], _ members: [JSONTree.Member]) -> Bool {
        var table = JSONMemberTable()
        for (index, name) in names.enumerated() {
            guard table.place(of: name, in: members, near: index) != nil else { return false }
        }
        return true
    }

    private mutating func validate(
        _ member: JSONTree.Member,
        _ index: Int,
        _ properties: [ExactText: Int],
        _ patterns: [CompiledJSONSchema.PatternProperty],
        _ additional: Int?,
        _ evaluated: inout Evaluated
    ) -> Bool {
        var isKnown = false
        if let node = properties[member.name] {
            guard validate(member.value, against: node) else { return false }
            isKnown = true
        }
        for pattern in patterns where isMatch(pattern.pattern, member.name) {
            guard validate(member.value, against: pattern.node) else { return false }
            isKnown = true
        }
        if !isKnown, let additional {
            guard validate(member.value, against: additional) else { return false }
            isKnown = true
        }
        if isKnown, schema.tracksEvaluated { evaluated.parts.insert(index) }
        return true
    }
}
