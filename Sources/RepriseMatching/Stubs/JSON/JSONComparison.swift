// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseText

/// One comparison of JSON with expected JSON.
struct JSONComparison {
    let options: EqualToJSON.Options
    private let patterns: JSONPatterns
    /// The budget of the request, of which regular expressions take steps.
    private let whole: WorkBudget
    /// The budget of this comparison. Visiting a value takes one step. Only arrays in any order can use it up, if many
    /// elements may be equal to many others.
    let budget: WorkBudget

    init(_ matcher: EqualToJSON, _ budget: WorkBudget) {
        options = matcher.options
        patterns = matcher.patterns
        whole = budget
        self.budget = budget.part(steps: 2_000_000, unitsPerStep: 20)
    }

    /// Whether the values are equal. Ends at the first difference.
    func matches(_ expected: ExpectedJSON, _ actual: JSONTree) -> Bool {
        if case .scalar(let value) = expected.kind { return value.isEqual(to: actual, budget) }
        guard budget.take() else { return false }
        switch (expected.kind, actual) {
        case (.placeholder(let placeholder), _): return accepts(placeholder, actual)
        case (.array(let expected), .array(let actual)): return matches(expected, actual)
        case (.object(let expected), .object(let actual)): return matches(expected, actual)
        default: return false
        }
    }

    private func accepts(_ placeholder: JSONPlaceholder, _ actual: JSONTree) -> Bool {
        switch (placeholder, actual) {
        case (.ignore, _), (.ignoreElement, _), (.anyString, .string), (.anyNumber, .number), (.anyBoolean, .bool):
            return true
        case (.regex(let pattern), .string(let text)):
            return budget.take(text.utf8.count / 64) && patterns.matches(pattern, text, whole)
        default: return false
        }
    }

    private func matches(_ expected: [ExpectedJSON], _ actual: [JSONTree]) -> Bool {
        guard options.ignoresExtraElements ? expected.count <= actual.count : expected.count == actual.count else {
            return false
        }
        if options.ignoresArrayOrder {
            return places(of: expected, in: actual, isPartialEnough: false) != nil
        }
        for index in expected.indices where !matches(expected[index], actual[index]) { return false }
        return true
    }

    private func matches(_ expected: [ExpectedJSON.Member], _ actual: [JSONTree.Member]) -> Bool {
        guard options.ignoresExtraElements || actual.count <= expected.count else { return false }
        var table = JSONMemberTable()
        var found = 0
        for member in expected {
            if let place = table.place(of: member.name, in: actual, near: found) {
                guard matches(member.value, actual[place].value) else { return false }
                found += 1
            } else if member.value.kind != .placeholder(.ignoreElement) {
                return false
            }
        }
        return options.ignoresExtraElements || found == actual.count
    }

    // MARK: Differences

    /// Returns the number of values that differ. If a part is missing or not expected, each value in it counts.
    func differences(_ expected: ExpectedJSON, _ actual: JSONTree) -> Int {
        guard budget.take() else { return 1 }
        switch (expected.kind, actual) {
        case (.array(let expected), .array(let actual)): return differences(expected, actual)
        case (.object(let expected), .object(let actual)): return differences(expected, actual)
        default:
            return matches(expected, actual) ? 0 : max(expected.size, ExpectedJSON.size(of: actual))
        }
    }

    private func differences(_ expected: [ExpectedJSON], _ actual: [JSONTree]) -> Int {
        var missing: [ExpectedJSON] = []
        var extra: [JSONTree] = []
        var count = 0
        if options.ignoresArrayOrder {
            let places = places(of: expected, in: actual, isPartialEnough: true) ?? []
            missing = zip(expected, places).filter { $0.1 == nil }.map(\.0)
            let used = Set(places.compactMap { $0 })
            extra = actual.indices.filter { !used.contains($0) }.map { actual[$0] }
        } else {
            for index in expected.indices.prefix(actual.count) { count += differences(expected[index], actual[index]) }
            missing = Array(expected.dropFirst(actual.count))
            extra = Array(actual.dropFirst(expected.count))
        }
        if missing.count == 1, extra.count == 1 { return count + differences(missing[0], extra[0]) }
        count += missing.reduce(0) { $0 + $1.size }
        if !options.ignoresExtraElements { count += extra.reduce(0) { $0 + ExpectedJSON.size(of: $1) } }
        return count
    }

    private func differences(_ expected: [ExpectedJSON.Member], _ actual: [JSONTree.Member]) -> Int {
        var table = JSONMemberTable()
        var used: Set<Int> = []
        var count = 0
        for (index, member) in expected.enumerated() {
            if let place = table.place(of: member.name, in: actual, near: index) {
                used.insert(place)
                count += differences(member.value, actual[place].value)
            } else if member.value.kind != .placeholder(.ignoreElement) {
                count += member.value.size
            }
        }
        if options.ignoresExtraElements { return count }
        for (index, member) in actual.enumerated() where !used.contains(index) {
            count += ExpectedJSON.size(of: member.value)
        }
        return count
    }
}
