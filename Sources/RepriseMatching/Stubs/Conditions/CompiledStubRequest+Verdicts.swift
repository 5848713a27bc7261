// SPDX-License-Identifier: Apache-2.0

import RepriseStubs
internal import RepriseText

extension CompiledStubRequest {
    /// Returns a verdict for each condition of the stub.
    package func verdicts(on facts: DecodedRequest) -> [StubVerdict] {
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
    ///
    /// - Parameter limit: The distance above which the result need not be exact, because nearer stubs are known.
    package func distance(from facts: DecodedRequest, limit: Double = 1) -> Double {
        let bound = limit * weight
        var sum = matches(method: facts.method.span) ? 0.0 : 3
        if request.scheme.map({ $0 != facts.scheme }) == true { sum += 3 }
        if request.port.map({ $0 != facts.port }) == true { sum += 10 }
        if sum <= bound { sum += url.distance(facts) * 10 }
        // The conditions of a group follow one another.
        var rest = conditions[...]
        while sum <= bound, let group = rest.first?.group {
            let members = rest.prefix { $0.group == group }
            sum += CompiledMatcher.mean(members.map { $0.distance(facts, url) }) * group.weight
            rest = rest.dropFirst(members.count)
        }
        return sum == 0 ? 0 : max(sum / weight, .leastNonzeroMagnitude)
    }

    /// Returns the sum of the weights of what counts: method, URL, scheme, and port, and the groups of conditions.
    static func weight(of conditions: [CompiledCondition]) -> Double {
        let present = Set(conditions.map(\.group))
        return Group.allCases.reduce(26) { $0 + (present.contains($1) || $1.alwaysCounts ? $1.weight : 0) }
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
