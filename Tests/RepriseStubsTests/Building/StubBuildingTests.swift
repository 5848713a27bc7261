// SPDX-License-Identifier: Apache-2.0

import RepriseStubs
import RepriseText
import Testing

@Suite struct StubBuildingTests {
    @Test(arguments: [
        (
            StubMapping(
                .get("/users/{id}"),
                .json(["id": "42"]).status(201).header("ETag", "\"1\"").delayed(.milliseconds(200))
            ),
            """
            {
              "request": {
                "method": "GET",
                "urlPathTemplate": "/users/{id}"
              },
              "response": {
                "status": 201,
                "headers": {"Content-Type": "application/json", "ETag": "\\"1\\""},
                "jsonBody": {"id": "42"},
                "fixedDelayMilliseconds": 200
              }
            }

            """
        ),
        (
            StubMapping(
                .post("/search").query("q", .contains("x")).header("Accept", .equalTo("a/b"))
                    .body(.matchesJSONPath("$.a", .not(.equalTo("b")))),
                .fault(.emptyResponse)
            ).inScenario("cart", requires: StubMapping.Scenario.started, then: "full").priority(1).times(2).named("n"),
            """
            {
              "name": "n",
              "priority": 1,
              "scenarioName": "cart",
              "requiredScenarioState": "Started",
              "newScenarioState": "full",
              "request": {
                "method": "POST",
                "urlPath": "/search",
                "queryParameters": {"q": {"contains": "x"}},
                "headers": {"Accept": {"equalTo": "a/b"}},
                "bodyPatterns": [
                  {"matchesJsonPath": {"expression": "$.a", "not": {"equalTo": "b"}}}
                ]
              },
              "response": {
                "status": 200,
                "fault": "EMPTY_RESPONSE",
                "times": 2
              }
            }

            """
        ),
        (
            StubMapping(
                .any("https://Example.com:8443/a?b=c"),
                .events("data: a\n\n", .pause(.milliseconds(1.5)), "data: b\n\n", ending: .reset)
            ),
            """
            {
              "request": {
                "url": "/a?b=c",
                "scheme": "https",
                "host": {"equalTo": "example.com", "caseInsensitive": true},
                "port": 8443
              },
              "response": {
                "status": 200,
                "headers": {"Content-Type": "text/event-stream"},
                "stream": [
                  {"text": "data: a\\n\\n"},
                  {"after": 1.5, "text": "data: b\\n\\n"}
                ],
                "then": "reset"
              }
            }

            """
        ),
    ])
    func builderReadsAsWrittenJSON(mapping: StubMapping, text: String) throws {
        #expect(String(decoding: StubMappingWriter.write(mapping), as: UTF8.self) == text)
        #expect(try StubMappingReader.read(mapping: Array(text.utf8)) == mapping)
    }

    @Test func queryBesideTemplateIsDecoded() {
        let request = StubRequest.get("/users/{id}?q=a+b&r")
        #expect(request.url == .pathTemplate("/users/{id}"))
        #expect(request.query == [NamedMatcher("q", .equalTo("a b")), NamedMatcher("r", .equalTo(""))])
    }

    @Test func propertiesAreReadBesideMethodsOfSameName() {
        let request = StubRequest.get("/a").body(.contains("x"))
        let body = request.body
        let auth = request.basicAuth
        #expect(body == [.contains("x")])
        #expect(auth == nil)
        let response = StubResponse.text("a").template(["x": 1])
        let status = response.status
        #expect(status == 200)
        #expect(response.isTemplate == true && response.parameters == [.init("x", 1)])
    }

    @Test func encodableValueIsJSONText() throws {
        #expect(try StubResponse.json(encoding: [1, 2]).body == .text("[1,2]"))
        #expect(StubResponse.json("[1, 2]").body == .text("[1, 2]"))
        #expect(StubResponse.json([1, 2.5, nil, true, "a"]).body == .json([1, 2.5, nil, true, "a"]))
    }
}
