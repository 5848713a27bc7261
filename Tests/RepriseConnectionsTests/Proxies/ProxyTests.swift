import RepriseConnections
// SPDX-License-Identifier: Apache-2.0
import RepriseIO
import RepriseTestSupport
import Testing

/// Requests through proxies.
@Suite struct ProxyTests {
    private static let noContent = "HTTP/1.1 204 No Content\r\n\r\n"
    private static let target = Origin(isSecure: false, host: "target.test", port: 8080)

    @Test(arguments: [(nil, ""), ("Basic dTpw", "Proxy-Authorization: Basic dTpw\r\n")])
    func sendsPlainRequestsInAbsoluteForm(authorization: String?, line: String) async throws {
        let server = try await ScriptedServer.start()
        try await withPool { configuration in
            configuration.proxies = Proxies(http: Proxy(origin: server.origin, authorization: authorization))
        } _: { pool in
            async let response = pool.send(OutgoingRequest("GET", "/a?b", at: Self.target, fields: [.init("X", "y")]))
            let connection = try await server.accept()
            let head = try await connection.read(until: "\r\n\r\n").text
            #expect(
                head == "GET http://target.test:8080/a?b HTTP/1.1\r\nHost: target.test:8080\r\nX: y\r\n\(line)\r\n"
            )
            try await connection.send(Self.noContent)
            #expect(try await response.status == 204)
        }
    }

    @Test func originsShareProxyConnection() async throws {
        let server = try await ScriptedServer.start { connection in
            while true {
                try await connection.read(until: "\r\n\r\n")
                try await connection.send(Self.noContent)
            }
        }
        try await withPool {
            $0.proxies = Proxies(http: Proxy(origin: server.origin))
        } _: { pool in
            for host in ["a.test", "b.test"] {
                let origin = Origin(isSecure: false, host: host, port: 80)
                let response = try await pool.send(OutgoingRequest("GET", "/", at: origin))
                #expect(response.status == 204)
            }
        }
        #expect(server.acceptedConnections == 1)
    }

    @Test func connectsToProxyOverTLS() async throws {
        let tls = try TLSFixture()
        let server = try await ScriptedServer.start(tls: tls.server)
        try await withPool {
            $0.tls = tls.client
            let origin = Origin(isSecure: true, host: "localhost", port: UInt16(server.port))
            $0.proxies = Proxies(http: Proxy(origin: origin))
        } _: { pool in
            async let response = pool.send(OutgoingRequest("GET", "/", at: Self.target))
            let connection = try await server.accept()
            let head = try await connection.read(until: "\r\n\r\n").text
            #expect(head.hasPrefix("GET http://target.test:8080/ HTTP/1.1\r\n"))
            try await connection.send(Self.noContent)
            #expect(try await response.status == 204)
        }
    }

    @Test func serverWideOPTIONSHasEmptyPath() async throws {
        let server = try await ScriptedServer.start()
        try await withPool {
            $0.proxies = Proxies(http: Proxy(origin: server.origin))
        } _: { pool in
            async let response = pool.send(OutgoingRequest("OPTIONS", "*", at: Self.target))
            let connection = try await server.accept()
            let head = try await connection.read(until: "\r\n\r\n").text
            #expect(head.hasPrefix("OPTIONS http://target.test:8080 HTTP/1.1\r\n"))
            try await connection.send(Self.noContent)
            _ = try await response
        }
    }

    @Test func exceptionsBypassProxy() async throws {
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "GET / HTTP/1.1\r\n")
            try await connection.send(Self.noContent)
        }
        try await withPool {
            let nowhere = Proxy(origin: Origin(isSecure: false, host: "proxy.invalid", port: 1))
            $0.proxies = Proxies(http: nowhere, exceptions: ["127.0.0.0/8"])
        } _: { pool in
            let response = try await pool.send(.get(from: server))
            #expect(response.status == 204)
        }
    }

    // MARK: Tunnels

    @Test func forwardsThroughProxyFromEnvironment() async throws {
        let server = try await ScriptedServer.start { connection in
            let head = try await connection.read(until: "\r\n\r\n").text
            try await connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\(head)")
        }
        let proxy = try await ForwardProxy.start(authorization: "Basic dTpw")
        try await withPool {
            $0.proxies = Proxies(environment: ["http_proxy": "http://u:p@127.0.0.1:\(proxy.port)"])
        } _: { pool in
            let text = try await pool.send(.get("/x", from: server)).text()
            #expect(text.hasPrefix("GET /x HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"))
        }
        #expect(proxy.requests.count == 1)
    }

    @Test(arguments: [nil, "Basic dTpw"]) func tunnelsSecureRequests(authorization: String?) async throws {
        let tls = try TLSFixture()
        let server = try await ScriptedServer.start(tls: tls.server) { connection in
            while true {
                try await connection.read(until: "\r\n\r\n")
                try await connection.send(Self.noContent)
            }
        }
        let proxy = try await ForwardProxy.start(authorization: authorization)
        try await withPool {
            $0.tls = tls.client
            $0.proxies = Proxies(https: Proxy(origin: proxy.origin, authorization: authorization))
        } _: { pool in
            for isReused in [false, true] {
                let response = try await pool.send(.get(from: server, isSecure: true))
                #expect(response.status == 204)
                #expect(response.timings.isReused == isReused)
            }
        }
        let line = authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
        let host = "localhost:\(server.port)"
        #expect(proxy.requests == ["CONNECT \(host) HTTP/1.1\r\nHost: \(host)\r\n\(line)\r\n"])
    }

    @Test func reportsProxyAuthenticationRequired() async throws {
        let proxy = try await ForwardProxy.start(authorization: "Basic dTpw")
        try await expectProxyError(status: 407, at: proxy, message: "407 Proxy Authentication Required")
    }

    @Test func reportsProxyRefusal() async throws {
        let proxy = try await ForwardProxy.start(refusal: "HTTP/1.1 403 Not For You")
        try await expectProxyError(status: 403, at: proxy, message: "403 Not For You")
    }

    @Test(arguments: ["", "HTTP/1.1 ", "SOCKS\r\n", "HTTP/1.1 200 OK\r\n\r\nsomething"])
    func rejectsInvalidTunnelResponse(answer: String) async throws {
        let server = try await ScriptedServer.start { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(answer)
        }
        try await withPool {
            $0.proxies = Proxies(https: Proxy(origin: server.origin))
        } _: { pool in
            let error = await connectionError { try await pool.send(.get(from: server, isSecure: true)) }
            #expect(error?.name == "proxy")
            #expect(error?.hasResponseBegun == false)
            try await server.expectOpenConnections(0)
        }
    }

    @Test func rejectsTunnelHostWithLineBreak() async throws {
        let server = try await ScriptedServer.start()
        try await withPool {
            $0.proxies = Proxies(https: Proxy(origin: server.origin))
        } _: { pool in
            let origin = Origin(isSecure: true, host: "a\r\nX: y", port: 443)
            var request = OutgoingRequest("GET", "/", at: origin)
            request.authority = "a"
            let error = await connectionError { [request] in try await pool.send(request) }
            #expect(error?.name == "invalidRequest")
        }
    }

    /// Appended to `http://host`, such a target would extend the host.
    @Test(arguments: [".evil.example/x", ":8081/x", "evil/x", "?a", "", "@evil.example/", "*"], [true, false])
    func rejectsTargetThatChangesHost(target: String, isProxied: Bool) async throws {
        let server = try await ScriptedServer.start()
        try await withPool {
            if isProxied { $0.proxies = Proxies(http: Proxy(origin: server.origin)) }
        } _: { pool in
            let origin = isProxied ? Origin(isSecure: false, host: "example.com", port: 80) : server.origin
            let error = await connectionError { try await pool.send(OutgoingRequest("GET", target, at: origin)) }
            #expect(error?.name == "invalidRequest")
            #expect(server.acceptedConnections == 0)
        }
    }

    private func expectProxyError(status: Int, at proxy: ForwardProxy, message: String) async throws {
        try await withPool {
            $0.proxies = Proxies(https: Proxy(origin: proxy.origin))
        } _: { pool in
            let origin = Origin(isSecure: true, host: "localhost", port: 1)
            let error = await connectionError { try await pool.send(OutgoingRequest("GET", "/", at: origin)) }
            guard case .proxy(let found) = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(found == status)
            #expect(error?.message.contains(message) == true)
        }
    }
}

extension ForwardProxy {
    var origin: Origin { Origin(isSecure: false, host: "127.0.0.1", port: UInt16(port)) }
}
