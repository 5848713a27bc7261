// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension JSONPath {
    /// Returns a document in which each value that the path leads to is replaced, or removed if `change` returns `nil`.
    ///
    /// - Parameters:
    ///   - document: The JSON to edit.
    ///   - budget: Each value that is visited takes a step. If there are not enough, the result has no meaning.
    ///   - matches: Tells whether a regular expression matches a whole text.
    ///   - change: Returns the new value.
    /// - Returns: The document; `nil` if the document itself is removed.
    package func editing(
        _ document: JSONTree,
        budget: WorkBudget,
        matches: (_ pattern: String, _ text: String) -> Bool,
        _ change: (JSONTree) -> JSONTree?
    ) -> JSONTree? {
        withoutActuallyEscaping(matches) { matches in
            var evaluation = JSONPathEvaluation(
                root: document,
                budget: budget.part(steps: .max, unitsPerStep: Self.unitsPerStep),
                missingLeavesAreNull: false,
                matches: matches
            )
            return evaluation.edited(document, steps[...], change)
        }
    }

    /// Whether the path calls a function, so that its result is no part of the document.
    package var hasFunction: Bool { steps.contains { if case .function = $0 { true } else { false } } }
}

extension JSONPathEvaluation {
    /// Returns a value after an edit of what `steps` find in it, or `nil` if it is removed.
    fileprivate mutating func edited(
        _ value: JSONTree,
        _ steps: ArraySlice<JSONPathStep>,
        _ change: (JSONTree) -> JSONTree?
    ) -> JSONTree? {
        guard budget.take() else { return value }
        guard let step = steps.first else { return change(value) }
        let isScan = if case .scan = step { true } else { false }
        let rest = steps.dropFirst()
        let edited: JSONTree
        switch (step, value) {
        case (.filter(let filter), .object):
            return isSatisfied(filter, by: value) ? self.edited(value, rest, change) : value
        case (_, .object(let members)):
            edited = .object(
                members.compactMap { member in
                    guard isScan || selects(step, name: member.name) else { return member }
                    return self.edited(member.value, isScan ? steps : rest, change).map { .init(member.name, $0) }
                }
            )
        case (_, .array(let elements)):
            edited = .array(
                elements.enumerated().compactMap { index, element in
                    guard isScan || selects(step, element, index, of: elements.count) else { return element }
                    return self.edited(element, isScan ? steps : rest, change)
                }
            )
        default: return value
        }
        return isScan && isSelected(edited, bySteps: rest) ? self.edited(edited, rest, change) : edited
    }

    private func selects(_ step: JSONPathStep, name: String) -> Bool {
        switch step {
        case .property(let expected): name == expected
        case .properties(let names): names.contains(name)
        case .wildcard: true
        default: false
        }
    }

    private mutating func selects(_ step: JSONPathStep, _ element: JSONTree, _ index: Int, of count: Int) -> Bool {
        switch step {
        case .index(let place): (place < 0 ? place + count : place) == index
        case .indices(let places): places.contains { ($0 < 0 ? $0 + count : $0) == index }
        case .slice(let from, let to): Self.range(from, to, count: count).contains(index)
        case .wildcard: true
        case .filter(let filter): isSatisfied(filter, by: element)
        default: false
        }
    }
}
