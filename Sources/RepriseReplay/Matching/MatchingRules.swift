// SPDX-License-Identifier: Apache-2.0

/// What a list of matchers asks of the index, and what is left to ask of what it finds.
struct MatchingRules: Sendable {
    let options: MatchingOptions
    let custom: [Matcher.Custom]
    private let comparesMethod: Bool
    private let comparesPath: Bool
    private let comparesQuery: Bool
    private let comparesBody: Bool

    init(_ matchers: [Matcher], afterLast: MatchingOptions.AfterLast) {
        var options = MatchingOptions(afterLast: afterLast)
        var custom: [Matcher.Custom] = []
        var compared: (method: Bool, path: Bool, query: Bool, body: Bool) = (false, false, false, false)
        for matcher in matchers {
            switch matcher.kind {
            case .method: compared.method = true
            case .path: compared.path = true
            case .query: compared.query = true
            case .body: compared.body = true
            case .host: options.requiresHost = true
            case .headers(let names): options.headerNames += names
            case .custom(let matcher): custom.append(matcher)
            }
        }
        self.options = options
        self.custom = custom
        (comparesMethod, comparesPath, comparesQuery, comparesBody) = compared
    }

    /// Whether the fixtures have to bring the requests that were recorded.
    var needsRecordings: Bool { !custom.isEmpty || !comparesAll }

    /// Whether method, path, query and body all count, as the index has it.
    var comparesAll: Bool { comparesMethod && comparesPath && comparesQuery && comparesBody }

    /// A request in which all that is not compared is the same as in any other.
    func comparable(_ request: RecordedRequest) -> RecordedRequest {
        guard !comparesAll else { return request }
        var request = request
        if !comparesMethod { request.method = "GET" }
        if !comparesQuery { request.url = String(request.url.prefix { $0 != "?" }) }
        if !comparesPath { request.url = Self.withoutPath(request.url) }
        if !comparesBody { request.body = nil }
        return request
    }

    /// The fixture with what is not compared made the same as in any other.
    func comparable(_ fixture: Fixture) -> Fixture {
        guard !comparesAll, let recording = fixture.recording else { return fixture }
        var fixture = fixture
        fixture.pattern = RequestPattern(recorded: comparable(recording.request))
        return fixture
    }

    private static func withoutPath(_ url: String) -> String {
        let query = url.drop { $0 != "?" }
        let rest = url.prefix { $0 != "?" }
        guard let scheme = rest.range(ofSchemeEnd: "://") else { return "/\(query)" }
        let authority = rest[scheme...].prefix { $0 != "/" }
        return "\(rest[..<scheme])\(authority)/\(query)"
    }
}

extension Substring {
    fileprivate func range(ofSchemeEnd mark: String) -> Index? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(mark) { return self.index(index, offsetBy: mark.count) }
            if self[index] == "/" { return nil }
            index = self.index(after: index)
        }
        return nil
    }
}
