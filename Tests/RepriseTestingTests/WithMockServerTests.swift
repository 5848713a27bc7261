// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseServer
import Testing

@testable import RepriseTesting

@Suite struct WithMockServerTests {
    private struct Stop: Error {}

    @Test func servesFixturesNextToSourceFile() async throws {
        let name = try await withMockServer("users.cassette.json") { server in
            try await Client(server.url.absoluteString).get("/users/1").send().text
        }
        #expect(name == "Atlas")
    }

    @Test func servesFolder() async throws {
        let folder = try TemporaryFolder()
        try folder.write("Hello", to: "greeting.get.txt")
        try await withMockServer(in: folder.url) { server in
            let greeting = try await Client(server.url.absoluteString).get("/greeting").send().text
            #expect(greeting == "Hello")
        }
    }

    @Test func servesStubsOfFolderWithTheirOptions() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            #"{"request": {"url": "/a"}, "response": {"body": "{{request.method}}"}}"#,
            to: "mappings/a.json"
        )
        var configuration = MockServer.Configuration()
        configuration.stubs.rendersAllTemplates = true
        try await withMockServer(configuration: configuration, in: folder.url) { server in
            let text = try await Client(server.url.absoluteString).get("/a").send().text
            #expect(text == "GET")
        }
        try await withMockServer(in: folder.url) { server in
            let text = try await Client(server.url.absoluteString).get("/a").send().text
            #expect(text == "{{request.method}}")
        }
    }

    @Test func stopsServerWhenClosureThrows() async throws {
        var url: URL?
        await #expect(throws: Stop.self) {
            try await withMockServer([]) { server in
                url = server.url
                _ = await server.journal
                throw Stop()
            }
        }
        let api = Client(try #require(url).absoluteString)
        await #expect {
            try await api.get("/").send()
        } throws: {
            ($0 as? ClientError)?.code == .transport
        }
    }

    @Test func reportsProblemsWithFixtures() async throws {
        await #expect(throws: FixtureProblems.self) { try await withMockServer("nowhere") { _ in } }
    }

    @Test func redactsSecretsInLog() async throws {
        let journal = try await withMockServer("users.cassette.json") { server in
            let api = Client(server.url.absoluteString)
            try await api.get("/users/2").send()
            try await api.get("/users/3?api_key=5ecret").validate(.none).send()
            return await server.journal
        }
        let text = TestLog(journal, of: "a").text()
        #expect(text.contains("1. GET /users/2 -> 200, ") && text.contains("users.cassette.json:"))
        #expect(text.contains("2. GET /users/3?api_key=") && text.contains(" -> 404, no fixture"))
        #expect(!text.contains("5ecret"))
    }
}
