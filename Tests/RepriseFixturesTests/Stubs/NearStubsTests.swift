// SPDX-License-Identifier: Apache-2.0

import RepriseRedaction
import RepriseStubs
import RepriseText
import Testing

@testable import RepriseFixtures
@testable import RepriseMatching
@testable import RepriseStubAnswers

@Suite struct NearStubsTests {
    private func catalog(_ mappings: String) throws -> StubCatalog {
        let read = try StubMappingReader.read(Array("{\"mappings\": [\n\(mappings)]}".utf8), file: "m.json")
        return StubCatalog(
            try zip(read.mappings, read.locations).map { mapping, location in
                try StubRule(mapping, source: FixtureSource(file: "m.json", location: location))
            }
        )
    }

    private func lines(_ catalog: StubCatalog, _ request: OwnedRequest, _ play: StubState? = nil) -> [String] {
        let stubs = catalog.nearStubs(
            DecodedRequest(request),
            play ?? StubState(),
            hiding: MissReport.hidingSecrets(.standard)
        )
        return stubs.flatMap(\.lines)
    }

    @Test func namesWhatDiffers() throws {
        let catalog = try catalog(
            """
            {"name": "user", "request": {"method": "GET", "urlPathTemplate": "/users/{id}",
             "queryParameters": {"page": {"equalTo": "2"}}, "headers": {"Accept": {"contains": "json"}}}},
            {"id": "11111111-1111-1111-1111-111111111111", "request": {"method": "POST", "urlPath": "/orders"}}
            """
        )
        #expect(
            lines(catalog, OwnedRequest(method: "GET", url: "/users/1?page=3", headers: [])) == [
                "'user': GET /users/{id} (m.json:2)",
                "  header Accept: expected [contains] json, found nothing",
                "  query page: expected 2, found 3",
                "11111111-1111-1111-1111-111111111111: POST /orders (m.json:4)",
                "  method: expected POST, found GET",
                "  url: expected [path] /orders, found /users/1",
            ]
        )
    }

    @Test func namesStatesAndUsedUpAnswers() throws {
        let catalog = try catalog(
            """
            {"name": "a", "scenarioName": "s", "requiredScenarioState": "two", "request": {"url": "/a"}},
            {"name": "b", "request": {"url": "/b"}, "response": {"times": 1}}
            """
        )
        let play = StubState()
        let reason = "  scenario 's' is in state 'Started', and the stub requires 'two'"
        #expect(
            lines(catalog, OwnedRequest(method: "GET", url: "/a"), play).prefix(2) == [
                "'a': ANY /a (m.json:2)", reason,
            ]
        )
        _ = play.take([catalog.entries[1]])
        let used = lines(catalog, OwnedRequest(method: "GET", url: "/b"), play)
        #expect(used.prefix(2) == ["'b': ANY /b (m.json:3)", "  it answers only one request, and has answered it"])
    }

    @Test func hidesSecrets() throws {
        let catalog = try catalog(
            """
            {"name": "a", "request": {"url": "/a?api_key=5ecret0", "headers": {"Authorization": {"equalTo": "5ecret1"}},
             "basicAuth": {"username": "u", "password": "5ecret2"}, "cookies": {"c": {"equalTo": "5ecret3"}},
             "queryParameters": {"api_key": {"equalTo": "5ecret4"}}, "formParameters": {"password": {"equalTo": "5ecret5"}},
             "bodyPatterns": [{"equalToJson": {"password": "5ecret6"}}]}}
            """
        )
        let request = OwnedRequest(
            method: "POST",
            url: "/a?api_key=5ecretA",
            headers: ["Authorization: 5ecretC", "Cookie: c=5ecretD", "Content-Type: application/x-www-form-urlencoded"]
                .compactMap { HeaderLine($0) },
            body: Array("password=5ecretE".utf8)
        )
        let text = lines(catalog, request).joined(separator: "\n")
        #expect(!text.contains("5ecret"), "\(text)")
        #expect(text.contains("header Authorization: expected a hidden value"))
        let shown = catalog.nearStubs(DecodedRequest(request), StubState()).flatMap(\.lines)
        #expect(shown.joined().contains("5ecretA"))
    }

    /// The name of a secret in a path is enough: the request may lack the value.
    @Test(arguments: [
        #"{"matchesJsonPath": {"expression": "$.user.password", "equalTo": "5ecret1"}}"#,
        #"{"matchesJsonPath": "$[?(@.client_secret == '5ecret2')]"}"#,
        #"{"matchesXPath": {"expression": "//password/text()", "equalTo": "5ecret3"}}"#,
    ])
    func hidesSecretsBehindPaths(matcher: String) throws {
        let mapping = #"{"request": {"url": "/a", "bodyPatterns": [\#(matcher)]}}"#
        let catalog = try catalog(mapping)
        let request = OwnedRequest(method: "POST", url: "/a", headers: [], body: Array(#"{"a": 1}"#.utf8))
        let text = lines(catalog, request).joined(separator: "\n")
        #expect(text.contains("body: expected [match"))
        #expect(!text.contains("5ecret"), "\(text)")
        let plain = try self.catalog(mapping.replacing("password", with: "name").replacing("client_secret", with: "id"))
        #expect(lines(plain, request).joined().contains("5ecret"))
    }

    @Test func comparesFewOfManyStubs() throws {
        let stubs = try (0..<2000).map { number in
            let request = StubRequest(method: .oneOf(["GET"]), url: .equalTo("/things/\(number)/parts"))
            return try StubRule(StubMapping(request), source: FixtureSource(file: "\(number)"))
        }
        let catalog = StubCatalog(stubs)
        let near = catalog.nearest(
            DecodedRequest(OwnedRequest(method: "POST", url: "/things/777/parts")),
            limit: .max
        )
        #expect(near.count <= StubCatalog.maximumCandidates)
        #expect(near.first?.stub == 777)
        let typo = catalog.nearest(DecodedRequest(OwnedRequest(method: "GET", url: "/things/777/part")), limit: 3)
        #expect(typo.first?.stub == 777)
        let unlike = catalog.nearest(DecodedRequest(OwnedRequest(method: "GET", url: "/zzz")), limit: 3)
        #expect(unlike.count == 3)
    }

    @Test func reportListsStubsAfterFixtures() throws {
        let catalog = try catalog(#"{"name": "a\u001b", "request": {"url": "/a"}}"#)
        let request = OwnedRequest(method: "GET", url: "/b")
        let near = catalog.nearStubs(DecodedRequest(request), StubState())
        let report = MissReport(FixtureIndex([]), request, stubs: near)
        #expect(
            String(decoding: report.text(), as: UTF8.self) == """
                No stub answers GET /b.

                Nearest stubs:

                  'a\\x1B': ANY /a (m.json:2)
                    url: expected /a, found /b

                To see every candidate, run: swift run mockserver explain GET '/b' PATH…

                """
        )
        let json = String(decoding: report.problem(), as: UTF8.self)
        #expect(json.contains(#""stub": "'a\\x1B': ANY /a""#))
        #expect(json.contains(#""differing": [\#n        {"field": "url", "expected": "/a", "found": "/b"}"#))
        #expect(json.contains(#"Nearest: 'a\\x1B': ANY /a (m.json:2): url: expected /a, found /b."#))
        #expect(json.hasSuffix("\n  ]\n}\n"))
        #expect(
            String(decoding: MissReport(FixtureIndex([]), request).text(), as: UTF8.self) == "There are no fixtures.\n"
        )
    }
}
