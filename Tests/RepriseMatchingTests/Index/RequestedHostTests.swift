// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

@Suite struct RequestedHostTests {
    private static let recorded = [
        "GET https://a.example/users", "GET https://b.example/users", "GET https://b.example:8443/users",
        "GET https://a.example/only", "GET /any",
    ]

    @Test(
        arguments: [
            ("a.example", 0), ("A.Example", 0), ("a.example:8080", 0), ("b.example", 1), ("b.example:8443", 2),
            // Which of the hosts is meant is not guessed.
            ("127.0.0.1:8080", nil), (nil, nil),
        ] as [(String?, Int?)]
    )
    func hostOfRequestDecides(host: String?, fixture: Int?) {
        #expect(FixtureIndex(recorded: Self.recorded).fixture(for: .get("/users", host: host)) == fixture)
    }

    @Test(
        arguments: [
            ("localhost:8080", 3, 4), (nil, 3, 4), ("a.example", 3, 4),
            // A host of which there are recordings gets no others.
            ("b.example", nil, 4),
        ] as [(String?, Int?, Int)]
    )
    func recordedHostIsRequired(host: String?, only: Int?, any: Int) {
        let index = FixtureIndex(recorded: Self.recorded)
        #expect(index.fixture(for: .get("/only", host: host)) == only)
        #expect(index.fixture(for: .get("/any", host: host)) == any)
    }

    @Test func singleHostAnswersAllHosts() {
        let index = FixtureIndex(recorded: ["GET https://a.example/users", "GET /users"])
        #expect(index.fixtures(for: .get("/users"), count: 3) == [0, 1, 1])
        #expect(index.fixtures(for: .get("/users", host: "b.example"), count: 3) == [0, 1, 1])
        #expect(index.fixtures(for: .get("/users", host: "a.example"), count: 2) == [0, 0])
    }

    @Test func sequencesOfHostsAdvanceSeparately() {
        let index = FixtureIndex(recorded: [
            "GET https://a.example/users", "GET https://b.example/users", "GET https://a.example/users", "GET /users",
        ])
        let play = SequenceState(index)
        #expect(index.fixtures(for: .get("/users", host: "a.example"), count: 3, in: play) == [0, 2, 2])
        #expect(index.fixtures(for: .get("/users", host: "b.example"), count: 2, in: play) == [1, 1])
        #expect(index.fixtures(for: .get("/users"), count: 1, in: play) == [3])
    }

    @Test func missNamesAllHosts() {
        let index = FixtureIndex(recorded: Self.recorded)
        let text = String(decoding: MissReport(index, .get("/users", host: "localhost")).text(), as: UTF8.self)
        for host in ["a.example", "b.example", "b.example:8443"] {
            #expect(text.contains("host: expected \(host), found localhost\n"))
        }
        let explanation = Explanation(index, .get("/users"))
        let verdicts = explanation.candidates.prefix(3).compactMap { $0.verdicts.last?.description }
        #expect(verdicts.first == "host: expected a.example, found nothing")
        #expect(explanation.outcome == .miss)
    }

    @Test func missOfOtherPathDoesNotBlameHost() {
        let text = MissReport(FixtureIndex(recorded: Self.recorded), .get("/user", host: "localhost")).text()
        #expect(!String(decoding: text, as: UTF8.self).contains("host:"))
    }

    @Test(arguments: [
        ("https://a.example/", 1), ("http://a.example/", 0), ("https://a.example:8080/", nil),
        ("http://a.example:8080/", 2), ("http://b.example:8080/", nil), ("https://b.example/any", 3),
    ])
    func proxiedRequestGetsRecordingsOfItsOrigin(url: String, fixture: Int?) {
        var options = MatchingOptions()
        options.comparesScheme = true
        let recorded = ["GET http://a.example/", "GET https://a.example/", "GET http://a.example:8080/", "GET /any"]
        let index = FixtureIndex(recorded: recorded, options: options)
        #expect(index.fixture(for: .proxied(url)) == fixture)
        #expect(index.candidates(OwnedRequest.proxied(url).view).isEmpty == (fixture == nil))
        // Without the proxy, either scheme may be meant.
        #expect(index.fixture(for: .get("/", host: "a.example")) == 1)
        #expect(index.fixture(for: .get("/", host: "localhost")) == nil)
    }

    @Test func missOfProxiedRequestNamesScheme() {
        var options = MatchingOptions()
        options.comparesScheme = true
        let index = FixtureIndex(recorded: ["GET https://a.example/"], options: options)
        #expect(
            index.differences(for: .proxied("http://a.example/"))
                == [["host: expected https://a.example, found http://a.example"]]
        )
        #expect(
            index.differences(for: .proxied("https://b.example/")) == [["host: expected a.example, found b.example"]]
        )
    }
}

extension OwnedRequest {
    /// A GET request that came through a proxy.
    fileprivate static func proxied(_ url: String) -> OwnedRequest {
        let request = OwnedRequest.get(url)
        var ranges = request.ranges
        let scheme = Array(url.utf8.prefix { $0 != UInt8(ascii: ":") })
        ranges.scheme = request.head.count..<request.head.count + scheme.count
        return OwnedRequest(head: request.head + scheme, ranges: ranges)
    }
}
