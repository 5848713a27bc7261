// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Reprise

@Suite struct ClientTests {
    struct User: Codable, Equatable {
        var name: String
    }

    @Test func makesAValueOfAResponse() async throws {
        let transport = ClosureTransport(body: #"{"name": "Ada"}"#)
        let api = Client("https://api.example.com/v1", transport: transport)
        let user: User = try await api.get("/users/42").query("include", "profile").value()
        #expect(user == User(name: "Ada"))
        let request = try #require(transport.requests.first)
        #expect(request.method == .get)
        #expect(request.scheme == "https")
        #expect(request.authority == "api.example.com")
        #expect(request.path == "/v1/users/42?include=profile")
    }
}
