// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseServer
import RepriseTestSupport
import Testing

/// Edited recordings as clients see them, through a real socket.
@Suite struct BentServerTests {
    private func server(_ bends: [Bend]) async throws -> MockServer {
        let folder = try TemporaryFolder([
            "chat.cassette.json": """
            {"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "http://h/chat"}, "response": {
             "status": "200 OK", "headers": ["Content-Type: text/event-stream", "Transfer-Encoding: chunked"],
             "stream": [{"text": "data: 1\\n\\n"}, {"text": "data: 2\\n\\n"}, {"end": "complete"}]}}]}
            """
        ])
        return try await MockServer.start(
            fixtures: URL(fileURLWithPath: folder.path),
            configuration: MockServer.Configuration(bends: bends)
        )
    }

    private func answer(of server: MockServer) async throws -> String {
        let client = try await RawClient.connect(port: server.port)
        try await client.send("GET /chat HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let text = try await client.readToEnd().text
        return text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
    }

    private func answer(_ bends: [Bend]) async throws -> String {
        let server = try await server(bends)
        let answer = try await answer(of: server)
        await server.stop(grace: .zero)
        return answer
    }

    @Test func streamEndsAfterEvent() async throws {
        #expect(try await answer([]) == "9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n")
        let cut = try await answer([Bend(.afterEvent(1), .truncate)])
        #expect(cut.hasSuffix("data: 1\n\n\r\n") && !cut.contains("data: 2"))
        let inserted = try await answer([Bend(.afterEvent(1), .insert("event: error\n\n"))])
        #expect(inserted == "9\r\ndata: 1\n\n\r\ne\r\nevent: error\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n")
    }

    @Test func reloadWithEditThatCannotApplyKeepsFixtures() async throws {
        let server = try await server([Bend(.event(2), .drop, of: "GET /chat")])
        let other = Fixture.recorded("https://api.example.com/other", response: .text("x"))
        let error = await #expect(throws: FixtureProblems.self) { try await server.reload(fixtures: [other]) }
        #expect(error?.description.contains("expected the recorded exchange 'GET /chat' to edit") == true)
        #expect(try await answer(of: server) == "9\r\ndata: 1\n\n\r\n0\r\n\r\n")
        await server.stop(grace: .zero)
    }

    @Test func editThatCannotApplyIsRejectedAtStart() async {
        await #expect(throws: (any Error).self) { try await answer([Bend(.afterEvent(9), .reset)]) }
    }
}
