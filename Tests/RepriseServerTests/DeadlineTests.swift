// SPDX-License-Identifier: Apache-2.0

import RepriseFixtures
import RepriseTestSupport
import Testing

@testable import RepriseServer

/// The timeouts for slow clients, shortened for the tests.
@Suite struct DeadlineTests {
    private let hello = Fixture.recorded("https://api.example.com/hello", response: .text("hi"))

    private func milliseconds(_ count: UInt64) -> UInt64 { count * 1_000_000 }

    @Test func answers408ToSlowHead() async throws {
        try await withServer([hello], configure: { $0.timeouts.head = milliseconds(300) }) { server in
            let client = try await RawClient.connect(port: server.port)
            let request = "GET /hello HTTP/1.1\r\nHost: x\r\nX-Filler: " + String(repeating: "x", count: 2000)
            // Single bytes don't extend the deadline. The server closes the connection, and later bytes are lost.
            try? await client.send(Array(request.utf8), inPiecesOf: 1, every: .milliseconds(5))
            let text = try await client.readToEnd().text
            #expect(text.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
            #expect(text.contains("Connection: close\r\n"))
            #expect(await server.journal.entries.map(\.status) == [408])
        }
    }

    @Test func answers408ToSlowContent() async throws {
        try await withServer([hello], configure: { $0.timeouts.content = milliseconds(100) }) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send("POST /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx")
            #expect(try await client.readToEnd().text.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        }
    }

    @Test func closesIdleConnectionWithoutAnswer() async throws {
        try await withServer([hello], configure: { $0.timeouts.idle = milliseconds(100) }) { server in
            let client = try await RawClient.connect(port: server.port)
            #expect(try await client.readToEnd().bytes.isEmpty)
            #expect(client.ending == .finished)
        }
    }

    @Test func closesConnectionAfterDrainingTimeout() async throws {
        try await withServer([hello], configure: { $0.timeouts.draining = milliseconds(100) }) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send("BAD\r\n\r\n")
            _ = try await client.readToEnd()
            #expect(client.ending == .finished)
        }
    }

    /// The limit for a head applies to a TLS handshake too, and the one for an idle connection only after it.
    @Test func closesConnectionWhoseHandshakeIsSlow() async throws {
        try await withServer(
            [hello],
            configure: {
                $0.tls = .localAuthority()
                $0.timeouts.head = milliseconds(300)
            },
            { server in
                let client = try await RawClient.connect(port: server.port)
                // The start of a record; single bytes don't extend the deadline.
                let record: [UInt8] = [22, 3, 1, 2, 0] + [UInt8](repeating: 0, count: 500)
                try? await client.send(record, inPiecesOf: 1, every: .milliseconds(5))
                #expect(try await client.readToEnd().bytes.isEmpty)
            }
        )
    }
}
