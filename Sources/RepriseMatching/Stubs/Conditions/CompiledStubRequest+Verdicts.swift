// SPDX-License-Identifier: Apache-2.0

import RepriseStubs
internal import RepriseText

extension CompiledStubRequest {
    /// Returns a verdict for each condition of the stub.
    package func verdicts(on facts: StubRequestFacts) -> [StubVerdict] {
        let first = [methodVerdict(facts), url.verdict(facts), schemeVerdict(facts), portVerdict(facts)]
        return first.compactMap { $0 } + conditions.map { $0.verdict(facts, url) }
    }

    /// Returns how far a request is from satisfying the stub: 0 for a match, at most 1. Each part of the request has
    /// WireMock's weight, and counts whether or not the stub has a condition on it, so that the distances of different
    /// stubs can be compared.
    package func distance(from facts: StubRequestFacts) -> Double {
        var sum = WeightedSum()
        sum.add(methodVerdict(facts)?.distance, weight: 3)
        sum.add(url.verdict(facts)?.distance, weight: 10)
        sum.add(schemeVerdict(facts)?.distance, weight: 3)
        sum.add(portVerdict(facts)?.distance, weight: 10)
        var groups: [Group: [Double]] = [:]
        for condition in conditions {
            groups[condition.group, default: []].append(condition.verdict(facts, url).distance)
        }
        for group in Group.allCases {
            guard groups[group] != nil || group.alwaysCounts else { continue }
            sum.add(groups[group].map { CompiledMatcher.mean($0) }, weight: group.weight)
        }
        return sum.mean
    }

    private struct WeightedSum {
        private var distance = 0.0
        private var weight = 0.0

        mutating func add(_ distance: Double?, weight: Double) {
            self.distance += (distance ?? 0) * weight
            self.weight += weight
        }

        var mean: Double { distance == 0 ? 0 : max(distance / weight, .leastNonzeroMagnitude) }
    }

    /// The conditions that WireMock weighs together.
    fileprivate enum Group: CaseIterable {
        case host, clientIP, pathParameters, headers, query, cookies, form, body, multipart, custom

        var weight: Double {
            switch self {
            case .host: 10
            case .clientIP: 3
            default: 1
            }
        }

        /// Whether the group counts without a condition, as in WireMock 2.35.
        var alwaysCounts: Bool {
            switch self {
            case .clientIP, .pathParameters, .form, .custom: false
            default: true
            }
        }
    }

    private func methodVerdict(_ facts: StubRequestFacts) -> StubVerdict? {
        let expected: String
        switch request.method {
        case .any: return nil
        case .oneOf(let names): expected = names.joined(separator: " or ")
        case .noneOf(let names): expected = "[none of] " + names.joined(separator: ", ")
        }
        let found = String(decoding: facts.method, as: UTF8.self)
        return StubVerdict("method", expected, found, isMatch: matches(method: facts.method))
    }

    private func schemeVerdict(_ facts: StubRequestFacts) -> StubVerdict? {
        request.scheme.map { StubVerdict("scheme", $0, facts.scheme, isMatch: $0 == facts.scheme) }
    }

    private func portVerdict(_ facts: StubRequestFacts) -> StubVerdict? {
        request.port.map { StubVerdict("port", String($0), facts.port.map { String($0) }, isMatch: $0 == facts.port) }
    }
}

extension StubVerdict {
    fileprivate init(_ field: String, _ expected: String, _ found: String?, isMatch: Bool) {
        self.init(field: field, expected: expected, found: found, isMatch: isMatch)
    }
}

extension CompiledCondition {
    fileprivate var group: CompiledStubRequest.Group {
        switch field {
        case .host: .host
        case .clientIP: .clientIP
        case .pathParameter: .pathParameters
        case .header: .headers
        case .query: .query
        case .cookie: .cookies
        case .form: .form
        case .body: .body
        case .multipart: .multipart
        case .custom: .custom
        }
    }
}
