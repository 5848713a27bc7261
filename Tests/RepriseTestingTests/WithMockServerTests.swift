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

    /// Swift doesn't see a `try` in a macro, so the closure states its effects.
    @Test func closureStatesEffectsOfExpectation() async throws {
        try await withMockServer("users.cassette.json") { server async throws in
            #expect(try await Client(server.url.absoluteString).get("/users/1").send().text == "Atlas")
        }
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

    @Test func stubsAreServedInProcess() async throws {
        let stubs = [StubMapping(.get("/a"), .text("first")), StubMapping(.get("/a"), .text("second"))]
        let url = try await StubServerRun(stubs, environment: ["REPRISE_SERVER": ""]).run { server in
            #expect(server.sessionID == nil)
            let text = try await Client(server.url.absoluteString).get("/a").send().text
            #expect(text == "first")
            await server.verify(.get("/a"), .exactly(1))
            return server.url
        }
        await #expect(throws: ClientError.self) { try await Client(url.absoluteString).get("/a").send() }
    }

    @Test func stubsAreServedBySessionOfServerInEnvironment() async throws {
        try await withMockServer("users.cassette.json") { beside in
            let environment = ["REPRISE_SERVER": beside.url.absoluteString]
            let url = try await StubServerRun([StubMapping(.get("/a"), .text("a"))], environment: environment)
                .run { server in
                    #expect(server.sessionID != nil)
                    let api = Client(server.url.absoluteString)
                    let texts = [
                        try await api.get("/a").send().text, try await api.get("/users/1").send().text,
                    ]
                    #expect(texts == ["a", "Atlas"])
                    let requests = try await server.requests()
                    #expect(requests.count == 2)
                    return server.url
                }
            #expect(await beside.journal.entries.isEmpty)
            await #expect(throws: ClientError.self) { try await Client(url.absoluteString).get("/a").send() }
        }
    }

    @Test func serverInEnvironmentThatDoesNotAnswerFailsTest() async throws {
        let run = StubServerRun([], environment: ["REPRISE_SERVER": "http://127.0.0.1:1"])
        let error = await #expect(throws: ControlError.self) { try await run.run { _ in } }
        #expect(error?.reason == .unreachable)
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
