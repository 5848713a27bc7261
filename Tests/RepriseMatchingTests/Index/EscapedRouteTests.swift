// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

/// Requests whose paths contain escapes that are not needed, as from `encodeURIComponent`.
@Suite struct EscapedRouteTests {
    private static func index() throws -> FixtureIndex {
        FixtureIndex([
            try .route("GET", "/users/atlas@example.com"), try .route("GET", "/v1/docs/a:b+c,d"),
            try .route("GET", "/100%25"), try .route("GET", "/a b"),
            .recorded("GET", "/both%40"), try .route("GET", "/both@"), .recorded("POST", "/both%40"),
            try .route("GET", "/t@/{id}"), try .route("GET", "/t@/1%40"), try .route("GET", "/escaped%40"),
        ])
    }

    @Test(arguments: [
        ("/users/atlas@example.com", 0), ("/users/atlas%40example.com", 0), ("/users%2Fatlas%40example.com", nil),
        ("/v1/docs/a%3Ab%2Bc%2Cd", 1), ("/v1/docs/a%3ab+c%2cd", 1), ("/v1/docs/a%253Ab+c,d", nil),
        ("/100%25", 2), ("/100%2525", nil), ("/a%20b", 3), ("/a+b", nil),
        ("/both%40", 4), ("/both@", 5), ("/t%40/7", 7), ("/t%40/%2F", 7), ("/t@/1%40", 8), ("/t%40/1%40", 7),
        ("/escaped@", nil), ("/escaped%40", 9),
    ])
    func matchRouteWhereExactPathMisses(path: String, fixture: Int?) throws {
        let index = try Self.index()
        let request = OwnedRequest.get(path)
        #expect(index.fixture(for: request) == fixture)
        #expect(index.fixture(for: OwnedRequest(method: "HEAD", url: path)) == fixture)
        let candidates = index.candidates(request.view)
        #expect(candidates.first ?? .miss == index.match(request))
        let explanation = Explanation(index, request)
        let answering = explanation.candidates.first { $0.standing == .inSequence(place: 1) }
        #expect(answering?.fixture == fixture)
        #expect(answering?.verdicts.allSatisfy(\.isEqual) ?? true)
    }

    @Test func leaveRecordingsDistinct() {
        let index = FixtureIndex(recorded: ["GET /a@b", "GET /a%3Ab"])
        for path in ["/a%40b", "/a:b"] { #expect(index.match(.get(path)) == .miss) }
        #expect(index.fixture(for: .get("/a%3ab")) == 1)
    }

    @Test func keepRouteForQueryThatWasNotRecorded() throws {
        let index = FixtureIndex([.recorded("GET", "/a%40b?page=1"), try .route("GET", "/a@b")])
        #expect(index.fixture(for: .get("/a%40b?page=1")) == 0)
        #expect(index.fixture(for: .get("/a%40b?page=2")) == 1)
    }

    @Test func allowMethodsOfRoute() throws {
        let index = try Self.index()
        let request = OwnedRequest(method: "OPTIONS", url: "/both%40")
        #expect(index.match(request) == .optionsFallback)
        #expect(index.allowedMethods(request.view) == ["GET", "HEAD", "POST", "OPTIONS"])
        let template = OwnedRequest(method: "OPTIONS", url: "/t%40/1")
        #expect(index.match(template) == .optionsFallback)
        #expect(index.allowedMethods(template.view) == ["GET", "HEAD", "OPTIONS"])
        #expect(index.match(OwnedRequest(method: "OPTIONS", url: "/escaped@")) == .miss)
    }
}
