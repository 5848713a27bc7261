import RepriseConnections
// SPDX-License-Identifier: Apache-2.0
import RepriseIO
import RepriseTestSupport
import Testing

/// Hosts with addresses of both families.
@Suite struct HappyEyeballsTests {
    /// An address on which no other test listens, so that a port that is open on `::1` is closed on it.
    #if os(Linux)
        private static let ipv4 = "127.77.0.1"
    #else
        private static let ipv4 = "127.0.0.1"
    #endif

    @Test(arguments: [Self.ipv4, "::1"], [[Self.ipv4, "::1"], ["::1", Self.ipv4]])
    func connectsWhenOneFamilyListens(listening: String, addresses: [String]) async throws {
        let server = try await ScriptedServer.start(host: listening) { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
        try await withPool {
            $0.addresses = ["both.test": addresses]
        } _: { pool in
            let origin = Origin(isSecure: false, host: "both.test", port: UInt16(server.port))
            let response = try await pool.send(OutgoingRequest("GET", "/", at: origin))
            #expect(response.status == 204)
        }
    }

    @Test func errorNamesEveryAttempt() async throws {
        let server = try await ScriptedServer.start(host: "::1")
        await server.stopListening()
        try await withPool {
            $0.addresses = ["both.test": [Self.ipv4, "::1"]]
        } _: { pool in
            let origin = Origin(isSecure: false, host: "both.test", port: UInt16(server.port))
            let error = await connectionError { try await pool.send(OutgoingRequest("GET", "/", at: origin)) }
            #expect(error?.name == "connectionRefused")
            #expect(error?.message.contains("connect \(Self.ipv4):\(server.port): connection refused") == true)
            #expect(error?.message.contains("connect [::1]:\(server.port): connection refused") == true)
        }
    }

    @Test func reportsHostWithoutAddresses() async throws {
        try await withPool {
            $0.addresses = ["nowhere.test": []]
        } _: { pool in
            let origin = Origin(isSecure: false, host: "nowhere.test", port: 80)
            let error = await connectionError { try await pool.send(OutgoingRequest("GET", "/", at: origin)) }
            #expect(error?.name == "nameNotResolved")
            #expect(error?.message == "http://nowhere.test: no connection: nowhere.test has no address")
        }
    }

    @Test func connectsToIPv6Literal() async throws {
        let server = try await ScriptedServer.start(host: "::1")
        try await withPool { pool in
            let origin = Origin(isSecure: false, host: "::1", port: UInt16(server.port))
            async let response = pool.send(OutgoingRequest("GET", "/", at: origin))
            let connection = try await server.accept()
            let head = try await connection.read(until: "\r\n\r\n").text
            #expect(head.contains("\r\nHost: [::1]:\(server.port)\r\n"))
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            _ = try await response
        }
    }
}
