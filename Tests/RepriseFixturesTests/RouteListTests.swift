// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseFixtures
@testable import RepriseMatching

@Suite struct RouteListTests {
    private static let cassette = """
        {"reprise": 1, "exchanges": [
        {"request": {"method": "GET", "url": "https://a.example/v1?b=2&a=1"}, "response": {"status": "200 OK"}},
        {"request": {"method": "POST", "url": "/v1", "body": {"json": {}}}, "response": {"status": "201 Created",
         "stream": [{"text": "x"}, {"end": "reset"}]}},
        {"request": {"method": "GET", "url": "https://a.example/v1?a=1&b=2"}, "response": {"status": "404 Not Found"}},
        {"request": {"method": "GET", "url": "https://b.example/v1?a=1&b=2"}, "failure": "timedOut"}
        ]}
        """

    private func list(_ options: MatchingOptions = MatchingOptions()) throws -> (RouteList, TemporaryFolder) {
        let folder = try TemporaryFolder(["a.cassette.json": Self.cassette, "users/{id}.delete.204": ""])
        return (RouteList(try FixtureLoader.load([folder.path]).fixtures, options: options), folder)
    }

    @Test func listsEachRequestWithItsAnswers() throws {
        let (list, folder) = try list()
        #expect(
            list.table().replacing(folder.path + "/", with: "") == """
                METHOD  REQUEST      BODY  ANSWER     FIXTURE
                GET     /v1?a=1&b=2  -     200, 404   a.cassette.json:2, 5
                POST    /v1          json  201 reset  a.cassette.json:3
                GET     /v1?a=1&b=2  -     timeout    a.cassette.json:6
                DELETE  /users/{id}  any   204        users/{id}.delete.204
                """
        )
    }

    @Test(arguments: [
        (1, "200 a.cassette.json:2"), (4, "200, 200, 200, 200 a.cassette.json:2, 3, 4, 5"),
        (5, "200, 200, 200, 200, … (5) a.cassette.json:2, 3, 4, 5, … (5)"),
    ])
    func longListsAreCutOff(count: Int, expected: String) throws {
        let exchange = #"{"request": {"method": "GET", "url": "/v1"}, "response": {"status": "200 OK"}}"#
        let exchanges = Array(repeating: exchange, count: count).joined(separator: ",\n")
        let folder = try TemporaryFolder(["a.cassette.json": "{\"reprise\": 1, \"exchanges\": [\n\(exchanges)]}"])
        let list = RouteList(try FixtureLoader.load([folder.path]).fixtures, options: MatchingOptions())
        let row = try #require(list.table().split(separator: "\n").dropFirst().first)
        let words = row.replacing(folder.path + "/", with: "").split(separator: " ").joined(separator: " ")
        #expect(words == "GET /v1 - \(expected)")
    }

    @Test func stubHasItsConditions() throws {
        let mapping = """
            {"request": {"method": "POST", "urlPath": "/a", "queryParameters": {"q": {"equalTo": "1"}},
             "headers": {"H": {"equalTo": "1"}}, "cookies": {"c": {"equalTo": "1"}},
             "formParameters": {"f": {"equalTo": "1"}}, "basicAuthCredentials": {"username": "u", "password": "p"},
             "bodyPatterns": [{"contains": "x"}], "multipartPatterns": [{"bodyPatterns": [{"contains": "y"}]}]},
             "scenarioName": "s", "requiredScenarioState": "t", "response": {"status": 204}}
            """
        let folder = try TemporaryFolder(["mappings/a.json": mapping])
        let route = try #require(RouteList(try FixtureLoader.load([folder.path])).routes.first)
        #expect(
            route.conditions == [
                "query q", "header H", "cookie c", "form field f", "Basic authentication", "body", "multipart body",
                "scenario s in state t",
            ]
        )
        #expect(route.body == .conditions)
    }

    @Test func respectsMatchingOptions() throws {
        let (list, _) = try list(MatchingOptions(fields: [.method, .path]))
        #expect(list.routes.map(\.answers.count) == [2, 1, 1, 1])
        var options = MatchingOptions()
        options.ignored.add(queryName: "b")
        #expect(try self.list(options).0.routes.first?.query == "a=1")
    }

    @Test func printsJSON() throws {
        let (list, folder) = try list()
        #expect(
            list.json().replacing(folder.path + "/", with: "").contains(
                """
                  {
                    "answers" : [
                      {
                        "end" : "reset",
                        "file" : "a.cassette.json",
                        "line" : 3,
                        "status" : 201
                      }
                    ],
                    "body" : "json",
                    "method" : "POST",
                    "path" : "/v1",
                    "query" : ""
                  }
                """
            )
        )
    }

    @Test func listsEveryFixtureOnce() throws {
        let (list, _) = try list()
        #expect(list.routes.reduce(0) { $0 + $1.answers.count } == 5)
    }
}
