import RepriseConnections
// SPDX-License-Identifier: Apache-2.0
import RepriseIO
import RepriseTestSupport
import Testing

@Suite struct TimeoutTests {
    private static let short = Duration.milliseconds(30)

    /// The point at which a server stops responding.
    enum Silence: CaseIterable {
        case duringHandshake, duringTunnelSetup, beforeHead, duringHead, duringBody
    }

    @Test(arguments: Silence.allCases, ["connect", "head", "total"])
    func timesOutWhenServerIsSilent(silence: Silence, limit: String) async throws {
        let server = try await ScriptedServer.start { connection in
            if silence == .duringTunnelSetup {
                try await connection.read(until: "\r\n\r\n")
            } else if silence != .duringHandshake {
                try await connection.read(until: "\r\n\r\n")
                if silence != .beforeHead { try await connection.send("HTTP/1.1 200 OK\r\n") }
                if silence == .duringBody { try await connection.send("Content-Length: 5\r\n\r\nab") }
            }
            try await connection.readToEnd(within: .seconds(60))
        }
        let expected: String?
        switch (silence, limit) {
        case (.duringHandshake, _), (.duringTunnelSetup, _): expected = "\(limit)Timeout"
        case (_, "connect"): expected = nil
        case (.duringBody, "head"): expected = nil
        default: expected = "\(limit)Timeout"
        }
        guard let expected else { return }
        try await withPool { configuration in
            if silence == .duringTunnelSetup {
                configuration.proxies = Proxies(https: Proxy(origin: server.origin))
            }
        } _: { pool in
            var request = OutgoingRequest.get(from: server)
            request.origin.isSecure = silence == .duringHandshake || silence == .duringTunnelSetup
            switch limit {
            case "connect": request.connectTimeout = Self.short
            case "head": request.headTimeout = Self.short
            default: request.totalTimeout = Self.short
            }
            let error = await connectionError { [request] in try await pool.send(request).collect() }
            #expect(error?.name == expected)
            if silence != .duringHead, silence != .duringBody { #expect(error?.hasResponseBegun == false) }
            try await server.expectOpenConnections(0)
        }
    }

    @Test func timesOutWhileWaitingForConnection() async throws {
        let server = try await ScriptedServer.start { try await $0.readToEnd(within: .seconds(60)) }
        try await withPool {
            $0.connectionsPerOrigin = 1
        } _: { pool in
            let first = Task { try await pool.send(.get(from: server)) }
            try await server.expectOpenConnections(1)
            var request = OutgoingRequest.get(from: server)
            request.headTimeout = Self.short
            let error = await connectionError { [request] in try await pool.send(request) }
            #expect(error?.name == "headTimeout")
            #expect(error?.message.contains("all connections were in use (connectionsPerOrigin is 1)") == true)
            try await server.expectOpenConnections(1)
            first.cancel()
        }
    }

    @Test func enforcesLongLimitsBySweeping() async throws {
        let server = try await ScriptedServer.start { try await $0.readToEnd(within: .seconds(60)) }
        try await withPool { pool in
            var request = OutgoingRequest.get(from: server)
            request.totalTimeout = .milliseconds(2100)
            let error = await connectionError { [request] in try await pool.send(request) }
            #expect(error?.name == "totalTimeout")
            #expect(error?.message.contains("2.1 seconds") == true)
        }
    }
}
