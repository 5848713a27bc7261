// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// The requests that a route of a ``StubTransport`` answers.
struct StubPattern: Sendable, CustomStringConvertible {
    let method: HTTPRequest.Method?
    /// The path as written in the test.
    let path: String
    private let origin: String?
    /// The segments of the path, or nil for any path.
    private let segments: [Segment]?
    /// The sorted pairs of the query, or nil for any query.
    private let query: [String]?

    private enum Segment: Sendable {
        case literal(String)
        case parameter(String)
    }

    static let all = StubPattern()

    private init() {
        method = nil
        path = "any path"
        origin = nil
        segments = nil
        query = nil
    }

    init(_ method: HTTPRequest.Method?, _ path: String) {
        self.method = method
        self.path = path
        let location = StubLocation(path)
        origin = location.origin
        query = location.hasQuery ? location.sortedQuery : nil
        segments = location.rawSegments.map { segment in
            segment.first == "{" && segment.last == "}"
                ? .parameter(String(segment.dropFirst().dropLast())) : .literal(PercentEscape.decoded(segment))
        }
    }

    /// The precedence among patterns that match. The greatest value wins.
    var specificity: Int {
        guard let segments else { return 0 }
        let isLiteral = segments.allSatisfy { segment in
            if case .literal = segment { true } else { false }
        }
        return 1 + (isLiteral ? 8 : 0) + (query == nil ? 0 : 4) + (origin == nil ? 0 : 2) + (method == nil ? 0 : 1)
    }

    /// Returns the values of the path's parameters if the request matches, or nil if it does not.
    func match(_ method: HTTPRequest.Method, _ location: StubLocation) -> [String: String]? {
        guard self.method == nil || self.method == method, origin == nil || origin == location.origin,
            query.map({ $0 == location.sortedQuery }) ?? true
        else { return nil }
        return match(path: location)
    }

    private func match(path location: StubLocation) -> [String: String]? {
        guard let segments else { return [:] }
        guard segments.count == location.rawSegments.count else { return nil }
        var parameters: [String: String] = [:]
        for (segment, raw) in zip(segments, location.rawSegments) {
            let actual = PercentEscape.decoded(raw)
            switch segment {
            case .literal(let expected): if actual != expected { return nil }
            case .parameter(let name):
                if actual.isEmpty { return nil }
                parameters[name] = actual
            }
        }
        return parameters
    }

    var description: String { "\(method?.rawValue ?? "any method") \(path)" }
}

// MARK: - Misses

extension StubPattern {
    static func missMessage(for request: StubTransport.Request, among patterns: [StubPattern]) -> String {
        let miss = "no stub answers \(request.method) \(request.head.shownURL)"
        guard !patterns.isEmpty else { return miss + "; there are no stubs" }
        let location = StubLocation(of: request.head)
        let nearest = patterns.map { (pattern: $0, distance: $0.distance(to: request.method, location)) }
            .sorted { $0.distance < $1.distance }
            .prefix(5)
        return nearest.reduce(miss + "; the nearest stubs are:") { text, near in
            text + "\n  \(near.pattern)\(near.pattern.verdict(on: request.method, location))"
        }
    }

    /// Returns the differences from the request if the path matches.
    private func verdict(on method: HTTPRequest.Method, _ location: StubLocation) -> String {
        guard match(path: location) != nil else { return "" }
        var differences: [String] = []
        if let expected = self.method, expected != method { differences.append("the method differs") }
        if let origin, origin != location.origin { differences.append("the origin differs") }
        if let query, query != location.sortedQuery { differences.append("the query differs") }
        return differences.isEmpty ? "" : " (\(differences.joined(separator: ", ")))"
    }

    private func distance(to method: HTTPRequest.Method, _ location: StubLocation) -> Int {
        let isOtherMethod = self.method != nil && self.method != method
        let isOtherQuery = query.map { $0 != location.sortedQuery } ?? false
        return pathDistance(to: location) * 4 + (isOtherMethod ? 2 : 0) + (isOtherQuery ? 1 : 0)
    }

    /// Returns the number of characters that must change, not counting the values of parameters.
    private func pathDistance(to location: StubLocation) -> Int {
        guard let segments else { return 0 }
        let actual = location.rawSegments.map { PercentEscape.decoded($0) }
        let expected = segments.enumerated().map { index, segment in
            switch segment {
            case .literal(let text): text
            case .parameter: index < actual.count ? actual[index] : ""
            }
        }
        return editDistance(
            Array(expected.joined(separator: "/").prefix(200)),
            Array(actual.joined(separator: "/").prefix(200))
        )
    }
}
