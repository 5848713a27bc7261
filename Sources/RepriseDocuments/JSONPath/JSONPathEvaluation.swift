// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// One evaluation of a path over a document. Filters and functions are in the extensions.
///
/// The recursion is limited by the number of steps of the path, regardless of the document.
struct JSONPathEvaluation {
    let root: JSONTree
    /// Each value that is visited takes a step.
    let budget: WorkBudget
    /// Whether a property that an object lacks is null at the end of the path.
    var missingLeavesAreNull: Bool
    let matches: (_ pattern: String, _ text: String) -> Bool

    /// The reason that a path has no list of results.
    enum Failure: Error {
        case missing
        case inapplicable
    }

    mutating func result(of steps: [JSONPathStep], in item: JSONTree) -> JSONPath.Result {
        do throws(Failure) {
            var value = item
            for index in steps.indices {
                guard budget.take() else { throw .missing }
                guard let next = try definiteStep(steps[index], isLast: index == steps.count - 1, in: value) else {
                    var found: [JSONTree] = []
                    try requireContainer(value, for: steps[index])
                    try collect(steps[index...], from: value, into: &found)
                    return .list(found)
                }
                value = next
            }
            return .value(value)
        } catch .inapplicable {
            return .inapplicable
        } catch {
            return .missing
        }
    }

    /// Takes a step that leads to one value. Returns `nil` if it may lead to several.
    private mutating func definiteStep(
        _ step: JSONPathStep,
        isLast: Bool,
        in value: JSONTree
    ) throws(Failure) -> JSONTree? {
        switch step {
        case .property(let name):
            guard let member = member(name, of: value) ?? missingLeaf(of: value, isLeaf: isLast) else { throw .missing }
            return member
        case .index(let index):
            guard let element = element(index, of: value) else { throw .missing }
            return element
        case .properties(let names) where isLast:
            guard case .object = value else { throw .missing }
            return merged(names, of: value)
        case .function(let function, let arguments):
            guard let result = apply(function, arguments, to: value) else { throw .missing }
            return result
        case .properties, .indices, .slice, .wildcard, .scan, .filter: return nil
        }
    }

    /// Throws if a value cannot have the part to which a step leads. The result is then missing, and not an empty list.
    private func requireContainer(_ value: JSONTree, for step: JSONPathStep) throws(Failure) {
        switch (step, value) {
        case (.indices, .array), (.slice, .array), (.properties, .object), (.filter, .array), (.filter, .object): return
        case (.indices, _), (.slice, _), (.properties, _), (.filter, .null): throw .missing
        case (.filter, _): throw .inapplicable
        default: return
        }
    }

    /// Appends what `steps` find in `value`, after a step that may lead to several values.
    private mutating func collect(
        _ steps: ArraySlice<JSONPathStep>,
        from value: JSONTree,
        into found: inout [JSONTree]
    ) throws(Failure) {
        guard budget.take() else { throw .missing }
        guard let step = steps.first else {
            found.append(value)
            return
        }
        let rest = steps.dropFirst()
        switch step {
        case .property(let name):
            if let member = member(name, of: value) ?? missingLeaf(of: value, isLeaf: rest.isEmpty) {
                try collect(rest, from: member, into: &found)
            }
        case .index(let index):
            if let element = element(index, of: value) { try collect(rest, from: element, into: &found) }
        case .properties(let names):
            guard case .object = value else { return }
            if rest.isEmpty {
                found.append(merged(names, of: value))
                return
            }
            for name in names {
                if let member = member(name, of: value) { try collect(rest, from: member, into: &found) }
            }
        case .indices(let indices):
            for index in indices {
                if let element = element(index, of: value) { try collect(rest, from: element, into: &found) }
            }
        case .slice(let from, let to):
            guard case .array(let elements) = value else { return }
            for index in Self.range(from, to, count: elements.count) {
                if let element = element(index, of: value) { try collect(rest, from: element, into: &found) }
            }
        case .wildcard:
            switch value {
            case .array(let elements): for element in elements { try collect(rest, from: element, into: &found) }
            case .object(let members): for member in members { try collect(rest, from: member.value, into: &found) }
            default: return
            }
        case .filter(let filter):
            switch value {
            case .object:
                if isSatisfied(filter, by: value) { try collect(rest, from: value, into: &found) }
            case .array(let elements):
                for element in elements where isSatisfied(filter, by: element) {
                    try collect(rest, from: element, into: &found)
                }
            default: return
            }
        case .scan: try scan(value, rest, into: &found)
        case .function(let function, let arguments):
            guard let result = apply(function, arguments, to: value) else { throw .missing }
            try collect(rest, from: result, into: &found)
        }
    }

