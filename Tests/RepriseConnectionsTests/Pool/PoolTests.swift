import RepriseConnections
// SPDX-License-Identifier: Apache-2.0
import RepriseIO
import RepriseTestSupport
import Testing

@Suite struct PoolTests {
    private static let noContent = "HTTP/1.1 204 No Content\r\n\r\n"

    @Test func limitsConnectionsPerOrigin() async throws {
        let server = try await ScriptedServer.start { connection in
            while true {
                try await connection.read(until: "\r\n\r\n")
                try await connection.send(Self.noContent)
            }
        }
        try await withPool {
            $0.connectionsPerOrigin = 3
        } _: { pool in
            try await withThrowingTaskGroup { group in
                for _ in 0..<200 { group.addTask { _ = try await pool.send(.get(from: server)) } }
                try await group.waitForAll()
            }
        }
        #expect(server.acceptedConnections <= 3)
    }

    /// Of all origins together.
    @Test func closesConnectionsThatWereIdleLongest() async throws {
        let server = try await ScriptedServer.start { connection in
            while true {
                try await connection.read(until: "\r\n\r\n")
                try await connection.send(Self.noContent)
            }
        }
        let hosts = (1...5).map { "h\($0).test" }
        try await withPool { configuration in
            configuration.idleConnections = 2
            for host in hosts { configuration.addresses[host] = ["127.0.0.1"] }
        } _: { pool in
            func isReused(_ host: String) async throws -> Bool {
                let origin = Origin(isSecure: false, host: host, port: UInt16(server.port))
                return try await pool.send(OutgoingRequest("GET", "/", at: origin)).timings.isReused
            }
            for host in hosts { #expect(try await !isReused(host)) }
            try await server.expectOpenConnections(2)
            #expect(try await isReused("h5.test"))
            #expect(try await isReused("h4.test"))
            #expect(try await !isReused("h3.test"))
            #expect(try await isReused("h4.test"))
            #expect(try await !isReused("h5.test"))
        }
        #expect(server.acceptedConnections == 7)
    }

    @Test func freesSlotWhenConnectionCloses() async throws {
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        }
        try await withPool {
            $0.connectionsPerOrigin = 2
        } _: { pool in
            try await withThrowingTaskGroup { group in
                for _ in 0..<50 { group.addTask { _ = try await pool.send(.get(from: server)) } }
                try await group.waitForAll()
            }
        }
        #expect(server.acceptedConnections == 50)
    }

    /// The response fills the loop's buffer, so the bytes after it are still unread when it is complete.
    @Test func discardsBytesAfterResponse() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 65000\r\nX-Padding: "
        let content = String(repeating: "a", count: 65000)
        let padding = String(repeating: "p", count: (64 << 10) - content.utf8.count - head.utf8.count - 4)
        let first = head + padding + "\r\n\r\n" + content
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(first + "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\npoisoned")
            try await connection.readToEnd()
        }
        try await withPool {
            $0.connectionsPerOrigin = 1
        } _: { pool in
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<4 { group.addTask { try await pool.send(.get(from: server)).text() } }
                for try await text in group { #expect(text == content) }
            }
        }
        #expect(server.acceptedConnections == 4)
    }

    @Test func failsAllWaitersWhenConnectionIsRefused() async throws {
        let server = try await ScriptedServer.start()
        await server.stopListening()
        try await withPool {
            $0.connectionsPerOrigin = 1
        } _: { pool in
            let failures = await withTaskGroup(of: String?.self) { group in
                for _ in 0..<1000 {
                    group.addTask { await connectionError { try await pool.send(.get(from: server)) }?.name }
                }
                return await group.reduce(into: [:]) { $0[$1 ?? "none", default: 0] += 1 }
            }
            #expect(failures == ["connectionRefused": 1000])
        }
    }

    @Test(arguments: [1, 3]) func originsDoNotShareConnections(loops: Int) async throws {
        let script: ScriptedServer.Script = { connection in
            while true {
                try await connection.read(until: "\r\n\r\n")
                try await connection.send(Self.noContent)
            }
        }
        var servers: [ScriptedServer] = []
        for _ in 0..<5 { servers.append(try await ScriptedServer.start(script: script)) }
        try await withPool {
            $0.loops = loops
        } _: { pool in
            for _ in 0..<2 {
                for server in servers { _ = try await pool.send(.get(from: server)) }
            }
        }
        #expect(servers.map(\.acceptedConnections) == [1, 1, 1, 1, 1])
    }

    @Test func refusalNamesAddress() async throws {
        let server = try await ScriptedServer.start()
        await server.stopListening()
        try await withPool { pool in
            let error = await connectionError { try await pool.send(.get(from: server)) }
            #expect(error?.name == "connectionRefused")
            #expect(error?.message.contains("connect 127.0.0.1:\(server.port): connection refused") == true)
        }
    }

    @Test func errorNamesUnresolvedHost() async throws {
        try await withPool { pool in
            let origin = Origin(isSecure: false, host: "no such host.invalid", port: 80)
            var request = OutgoingRequest("GET", "/", at: origin)
            request.authority = "example"
            let error = await connectionError { [request] in try await pool.send(request) }
            #expect(error?.name == "nameNotResolved")
            #expect(error?.message.contains("no such host.invalid") == true)
        }
    }

    // MARK: Shutdown

    @Test func shutdownFailsRequestsInProgress() async throws {
        let server = try await ScriptedServer.start()
        let pool = ConnectionPool()
        async let waiting = connectionError { try await pool.send(.get("/1", from: server)) }
        let one = try await server.accept()
        try await one.read(until: "\r\n\r\n")
        async let streaming = pool.send(.get("/2", from: server))
        let two = try await server.accept()
        try await two.read(until: "\r\n\r\n")
        try await two.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
        let stream = try #require(try await streaming.stream)
        await pool.shutDown()
        #expect(await waiting?.name == "shutDown")
        let error = await connectionError { while try await stream.next() != nil {} }
        #expect(error?.name == "shutDown")
        #expect(await connectionError { try await pool.send(.get(from: server)) }?.name == "shutDown")
        try await server.expectOpenConnections(0)
        await pool.shutDown()
    }

    @Test func releasedPoolClosesConnections() async throws {
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(Self.noContent)
            try await connection.readToEnd()
        }
        var pool: ConnectionPool? = ConnectionPool()
        _ = try await pool?.send(.get(from: server))
        try await server.expectOpenConnections(1)
        pool = nil
        try await server.expectOpenConnections(0)
    }

    @Test func bodyOutlivesReleasedPool() async throws {
        let server = try await ScriptedServer.start()
        var (connection, stream): (_, BodyStream?) = try await openStream(of: server)
        try await connection.send("cde")
        #expect(try await stream?.collect().content.count == 5)
        try await server.expectOpenConnections(1)
        stream = nil
        try await server.expectOpenConnections(0)
    }

    /// Opens a response whose body has arrived in part, from a pool that has no other owner.
    private func openStream(of server: ScriptedServer) async throws -> (RawClient, BodyStream) {
        let send = { @Sendable in try await ConnectionPool().send(.get(from: server)) }
        async let answer = send()
        let connection = try await server.accept()
        try await connection.read(until: "\r\n\r\n")
        try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab")
        return (connection, try #require(try await answer.stream))
    }
}
