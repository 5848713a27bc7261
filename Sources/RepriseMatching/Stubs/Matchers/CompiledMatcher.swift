// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
internal import RepriseQueries
import RepriseStubs
internal import RepriseText

/// A condition on one value, ready to be evaluated.
///
/// A missing value and empty content are `nil`. Only `absent`, `anything`, `doesNotContain`, `doesNotMatch`, `not`, and
/// combinations of these with `and` and `or` accept `nil`.
package struct CompiledMatcher: Sendable {
    /// The condition as it was written.
    let matcher: ValueMatcher
    let form: Form

    indirect enum Form: Sendable {
        case equalTo(EqualToMatcher)
        case binaryEqualTo(BinaryEqualToMatcher)
        case contains(ContainsMatcher)
        case doesNotContain(ContainsMatcher)
        case matches(TextPattern)
        case doesNotMatch(TextPattern)
        case absent
        case anything
        case pathTemplate(PathTemplateMatcher)
        case number(NumberMatcher)
        case date(DateComparison)
        case json(JSONMatcher)
        case xml(EqualToXMLMatcher)
        case xPath(XPathMatcher)
        /// No value satisfies the condition, because an expression in it is not valid.
        case never
        case basicAuth(BasicAuthMatcher)
        case and([CompiledMatcher])
        case or([CompiledMatcher])
        case not(CompiledMatcher)
        case hasExactly([CompiledMatcher])
        case includes([CompiledMatcher])
    }

    /// Whether the value satisfies the condition.
    package func matches(_ value: MatchedValue) -> Bool {
        guard value.facts.budget.work(Self.units(value)) else { return false }
        switch form {
        case .absent: return value.bytes == nil
        case .anything: return true
        case .doesNotContain(let matcher): return value.bytes.map { !matcher.matches($0) } ?? true
        case .doesNotMatch(let pattern):
            let budget = value.facts.budget
            return value.bytes.map { bytes in budget.refutes { pattern.matches(bytes, budget: budget) } } ?? true
        case .not(let matcher): return value.facts.budget.refutes { matcher.matches(value) }
        case .and(let matchers): return matchers.allSatisfy { $0.matches(value) }
        case .or(let matchers): return matchers.contains { $0.matches(value) }
        case .hasExactly, .includes: return matches(all: value.bytes.map { [$0] } ?? [], of: value)
        case .binaryEqualTo(let matcher):
            return value.bytes.map(matcher.matches) ?? (value.isContent && matcher.expected.isEmpty)
        default: break
        }
        guard let bytes = value.bytes else { return false }
        return matches(present: bytes, value)
    }

    @inline(__always)
    private func matches(present bytes: ArraySlice<UInt8>, _ value: MatchedValue) -> Bool {
        switch form {
        case .equalTo(let matcher): matcher.matches(bytes)
        case .contains(let matcher): matcher.matches(bytes)
        case .matches(let pattern): pattern.matches(bytes, budget: value.facts.budget)
        case .pathTemplate(let template):
            value.facts.budget.work(bytes.count * template.parts.count) && template.matches(bytes)
        case .number(let matcher): matcher.matches(bytes)
        case .date(let date): value.facts.budget.work(300) && date.matches(bytes, now: value.facts.now)
        case .json(let json): json.matches(value)
        case .xml(let xml): xml.matches(bytes, budget: value.facts.budget)
        case .xPath(let path): path.distance(value) == 0
        case .basicAuth(let matcher): matcher.matches(bytes)
        default: false
        }
    }

    /// Returns how far the value is from satisfying the condition: 0 for a match, at most 1.
    package func distance(_ value: MatchedValue) -> Double {
        guard value.facts.budget.work(Self.units(value)) else { return 1 }
        switch form {
        case .and(let matchers): return Self.mean(matchers.map { $0.distance(value) })
        case .or(let matchers): return matchers.map { $0.distance(value) }.min() ?? 1
        case .hasExactly, .includes: return distance(all: value.bytes.map { [$0] } ?? [], of: value)
        default: break
        }
        if let bytes = value.bytes {
            switch form {
            case .equalTo(let matcher): return matcher.distance(bytes, value.facts.budget)
            case .json(let json): return json.distance(value)
            case .xml(let xml): return xml.distance(bytes, budget: value.facts.budget)
            case .xPath(let path): return path.distance(value)
            default: break
            }
        }
        return matches(value) ? 0 : 1
    }

    /// The units of work to look at a value once; see ``WorkBudget/work(_:)``.
    @inline(__always)
    private static func units(_ value: MatchedValue) -> Int { 8 + (value.bytes?.count ?? 0) / 8 }

    static func mean(_ distances: [Double]) -> Double {
        guard !distances.isEmpty else { return 0 }
        let sum = distances.reduce(0, +)
        return sum == 0 ? 0 : max(sum / Double(distances.count), .leastNonzeroMagnitude)
    }
}

// MARK: - Several values

extension CompiledMatcher {
    /// Whether values with the same name satisfy the condition: one is enough, unless the condition is about all.
    func matches(all values: [ArraySlice<UInt8>], of facts: MatchedValue) -> Bool {
        switch form {
        case .hasExactly(let matchers):
            return values.count == matchers.count && Self.includes(values, matchers, facts)
        case .includes(let matchers): return Self.includes(values, matchers, facts)
        default:
            guard !values.isEmpty else { return matches(MatchedValue(nil, in: facts.facts)) }
            return values.contains { matches(MatchedValue($0, in: facts.facts)) }
        }
    }

    private static func includes(
        _ values: [ArraySlice<UInt8>],
        _ matchers: [CompiledMatcher],
        _ facts: MatchedValue
    ) -> Bool {
        matchers.allSatisfy { matcher in
            values.contains { matcher.matches(MatchedValue($0, in: facts.facts, isContent: facts.isContent)) }
        }
    }

    /// Returns how far values with the same name are from satisfying the condition.
    func distance(all values: [ArraySlice<UInt8>], of facts: MatchedValue) -> Double {
        func nearest(_ matcher: CompiledMatcher) -> Double {
            values.map { matcher.distance(MatchedValue($0, in: facts.facts, isContent: facts.isContent)) }.min() ?? 1
        }
        switch form {
        case .hasExactly(let matchers):
            let count = values.count == matchers.count ? 0.0 : 1
            return Self.mean([count] + matchers.map(nearest))
        case .includes(let matchers): return Self.mean(matchers.map(nearest))
        default:
            guard !values.isEmpty else { return distance(MatchedValue(nil, in: facts.facts)) }
            return nearest(self)
        }
    }
}
