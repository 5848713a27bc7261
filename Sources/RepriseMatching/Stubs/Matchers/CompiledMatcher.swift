// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
import RepriseStubs
internal import RepriseText

/// A condition on one value, or on all values with the same name, ready to be evaluated.
///
/// A missing value and empty content are `nil`. Only `absent`, `anything`, `doesNotContain`, `doesNotMatch`, `not`, and
/// combinations of these with `and` and `or` accept `nil`.
package struct CompiledMatcher: Sendable {
    /// The condition as it was written.
    let matcher: ValueMatcher
    private let form: Form

    indirect enum Form: Sendable {
        case one(any ValueCondition)
        case not(CompiledMatcher)
        case and([CompiledMatcher])
        case or([CompiledMatcher])
        case hasExactly([CompiledMatcher])
        case includes([CompiledMatcher])
    }

    init(matcher: ValueMatcher, form: Form) {
        self.matcher = matcher
        self.form = form
    }

    /// The relative cost of asking, from 0 to 7.
    var cost: Int {
        switch form {
        case .one(let condition): condition.cost
        case .not(let matcher): matcher.cost
        case .and(let matchers), .or(let matchers), .hasExactly(let matchers), .includes(let matchers):
            matchers.map(\.cost).max() ?? 0
        }
    }

    /// Whether the value satisfies the condition.
    package func matches(_ value: MatchedValue) -> Bool {
        guard value.facts.budget.work(Self.units(value)) else { return false }
        switch form {
        case .one(let condition):
            return value.bytes.map { condition.matches($0, value) } ?? condition.acceptsMissing(value)
        case .not(let matcher): return value.facts.budget.refutes { matcher.matches(value) }
        case .and(let matchers): return matchers.allSatisfy { $0.matches(value) }
        case .or(let matchers): return matchers.contains { $0.matches(value) }
        case .hasExactly, .includes: return matches(all: value.bytes.map { [$0] } ?? [], of: value)
        }
    }

    /// Returns how far the value is from satisfying the condition: 0 for a match, at most 1.
    package func distance(_ value: MatchedValue) -> Double {
        guard value.facts.budget.work(Self.units(value)) else { return 1 }
        switch form {
        case .one(let condition):
            return value.bytes.map { condition.distance($0, value) } ?? (condition.acceptsMissing(value) ? 0 : 1)
        case .not: return matches(value) ? 0 : 1
        case .and(let matchers): return Self.mean(matchers.map { $0.distance(value) })
        case .or(let matchers): return matchers.map { $0.distance(value) }.min() ?? 1
        case .hasExactly, .includes: return distance(all: value.bytes.map { [$0] } ?? [], of: value)
        }
    }

    /// The units of work to look at a value once; see ``WorkBudget/work(_:)``.
    private static func units(_ value: MatchedValue) -> Int { 8 + (value.bytes?.count ?? 0) / 8 }

    static func mean(_ distances: [Double]) -> Double {
        guard !distances.isEmpty else { return 0 }
        let sum = distances.reduce(0, +)
        return sum == 0 ? 0 : max(sum / Double(distances.count), .leastNonzeroMagnitude)
    }

    // MARK: Several values

    /// Whether values with the same name satisfy the condition: one is enough, unless the condition is about all.
    ///
    /// - Parameter value: The missing value, or the content, if that is the only value.
    func matches(all values: [ArraySlice<UInt8>], of value: MatchedValue) -> Bool {
        let found = values.map { value.with($0) }
        func includes(_ matchers: [CompiledMatcher]) -> Bool {
            matchers.allSatisfy { matcher in found.contains { matcher.matches($0) } }
        }
        switch form {
        case .hasExactly(let matchers): return found.count == matchers.count && includes(matchers)
        case .includes(let matchers): return includes(matchers)
        default: return found.isEmpty ? matches(value.with(nil)) : found.contains { matches($0) }
        }
    }

    /// Returns how far values with the same name are from satisfying the condition.
    func distance(all values: [ArraySlice<UInt8>], of value: MatchedValue) -> Double {
        let found = values.map { value.with($0) }
        func nearest(_ matcher: CompiledMatcher) -> Double { found.map { matcher.distance($0) }.min() ?? 1 }
        switch form {
        case .hasExactly(let matchers):
            return Self.mean([found.count == matchers.count ? 0 : 1] + matchers.map(nearest))
        case .includes(let matchers): return Self.mean(matchers.map(nearest))
        default: return found.isEmpty ? distance(value.with(nil)) : nearest(self)
        }
    }
}
