// SPDX-License-Identifier: Apache-2.0

@testable import RepriseMatching
@testable import RepriseText

extension FixtureIndex {
    /// An index of `entries`, which are in file order.
    convenience init(_ entries: [Entry], options: MatchingOptions = MatchingOptions()) {
        self.init(entries: entries, options: options)
    }

    /// An index of requests such as `GET /users?page=2` without bodies.
    convenience init(recorded requests: [String], options: MatchingOptions = MatchingOptions()) {
        self.init(
            requests.map { request in
                let parts = request.split(separator: " ")
                return .recorded(String(parts[0]), String(parts[1]))
            },
            options: options
        )
    }

    /// The fixtures that answer the request when it is sent `count` times, by default from the start.
    func fixtures(for request: OwnedRequest, count: Int, in play: SequenceState? = nil) -> [Int?] {
        let play = play ?? SequenceState(self)
        return (0..<count).map { _ in
            guard case .hit(let sequence) = match(request) else { return nil }
            return play.take(sequence).fixture
        }
    }

    /// The fixture that would answer the request next.
    func fixture(for request: OwnedRequest) -> Int? {
        switch match(request) {
        case .hit(let sequence), .headFallback(let sequence): SequenceState(self).next(of: sequence).fixture
        case .optionsFallback, .miss: nil
        }
    }
}

extension FixtureIndex.Entry {
    /// The entry of a recorded request.
    static func recorded(
        _ method: String,
        _ url: String,
        headers: [String] = [],
        body: String? = nil,
        comparesBody: Bool = true,
        file: String = "test.cassette.json"
    ) -> FixtureIndex.Entry {
        let pattern = RequestPattern(
            recorded: method,
            url,
            headers: headers.compactMap { HeaderLine($0) },
            body: Array((body ?? "").utf8),
            comparesBody: comparesBody
        )
        return FixtureIndex.Entry(pattern, source: FixtureSource(file: file))
    }

    /// The entry of a route file.
    static func route(_ method: String, _ path: String) throws -> FixtureIndex.Entry {
        FixtureIndex.Entry(
            try RequestPattern(method: method, routePath: path),
            source: FixtureSource(file: "\(path.dropFirst()).\(method.lowercased()).json")
        )
    }
}

extension RequestPattern {
    /// The pattern of a recorded request, whose redaction markers are masks.
    init(
        recorded method: String,
        _ url: String,
        headers: [HeaderLine] = [],
        body: [UInt8] = [],
        comparesBody: Bool = true
    ) {
        let contentType = headers.firstValue(named: "Content-Type").map { Array($0.utf8) }
        self.init(
            recordedMethod: method,
            url: url,
            headers: headers,
            body: comparesBody ? BodyPattern(recorded: body, contentType: contentType) : .any,
            recordedBodyCount: body.count,
            findMasks: { RedactionMarker.ranges(in: $0, withNumbers: false) }
        )
    }
}

extension OwnedRequest {
    /// A GET request.
    static func get(_ url: String, host: String? = nil) -> OwnedRequest {
        OwnedRequest(method: "GET", url: url, headers: hostLines(host))
    }

    /// A POST request.
    static func post(_ url: String, _ body: String, type: String = "text/plain", host: String? = nil) -> OwnedRequest {
        let lines = hostLines(host) + [HeaderLine("Content-Type: \(type)")].compactMap { $0 }
        return OwnedRequest(method: "POST", url: url, headers: lines, body: Array(body.utf8))
    }

    private static func hostLines(_ host: String?) -> [HeaderLine] {
        [host.flatMap { HeaderLine("Host: \($0)") }].compactMap { $0 }
    }
}
