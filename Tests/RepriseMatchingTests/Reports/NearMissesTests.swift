// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseMatching
@testable import RepriseText

@Suite struct NearMissesTests {
    @Test(arguments: [
        ("/users?page=3", ["query.page: expected 2, found 3"]),
        ("/users", ["query.page: expected 2, found nothing"]),
        ("/users?page=", ["query.page: expected 2, found \"\""]),
        ("/users?page=2&page=2", ["query.page: expected nothing, found 2"]),
        ("/users?page=2&sort=%00x", ["query.sort: expected nothing, found \\x00x"]),
        (
            "/users?Page=2&a=1",
            [
                "query.Page: expected nothing, found 2", "query.a: expected nothing, found 1",
                "query.page: expected 2, found nothing",
            ]
        ),
        ("/user?page=2", ["path: expected /users, found /user"]),
        ("/users/?page=2", ["path: expected /users, found /users/"]),
        ("/v1/users?page=2", ["path: expected /users, found /v1/users"]),
        ("/%0A?page=2", ["path: expected /users, found /%0A"]),
    ])
    func reportsPathAndQueryDifferences(url: String, differences: [String]) {
        let index = FixtureIndex(recorded: ["GET /users?page=2"])
        #expect(index.differences(for: .get(url)) == [differences])
    }

