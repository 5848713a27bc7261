// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseServer
import RepriseTestSupport
import Testing

/// Edited recordings as clients see them, through a real socket.
@Suite struct BentServerTests {
    private func answer(_ bends: [Bend]) async throws -> String {
        let folder = try TemporaryFolder([
            "chat.cassette.json": """
            {"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "http://h/chat"}, "response": {
             "status": "200 OK", "headers": ["Content-Type: text/event-stream", "Transfer-Encoding: chunked"],
             "stream": [{"text": "data: 1\\n\\n"}, {"text": "data: 2\\n\\n"}, {"end": "complete"}]}}]}
            """
        ])
        let server = try await MockServer.start(
            fixtures: URL(fileURLWithPath: folder.path),
            configuration: MockServer.Configuration(bends: bends)
        )
        let client = try await RawClient.connect(port: server.port)
        try await client.send("GET /chat HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let text = try await client.readToEnd().text
        await server.stop(grace: .zero)
        return text.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
    }

    @Test func streamEndsAfterEvent() async throws {
        #expect(try await answer([]) == "9\r\ndata: 1\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n")
        let cut = try await answer([Bend(.afterEvent(1), .truncate)])
        #expect(cut.hasSuffix("data: 1\n\n\r\n") && !cut.contains("data: 2"))
        let inserted = try await answer([Bend(.afterEvent(1), .insert("event: error\n\n"))])
        #expect(inserted == "9\r\ndata: 1\n\n\r\ne\r\nevent: error\n\n\r\n9\r\ndata: 2\n\n\r\n0\r\n\r\n")
    }

    @Test func editThatCannotApplyIsRejectedAtStart() async {
        await #expect(throws: (any Error).self) { try await answer([Bend(.afterEvent(9), .reset)]) }
    }
}
