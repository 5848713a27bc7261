// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseFixtures

@Suite struct FixtureIndexTests {
    @Test(arguments: [
        ("GET", "/users?b=2&a=1", 0),
        ("GET", "/users?a=1&b=2", 0),
        ("GET", "/users?a=1&b=%32", 0),
        ("GET", "/%75sers?a=1&b=2", 0),
        ("GET", "/users", 1),
        ("GET", "/users?", 1),
        ("GET", "/users?&&", 1),
        ("GET", "/users?a=1", nil),
        ("GET", "/users?a=1&b=2&b=2", nil),
        ("GET", "/users/", nil),
        ("get", "/users", nil),
        ("GET", "/search?q=a+b", 2),
        ("GET", "/search?q=a%20b", 2),
        ("GET", "/search?q=a%2Bb", nil),
        ("GET", "/files/a%2Fb", 3),
        ("GET", "/files/a%2fb", 3),
        ("GET", "/files/a/b", nil),
        ("GET", "/flag?on", 4),
        ("GET", "/flag?on=", 4),
        ("GET", "/a/../b", 5),
        ("GET", "/b", nil),
    ])
    func findsRecordedExchanges(method: String, url: String, fixture: Int?) {
        let index = FixtureIndex(recorded: [
            "GET /users?a=1&b=2", "GET /users", "GET /search?q=a+b", "GET /files/a%2Fb", "GET /flag?on=",
            "GET /a/../b",
        ])
        #expect(index.fixture(for: OwnedRequest(method: method, url: url)) == fixture)
    }
}

extension FixtureIndex {
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

    /// The fixture that the request would get next.
    func fixture(for request: OwnedRequest) -> Int? {
        switch match(request) {
        case .hit(let sequence), .headFallback(let sequence): next(of: sequence).fixture
        case .optionsFallback, .miss: nil
        }
    }
}

extension Fixture {
    /// A recorded exchange.
    static func recorded(
        _ method: String,
        _ url: String,
        headers: [String] = [],
        body: String? = nil,
        comparesBody: Bool = true,
        file: String = "test.cassette.json"
    ) -> Fixture {
        let request = RecordedRequest(
            method: method,
            url: url,
            headers: headers.compactMap { HeaderLine($0) },
            body: body.map { RecordedBody(.bytes(Array($0.utf8))) },
            comparesBody: comparesBody
        )
        return Fixture(
            source: Source(file: file),
            pattern: RequestPattern(recorded: request),
            plan: ResponsePlan(steps: [.end], framing: .none)
        )
    }

    /// A route file.
    static func route(_ method: String, _ path: String) throws -> Fixture {
        Fixture(
            source: Source(file: "\(path.dropFirst()).\(method.lowercased()).json"),
            pattern: try RequestPattern(method: method, routePath: path),
            plan: ResponsePlan(steps: [.end], framing: .none)
        )
    }
}
