// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

/// Matching that compares only some fields.
@Suite struct MatchingFieldsTests {
    @Test(
        arguments: [
            (MatchingOptions.Fields.all, [0], []),
            ([.path, .query, .body], [0, 1], []),
            ([.method, .query, .body], [0, 2], []),
            ([.method, .path, .body], [0, 3], []),
            ([.method, .path, .query], [0, 4], []),
            ([.method, .path], [0, 3, 4], []),
            ([.method], [0, 2, 3, 4], []),
            ([], [0, 1, 2, 3, 4], []),
        ] as [(MatchingOptions.Fields, [Int], [Int])]
    )
    func comparedFieldsDetermineSequence(fields: MatchingOptions.Fields, sequence: [Int], none: [Int]) throws {
        let fixtures: [FixtureIndex.Entry] = [
            .recorded("POST", "/a?q=1", body: "x"), .recorded("PUT", "/a?q=1", body: "x"),
            .recorded("POST", "/b?q=1", body: "x"), .recorded("POST", "/a?q=2", body: "x"),
            .recorded("POST", "/a?q=1", body: "y"),
        ]
        let index = FixtureIndex(fixtures, options: MatchingOptions(fields: fields))
        let request = OwnedRequest.post("/a?q=1", "x")
        guard case .hit(let id) = index.match(request) else {
            Issue.record("expected a hit")
            return
        }
        #expect(index[id].fixtures == sequence)
        for (number, fixture) in fixtures.enumerated() {
            let matches = fixture.pattern.matches(request, options: index.options)
            #expect(matches == sequence.contains(number))
            #expect(fixture.pattern.verdicts(on: request, options: index.options).allSatisfy(\.isEqual) == matches)
        }
    }

    @Test func ignoresUncomparedFields() {
        let index = FixtureIndex(
            [.recorded("GET", "https://a.example/a?q=1")],
            options: MatchingOptions(requiresHost: true, fields: .body)
        )
        #expect(index.fixture(for: OwnedRequest(method: "BREW", url: "/zz?%", headers: [.host("a.example")])) == 0)
        #expect(index.fixture(for: OwnedRequest(method: "HEAD", url: "*", headers: [.host("a.example")])) == 0)
        #expect(index.fixture(for: .get("/a?q=1", host: "b.example")) == nil)
        #expect(index.fixture(for: .post("/a", "x", host: "a.example")) == nil)
    }

    @Test func needsBodyOnlyIfCompared() {
        let index = FixtureIndex(
            [.recorded("POST", "/a", body: "x")],
            options: MatchingOptions(fields: [.method, .path, .query])
        )
        let request = OwnedRequest.post("/a", "")
        let needsBody = index.needsBody(request.view)
        #expect(!needsBody)
        #expect(index.fixture(for: .post("/a", "y")) == 0)
        let strict = FixtureIndex([.recorded("POST", "/a", body: "x")], options: MatchingOptions(fields: [.body]))
        let strictNeedsBody = strict.needsBody(request.view)
        #expect(strictNeedsBody)
    }

    @Test func stillComparesRedactedFields() {
        let fixtures: [FixtureIndex.Entry] = [
            .recorded("POST", "/a/[redacted]?t=[redacted]", body: #"{"p":"[redacted]","n":1}"#),
            .recorded("POST", "/b?t=2", body: #"{"p":"[redacted]","n":2}"#),
        ]
        let bodies = FixtureIndex(fixtures, options: MatchingOptions(fields: .body))
        #expect(bodies.fixture(for: .post("/zz", #"{"n":2,"p":"x"}"#)) == 1)
        #expect(bodies.fixture(for: .post("/zz", #"{"n":3,"p":"x"}"#)) == nil)
        let paths = FixtureIndex(fixtures, options: MatchingOptions(fields: .path))
        #expect(paths.fixture(for: .get("/a/x?t=1")) == 0)
        #expect(paths.fixture(for: .get("/a")) == nil)
        let queries = FixtureIndex(fixtures, options: MatchingOptions(fields: .query))
        #expect(queries.fixture(for: .get("/zz?t=2")) == 1)
        #expect(queries.fixture(for: .get("/zz?t=3")) == 0)
    }

    @Test func reportsOnlyComparedFields() {
        let index = FixtureIndex(
            [.recorded("POST", "/a?q=1", body: "x"), .recorded("POST", "/a?q=1", body: "z")],
            options: MatchingOptions(fields: [.path, .body])
        )
        #expect(
            index.differences(for: OwnedRequest(method: "PUT", url: "/b?q=2", body: Array("x".utf8))).first
                == ["path: expected /a, found /b"]
        )
        let text = Explanation(index, OwnedRequest(method: "PUT", url: "/a?q=2", body: Array("x".utf8))).text()
        #expect(!text.contains("method") && !text.contains("query"))
    }

    @Test func recordingAnswersAnyRequestIfNothingIsCompared() throws {
        let index = FixtureIndex(
            [try .route("GET", "/a/{x}"), .recorded("POST", "/b")],
            options: MatchingOptions(fields: [])
        )
        #expect(index.fixture(for: .post("/c", "x")) == 1)
    }
}

extension HeaderLine {
    fileprivate static func host(_ host: String) -> HeaderLine {
        HeaderLine(name: "Host", value: host)
    }
}
