// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseServer

/// WebSocket connections, which the proxy passes on.
@Suite(.timeLimit(.minutes(5))) struct ForwardProxyWebSocketTests {
    private let handshake =
        "GET http://api.test/feed HTTP/1.1\r\nHost: api.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"

    /// Calls `body` once a handshake has reached its server.
    private func withHandshake(
        _ body: (_ server: MockServer, _ client: RawClient, _ connection: RawClient) async throws -> Void
    ) async throws {
        let upstream = try await ScriptedServer.start()
        let map = ["api.test": "127.0.0.1:\(upstream.port)"]
        _ = try await withRecordingForwardProxy(map: map) { server in
            let client = try await ProxyClient(server).client
            try await client.send(handshake)
            let connection = try await upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            try await body(server, client, connection)
        }
    }

    /// A client uses one connection for requests to many hosts.
    @Test func refusedWebSocketEndsTheConnection() async throws {
        try await withHandshake { server, client, connection in
            try await connection.send("HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\n")
            let head = "HTTP/1.1 403 No\r\nConnection: close\r\nContent-Length: 2\r\n\r\n"
            #expect(try await client.read(count: head.utf8.count).text == head)
            try await client.send("GET http://other.test/ HTTP/1.1\r\nHost: other.test\r\nCookie: secret\r\n\r\n")
            try await connection.send("no")
            #expect(try await client.read(count: 2).text == "no")
            // A server may take the end of the request's connection as a wish to cancel it.
            #expect(connection.ending == nil)
            await connection.finishWriting()
            #expect(try await client.readToEnd().bytes.isEmpty)
            await client.close()
            #expect(try await connection.readToEnd().bytes.isEmpty)
            #expect(await server.journal.entries.map(\.status) == [403])
        }
    }

    @Test(arguments: [
        "GET @ HTTP/1.1\r\nHost: api.test\r\nUpgrade: websocket\r\n\r\n",
        "GET @ HTTP/1.1\r\nHost: api.test\r\nUpgrade: websocket\r\nConnection: keep-alive\r\n\r\n",
        "GET @ HTTP/1.0\r\nHost: api.test\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
        "POST @ HTTP/1.1\r\nHost: api.test\r\nUpgrade: websocket\r\nConnection: upgrade\r\nContent-Length: 0\r\n\r\n",
    ])
    func otherUpgradesAreIgnored(request: String) async throws {
        let upstream = try await ScriptedServer.start()
        let recorded = try await withRecordingForwardProxy(map: ["api.test": "127.0.0.1:\(upstream.port)"]) { server in
            let client = try await ProxyClient(server).client
            try await client.send(request.replacing("@", with: "http://api.test/feed"))
            let connection = try await upstream.accept()
            #expect(try await !connection.read(until: "\r\n\r\n").text.lowercased().contains("upgrade"))
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            try await client.read(until: "hi")
        }
        #expect(recorded.exchanges.count == 1)
    }

    @Test(arguments: [
        "\n", "\r\n\r\n", " \n\n", "HTTP/1.1\r\n\r\n", "HTTP/1.1 99999999999 No\r\n\r\n", "HTTP/1.1 -5 No\r\n\r\n",
        "HTTP/1.1 099 No\r\n\r\n", "SSH-2.0-server\r\n", String(repeating: "a", count: 300_000), "",
        "HTTP/1.1 101 Switching Protocols\r\nX: " + String(repeating: "a", count: 300_000),
        String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 10_000), "HTTP/1.1 103 Early Hints\r\n\r\n",
    ])
    func webSocketAnswerThatIsNotHTTPIsExplained(answer: String) async throws {
        try await withHandshake { _, client, connection in
            // The proxy closes the connection before it has received all of a long answer.
            try? await connection.send(answer)
            await connection.finishWriting()
            let head = try await client.read(until: "\r\n\r\n").text
            #expect(head.hasPrefix("HTTP/1.1 502 "))
            #expect(try await client.read(until: "\n").text.contains("api.test:80"))
        }
    }

    @Test func interimResponsesPrecedeWebSocket() async throws {
        try await withHandshake { server, client, connection in
            let heads = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 101 Switching Protocols\n\n"
            for byte in heads.utf8 { try await connection.send([byte]) }
            try await connection.send("\u{1}hello")
            // The bare line feeds are repaired.
            let received = heads.replacing("s\n\n", with: "s\r\n\r\n") + "\u{1}hello"
            #expect(try await client.read(count: received.utf8.count).text == received)
            try await client.send("\u{2}there")
            try await connection.read(until: "\u{2}there")
            #expect(await server.journal.entries.map(\.status) == [101])
        }
    }

    @Test func webSocketIsPassedOnAndNoted() async throws {
        let upstream = try await ScriptedServer.start()
        let recorded = try await withRecordingForwardProxy(map: ["api.test": "127.0.0.1:\(upstream.port)"]) { server in
            let client = try await ProxyClient.tunnel(to: "api.test:80", through: server).client
            try await client.send(
                "GET /feed?a HTTP/1.1\r\nHost: api.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Proxy-Connection: keep-alive\r\n\r\n"
            )
            let connection = try await upstream.accept()
            let head = try await connection.read(until: "\r\n\r\n").text
            let expected =
                "GET /feed?a HTTP/1.1\r\nHost: api.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Reprise-Hops: 1\r\n\r\n"
            #expect(head == expected)
            try await connection.send("HTTP/1.1 101 Switching Protocols\r\n\r\n\u{1}hello")
            try await client.read(until: "\r\n\r\n\u{1}hello")
            try await client.send("\u{2}there")
            try await connection.read(until: "\u{2}there")
            await connection.close()
            try await client.readToEnd()
        }
        #expect(recorded.exchanges.isEmpty)
        #expect(recorded.notes.contains { $0.contains("WebSocket") })
    }
}
