// SPDX-License-Identifier: Apache-2.0

internal import RepriseDocuments
import RepriseStubs
internal import RepriseText

/// A condition on the parts of multipart content, ready to be evaluated.
struct CompiledMultipart: Sendable {
    private let appliesToAll: Bool
    private let fileName: CompiledMatcher?
    private let headers: [(name: [UInt8], matcher: CompiledMatcher)]
    private let body: [CompiledMatcher]

    init(
        _ condition: MultipartCondition,
        at pointer: StubPointer,
        _ findings: inout CompiledMatcher.Findings
    ) throws(StubMatcherProblem) {
        appliesToAll = condition.appliesToAll
        if let matcher = condition.fileName {
            fileName = try CompiledMatcher(matcher, at: pointer.member("fileName"), &findings)
        } else {
            fileName = nil
        }
        var headers: [(name: [UInt8], matcher: CompiledMatcher)] = []
        for header in condition.headers {
            let place = pointer.member("headers").member(header.name)
            headers.append(
                (Array(header.name.lowercased().utf8), try CompiledMatcher(header.matcher, at: place, &findings))
            )
        }
        self.headers = headers
        var body: [CompiledMatcher] = []
        for (index, matcher) in condition.body.enumerated() {
            let place = pointer.member("bodyPatterns").element(index)
            body.append(try CompiledMatcher(matcher, at: place, &findings))
        }
        self.body = body
    }

    /// Whether the parts of a request satisfy the condition. A request without parts does not.
    func matches(_ facts: DecodedRequest) -> Bool {
        let parts = facts.parts
        guard !parts.isEmpty else { return false }
        return appliesToAll
            ? parts.allSatisfy { self.distance(of: $0, facts) == 0 }
            : parts.contains { self.distance(of: $0, facts) == 0 }
    }

    /// Returns how far the parts of a request are from satisfying the condition: 0 for a match, at most 1.
    func distance(_ facts: DecodedRequest) -> Double {
        let distances = facts.parts.map { self.distance(of: $0, facts) }
        return appliesToAll && !distances.isEmpty ? CompiledMatcher.mean(distances) : distances.min() ?? 1
    }

    var expectation: String {
        var conditions = headers.map {
            "header \(String(decoding: $0.name, as: UTF8.self)) \($0.matcher.matcher.expectation)"
        }
        if let fileName { conditions.append("file name \(fileName.matcher.expectation)") }
        conditions += body.map { "body \($0.matcher.expectation)" }
        return "[\(appliesToAll ? "all" : "any") parts] " + conditions.joined(separator: ", ")
    }

    private func distance(of part: MultipartPart, _ facts: DecodedRequest) -> Double {
        guard facts.budget.work(50) else { return 1 }
        let none = MatchedValue(nil, in: facts)
        var distances: [Double] = []
        if let fileName { distances.append(fileName.distance(MatchedValue(part.fileName.map { $0[...] }, in: facts))) }
        for header in headers {
            distances.append(header.matcher.distance(all: part.headers.values(named: header.name), of: none))
        }
        // Unlike empty content, an empty part is present.
        for matcher in body { distances.append(matcher.distance(MatchedValue(part.content, in: facts))) }
        return CompiledMatcher.mean(distances)
    }
}