    /// Visits `value` and everything in it, each container before its parts.
    private mutating func scan(
        _ value: JSONTree,
        _ steps: ArraySlice<JSONPathStep>,
        into found: inout [JSONTree]
    ) throws(Failure) {
        // The open containers, with the next part of each.
        var open: [(container: JSONTree, next: Int)] = []
        var current: JSONTree? = value
        while true {
            if let container = current {
                guard budget.take() else { throw .missing }
                switch container {
                case .array, .object:
                    if isSelected(container, bySteps: steps) { try collect(steps, from: container, into: &found) }
                    open.append((container, 0))
                default: break
                }
            }
            guard let (container, next) = open.last else { return }
            current = Self.part(next, of: container)
            if current == nil { open.removeLast() } else { open[open.count - 1].next = next + 1 }
        }
    }

    /// Whether the step after a scan applies to a container: a filter applies to the elements of an array only if the
    /// array itself satisfies it, because each object among the elements is visited on its own.
    mutating func isSelected(_ container: JSONTree, bySteps steps: ArraySlice<JSONPathStep>) -> Bool {
        switch (steps.first, container) {
        case (.filter(let filter), .array): isSatisfied(filter, by: container)
        case (.properties(let names), .object) where steps.count == 1:
            missingLeavesAreNull || names.allSatisfy { container[$0] != nil }
        default: true
        }
    }

    // MARK: Parts of values

    // `JSONTree` accepts the literal `nil`, so `condition ? tree : nil` would be the JSON value `null`.

    private static func part(_ index: Int, of container: JSONTree) -> JSONTree? {
        switch container {
        case .array(let elements):
            guard index < elements.count else { return nil }
            return elements[index]
        case .object(let members):
            guard index < members.count else { return nil }
            return members[index].value
        default: return nil
        }
    }

    private mutating func member(_ name: String, of value: JSONTree) -> JSONTree? {
        guard case .object(let members) = value, budget.take(members.count / 16) else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// What is found instead of a property that `value` lacks.
    private func missingLeaf(of value: JSONTree, isLeaf: Bool) -> JSONTree? {
        if missingLeavesAreNull, isLeaf, case .object = value { return .some(.null) }
        return .none
    }

    private func element(_ index: Int, of value: JSONTree) -> JSONTree? {
        guard case .array(let elements) = value else { return nil }
        let place = index < 0 ? elements.count + index : index
        guard elements.indices.contains(place) else { return nil }
        return elements[place]
    }

    private mutating func merged(_ names: [String], of value: JSONTree) -> JSONTree {
        var members: [JSONTree.Member] = []
        for name in names where !members.contains(where: { $0.name == name }) {
            guard budget.take(1 + members.count / 16) else { break }
            if let member = member(name, of: value) ?? missingLeaf(of: value, isLeaf: true) {
                members.append(JSONTree.Member(name, member))
            }
        }
        return .object(members)
    }

    /// The indices of a slice, which may be negative. As in Jayway's JsonPath, `[1:-1]` is empty, and `[-1:1]` is the
    /// last element and the first.
    static func range(_ from: Int?, _ to: Int?, count: Int) -> Range<Int> {
        switch (from, to) {
        case (let from?, nil):
            let start = max(0, from < 0 ? count + from : from)
            return min(start, count)..<count
        case (nil, let to?):
            return 0..<max(0, min(count, to < 0 ? count + to : to))
        case (let from?, let to?):
            let end = min(count, to)
            let start = max(-count, from)
            return start < end ? start..<end : 0..<0
        case (nil, nil): return 0..<count
        }
    }
}
