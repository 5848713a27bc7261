// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport
import Testing

@Suite struct ListeningSocketTests {
    @Test(arguments: [1, 3])
    func bindsAllSocketsToOneFreePort(count: Int) throws {
        let sockets = try ListeningSocket.bind(host: "127.0.0.1", port: 0, count: count)
        #expect(sockets.count == count)
        #expect(sockets[0].port > 0)
        #expect(Set(sockets.map(\.port)).count == 1)
        #expect(sockets[0].host == "127.0.0.1")
        #expect(sockets[0].authority == "127.0.0.1:\(sockets[0].port)")
    }

    @Test(arguments: [(1, 1), (1, 3), (3, 1), (3, 3)])
    func rejectsPortInUse(first: Int, second: Int) throws {
        let sockets = try ListeningSocket.bind(host: "127.0.0.1", port: 0, count: first)
        let error = try #require(throws: SystemError.self) {
            try ListeningSocket.bind(host: "127.0.0.1", port: sockets[0].port, count: second)
        }
        #expect(error.isAddressInUse)
        #expect("\(error)" == "bind 127.0.0.1:\(sockets[0].port): address already in use")
    }

    @Test(arguments: ["0.0.0.0", "::"])
    func rejectsPortInUseForWildcardAddress(host: String) throws {
        let socket = try ListeningSocket.bind(host: "127.0.0.1", port: 0)[0]
        let error = try #require(throws: SystemError.self) {
            try ListeningSocket.bind(host: host, port: socket.port, count: 2)
        }
        #expect(error.isAddressInUse)
    }

    #if os(Linux)
        // These tests have their own addresses, so that no other test's connection takes a port that is briefly free.

        @Test(arguments: [1, 2, 4])
        func concurrentBindsNeverSharePort(count: Int) async throws {
            for _ in 0..<25 {
                let port = try ListeningSocket.bind(host: "127.0.0.77", port: 0)[0].port
                let winners = await withTaskGroup(of: [ListeningSocket].self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            (try? ListeningSocket.bind(host: "127.0.0.77", port: port, count: count)) ?? []
                        }
                    }
                    var winners: [[ListeningSocket]] = []
                    for await sockets in group where !sockets.isEmpty { winners.append(sockets) }
                    return winners
                }
                // The system may refuse all simultaneous binds, but two must never succeed.
                #expect(winners.count <= 1)
                #expect(winners.allSatisfy { $0.count == count })
            }
        }

        private static func makeClosingHandler() -> any SocketHandler {
            let handler = ScriptedHandler()
            handler.onReceive = { socket, _ in socket.close() }
            return handler
        }

        @Test(arguments: [1, 2])
        func rebindsPortRightAfterClose(count: Int) async throws {
            try await EventLoop.with { loop in
                var port = 0
                for _ in 0..<3 {
                    let sockets = try ListeningSocket.bind(host: "127.0.0.78", port: port, count: count)
                    port = sockets[0].port
                    let handler = try await TestServer(loop: loop, socket: sockets[0]) { Self.makeClosingHandler() }
                    // The server closes first, so its end of the connection stays in TIME_WAIT.
                    for _ in 0..<(count * 8) {
                        let client = try await RawClient.connect(host: "127.0.0.78", port: port)
                        if count == 1 {
                            try await client.send("x")
                            try await client.readToEnd()
                        }
                    }
                    try await handler.close()
                }
            }
        }
    #endif

    @Test func spreadsConnectionsAcrossSockets() async throws {
        try await EventLoop.with { loop in
            let sockets = try ListeningSocket.bind(host: "127.0.0.1", port: 0, count: 3)
            var servers: [TestServer] = []
            for socket in sockets { servers.append(try await TestServer(loop: loop, socket: socket) { EchoHandler() }) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        let client = try await RawClient.connect(port: sockets[0].port)
                        try await client.send("x")
                        try await client.read(count: 1)
                    }
                }
                try await group.waitForAll()
            }
            let accepted = servers.map { $0.accepted.withLock { $0 } }
            #expect(accepted.reduce(0, +) == 200)
            #if os(Linux)
                #expect(accepted.allSatisfy { $0 > 0 })
            #endif
        }
    }

    @Test(arguments: [
        ("::1", ["::1"]),
        ("[::1]", ["::1"]),
        ("::", ["::1", "127.0.0.1"]),
        ("0.0.0.0", ["127.0.0.1"]),
        ("localhost", ["127.0.0.1", "localhost"]),
    ])
    func isReachableAtExpectedAddresses(host: String, from clients: [String]) async throws {
        try await EventLoop.with { loop in
            let socket = try ListeningSocket.bind(host: host, port: 0)[0]
            let server = try await TestServer(loop: loop, socket: socket) { EchoHandler() }
            for address in clients {
                let client = try await RawClient.connect(host: address, port: server.port)
                try await client.send("hello")
                #expect(try await client.read(count: 5).text == "hello")
            }
        }
    }

    @Test func bracketsIPv6Authority() throws {
        let socket = try ListeningSocket.bind(host: "::1", port: 0)[0]
        #expect(socket.authority == "[::1]:\(socket.port)")
    }

    @Test(arguments: [("127.0.0.1", 65_536), ("127.0.0.1", -1), ("", 0), ("256.0.0.1", 0), ("192.0.2.1", 0)])
    func rejectsInvalidOrRemoteAddress(host: String, port: Int) {
        #expect(throws: SystemError.self) { try ListeningSocket.bind(host: host, port: port) }
    }

    @Test func lastOwnerReleasesPort() throws {
        let host = loopback(80)
        let port = try ListeningSocket.bind(host: host, port: 0)[0].port
        #expect(try ListeningSocket.bind(host: host, port: port, count: 2)[1].port == port)
    }
}
