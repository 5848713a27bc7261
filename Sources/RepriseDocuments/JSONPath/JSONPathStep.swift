// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// One step of a path, from a value to values in it.
enum JSONPathStep: Sendable, Hashable {
    case property(String)
    /// At the end of a path, an object with these members; elsewhere, the values of these members.
    case properties([String])
    /// Counted from the end if negative.
    case index(Int)
    case indices([Int])
    case slice(from: Int?, to: Int?)
    case wildcard
    /// The value itself and everything in it, to which the next step applies.
    case scan
    case filter(JSONPathFilter)
    case function(JSONPathFunction, [JSONPathOperand])

    /// Whether a path with these steps finds at most one value.
    static func areDefinite(_ steps: [JSONPathStep]) -> Bool {
        for (index, step) in steps.enumerated() {
            switch step {
            case .property, .index, .function: continue
            case .properties: if index < steps.count - 1 { return false }
            case .indices, .slice, .wildcard, .scan, .filter: return false
            }
        }
        return true
    }

    /// Rewrites `$..a.sum()` as `$.sum($..a)`: after a scan from the root, a function applies to all values together.
    static func aggregatingScans(_ steps: [JSONPathStep]) -> [JSONPathStep] {
        guard case .scan? = steps.first,
            let place = steps.firstIndex(where: { if case .function = $0 { true } else { false } }),
            case .function(let function, _) = steps[place]
        else { return steps }
        var inner = Array(steps[..<place])
        // As in Jayway's JsonPath, the values inside are counted.
        if function == .length || function == .size { inner.append(.wildcard) }
        return [.function(function, [.path(inner, isRooted: true)])] + steps[(place + 1)...]
    }
}

/// The functions that a path can end in.
enum JSONPathFunction: String, Sendable, Hashable, CaseIterable {
    case min, max, avg, stddev, sum
    case length, size
    case keys, concat, append
    case first, last, index
}

/// A condition in a filter.
indirect enum JSONPathFilter: Sendable, Hashable {
    case and([JSONPathFilter])
    case or([JSONPathFilter])
    case not(JSONPathFilter)
    case exists([JSONPathStep], isRooted: Bool)
    case comparison(JSONPathOperand, JSONPathOperator, JSONPathOperand)
}

/// A side of a comparison, or an argument of a function.
enum JSONPathOperand: Sendable, Hashable {
    /// A path from the root of the document, or else from the current value.
    case path([JSONPathStep], isRooted: Bool)
    case literal(JSONTree)
    case pattern(JSONPath.Pattern)
}

/// The operators of filters. Words are read in any case.
enum JSONPathOperator: String, Sendable, Hashable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case identical = "==="
    case notIdentical = "!=="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case matches = "=~"
    case isIn = "in"
    case isNotIn = "nin"
    case contains, all, size, empty, subsetof, anyof, noneof
}
