// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseMatching
@testable import RepriseText

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

    @Test func matchesOnlyRequiredHost() throws {
        let options = MatchingOptions(requiresHost: true)
        let index = FixtureIndex(
            recorded: ["GET https://a.example/users", "GET https://a.example/both", "GET /both"],
            options: options
        )
        #expect(index.fixture(for: .get("/users", host: "a.example")) == 0)
        #expect(index.fixture(for: .get("/users", host: "b.example")) == nil)
        #expect(index.fixture(for: .get("/users")) == nil)
        #expect(index.fixture(for: .get("/both", host: "a.example")) == 1)
        #expect(index.fixture(for: .get("/both", host: "b.example")) == 2)
    }

    @Test func prefersHostOverComparedBody() {
        let index = FixtureIndex([
            .recorded("POST", "https://b.example/x", body: "exact"),
            .recorded("POST", "https://a.example/x", comparesBody: false),
        ])
        #expect(index.fixture(for: .post("/x", "exact", host: "a.example")) == 1)
        #expect(index.fixture(for: .post("/x", "exact", host: "b.example")) == 0)
        #expect(index.fixture(for: .post("/x", "exact")) == 0)
        #expect(index.fixture(for: .post("/x", "other")) == 1)
    }

    @Test(arguments: [
        (#"{"b":[1,2.50],"a":"\u0041"}"#, "application/json", 0),
        ("{ \"a\" : \"A\",\n \"b\" : [10e-1, 25e-1] }", "application/x-www-form-urlencoded", 0),
        (#"{"b":[2.5,1],"a":"A"}"#, "application/json", nil),
        (#"{"b":[1,2.5],"a":"A","c":null}"#, "application/json", nil),
        ("y=2&x=1", "application/x-www-form-urlencoded", 1),
        ("y=%32&x=1", "text/plain", 1),
        ("y=2&x=2", "application/x-www-form-urlencoded", nil),
        ("plain", "text/plain", 2),
        ("plain ", "text/plain", nil),
        ("--z\r\n\r\npart\r\n--z--\r\n", "multipart/form-data; boundary=z", 3),
        ("--\"z\r\n\r\npart\r\n--\"z--\r\n", #"multipart/mixed; boundary="\"z""#, 3),
        ("--z\r\n\r\nparts\r\n--z--\r\n", "multipart/form-data; boundary=z", nil),
        ("", "text/plain", 4),
    ])
    func comparesBodiesByRecordedFormat(body: String, type: String, fixture: Int?) {
        let index = FixtureIndex([
            .recorded("POST", "/x", headers: ["Content-Type: application/json"], body: #"{"a": "A", "b": [1.0, 2.5]}"#),
            .recorded("POST", "/x", headers: ["Content-Type: application/x-www-form-urlencoded"], body: "x=1&y=2"),
            .recorded("POST", "/x", headers: ["Content-Type: text/plain"], body: "plain"),
            .recorded(
                "POST",
                "/x",
                headers: ["Content-Type: multipart/form-data; boundary=abc"],
                body: "--abc\r\n\r\npart\r\n--abc--\r\n"
            ),
            .recorded("POST", "/x"),
        ])
        #expect(index.fixture(for: .post("/x", body, type: type)) == fixture)
    }

    @Test func needsBodyOnlyIfCompared() throws {
        let index = FixtureIndex([
            .recorded("POST", "/compared", body: "x"), .recorded("POST", "/lost", comparesBody: false),
            try .route("POST", "/route"), .recorded("GET", "/plain"),
        ])
        let needed = ["/compared", "/%63ompared", "/lost", "/route", "/plain", "/unknown"].map { path in
            let request = OwnedRequest.post(path, "")
            return index.needsBody(request.view)
        }
        #expect(needed == [true, true, false, false, false, false])
    }

    @Test func prefersRecordedExchangesThenLiteralsThenTemplates() throws {
        let index = FixtureIndex([
            try .route("GET", "/users/{id}"), try .route("GET", "/users/me"), .recorded("GET", "/users/me?full=1"),
            try .route("GET", "/{kind}/me"), try .route("GET", "/{kind}/{id}/posts"),
            try .route("POST", "/users/{id}/posts"), try .route("GET", "/users/{id}/posts/{post}"),
        ])
        #expect(index.fixture(for: .get("/users/me?full=1")) == 2)
        #expect(index.fixture(for: .get("/users/me?full=2")) == 1)
        #expect(index.fixture(for: .get("/users/42?any=1")) == 0)
        #expect(index.fixture(for: .get("/users/a%2Fb")) == 0)
        #expect(index.fixture(for: .get("/users/")) == nil)
        #expect(index.fixture(for: .get("/users")) == nil)
        #expect(index.fixture(for: .get("/pets/me")) == 3)
        #expect(index.fixture(for: .get("//me")) == nil)
        #expect(index.fixture(for: .get("/users/1/posts")) == 4)
        #expect(index.fixture(for: .post("/users/1/posts", "x")) == 5)
        #expect(index.fixture(for: .get("/users/1/posts/2")) == 6)
        #expect(index.fixture(for: .get("/users/1/posts/2/3")) == nil)
    }

    @Test func answersHEADFromGET() throws {
        let index = FixtureIndex([
            .recorded("GET", "/a"), .recorded("GET", "/a"), .recorded("HEAD", "/b"), .recorded("GET", "/b"),
            try .route("GET", "/c/{id}"),
        ])
        let head = OwnedRequest(method: "HEAD", url: "/a")
        guard case .headFallback(let sequence) = index.match(head) else {
            Issue.record("expected a fallback")
            return
        }
        let play = SequenceState(index)
        #expect(play.next(of: sequence) == FixtureSequence.Turn(fixture: 0, ordinal: 1))
        #expect(index.match(.get("/a")) == .hit(sequence))
        #expect(play.take(sequence) == FixtureSequence.Turn(fixture: 0, ordinal: 1))
        #expect(play.next(of: sequence) == FixtureSequence.Turn(fixture: 1, ordinal: 2))
        #expect(index.match(OwnedRequest(method: "HEAD", url: "/b")) == .hit(FixtureSequence.ID(number: 1)))
        #expect(index.fixture(for: OwnedRequest(method: "HEAD", url: "/c/1")) == 4)
        #expect(index.match(OwnedRequest(method: "HEAD", url: "/d")) == .miss)
    }

    @Test func answersOPTIONSForKnownPaths() throws {
        let index = FixtureIndex([
            .recorded("GET", "/a?x=1"), .recorded("DELETE", "/a"), try .route("PUT", "/{name}"),
            .recorded("OPTIONS", "/b"),
        ])
        func methods(_ path: String) -> [String] {
            let request = OwnedRequest(method: "OPTIONS", url: path)
            return index.allowedMethods(request.view)
        }
        #expect(index.match(OwnedRequest(method: "OPTIONS", url: "/a")) == .optionsFallback)
        #expect(methods("/a") == ["GET", "HEAD", "DELETE", "PUT", "OPTIONS"])
        #expect(index.match(OwnedRequest(method: "OPTIONS", url: "/c")) == .optionsFallback)
        #expect(methods("/c") == ["PUT", "OPTIONS"])
        #expect(index.fixture(for: OwnedRequest(method: "OPTIONS", url: "/b")) == 3)
        #expect(methods("/b") == ["OPTIONS", "PUT"])
        #expect(index.match(OwnedRequest(method: "OPTIONS", url: "/a/b")) == .miss)
        #expect(methods("/a/b").isEmpty)
    }

    @Test func comparesConfiguredHeaders() throws {
        let fixtures: [FixtureIndex.Entry] = [
            .recorded("GET", "/a", headers: ["X-Tenant: one"]), .recorded("GET", "/a", headers: ["x-tenant:  two "]),
            .recorded("GET", "/a"), .recorded("GET", "/a", headers: ["X-Tenant: one", "X-Tenant: two"]),
        ]
        let index = FixtureIndex(fixtures, options: MatchingOptions(headerNames: ["X-TENANT"]))
        func fixture(_ lines: String...) -> Int? {
            let headers = lines.compactMap { HeaderLine($0) }
            return index.fixture(for: OwnedRequest(method: "GET", url: "/a", headers: headers))
        }
        #expect(fixture("x-tenant: one") == 0)
        #expect(fixture("X-Tenant: two") == 1)
        #expect(fixture() == 2)
        #expect(fixture("X-Tenant: one", "X-Tenant: two") == 3)
        #expect(fixture("X-Tenant: three") == nil)
        #expect(FixtureIndex(fixtures).fixtures(for: .get("/a"), count: 4) == [0, 1, 2, 3])
    }

    @Test(arguments: [
        (AfterLast.repeat, [0, 2, 2, 2, 2]), (.restart, [0, 2, 0, 2, 0]),
        (.miss, [0, 2, nil, nil, nil]),
    ])
    func appliesAfterLastOption(afterLast: AfterLast, fixtures: [Int?]) {
        let index = FixtureIndex(
            recorded: ["GET /a", "GET /b", "GET /a"],
            options: MatchingOptions(afterLast: afterLast)
        )
        #expect(index.fixtures(for: .get("/a"), count: 5) == fixtures)
    }

    @Test func acceptsAnyRequestTarget() {
        let index = FixtureIndex(recorded: ["GET /a", "OPTIONS *", "CONNECT example.com:443"])
        #expect(index.fixture(for: OwnedRequest(method: "OPTIONS", url: "*")) == 1)
        #expect(index.fixture(for: OwnedRequest(method: "CONNECT", url: "example.com:443")) == 2)
        #expect(index.fixture(for: .get("http://any.example")) == nil)
        #expect(index.fixture(for: .get(String(repeating: "/%41", count: 2000))) == nil)
    }

    @Test func missesWithoutFixtures() {
        let index = FixtureIndex([])
        #expect(index.match(.get("/")) == .miss)
        #expect(index.match(OwnedRequest(method: "OPTIONS", url: "/")) == .miss)
        #expect(index.sequenceCount == 0)
    }
}

extension FixtureIndexTests {
    @Test func separatesManyMethodsOfOnePath() throws {
        let methods = (0..<50).map { "M\($0)" }
        var fixtures: [FixtureIndex.Entry] = []
        for method in methods + methods {
            fixtures.append(.recorded(method, "/a"))
            fixtures.append(try .route(method, "/b/{c}"))
        }
        let index = FixtureIndex(fixtures)
        for (number, method) in methods.enumerated() {
            let first = number * 2
            let again = first + 100
            let literal = OwnedRequest(method: method, url: "/a")
            #expect(index.fixtures(for: literal, count: 3) == [first, again, again])
            let template = OwnedRequest(method: method, url: "/b/1")
            #expect(index.fixtures(for: template, count: 2) == [first + 1, again + 1])
        }
        let request = OwnedRequest.get("/a")
        #expect(index.allowedMethods(request.view) == methods + ["OPTIONS"])
    }
}
