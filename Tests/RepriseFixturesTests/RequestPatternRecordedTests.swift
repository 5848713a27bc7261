// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseMatching
@testable import RepriseText

@Suite struct RequestPatternRecordedTests {
    @Test func readsBodiesFromFiles() {
        let file = FileSource(path: "/body", size: 3)
        let request = RecordedRequest(method: "POST", url: "/", body: RecordedBody(.file(file)))
        let known = RequestPattern(recorded: request) { _ in Array("[1]".utf8) }
        #expect(known.body == .equal(.json, Array("[1]".utf8)))
        #expect(RequestPattern(recorded: request) { _ in nil }.body == .any)
    }

    @Test func comparesOnlyCompleteBodies() {
        let body = RecordedBody(.bytes(Array("x".utf8)))
        let whole = RecordedRequest(method: "POST", url: "/", body: body)
        #expect(RequestPattern(recorded: whole).body == .equal(.bytes, Array("x".utf8)))
        let partial = RecordedRequest(method: "POST", url: "/", body: body, comparesBody: false)
        #expect(RequestPattern(recorded: partial).body == .any)
    }

    @Test(arguments: [
        ("/users?key=[redacted]", true), ("/users?key=%5Bredacted:ann%5D", true), ("/users?key=x", false),
    ])
    func matchesAnyTextAtMarker(url: String, matches: Bool) {
        let pattern = RequestPattern(recorded: RecordedRequest(method: "GET", url: url))
        #expect(pattern.matches(OwnedRequest(method: "GET", url: "/users?key=hunter2")) == matches)
    }

    @Test(arguments: [(206, "bytes=0-9", true), (206, "bytes=10-", false), (200, "bytes=10-", true)])
    func fixtureAnswersRangeOfItsResponse(status: Int, range: String, isAnswered: Bool) throws {
        let recorded = RecordedRequest(
            method: "GET",
            url: "https://a.example/api/video",
            headers: [try #require(HeaderLine("Range: bytes=0-9"))],
            base: "https://a.example/api"
        )
        let body = RecordedBody(.bytes(Array("0123456789".utf8)))
        let response = RecordedResponse(status: status, headers: [], content: .body(body))
        let fixture = Fixture(Exchange(request: recorded, outcome: .response(response)))
        for (fixture, path) in [(fixture, "/api/video"), (fixture.asServed, "/video")] {
            let header = try #require(HeaderLine("Range: \(range)"))
            let match = FixtureIndex([fixture]).match(OwnedRequest(method: "GET", url: path, headers: [header]))
            #expect((match != .miss) == isAnswered)
        }
    }
}
