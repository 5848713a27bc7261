// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

@Suite struct ExplanationTests {
    @Test func listsAnsweringAndHiddenFixtures() throws {
        let index = FixtureIndex([
            .recorded("GET", "https://a.example/users/1", file: "a.har"), try .route("GET", "/users/{id}"),
            .recorded("GET", "https://a.example/users/1", file: "b.har"), try .route("GET", "/users/1"),
            .recorded("GET", "/users/1?full=1", file: "c.har"), .recorded("GET", "/users/2", file: "d.har"),
        ])
        let explanation = Explanation(index, .get("/users/1", host: "a.example"))
        #expect(
            explanation.text() == """
                GET /users/1

                Answered by a.har.
                It is answer 1 of 2 in a sequence; after the last comes the last one, repeated.

                GET /users/1 (a.har)
                  answers, as number 1 of its sequence
                  = method: GET
                  = path: /users/1
                  = query: nothing
                  = body: nothing
                  = host: a.example

                GET /users/1 (b.har)
                  answers, as number 2 of its sequence
                  = method: GET
                  = path: /users/1
                  = query: nothing
                  = body: nothing
                  = host: a.example

                GET /users/{id} (users/{id}.get.json)
                  matches, but is hidden behind a.har: a recorded exchange takes precedence over a route
                  = method: GET
                  = path: /users/1

                GET /users/1 (users/1.get.json)
                  matches, but is hidden behind a.har: a recorded exchange takes precedence over a route
                  = method: GET
                  = path: /users/1

                GET /users/1?full=1 (c.har)
                  does not match
                  = method: GET
                  = path: /users/1
                  x query.full: expected 1, found nothing
                  = body: nothing

                GET /users/2 (d.har)
                  does not match
                  = method: GET
                  x path: expected /users/2, found /users/1
                  = query: nothing
                  = body: nothing

                """
        )
    }

    @Test func explainsPrecedence() throws {
        let fixtures: [FixtureIndex.Entry] = [
            .recorded("POST", "https://a.example/x", comparesBody: false), .recorded("POST", "https://b.example/x"),
            try .route("GET", "/a/{id}"), try .route("GET", "/a/b"), try .route("GET", "/{x}/b"),
            .recorded("HEAD", "/h"), .recorded("GET", "/h"),
        ]
        func standings(_ request: OwnedRequest) -> [Int: Explanation.Standing] {
            let candidates = Explanation(FixtureIndex(fixtures), request).candidates
            return Dictionary(uniqueKeysWithValues: candidates.map { ($0.fixture, $0.standing) })
                .filter { $1 != .different }
        }
        #expect(
            // A recording of another host than this one, which is recorded, doesn't match.
            standings(.post("/x", "", host: "a.example")) == [0: .inSequence(place: 1)]
        )
        #expect(
            standings(.post("/x", "", host: "c")) == [
                1: .inSequence(place: 1), 0: .hidden(behind: 1, .comparedBodyFirst),
            ]
        )
        #expect(
            standings(.get("/a/b")) == [
                3: .inSequence(place: 1), 2: .hidden(behind: 3, .literalFirst), 4: .hidden(behind: 3, .literalFirst),
            ]
        )
        #expect(
            standings(OwnedRequest(method: "HEAD", url: "/h")) == [
                5: .inSequence(place: 1), 6: .hidden(behind: 5, .headFirst),
            ]
        )
        let templates = FixtureIndex([fixtures[4], fixtures[2]])
        let behind = Explanation(templates, .get("/a/b")).candidates.map(\.standing)
        #expect(behind == [.inSequence(place: 1), .hidden(behind: 1, .moreSpecificFirst)])
    }

    @Test func reportsMissesAndFallbacks() {
        let index = FixtureIndex(recorded: ["GET /a", "PUT /a"])
        #expect(Explanation(index, .get("/b")).text().hasPrefix("GET /b\n\nNo fixture answers this request: 404.\n"))
        #expect(
            Explanation(index, OwnedRequest(method: "OPTIONS", url: "/a")).outcome
                == .options(["GET", "HEAD", "PUT", "OPTIONS"])
        )
        #expect(
            Explanation(index, OwnedRequest(method: "HEAD", url: "http://x/a")).text()
                .hasPrefix(
                    "HEAD /a\n\nAnswered by test.cassette.json, without its content, as the answer to the next GET.\n"
                )
        )
        #expect(Explanation(FixtureIndex([]), .get("/b")).text() == "GET /b\n\nThere are no fixtures.\n")
    }

    @Test func listsAllFixturesOfPathAndFewOthers() {
        let requests = (0..<30).map { "GET /a?n=\($0)" } + (0..<20).map { "GET /b\($0)" }
        let explanation = Explanation(FixtureIndex(recorded: requests), .get("/a"))
        #expect(explanation.candidates.map(\.fixture) == Array(0..<35))
        #expect(explanation.text().hasSuffix("\n\n… and 15 more fixtures of other paths\n"))
        let one = Explanation(FixtureIndex(recorded: ["GET /a", "GET /b"]), .get("/a"), limit: 0)
        #expect(one.text().hasSuffix("\n\n… and 1 more fixture of other paths\n"))
    }

    @Test func reportsExhaustedSequence() {
        let index = FixtureIndex(recorded: ["GET /a", "GET /b", "GET /b"], options: MatchingOptions(afterLast: .miss))
        let play = SequenceState(index)
        _ = index.fixtures(for: .get("/a"), count: 1, in: play)
        _ = index.fixtures(for: .get("/b"), count: 2, in: play)
        #expect(
            Explanation(index, .get("/a"), play: play).text().contains("\nThe one answer was given already: 404.\n")
        )
        #expect(
            Explanation(index, .get("/b"), play: play).text().contains("\nAll 2 answers were given already: 404.\n")
        )
    }

    @Test func listsNearestOfAllFixtures() {
        let index = FixtureIndex(recorded: (0..<100).map { "GET /users/\($0)" })
        let explanation = Explanation(index, .get("/users/55x"), limit: 3)
        #expect(explanation.candidates.count == 3)
        #expect(explanation.candidates.first?.fixture == 55)
        #expect(explanation.text().hasSuffix("\n\n… and 97 more fixtures of other paths\n"))
    }
}
