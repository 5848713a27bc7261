// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
import RepriseStubs
internal import RepriseText

/// A condition of a stub beyond method and URL, ready to be evaluated.
struct CompiledCondition: Sendable {
    let subject: Subject
    /// The name that verdicts show, such as `header Accept`.
    let label: String

    /// What the condition looks at, and what it expects.
    enum Subject: Sendable {
        /// The values of a field of the request.
        case values(StubKey.Field, CompiledMatcher)
        /// The parameter of the path template.
        case pathParameter([UInt8], CompiledMatcher)
        /// The parts of the content.
        case multipart(CompiledMultipart)
        /// The name of a `customMatcher`, which never matches.
        case custom(String)
    }

    /// The order of evaluation. Cheap conditions come first.
    var cost: Int {
        switch subject {
        case .values(.host, _), .values(.clientIP, _), .custom: 0
        case .values(.header, _), .values(.cookie, _): 1
        case .values(.query, _), .values(.jsonPath, _), .pathParameter: 2
        case .values(.form, _): 3
        case .values(.body, let matcher): 4 + matcher.cost
        case .multipart: 12
        }
    }

    /// Whether the condition looks at the content.
    var needsBody: Bool {
        switch subject {
        case .values(.form, _), .values(.body, _), .values(.jsonPath, _), .multipart: true
        default: false
        }
    }

    /// Whether the request satisfies the condition.
    func matches(_ facts: DecodedRequest, _ url: CompiledURL) -> Bool {
        switch subject {
        case .values(.body, let matcher): return matcher.matches(facts.contentValue)
        case .values(let field, let matcher):
            let values = facts.values(of: field)
            if values.isEmpty, !acceptsMissing { return false }
            return matcher.matches(all: values, of: MatchedValue(nil, in: facts))
        case .pathParameter(let name, let matcher):
            return matcher.matches(all: url.parameters(named: name, facts), of: MatchedValue(nil, in: facts))
        case .multipart(let multipart): return multipart.matches(facts)
        case .custom: return false
        }
    }

    /// Returns how far the request is from satisfying the condition: 0 for a match, at most 1.
    func distance(_ facts: DecodedRequest, _ url: CompiledURL) -> Double {
        let values: [ArraySlice<UInt8>]
        let expected: CompiledMatcher
        switch subject {
        case .values(.body, let matcher):
            _ = facts.budget.work(100 + (facts.contentValue.bytes?.count ?? 0) / 8)
            return matcher.distance(facts.contentValue)
        case .values(let field, let matcher): (values, expected) = (facts.values(of: field), matcher)
        case .pathParameter(let name, let matcher): (values, expected) = (url.parameters(named: name, facts), matcher)
        case .multipart(let multipart): return multipart.distance(facts)
        case .custom: return 1
        }
        _ = facts.budget.work(100 + values.reduce(0) { $0 + $1.count / 8 })
        if values.isEmpty, !acceptsMissing { return 1 }
        return expected.distance(all: values, of: MatchedValue(nil, in: facts))
    }

    /// Returns the verdict on a request. If the comparison reached the limit of steps, it says so.
    func verdict(_ facts: DecodedRequest, _ url: CompiledURL) -> StubVerdict {
        let refusals = facts.budget.refusals
        let distance = distance(facts, url)
        return StubVerdict(
            field: label,
            expected: expectation,
            found: found(facts, url),
            isMatch: distance == 0,
            distance: distance,
            isUndecided: facts.budget.refusals > refusals
        )
    }

    private var expectation: String {
        switch subject {
        case .values(_, let matcher), .pathParameter(_, let matcher): matcher.matcher.expectation
        case .multipart(let multipart): multipart.expectation
        case .custom(let name): name
        }
    }

    /// What the request has; `nil` if it has nothing.
    private func found(_ facts: DecodedRequest, _ url: CompiledURL) -> String? {
        let values: [ArraySlice<UInt8>]
        switch subject {
        case .values(.body, _): return facts.contentValue.bytes.map { _ in facts.contentString }
        case .values(let field, _): values = facts.values(of: field)
        case .pathParameter(let name, _): values = url.parameters(named: name, facts)
        case .multipart: return facts.parts.isEmpty ? nil : "\(facts.parts.count) parts"
        case .custom: return nil
        }
        return values.isEmpty ? nil : values.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", ")
    }

    /// Whether the field may be missing, if the matcher accepts that. As in WireMock, a cookie must be there, unless
    /// the matcher is `absent`.
    private var acceptsMissing: Bool {
        guard case .values(.cookie, let matcher) = subject else { return true }
        return matcher.matcher == .absent
    }
}
