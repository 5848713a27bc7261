// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

/// Which of several fixtures answers, if some contain redaction markers.
@Suite struct WildcardOrderTests {
    @Test func prefersExactMatchToMask() {
        let index = FixtureIndex(recorded: [
            "GET /a?t=[redacted]", "GET /a?t=1", "GET /a?t=[redacted:alice]", "GET /[redacted]?t=2", "GET /b?t=3",
        ])
        #expect(index.fixture(for: .get("/a?t=1")) == 1)
        #expect(index.fixture(for: .get("/a?t=2")) == 0)
        #expect(index.fixture(for: .get("/a?t=[redacted]")) == 0)
        #expect(index.fixture(for: .get("/a?t=[redacted:alice]")) == 2)
        #expect(index.fixture(for: .get("/a?t=[redacted:bob]")) == 0)
        #expect(index.fixture(for: .get("/b?t=2")) == 3)
        #expect(index.fixture(for: .get("/b?t=3")) == 4)
    }

    @Test func prefersFirstInFileOrder() {
        let index = FixtureIndex(recorded: [
            "GET /a?t=[redacted:alice]", "GET /a?t=[redacted]", "GET /a?t=x[redacted]", "GET /a?t=[redacted:alice]",
        ])
        #expect(index.fixtures(for: .get("/a?t=xyz"), count: 3) == [0, 3, 3])
        let partsFirst = FixtureIndex(recorded: ["GET /a?t=x[redacted]", "GET /a?t=[redacted]", "GET /a?t=[redacted]x"])
        #expect(partsFirst.fixture(for: .get("/a?t=xx")) == 0)
        #expect(partsFirst.fixture(for: .get("/a?t=yx")) == 1)
    }

    @Test func playsFixturesThatDifferOnlyInSecretsAsSequence() {
        let index = FixtureIndex(recorded: ["GET /a?t=[redacted]", "GET /a?t=%5Bredacted%5D", "GET /b/[redacted]"])
        #expect(index.sequenceCount == 2)
        let play = SequenceState(index)
        let requests: [OwnedRequest] = [.get("/a?t=1"), .get("/a?t=2"), .get("/a?t=[redacted]")]
        let answers = requests.map { request -> Int? in
            guard case .hit(let sequence) = index.match(request) else { return nil }
            return play.take(sequence).fixture
        }
        #expect(answers == [0, 1, 1])
    }

