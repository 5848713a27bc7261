// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension JSONPathEvaluation {
    /// A side of a comparison after its path was evaluated.
    private enum Side {
        case undefined
        case value(JSONTree)
        case pattern(JSONPath.Pattern)
    }

    mutating func isSatisfied(_ filter: JSONPathFilter, by item: JSONTree) -> Bool {
        guard budget.take() else { return false }
        switch filter {
        case .and(let conditions):
            for condition in conditions where !isSatisfied(condition, by: item) { return false }
            return true
        case .or(let conditions):
            for condition in conditions where isSatisfied(condition, by: item) { return true }
            return false
        case .not(let condition): return !isSatisfied(condition, by: item)
        case .exists(let steps, let isRooted):
            let isFilling = missingLeavesAreNull
            missingLeavesAreNull = false
            defer { missingLeavesAreNull = isFilling }
            // As in Jayway's JsonPath, an empty list exists too.
            return result(of: steps, in: isRooted ? root : item).tree != nil
        case .comparison(let left, let `operator`, let right):
            return compare(side(left, item), `operator`, side(right, item))
        }
    }

    private mutating func side(_ operand: JSONPathOperand, _ item: JSONTree) -> Side {
        switch operand {
        case .literal(let value): .value(value)
        case .pattern(let pattern): .pattern(pattern)
        case .path(let steps, let isRooted):
            if let tree = result(of: steps, in: isRooted ? root : item).tree { .value(tree) } else { .undefined }
        }
    }

    private mutating func compare(_ left: Side, _ operator: JSONPathOperator, _ right: Side) -> Bool {
        switch `operator` {
        case .equal: return areEqual(left, right)
        case .notEqual: return !areEqual(left, right)
        case .identical: return areIdentical(left, right)
        case .notIdentical: return !areIdentical(left, right)
        case .less: return isLess(left, right)
        case .greater: return isLess(right, left)
        case .lessOrEqual: return isComparable(left, right) && !isLess(right, left)
        case .greaterOrEqual: return isComparable(left, right) && !isLess(left, right)
        case .matches:
            switch (left, right) {
            case (.pattern, .pattern): return false
            case (.pattern(let pattern), let side), (let side, .pattern(let pattern)): return isMatch(pattern, side)
            default: return false
            }
        default:
            guard case .value(let left) = left, case .value(let right) = right else {
                // An undefined value is not in any list.
                if `operator` == .isNotIn, case .value(.array) = right { return true }
                return false
            }
            return compareContent(left, `operator`, right)
        }
    }

    private mutating func compareContent(_ left: JSONTree, _ operator: JSONPathOperator, _ right: JSONTree) -> Bool {
        switch (`operator`, left, right) {
        case (.isIn, let value, .array(let list)): return contains(list, value)
        case (.isNotIn, let value, .array(let list)): return !contains(list, value)
        case (.isNotIn, _, _): return true
        case (.contains, .string(let text), .string(let part)):
            return text.containsText(part, budget)
        case (.contains, .array(let list), let value): return contains(list, value)
        case (.all, .array(let list), .array(let required)): return containsAll(list, required)
        case (.size, .string(let text), .number(let size)): return size.double == Double(text.utf16.count)
        case (.size, .array(let list), .number(let size)): return size.double == Double(list.count)
        case (.empty, .string(let text), .bool(let isEmpty)): return text.isEmpty == isEmpty
        case (.empty, .array(let list), .bool(let isEmpty)): return list.isEmpty == isEmpty
        case (.empty, .object(let members), .bool(let isEmpty)): return members.isEmpty == isEmpty
        case (.subsetof, .array(let list), .array(let all)): return containsAll(all, list)
        case (.anyof, .array(let list), .array(let others)): return containsAny(others, list)
        case (.noneof, .array(let list), .array(let others)): return !containsAny(others, list)
        default: return false
        }
    }

    // MARK: Comparing

    private mutating func areEqual(_ left: Side, _ right: Side) -> Bool {
        guard case .value(let left) = left, case .value(let right) = right else { return false }
        return areEqual(left, right)
    }

    /// A number and a string are equal if the string spells the number. As in Jayway's JsonPath, the left side decides
    /// how they are compared.
    private mutating func areEqual(_ left: JSONTree, _ right: JSONTree) -> Bool {
        switch (left, right) {
        case (.number(let number), .string(let text)):
            guard let other = JSONNumber(text) else { return false }
            return number.isEqual(to: other)
        case (.string(let text), .number(let number)): return text == number.spelling
        default: return left.isEqual(to: right, budget)
        }
    }

    private mutating func areIdentical(_ left: Side, _ right: Side) -> Bool {
        guard case .value(let left) = left, case .value(let right) = right else { return false }
        return left.isEqual(to: right, budget)
    }

    private func isComparable(_ left: Side, _ right: Side) -> Bool {
        switch (left, right) {
        case (.value(.number), .value(.number)), (.value(.string), .value(.string)): true
        default: false
        }
    }

    private func isLess(_ left: Side, _ right: Side) -> Bool {
        switch (left, right) {
        case (.value(.number(let left)), .value(.number(let right))): left.isLess(than: right)
        case (.value(.string(let left)), .value(.string(let right))):
            left.utf16.lexicographicallyPrecedes(right.utf16)
        default: false
        }
    }

    private mutating func isMatch(_ pattern: JSONPath.Pattern, _ side: Side) -> Bool {
        if case .value(.array(let elements)) = side {
            for element in elements where isMatch(pattern, .value(element)) { return true }
            return false
        }
        let text =
            switch side {
            case .value(.string(let text)): text
            case .value(.number(let number)): number.spelling
            case .value(.bool(let value)): value ? "true" : "false"
            default: ""
            }
        return budget.take(1 + text.utf8.count / 64) && matches(pattern.text, text)
    }

    // MARK: Lists

    private mutating func contains(_ list: [JSONTree], _ value: JSONTree) -> Bool {
        for element in list {
            guard budget.take() else { return false }
            if areEqual(value, element) { return true }
        }
        return false
    }

    private mutating func containsAll(_ list: [JSONTree], _ required: [JSONTree]) -> Bool {
        for value in required where !contains(list, value) { return false }
        return true
    }

    private mutating func containsAny(_ list: [JSONTree], _ candidates: [JSONTree]) -> Bool {
        for value in candidates where contains(list, value) { return true }
        return false
    }
}

extension String {
    /// Whether the text contains `part`, compared by bytes.
    fileprivate func containsText(_ part: String, _ budget: WorkBudget) -> Bool {
        let part = Array(part.utf8)
        guard let first = part.first else { return true }
        let text = Array(utf8)
        guard budget.take(text.count / 64), text.count >= part.count else { return false }
        var start = 0
        while start <= text.count - part.count {
            if text[start] == first {
                var length = 1
                while length < part.count, text[start + length] == part[length] { length += 1 }
                if length == part.count { return true }
                guard budget.take(length / 64) else { return false }
            }
            start += 1
        }
        return false
    }
}