    @Test func reportsMethodDifference() {
        let index = FixtureIndex(recorded: ["POST /users"])
        #expect(index.differences(for: .get("/users")) == [["method: expected POST, found GET"]])
        #expect(
            index.differences(for: OwnedRequest(method: "HEAD", url: "/users"))
                == [["method: expected POST, found HEAD"]]
        )
        #expect(
            FixtureIndex(recorded: ["GET /b"]).differences(for: OwnedRequest(method: "HEAD", url: "/c")) == [
                ["path: expected /b, found /c"]
            ]
        )
    }

    @Test(arguments: [
        (#"{"user":{"name":"bob","age":1.50},"tags":[]}"#, [#"body./user/name: expected "ann", found "bob""#]),
        (#"{"user":{"age":2,"name":"ann"},"tags":[]}"#, ["body./user/age: expected 1.5, found 2"]),
        (
            #"{"user":{"age":1.5,"name":"ann"},"tags":[{"a":1},2]}"#,
            [#"body./tags/0: expected nothing, found {"a":1}"#, "body./tags/1: expected nothing, found 2"]
        ),
        (
            #"{"user":{"age":1.5},"tags":null,"a/b~":1}"#,
            [
                "body./a~1b~0: expected nothing, found 1", "body./tags: expected [], found null",
                #"body./user/name: expected "ann", found nothing"#,
            ]
        ),
        ("[1]", [#"body: expected {"tags":[],"user":{"age":1.5,"name":"ann"}}, found [1]"#]),
        ("a=1", [#"body: expected {"tags":[],"user":{"age":1.5,"name":"ann"}}, found a=1"#]),
        ("", [#"body: expected {"tags":[],"user":{"age":1.5,"name":"ann"}}, found nothing"#]),
    ])
    func reportsJSONDifferencesWithPointers(body: String, differences: [String]) {
        let index = FixtureIndex([
            .recorded("POST", "/x", body: #"{"user": {"name": "ann", "age": 1.5}, "tags": []}"#)
        ])
        #expect(index.differences(for: .post("/x", body)) == [differences])
    }

    @Test func reportsDifferencesInOtherBodies() {
        let form = ["Content-Type: application/x-www-form-urlencoded"]
        let parts = ["Content-Type: multipart/form-data; boundary=b"]
        let part = "Content-Disposition: form-data; name=\"file\"\r\n\r\none"
        func differences(_ fixture: FixtureIndex.Entry, _ body: String) -> [[String]] {
            FixtureIndex([fixture]).differences(for: .post("/x", body))
        }
        #expect(
            differences(.recorded("POST", "/x", headers: form, body: "a=1&b=2"), "b=3&a=1") == [
                ["body.b: expected 2, found 3"]
            ]
        )
        #expect(differences(.recorded("POST", "/x"), "x") == [["body: expected nothing, found x"]])
        #expect(differences(.recorded("POST", "/x", body: "one"), "two") == [["body: expected one, found two"]])
        let long = String(repeating: "-", count: 500)
        #expect(
            differences(.recorded("POST", "/x", body: long + "a"), long + "b")
                == [["body: expected …------------a, found …------------b"]]
        )
        let multipart = FixtureIndex.Entry.recorded("POST", "/x", headers: parts, body: "--b\r\n\(part)\r\n--b--\r\n")
        #expect(
            differences(multipart, "--c\r\n\(part.replacing("one", with: "two"))\r\n--c--\r\n")
                == [["body.file: expected one, found two"]]
        )
        #expect(
            differences(multipart, "--c\r\n\(part)\r\n--c\r\n\r\nmore\r\n--c--\r\n")
                == [["body.2: expected nothing, found more"]]
        )
        #expect(
            differences(multipart, "--c\r\nX: 1\r\n\(part)\r\n--c--\r\n")
                == [["body.file.headers: expected …name=\"file\"\\n, found …name=\"file\"\\nx:1\\n"]]
        )
        #expect(differences(multipart, "one") == [["body: expected multipart of 1 part, found one"]])
    }

    @Test func omitsBodyOfIncompleteRequest() {
        let index = FixtureIndex([.recorded("POST", "/x", body: "one")])
        var request = OwnedRequest.post("/y", "")
        request.isContentComplete = false
        let misses = index.nearMisses(request.view)
        #expect(misses.nearest.flatMap(\.verdicts).map(\.field) == ["method", "path", "query"])
    }

    @Test func reportsRequiredHostAndHeaders() {
        let fixture = FixtureIndex.Entry.recorded("GET", "https://a.example/x", headers: ["X-Tenant: one"])
        let options = MatchingOptions(requiresHost: true, headerNames: ["X-Tenant"])
        let index = FixtureIndex([fixture], options: options)
        #expect(
            index.differences(for: .get("/x", host: "b.example"))
                == [["header.X-Tenant: expected one, found nothing", "host: expected a.example, found b.example"]]
        )
        let lenient = FixtureIndex([fixture])
        let verdict = lenient.nearMisses(for: .get("/y", host: "b.example")).nearest.first?.verdicts.last
        #expect(verdict?.description == "host: expected a.example, found b.example (not required)")
    }

    @Test func ordersNearestFirst() throws {
        let index = FixtureIndex([
            .recorded("DELETE", "/users/1"), .recorded("GET", "/users/1/posts"), .recorded("GET", "/users/1?full=1"),
            .recorded("GET", "/users/2"), try .route("GET", "/pets/{id}"), .recorded("GET", "/other"),
        ])
        #expect(index.nearMisses(for: .get("/users/1")).nearest.map(\.fixture) == [2, 0, 3])
        #expect(index.nearMisses(for: .get("/pets/1/toys")).nearest.first?.fixture == 4)
        #expect(index.nearMisses(for: .get("/user/1/posts")).nearest.first?.fixture == 1)
        #expect(index.nearMisses(for: .get("/users/1"), limit: 1).nearest.count == 1)
        #expect(index.nearMisses(for: .get("/users/1"), limit: 0).nearest.isEmpty)
    }

    @Test(arguments: [
        ("/v2/users/500/posts", "/v1/users/500/posts"),
        ("/v1/user/500/posts", "/v1/users/500/posts"),
        ("/v1/users/500/post", "/v1/users/500/posts"),
        ("/v1/users/500", "/v1/users/500/posts"),
        ("/v1/users/500/posts/", "/v1/users/500/posts"),
        ("/users/500/posts", "/v1/users/500/posts"),
        ("/api/v1/users/500/posts", "/v1/users/500/posts"),
        ("/v1/users/500x/posts", "/v1/users/500/posts"),
        ("/v1/500/posts", "/v1/users/500/posts"),
    ])
    func findsNearestOfManyPaths(path: String, nearest: String) {
        let index = FixtureIndex(recorded: (0..<2000).map { "GET /v1/users/\($0)/posts" })
        let fixture = index.nearMisses(for: .get(path)).nearest.first?.fixture
        #expect(fixture.map { index.entries[$0].pattern.summary } == "GET \(nearest)")
    }

    @Test func findsNearestOfManyQueriesAndBodies() {
        let queries = FixtureIndex(recorded: (0..<2000).map { "GET /users?page=\($0)&size=20" })
        #expect(queries.nearMisses(for: .get("/users?page=777&size=30")).nearest.first?.fixture == 777)
        let bodies = FixtureIndex((0..<2000).map { .recorded("POST", "/x", body: #"{"id":\#($0),"size":20}"#) })
        let miss = bodies.nearMisses(for: .post("/x", #"{"size": 21, "id": 777}"#)).nearest.first
        #expect(miss?.fixture == 777)
        #expect(miss?.verdicts.last?.description == "body./size: expected 20, found 21")
    }

    @Test func reportsArbitraryRequests() throws {
        let index = FixtureIndex([
            .recorded("POST", "/a/b?c=d", body: #"{"a":[{"b":1}]}"#), try .route("GET", "/{a}/{b}"),
            .recorded("OPTIONS", "*"), .recorded("GET", ""),
        ])
        var random = SeededGenerator(seed: 3)
        for _ in 0..<3000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...24, using: &random) {
                text.append("/ab?c=d&%{}[]\":1,\\\u{7F}é*".randomElement(using: &random) ?? "/")
            }
            let report = MissReport(index, .post(text, text))
            #expect(!report.text().isEmpty)
            #expect(canonicalJSON(String(decoding: report.problem(), as: UTF8.self)) != nil)
        }
    }
}

extension FixtureIndex {
    func nearMisses(for request: OwnedRequest, limit: Int = 3) -> NearMisses {
        nearMisses(request.view, limit: limit)
    }

    /// The differences from the nearest fixtures.
    func differences(for request: OwnedRequest) -> [[String]] {
        nearMisses(for: request).nearest.map { miss in
            miss.verdicts.filter { !$0.isEqual && $0.isRequired }.map(\.description)
        }
    }
}
