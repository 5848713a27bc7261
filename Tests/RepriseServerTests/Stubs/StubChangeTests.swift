// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseFixtures
import RepriseStubs
import RepriseTestSupport
import Testing

@testable import RepriseServer

/// Changes of stubs while the server runs, seen through a socket.
@Suite struct StubChangeTests {
    private func stub(_ path: String, _ text: String, id: String? = nil) -> StubMapping {
        var mapping = StubMapping(.get(path), .text(text))
        mapping.id = id
        return mapping
    }

    private func get(_ path: String, _ server: MockServer) async throws -> String {
        let client = try await RawClient.connect(port: server.port)
        try await client.send("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let answer = try await client.readToEnd().text
        let content = answer.components(separatedBy: "\r\n\r\n").dropFirst().joined()
        return answer.hasPrefix("HTTP/1.1 200") ? content : String(answer.dropFirst(9).prefix(3))
    }

    @Test func addedStubAnswersBeforeOlderOnes() async throws {
        let server = try await MockServer.start(stubs: [stub("/a", "file")])
        let id = try await server.stub(stub("/a", "added"))
        #expect(try await get("/a", server) == "added")
        #expect(await server.remove(stub: id))
        #expect(try await get("/a", server) == "file")
        #expect(await !server.remove(stub: id))
        await server.stop()
    }

    @Test func resetRestoresStubsOfFiles() async throws {
        let server = try await MockServer.start(stubs: [stub("/a", "one", id: "1"), stub("/b", "two", id: "2")])
        try await server.stub(stub("/c", "three"))
        await server.remove(stub: "1")
        try await server.control.replace("2", with: stub("/b", "changed"))
        #expect(try await get("/a", server) == "404")
        #expect(try await get("/b", server) == "changed")
        await server.reset()
        #expect(try await get("/a", server) == "one")
        #expect(try await get("/b", server) == "two")
        #expect(try await get("/c", server) == "404")
        await server.stop()
    }
}