    @Test func prefersComparedBodies() {
        let index = FixtureIndex([
            .recorded("POST", "/x", comparesBody: false), .recorded("POST", "/x", body: #"{"p":"[redacted]"}"#),
            .recorded("POST", "/x?t=[redacted]", comparesBody: false), .recorded("POST", "/x", body: #"{"p":"a"}"#),
        ])
        #expect(index.fixture(for: .post("/x", #"{"p":"a"}"#)) == 3)
        #expect(index.fixture(for: .post("/x", #"{"p":"b"}"#)) == 1)
        #expect(index.fixture(for: .post("/x", #"{"q":"b"}"#)) == 0)
        #expect(index.fixture(for: .post("/x?t=1", #"{"q":"b"}"#)) == 2)
    }

    @Test func prefersFixtureOfRequestHost() {
        let fixtures: [FixtureIndex.Entry] = [
            .recorded("GET", "https://a.example/x?t=1"), .recorded("GET", "https://b.example/x?t=[redacted]"),
            .recorded("GET", "https://c.example/[redacted]?t=1"), .recorded("GET", "/x?t=[redacted]"),
        ]
        let index = FixtureIndex(fixtures)
        #expect(index.fixture(for: .get("/x?t=1", host: "b.example")) == 1)
        #expect(index.fixture(for: .get("/x?t=1", host: "a.example")) == 0)
        #expect(index.fixture(for: .get("/x?t=1", host: "d.example")) == 0)
        // A path without markers takes precedence, among recordings of the host and those of no host.
        #expect(index.fixture(for: .get("/x?t=1", host: "c.example")) == 3)
        #expect(index.fixture(for: .get("/y?t=1", host: "d.example")) == 2)
        let strict = FixtureIndex(fixtures, options: MatchingOptions(requiresHost: true))
        #expect(strict.fixture(for: .get("/x?t=1", host: "c.example")) == 3)
        #expect(strict.fixture(for: .get("/y?t=1", host: "c.example")) == 2)
        #expect(strict.fixture(for: .get("/y?t=1", host: "d.example")) == nil)
        #expect(strict.fixture(for: .get("/x?t=1", host: "d.example:8080")) == 3)
    }

    @Test func prefersMaskedRecordingToRoute() throws {
        let index = FixtureIndex([
            try .route("GET", "/a/b"), try .route("GET", "/a/{x}"), .recorded("GET", "/a/[redacted]"),
            .recorded("GET", "/a/c?t=[redacted]"),
        ])
        #expect(index.fixture(for: .get("/a/b")) == 2)
        #expect(index.fixture(for: .get("/a/b?t=1")) == 0)
        #expect(index.fixture(for: .get("/a/c?t=1")) == 3)
        #expect(index.fixture(for: .get("/a/c?u=1")) == 1)
    }

    @Test func answersHEADAndOPTIONS() {
        let index = FixtureIndex([
            .recorded("GET", "/a/[redacted]?t=[redacted]"), .recorded("POST", "/a/[redacted]", body: "x"),
            .recorded("PUT", "/a/b"),
        ])
        let head = OwnedRequest(method: "HEAD", url: "/a/b?t=1")
        #expect(index.match(head) == .headFallback(FixtureSequence.ID(number: 0)))
        let options = OwnedRequest(method: "OPTIONS", url: "/a/c")
        #expect(index.match(options) == .optionsFallback)
        #expect(index.allowedMethods(options.view) == ["GET", "HEAD", "POST", "OPTIONS"])
        let both = OwnedRequest(method: "OPTIONS", url: "/a/b")
        #expect(index.allowedMethods(both.view) == ["PUT", "GET", "HEAD", "POST", "OPTIONS"])
    }

    @Test func needsBodyOnlyIfCompared() {
        let index = FixtureIndex([
            .recorded("POST", "/a/[redacted]", body: "x"), .recorded("POST", "/a/b"),
            .recorded("POST", "/b", body: #"{"p":"[redacted]"}"#),
            .recorded("POST", "/c/[redacted]", comparesBody: false),
        ])
        func needsBody(_ path: String) -> Bool {
            let request = OwnedRequest.post(path, "")
            return index.needsBody(request.view)
        }
        #expect(needsBody("/a/x") && needsBody("/a/b") && needsBody("/b"))
        #expect(!needsBody("/c/x") && !needsBody("/d"))
    }

    /// However many fixtures there are, only a few are compared with a request.
    @Test func comparesFewOfManyFixtures() {
        let fixtures = (0..<2000).flatMap { number -> [FixtureIndex.Entry] in
            let body = #"{"id":\#(number),"note":"n\#(number % 90): [redacted] of \#(number)","password":"[redacted]"}"#
            return [
                .recorded("POST", "/login", body: body), .recorded("GET", "/items/\(number)/[redacted].json"),
                .recorded("GET", "/search?key=[redacted]&page=\(number)"),
            ]
        }
        let index = FixtureIndex(fixtures)
        let body = Array(#"{"note":"n7: sk of 1807","id":1807,"password":"x"}"#.utf8)
        let request = OwnedRequest(method: "POST", url: "/login", body: body)
        #expect(index.fixture(for: request) == 1807 * 3)
        let canonical = CanonicalRequest(request.view, kinds: index.tables.kinds, index.bodyLimits, index.options)
        let found = index.tables.masks.candidates(at: 0, canonical)
        #expect(found.map(\.identity) == [1807 * 3])
        let path = Array("/items/1807/a.json".utf8)
        let sites = index.tables.masks.sites(matching: path.span)
        #expect(sites.count == 1)
        #expect(index.fixture(for: .get("/items/1807/a.json")) == 1807 * 3 + 1)
        #expect(index.fixture(for: .get("/search?page=1807&key=a")) == 1807 * 3 + 2)
    }

    /// Fixtures beyond the limit of masks are found too.
    @Test func findsFixturesBeyondMaskLimit() {
        let fixtures = (0..<200).flatMap { number -> [FixtureIndex.Entry] in
            [
                .recorded("POST", "/x", body: #"{"k\#(number)":"[redacted]"}"#),
                .recorded("GET", "/\(String(repeating: "a", count: number / 2 + 1))[redacted]"),
            ]
        }
        let index = FixtureIndex(fixtures)
        for number in stride(from: 0, to: 200, by: 7) {
            #expect(index.fixture(for: .post("/x", #"{"k\#(number)":"v"}"#)) == number * 2)
        }
        #expect(index.fixture(for: .get("/" + String(repeating: "a", count: 100) + "b")) == 1)
        #expect(index.fixture(for: .post("/x", #"{"k7":1}"#)) == nil)
    }
}
