// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseReplay
import Testing

@Suite struct StubFixturesTests {
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(#"{"id": 42}"#, to: "users/42.get.json")
        try folder.write("data: 1\n\ndata: 2\n\n", to: "chat.get.sse")
        try folder.write(#"{"error": "taken"}"#, to: "users/index.post.409.json")
        return folder
    }

    @Test func answersFromFixtureFolder() async throws {
        let folder = try folder()
        let stub = try StubTransport(fixtures: folder.path)
        #expect(try await stub.text("/users/42") == #"{"id": 42}"#)
        #expect(try await stub.request("/users", .post, body: "{}").status.code == 409)
        let chat = try await Observation(stub.request("/chat"))
        #expect(chat.chunks.map { String(decoding: $0, as: UTF8.self) } == ["data: 1\n\n", "data: 2\n\n"])
        #expect(stub.requests.count == 3)
    }

    @Test func routesTakePrecedenceOverFixtures() async throws {
        let folder = try folder()
        let stub = try StubTransport(fixtures: folder.path) {
            $0.get("/users/42", .status(503))
            $0.get("/moved", .status(302).header("Location", "/users/42"))
        }
        #expect(try await stub.request("/moved").status.code == 503)
        #expect(try await stub.text("/chat") == "data: 1\n\ndata: 2\n\n")
    }

    @Test func missNamesNearestFixture() async throws {
        let folder = try folder()
        let stub = try StubTransport(fixtures: folder.path)
        let error = await #expect(throws: TransportError.self) { try await stub.request("/users/43") }
        #expect(error?.code == .noFixture)
        #expect(error?.message.contains("users/42.get.json") == true)
    }
}
