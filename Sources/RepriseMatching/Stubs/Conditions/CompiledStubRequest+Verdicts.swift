// SPDX-License-Identifier: Apache-2.0

import RepriseStubs
internal import RepriseText

extension CompiledStubRequest {
    /// Returns a verdict for each condition of the stub.
    package func verdicts(on facts: StubRequestFacts) -> [StubVerdict] {
        let found = String(decoding: facts.method, as: UTF8.self)
        let port = facts.port.map { String($0) }
        let first = [
            expectedMethod.map { StubVerdict("method", $0, found, isMatch: matches(method: facts.method.span)) },
            url.verdict(facts),
            request.scheme.map { StubVerdict("scheme", $0, facts.scheme, isMatch: $0 == facts.scheme) },
            request.port.map { StubVerdict("port", String($0), port, isMatch: $0 == facts.port) },
        ]
        return first.compactMap { $0 } + conditions.map { $0.verdict(facts, url) }
    }

    /// Returns how far a request is from satisfying the stub: 0 for a match, at most 1. Each part of the request has
    /// WireMock's weight, and counts whether or not the stub has a condition on it, so that the distances of different
    /// stubs can be compared.
    package func distance(from facts: StubRequestFacts) -> Double {
        var sum = WeightedSum()
        sum.add(matches(method: facts.method.span) ? 0 : 1, weight: 3)
        sum.add(url.distance(facts), weight: 10)
        sum.add(request.scheme.map { $0 == facts.scheme } ?? true ? 0 : 1, weight: 3)
        sum.add(request.port.map { $0 == facts.port } ?? true ? 0 : 1, weight: 10)
        var groups: [Group: [Double]] = [:]
        for condition in conditions {
            groups[condition.group, default: []].append(condition.distance(facts, url))
        }
        for group in Group.allCases {
            guard groups[group] != nil || group.alwaysCounts else { continue }
            sum.add(groups[group].map { CompiledMatcher.mean($0) } ?? 0, weight: group.weight)
        }
        return sum.mean
    }

    private struct WeightedSum {
        private var distance = 0.0
        private var weight = 0.0

        mutating func add(_ distance: Double, weight: Double) {
            self.distance += distance * weight
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

    /// The methods as verdicts show them; `nil` for any.
    private var expectedMethod: String? {
        switch request.method {
        case .any: nil
        case .oneOf(let names): names.joined(separator: " or ")
        case .noneOf(let names): "[none of] " + names.joined(separator: ", ")
        }
    }
}

extension StubVerdict {
    fileprivate init(_ field: String, _ expected: String, _ found: String?, isMatch: Bool) {
        self.init(field: field, expected: expected, found: found, isMatch: isMatch)
    }
}

extension CompiledCondition {
    fileprivate var group: CompiledStubRequest.Group {
        switch subject {
        case .values(.host, _): .host
        case .values(.clientIP, _): .clientIP
        case .values(.header, _): .headers
        case .values(.query, _): .query
        case .values(.cookie, _): .cookies
        case .values(.form, _): .form
        case .values(.body, _), .values(.jsonPath, _): .body
        case .pathParameter: .pathParameters
        case .multipart: .multipart
        case .custom: .custom
        }
    }
}
