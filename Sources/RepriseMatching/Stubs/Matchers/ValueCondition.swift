// SPDX-License-Identifier: Apache-2.0

import RepriseDocuments
import RepriseQueries
import RepriseStubs
import RepriseText

/// One kind of matcher, compiled. ``CompiledMatcher`` combines them.
protocol ValueCondition: Sendable {
    /// Whether a value that is there satisfies the condition. Its bytes are `bytes`.
    func matches(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool

    /// Returns how far a value that is there is from satisfying the condition: 0 for a match, at most 1.
    func distance(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Double

    /// Whether a missing value, or empty content, satisfies the condition.
    func acceptsMissing(_ value: MatchedValue) -> Bool

    /// The relative cost of asking, from 0 to 7.
    var cost: Int { get }
}

extension ValueCondition {
    func distance(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Double { matches(bytes, value) ? 0 : 1 }
    func acceptsMissing(_ value: MatchedValue) -> Bool { false }
    var cost: Int { 0 }
}

/// A condition that doesn't look at the value: `absent` accepts only a missing value, `anything` accepts all, and an
/// invalid expression accepts neither.
struct Constant: ValueCondition {
    let acceptsValues: Bool
    let acceptsMissing: Bool

    /// No value satisfies the condition, because an expression in it is not valid.
    static let never = Constant(acceptsValues: false, acceptsMissing: false)

    func matches(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool { acceptsValues }
    func acceptsMissing(_ value: MatchedValue) -> Bool { acceptsMissing }
}

/// `equalTo`: the value is exactly this text.
struct EqualTo: ValueCondition {
    let expected: [UInt8]
    /// The expected text in lower case, if case is ignored.
    private let folded: String?

    init(_ expected: String, ignoringCase: Bool) {
        self.expected = Array(expected.utf8)
        folded = ignoringCase ? expected.lowercased() : nil
    }

    func matches(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool {
        if ByteSearch.isEqual(bytes, expected) { return true }
        guard let folded else { return false }
        return String(decoding: bytes, as: UTF8.self).lowercased() == folded
    }

    func distance(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Double {
        matches(bytes, value) ? 0 : EditDistance.normalized(expected[...], bytes, value.facts.budget)
    }
}

/// `binaryEqualTo`: the value is exactly these bytes.
struct BinaryEqualTo: ValueCondition {
    let expected: [UInt8]

    func matches(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool { ByteSearch.isEqual(bytes, expected) }
    func acceptsMissing(_ value: MatchedValue) -> Bool { value.isContent && expected.isEmpty }
}

/// `contains`: the value contains this text.
struct Contains: ValueCondition {
    let expected: [UInt8]

    func matches(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool {
        ByteSearch.firstIndex(of: expected, in: bytes) != nil
    }

    var cost: Int { 1 }
}

/// `doesNotContain` and `doesNotMatch`: the value does not satisfy a condition, or is missing.
struct Negation: ValueCondition {
    let condition: any ValueCondition

    func matches(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool {
        value.facts.budget.refutes { condition.matches(bytes, value) }
    }

    func acceptsMissing(_ value: MatchedValue) -> Bool { true }
    var cost: Int { condition.cost }
}

/// `matches`: the whole value matches a regular expression.
extension TextPattern: ValueCondition {
    func matches(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool {
        matches(bytes, budget: value.facts.budget)
    }

    var cost: Int { 2 }
}

/// `matchesPathTemplate`: the value is a path with the parts of a template.
extension PathTemplateMatcher: ValueCondition {
    func matches(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool {
        value.facts.budget.work(bytes.count * parts.count) && matches(bytes)
    }

    var cost: Int { 1 }
}

/// `equalToNumber`, `greaterThanNumber`, and so on: the value is a number that compares in this way.
struct NumberComparison: ValueCondition {
    let comparison: ValueMatcher.NumberComparison
    let expected: JSONNumber

    func matches(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool {
        // More digits than any number needs would only cost time.
        guard bytes.count <= 64, let number = JSONNumber(String(decoding: bytes, as: UTF8.self)) else { return false }
        return switch comparison {
        case .equal: number.isEqual(to: expected)
        case .greater: expected.isLess(than: number)
        case .greaterOrEqual: !number.isLess(than: expected)
        case .less: number.isLess(than: expected)
        case .lessOrEqual: !expected.isLess(than: number)
        }
    }

    var cost: Int { 1 }
}

/// `basicAuth`: the value is `Basic` in any case and the credentials (RFC 7617).
struct BasicAuthorization: ValueCondition {
    private let credentials: [UInt8]

    private static let scheme = Array("basic ".utf8)

    init(_ credentials: [UInt8]) { self.credentials = credentials }

    func matches(_ bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool {
        bytes.count == Self.scheme.count + credentials.count
            && zip(bytes, Self.scheme).allSatisfy { $0.asciiLowercased == $1 }
            && ByteSearch.hasSuffix(bytes, credentials)
    }
}
