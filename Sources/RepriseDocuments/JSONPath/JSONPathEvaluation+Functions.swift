// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

extension JSONPathEvaluation {
    /// Applies a function, or returns `nil` if it has no result, such as the maximum of no numbers.
    mutating func apply(
        _ function: JSONPathFunction,
        _ arguments: [JSONPathOperand],
        to value: JSONTree
    ) -> JSONTree? {
        let values = arguments.compactMap { argument($0, value) }
        guard values.count == arguments.count, !budget.isSpent else { return nil }
        switch function {
        case .min, .max, .avg, .stddev, .sum:
            return aggregate(function, Self.parts(value) + values.flatMap { Self.partsOrSelf($0) })
        case .length, .size:
            switch arguments.isEmpty ? value : values[0] {
            case .array(let elements): return .number(JSONNumber(elements.count))
            case .object(let members): return .number(JSONNumber(members.count))
            default: return .null
            }
        case .keys:
            guard case .object(let members) = value, budget.take(members.count) else { return .null }
            return .array(members.map { .string($0.name) })
        case .concat:
            let texts = Self.parts(value).filter { if case .string = $0 { true } else { false } }
            return concatenation(texts + values.flatMap { Self.partsOrSelf($0) })
        case .append:
            guard case .array(let elements) = value, budget.take(elements.count) else { return value }
            return .array(elements + values)
        case .first, .last, .index:
            return element(
                function,
                values.first,
                of: Self.parts(arguments.isEmpty || function == .index ? value : values[0])
            )
        }
    }

    private mutating func argument(_ operand: JSONPathOperand, _ item: JSONTree) -> JSONTree? {
        switch operand {
        case .literal(let value): value
        case .pattern: nil
        case .path(let steps, let isRooted): result(of: steps, in: isRooted ? root : item).tree
        }
    }

    private static func parts(_ value: JSONTree) -> [JSONTree] {
        if case .array(let elements) = value { elements } else { [] }
    }

    private static func partsOrSelf(_ value: JSONTree) -> [JSONTree] {
        if case .array(let elements) = value { elements } else { [value] }
    }

    /// Calculates with the numbers among the values, as doubles.
    private mutating func aggregate(_ function: JSONPathFunction, _ values: [JSONTree]) -> JSONTree? {
        guard budget.take(values.count) else { return nil }
        let numbers = values.compactMap { if case .number(let number) = $0 { number.double } else { nil } }
        guard !numbers.isEmpty else { return nil }
        let sum = numbers.reduce(0, +)
        let count = Double(numbers.count)
        let result: Double
        switch function {
        case .min: result = numbers.reduce(.infinity) { Swift.min($0, $1) }
        case .max: result = numbers.reduce(-.infinity) { Swift.max($0, $1) }
        case .avg: result = sum / count
        case .stddev:
            let squares = numbers.reduce(0) { $0 + $1 * $1 }
            result = Swift.max(0, squares / count - sum * sum / count / count).squareRoot()
        default: result = sum
        }
        // Java prints 6.0, even for a sum of integers.
        return JSONNumber(result.description).map { .number($0) }
    }

    private mutating func concatenation(_ values: [JSONTree]) -> JSONTree {
        var text: [UInt8] = []
        for value in values {
            let start = text.count
            switch value {
            case .null: continue
            case .string(let string): text += string.utf8
            default: value.append(to: &text)
            }
            guard budget.take(1 + (text.count - start) / 16) else { break }
        }
        return .string(String(decoding: text, as: UTF8.self))
    }

    private func element(_ function: JSONPathFunction, _ place: JSONTree?, of elements: [JSONTree]) -> JSONTree? {
        switch function {
        case .first: return elements.first
        case .last: return elements.last
        default:
            guard case .number(let number)? = place, let index = Int(exactly: number.double) else { return nil }
            let place = index < 0 ? elements.count &+ index : index
            guard elements.indices.contains(place) else { return nil }
            return elements[place]
        }
    }
}
