// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Reprise
    import RepriseTestSupport
    import Testing

    /// Behavior that the conformance suite can't cover, because other transports lack the options.
    @Suite struct SocketTransportTests {
        @Test func followsRedirectWithSingleConnection() async throws {
            let server = try await ScriptedServer.start { connection in
                let target = try await connection.readRequest().target
                guard target == "/a" else {
                    return try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                }
                // The announced content never arrives in full.
                try await connection.send("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 3000000\r\n\r\nx")
                try await connection.waitForEnd()
            }
            let transport = SocketTransport(.init(proxies: .none, connectionsPerOrigin: 1))
            let response = try await transport.send(server.request(.get, "/a"))
            #expect(try await response.body.collect() == Array("ok".utf8))
            #expect(response.url?.hasSuffix("/b") == true)
            await transport.shutDown()
        }
    }
#endif
