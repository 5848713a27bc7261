// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import Testing

struct Filter: Encodable {
    var author: String
    var tags: [String] = []
    var before: Date?
}

/// The examples about parameters, with a stub.
@Suite struct ParameterExamples {
    private let stub = StubTransport { $0.all { _ in .status(.ok) } }
    private var api: Client { Client("https://api.example.com", transport: stub) }

    @Test func placesParametersByMethod() async throws {
        let found = api.get("/posts").parameters(["page": 2, "tag": "swift"])  // ?page=2&tag=swift
        let added = api.post("/posts").parameters(["title": "Atlas"])  // title=Atlas
        let changed = api.put("/posts/1").parameters(["title": "Atlas"], as: .json)  // {"title":"Atlas"}
        for call in [found, added, changed] { try await call.send() }
        #expect(stub.requests.map { $0.head.path } == ["/posts?page=2&tag=swift", "/posts", "/posts/1"])
        #expect(stub.requests.map(\.text) == ["", "title=Atlas", #"{"title":"Atlas"}"#])
    }

    @Test func encodesPropertiesAsQuery() throws {
        let call =
            api.get("/posts").query(Filter(author: "Ada", tags: ["a", "b"]))  // ?author=Ada&tags=a&tags=b
        #expect(try call.request().path == "/posts?author=Ada&tags=a&tags=b")
    }
}
