// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
import RepriseStubs
internal import RepriseText

/// A condition of a stub beyond method and URL, ready to be evaluated.
struct CompiledCondition: Sendable {
    /// What the condition looks at.
    enum Field: Sendable {
        case host
        case clientIP
        case pathParameter([UInt8])
        /// The name is in lower case.
        case header([UInt8])
        case query([UInt8])
        case cookie([UInt8])
        case form([UInt8])
        case body
        /// What the parts of the content must satisfy.
        case multipart(CompiledMultipart)
        /// A `customMatcher`, which never matches.
        case custom
    }

    let field: Field
    let matcher: CompiledMatcher
    /// The name that verdicts show, such as `header Accept`.
    let label: String

    /// The order of evaluation. Cheap conditions come first.
    var cost: Int {
        switch field {
        case .host, .clientIP, .custom: 0
        case .header, .cookie: 1
        case .pathParameter, .query: 2
        case .form: 3
        case .body: 4 + matcher.cost
        case .multipart: 12
        }
    }

    /// Whether the field may be missing, if the matcher accepts that. As in WireMock, a cookie must be there, unless
    /// the matcher is `absent`.
    private var acceptsMissing: Bool {
        guard case .cookie = field else { return true }
        if case .absent = matcher.form { return true }
        return false
    }

    /// Whether the condition looks at the content.
    var needsBody: Bool {
        switch field {
        case .form, .body, .multipart: true
        default: false
        }
    }

    /// Whether the request satisfies the condition.
    func matches(_ facts: StubRequestFacts, _ url: CompiledURL) -> Bool {
        switch field {
        case .host: return matcher.matches(MatchedValue(facts.host, in: facts))
        case .clientIP: return matcher.matches(MatchedValue(Array(facts.clientIP.utf8)[...], in: facts))
        case .header(let name): return matches(facts.headers, name, facts)
        case .query(let name): return matches(facts.query, name, facts)
        case .cookie(let name): return matches(facts.cookies, name, facts)
        case .form(let name): return matches(facts.form, name, facts)
        case .pathParameter(let name): return matches(Self.pathParameters(facts, url), name, facts)
        case .body: return matcher.matches(facts.contentValue)
        case .multipart(let multipart): return multipart.matches(facts)
        case .custom: return false
        }
    }

    private func matches(_ values: RequestPairs, _ name: [UInt8], _ facts: StubRequestFacts) -> Bool {
        switch matcher.form {
        case .hasExactly, .includes:
            return matcher.matches(all: values.values(named: name), of: MatchedValue(nil, in: facts))
        default: break
        }
        guard facts.budget.work(values.entries.count) else { return false }
        var isPresent = false
        for entry in values.entries where values.isName(entry.name, name) {
            isPresent = true
            if matcher.matches(MatchedValue(entry.value, in: facts)) { return true }
        }
        return !isPresent && acceptsMissing && matcher.matches(MatchedValue(nil, in: facts))
    }

    private static func pathParameters(_ facts: StubRequestFacts, _ url: CompiledURL) -> RequestPairs {
        guard case .template(let template) = url else { return RequestPairs() }
        return template.parameters(of: facts.path) ?? RequestPairs()
    }

    /// Returns the verdict on a request. If the comparison reached the limit of steps, it says so.
    func verdict(_ facts: StubRequestFacts, _ url: CompiledURL) -> StubVerdict {
        let refusals = facts.budget.refusals
        var verdict = comparison(facts, url)
        verdict.isUndecided = facts.budget.refusals > refusals
        return verdict
    }

    private func comparison(_ facts: StubRequestFacts, _ url: CompiledURL) -> StubVerdict {
        let values: [ArraySlice<UInt8>]
        var isContent = false
        switch field {
        case .host: values = facts.host.map { [$0] } ?? []
        case .clientIP: values = [Array(facts.clientIP.utf8)[...]]
        case .header(let name): values = facts.headers.values(named: name)
        case .query(let name): values = facts.query.values(named: name)
        case .cookie(let name): values = facts.cookies.values(named: name)
        case .form(let name): values = facts.form.values(named: name)
        case .pathParameter(let name): values = Self.pathParameters(facts, url).values(named: name)
        case .body:
            values = facts.contentValue.bytes.map { [$0] } ?? []
            isContent = true
        case .multipart(let multipart): return multipart.verdict(facts, label: label)
        case .custom: values = []
        }
        let distance: Double
        _ = facts.budget.work(100 + values.reduce(0) { $0 + $1.count / 8 })
        if isContent {
            distance = matcher.distance(facts.contentValue)
        } else if values.isEmpty, !acceptsMissing {
            distance = 1
        } else {
            distance = matcher.distance(all: values, of: MatchedValue(nil, in: facts))
        }
        let found =
            isContent
            ? facts.contentString : values.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", ")
        return StubVerdict(
            field: label,
            expected: matcher.matcher.expectation,
            found: values.isEmpty ? nil : found,
            isMatch: distance == 0,
            distance: distance
        )
    }
}

extension CompiledMatcher {
    /// The relative cost of asking, from 0 to 7.
    var cost: Int {
        switch form {
        case .never, .absent, .anything, .equalTo, .binaryEqualTo, .basicAuth: 0
        case .contains, .doesNotContain, .number, .pathTemplate, .date: 1
        case .matches, .doesNotMatch: 2
        case .json: 3
        case .xml, .xPath: 4
        case .not(let matcher): matcher.cost
        case .and(let matchers), .or(let matchers), .hasExactly(let matchers), .includes(let matchers):
            matchers.map(\.cost).max() ?? 0
        }
    }
}
