import RepriseConnections
// SPDX-License-Identifier: Apache-2.0
import RepriseIO
import RepriseTestSupport
import Testing

@Suite struct KeepAliveTests {
    private static let noContent = "HTTP/1.1 204 No Content\r\n\r\n"

    @Test func requestsShareConnection() async throws {
        let server = try await ScriptedServer.start { connection in
            while true {
                try await connection.read(until: "\r\n\r\n")
                try await connection.send(Self.noContent)
            }
        }
        try await withPool { pool in
            for index in 0..<5 {
                let response = try await pool.send(.get(from: server))
                #expect(response.status == 204)
                #expect(response.timings.isReused == (index > 0))
            }
        }
        #expect(server.acceptedConnections == 1)
        try await server.expectOpenConnections(0)
    }

    @Test func reusesMostRecentConnection() async throws {
        let server = try await ScriptedServer.start()
        try await withPool { pool in
            async let first = pool.send(.get("/1", from: server))
            let one = try await server.accept()
            try await one.read(until: "\r\n\r\n")
            async let second = pool.send(.get("/2", from: server))
            let two = try await server.accept()
            try await two.read(until: "\r\n\r\n")
            try await one.send(Self.noContent)
            _ = try await first
            try await two.send(Self.noContent)
            _ = try await second
            async let third = pool.send(.get("/3", from: server))
            #expect(try await two.read(until: "\r\n\r\n").text.hasPrefix("GET /3 "))
            try await two.send(Self.noContent)
            _ = try await third
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil",
    ])
    func closesNonreusableConnection(response: String) async throws {
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(response)
            try await connection.readToEnd()
        }
        try await withPool { pool in
            for _ in 0..<2 {
                let response = try await pool.send(.get(from: server))
                #expect(try await response.text().isEmpty)
                try await server.expectOpenConnections(0)
            }
        }
        #expect(server.acceptedConnections == 2)
    }

    @Test func discardsUnsolicitedResponse() async throws {
        let server = try await ScriptedServer.start()
        try await withPool { pool in
            async let first = pool.send(.get("/1", from: server))
            let one = try await server.accept()
            try await one.read(until: "\r\n\r\n")
            try await one.send(Self.noContent)
            _ = try await first
            try await one.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
            try await server.expectOpenConnections(0)
            async let second = pool.send(.get("/2", from: server))
            let two = try await server.accept()
            try await two.read(until: "\r\n\r\n")
            try await two.send(Self.noContent)
            #expect(try await second.status == 204)
        }
    }

    @Test func closesConnectionAfterIdleTimeout() async throws {
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(Self.noContent)
            try await connection.readToEnd()
        }
        try await withPool { configuration in
            configuration.idleTimeout = .milliseconds(1)
        } _: { pool in
            _ = try await pool.send(.get(from: server))
            try await server.expectOpenConnections(0)
        }
    }

    // MARK: Stale connections

    @Test(arguments: ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])
    func retriesWhenIdleConnectionCloses(method: String) async throws {
        let server = try await ScriptedServer.start()
        try await withPool { pool in
            let connection = try await exchange(pool, server)
            async let response = pool.send(OutgoingRequest(method, "/", at: server.origin, body: .bytes([1, 2])))
            // The server has received the request but hasn't answered it.
            try await connection.read(count: 10)
            await connection.reset()
            let next = try await server.accept()
            try await next.read(until: "\r\n\r\n\u{1}\u{2}")
            try await next.send(Self.noContent)
            #expect(try await response.status == 204)
            #expect(try await response.timings.isReused == false)
        }
        #expect(server.acceptedConnections == 2)
    }

    @Test func retriesOnlyOnce() async throws {
        let server = try await ScriptedServer.start()
        try await withPool { pool in
            let connection = try await exchange(pool, server)
            async let response = connectionError { try await pool.send(.get(from: server)) }
            try await connection.read(until: "\r\n\r\n")
            await connection.close()
            let next = try await server.accept()
            try await next.read(until: "\r\n\r\n")
            await next.close()
            let error = await response
            #expect(error?.name == "truncated")
            #expect(error?.hasResponseBegun == false)
        }
        #expect(server.acceptedConnections == 2)
    }

    /// A server may close a connection that has just become idle, and the request must not be sent twice.
    @Test func sendsPOSTOnceOverNewConnection() async throws {
        let server = try await ScriptedServer.start()
        try await withPool { pool in
            _ = try await exchange(pool, server)
            async let response = connectionError { try await pool.send(.post(.bytes([1]), to: server)) }
            let next = try await server.accept()
            try await next.read(until: "\r\n\r\n")
            await next.close()
            #expect(await response?.name == "truncated")
        }
        #expect(server.acceptedConnections == 2)
    }

    /// The server closes each connection right after its answer, without saying so. No request may fail or be sent
    /// twice.
    @Test func everyPOSTToServerThatClosesConnectionsIsAnswered() async throws {
        let received = Locked(0)
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "hello")
            received.withLock { $0 += 1 }
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
        try await withPool { pool in
            for _ in 0..<200 {
                let response = try await pool.send(.post(.bytes(Array("hello".utf8)), to: server))
                #expect(response.status == 204)
            }
        }
        #expect(received.withLock { $0 } == 200)
    }

    @Test func sendsPOSTOverNewConnectionAfterIdleClose() async throws {
        let server = try await ScriptedServer.start()
        try await withPool { pool in
            let connection = try await exchange(pool, server)
            await connection.close()
            async let response = pool.send(.post(.bytes([1]), to: server))
            let next = try await server.accept()
            try await next.read(until: "\r\n\r\n")
            try await next.send(Self.noContent)
            #expect(try await response.status == 204)
        }
        #expect(server.acceptedConnections == 2)
    }

    @Test func doesNotRetryAfterResponseBegins() async throws {
        let server = try await ScriptedServer.start()
        try await withPool { pool in
            let connection = try await exchange(pool, server)
            async let response = connectionError { try await pool.send(.get(from: server)) }
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("H")
            await connection.close()
            let error = await response
            #expect(error?.name == "truncated")
            #expect(error?.hasResponseBegun == true)
        }
        #expect(server.acceptedConnections == 1)
    }

    /// Completes one exchange and returns its connection, which is then idle.
    private func exchange(_ pool: ConnectionPool, _ server: ScriptedServer) async throws -> RawClient {
        async let response = pool.send(.get(from: server))
        let connection = try await server.accept()
        try await connection.read(until: "\r\n\r\n")
        try await connection.send(Self.noContent)
        _ = try await response
        return connection
    }
}
