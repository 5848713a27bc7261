// SPDX-License-Identifier: Apache-2.0

import RepriseConnections
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseIO
@testable import RepriseServer

/// Tunnels to other servers: how they are connected, and how they end.
@Suite(.timeLimit(.minutes(5))) struct PassedTunnelTests {
    private let handshake = "Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
    private let switching = "HTTP/1.1 101 Switching Protocols\r\n\r\n"

    /// Runs `body` with a proxy whose connections to other servers go through a further proxy, at a port.
    private func withUpstreamProxy(
        at port: Int,
        isReplay: Bool = false,
        _ body: (MockServer) async throws -> Void
    ) async throws {
        let next = RepriseConnections.Proxy(origin: Origin(isSecure: false, host: "127.0.0.1", port: UInt16(port)))
        var origins = MockServer.ForwardProxy.Origins()
        origins.proxies = Proxies(http: next, https: next)
        var proxy = MockServer.ForwardProxy(pass: ["127.0.0.1", "raw.test"])
        if isReplay { proxy.passing = origins } else { proxy.origins = origins }
        try await withForwardProxy([], proxy, body)
    }

    @Test(arguments: [false, true])
    func tunnelUsesUpstreamProxy(isReplay: Bool) async throws {
        let (further, upstream) = (try await ForwardProxy.start(), try await ScriptedServer.start())
        let target = "127.0.0.1:\(upstream.port)"
        try await withUpstreamProxy(at: further.port, isReplay: isReplay) { server in
            let client = try await ProxyClient.tunnel(to: target, through: server).client
            let connection = try await upstream.accept()
            try await connection.send("SSH-2.0-server\r\n")
            try await client.read(until: "SSH-2.0-server\r\n")
            try await client.send("SSH-2.0-client\r\n")
            try await connection.read(until: "SSH-2.0-client\r\n")
            #expect(further.requests == ["CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n\r\n"])
        }
    }

    /// The other end speaks first, and the proxy sends its words together with its own answer.
    @Test func wordsAfterAnswerOfUpstreamProxyArePassedOn() async throws {
        let further = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 200 OK\r\n\r\nSSH-2.0-server\r\n")
            try await connection.readToEnd()
        }
        try await withUpstreamProxy(at: further.port) { server in
            let client = try await ProxyClient.tunnel(to: "raw.test:22", through: server).client
            try await client.read(until: "SSH-2.0-server\r\n")
        }
    }

    @Test func webSocketUsesUpstreamProxy() async throws {
        let (further, upstream) = (try await ForwardProxy.start(), try await ScriptedServer.start())
        let target = "127.0.0.1:\(upstream.port)"
        try await withUpstreamProxy(at: further.port) { [handshake, switching] server in
            let client = try await ProxyClient(server).client
            try await client.send("GET http://\(target)/feed HTTP/1.1\r\nHost: \(target)\r\n\(handshake)")
            let connection = try await upstream.accept()
            #expect(try await connection.read(until: "\r\n\r\n").text.hasPrefix("GET /feed HTTP/1.1\r\n"))
            try await connection.send(switching + "hello")
            try await client.read(until: switching + "hello")
            #expect(further.requests.map { $0.prefix { $0 != "\r\n" } } == ["CONNECT \(target) HTTP/1.1"])
        }
    }

    @Test func refusalOfUpstreamProxyIsExplained() async throws {
        let further = try await ForwardProxy.start(refusal: "HTTP/1.1 403 Forbidden")
        try await withUpstreamProxy(at: further.port) { server in
            let answer = try await ProxyClient.send("CONNECT 127.0.0.1:9 HTTP/1.1\r\nHost: x\r\n\r\n", through: server)
            #expect(answer.status == 502)
            #expect(answer.content.contains("the proxy did not open a tunnel: 403 Forbidden"))
        }
    }

    /// Also presents the certificate that the other server asks for.
    @Test func webSocketIsPassedOverTLS() async throws {
        let authority = try CertificateAuthority()
        var settings = TLSServerConfiguration(try authority.identity(for: ["api.test"]))
        settings.clientTrust = .certificates(authority.certificate)
        let upstream = try await ScriptedServer.start(tls: TLSContext(server: settings))
        var origins = MockServer.ForwardProxy.Origins(trust: .certificates(authority.certificate))
        origins.identity = try authority.identity(for: ["client.test"])
        let map = ["api.test": "127.0.0.1:\(upstream.port)"]
        try await withForwardProxy([], MockServer.ForwardProxy(map: map, origins: origins)) { server in
            let tunnel = try await ProxyClient.tunnel(to: "api.test:443", expecting: "api.test", through: server)
            async let first = tunnel.get("/x", host: "api.test")
            let connection = try await upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            #expect(try await first.content == "hi")
            try await tunnel.client.send("GET /feed HTTP/1.1\r\nHost: api.test\r\n\(handshake)")
            let socket = try await upstream.accept()
            try await socket.read(until: "\r\n\r\n")
            try await socket.send(switching + "hello")
            try await tunnel.client.read(until: switching + "hello")
            try await tunnel.client.send("there")
            try await socket.read(until: "there")
        }
    }

    @Test func idleTunnelIsClosed() async throws {
        let upstream = try await ScriptedServer.start()
        let proxy = MockServer.ForwardProxy(pass: ["raw.test"], map: ["raw.test": "127.0.0.1:\(upstream.port)"])
        let limit: UInt64 = 100_000_000
        try await withServer([], configure: { ($0.proxy, $0.timeouts.write) = (proxy, limit) }) { server in
            let client = try await ProxyClient.tunnel(to: "raw.test:22", through: server).client
            let connection = try await upstream.accept()
            #expect(try await client.readToEnd().bytes.isEmpty)
            #expect(try await connection.readToEnd().bytes.isEmpty)
        }
    }

    @Test func tunnelWhoseOtherEndBrokeEarlyIsClosed() async throws {
        let upstream = try await ScriptedServer.start()
        try await withForwardProxy { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
            try await client.read(until: "\r\n\r\n")
            let worker = try #require(await server.control.loops.first { _ in true })
            let origin = Origin(isSecure: false, host: "127.0.0.1", port: UInt16(upstream.port))
            await worker.run { state in
                let relay = TunnelRelay(to: origin, sending: [])
                let pool = LoopConnectionPool(loop: state.loop)
                relay.connect(over: pool, secured: false) { failure in
                    #expect(failure == nil)
                    guard let connection = state.connections.first, let socket = connection.socket else { return }
                    relay.socket(socket, failed: SystemError(code: 104, call: "recv"))
                    connection.handOver(to: relay.session(on: connection), unread: Span())
                    withExtendedLifetime(pool) {}
                }
            }
            try await client.readToEnd()
        }
    }
}
