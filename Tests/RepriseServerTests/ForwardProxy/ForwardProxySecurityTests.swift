// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseConnections
import RepriseFixtures
import RepriseIO
import RepriseTestSupport
import RepriseText
import RepriseWire
import Testing

@testable import RepriseServer

/// What the proxy refuses.
@Suite(.timeLimit(.minutes(5))) struct ForwardProxySecurityTests {
    private let fixtures: [Fixture] = [.recorded("https://a.test/x", response: .text("a"))]

    @Test func adminAPIIsNotReachedThroughProxy() async throws {
        try await withForwardProxy(fixtures) { server in
            for host in ["localhost", "127.0.0.1"] {
                let client = try await ProxyClient(server)
                let own = "\(host):\(server.port)"
                // Absolute form to this server itself is a request to it, but not to the admin API.
                let absolute = try await client.get("http://\(own)/__admin/mappings", host: own)
                #expect(absolute.status == 404)
                #expect(absolute.content.hasPrefix("No fixture answers GET /__admin/mappings."))
                let tunnel = try await client.send("CONNECT \(own) HTTP/1.1\r\nHost: \(own)\r\n\r\n")
                #expect(tunnel.status == 403)
            }
            let other = try await ProxyClient(server)
            #expect(try await other.get("http://a.test/__admin/mappings", host: "localhost").status == 404)
            let tunnel = try await ProxyClient.tunnel(to: "a.test:443", expecting: "a.test", through: server)
            #expect(try await tunnel.get("/__admin/mappings", host: "a.test").status == 404)
            let own = try await tunnel.get("/__admin/mappings", host: "localhost:\(server.port)")
            #expect(own.status == 421)
        }
    }

    @Test(arguments: ["localhost", "127.0.0.1", "0.0.0.0", "LOCALHOST."])
    func proxyDoesNotConnectToItself(host: String) async throws {
        let origins = MockServer.ForwardProxy.Origins()
        try await withForwardProxy([], MockServer.ForwardProxy(pass: ["*"], origins: origins)) { server in
            let target = "\(host):\(server.port)"
            let connect = try await ProxyClient.send("CONNECT \(target) HTTP/1.1\r\nHost: x\r\n\r\n", through: server)
            #expect(connect.status == 403)
            #expect(try await ProxyClient.get("https://\(target)/", host: "x", through: server).status == 403)
        }
    }

    @Test(arguments: ["2130706433", "127.1", "0x7f000001", "[::ffff:127.0.0.1]", "0"])
    func requestDoesNotReachOwnPortByAnotherAddress(host: String) async throws {
        let proxy = MockServer.ForwardProxy(origins: MockServer.ForwardProxy.Origins())
        try await withForwardProxy([], proxy) { server in
            let answer = try await ProxyClient.get("http://\(host):\(server.port)/x", host: "x", through: server)
            #expect([400, 403, 502].contains(answer.status))
            #expect(await server.journal.entries.count == 1)
        }
    }

    /// As in a shell that `ca env` prepared.
    @Test(arguments: [("http://localhost:8080", true), ("http://[::1]:8080", true), ("http://127.0.0.1:8081", false)])
    func serverIsNotItsOwnUpstreamProxy(proxy: String, isOwn: Bool) throws {
        for name in ["http_proxy", "https_proxy", "all_proxy"] {
            var configuration = MockServer.Configuration()
            configuration.host = "localhost"
            var origins = MockServer.ForwardProxy.Origins()
            origins.proxies = Proxies(environment: [name: proxy])
            configuration.upstream = try MockServer.Upstream("http://a.test")
            configuration.upstream?.proxies = origins.proxies
            configuration.proxy = MockServer.ForwardProxy(origins: origins)
            #expect(configuration.removeOwnProxies(port: 8080) == isOwn)
            #expect(configuration.proxy?.origins?.proxies == (isOwn ? Proxies.none : origins.proxies))
            #expect(configuration.upstream?.proxies == configuration.proxy?.origins?.proxies)
        }
    }

    /// Once a connection is reset, the address of the client is unknown.
    @Test func clientThatResetsIsNoForeignClient() async throws {
        try await withForwardProxy(fixtures) { server in
            for _ in 0..<20 {
                let client = try await RawClient.connect(port: server.port)
                try await client.send("GET http://a.test/x HTTP/1.1\r\nHost: a.test\r\n\r\n")
                await client.reset()
            }
            _ = try await ProxyClient.get("http://a.test/none", host: "a.test", through: server)
            #expect(await server.journal.entries.allSatisfy { $0.status != 403 })
        }
    }

    @Test(arguments: ["ca", "link"])
    func authorityBelowStaticFolderIsRefused(name: String) async throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        let link = "\(other.path)/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(folder.path)/ca")
        var configuration = MockServer.Configuration()
        configuration.staticFolder = folder.path
        let authority = name == "link" ? link : "\(folder.path)/\(name)"
        configuration.proxy = MockServer.ForwardProxy(authority: .folder(authority))
        await #expect(throws: StartError.self) {
            try await MockServer.start(fixtures: [], configuration: configuration)
        }
    }

    /// A name that leads to this machine is known only when it is resolved.
    @Test func passedTunnelDoesNotReachOwnPortByAnotherName() async throws {
        let proxy = MockServer.ForwardProxy(pass: ["alias.test"], map: ["alias.test": "127.0.0.1"])
        try await withForwardProxy([], proxy) { server in
            let target = "alias.test:\(server.port)"
            let connect = try await ProxyClient.send("CONNECT \(target) HTTP/1.1\r\nHost: x\r\n\r\n", through: server)
            #expect(connect.status == 403)
        }
    }

    @Test(arguments: [
        "*.example.com:443", "a%00b.test:443", "a\u{0}b.test:443", "a.test\u{0}:443", "a..test:443", "x:0", ".:443",
        "a_b*.test:443",
        String(repeating: "a.", count: 300) + "test:443", String(repeating: "a", count: 64) + ".test:443",
        "[fe80::1%25eth0]:443", "user@a.test:443", "[v1.fe]:443", "[a.test]:443", "[]:443",
    ])
    func hostsWithoutCertificateAreRefused(target: String) async throws {
        try await withForwardProxy(fixtures) { server in
            let answer = try await ProxyClient.send(
                "CONNECT \(target) HTTP/1.1\r\nHost: a.test\r\n\r\n",
                through: server
            )
            #expect(answer.status == 400)
        }
    }

    @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "\u{1}\u{2}\u{3}", "get / HTTP/1.1\r\n", "*1\r\n$4\r\nPING\r\n"])
    func otherProtocolsInTunnelsAreClosed(greeting: String) async throws {
        try await withForwardProxy(fixtures) { server in
            let tunnel = try await ProxyClient.tunnel(to: "a.test:22", through: server)
            try await tunnel.client.send(greeting)
            #expect(try await tunnel.client.readToEnd().bytes.isEmpty)
        }
    }

    @Test(arguments: [
        ("GET /x HTTP/1.1\r\nHost: b.test\r\n\r\n", 421), ("GET /x HTTP/1.1\r\nHost: a.test:8443\r\n\r\n", 421),
        ("GET https://b.test/x HTTP/1.1\r\nHost: a.test\r\n\r\n", 421),
        ("GET http://a.test/x HTTP/1.1\r\nHost: a.test\r\n\r\n", 421),
        ("CONNECT b.test:443 HTTP/1.1\r\nHost: b.test\r\n\r\n", 400),
        ("POST /x HTTP/1.1\r\nHost: b.test\r\nContent-Length: 1\r\n\r\n", 421),
        ("GET /x HTTP/1.1\r\nHost: A.test:443\r\n\r\n", 200), ("GET /x HTTP/1.1\r\nHost:\r\n\r\n", 200),
        ("GET https://a.test/x HTTP/1.1\r\nHost: b.test\r\n\r\n", 200),
    ])
    func requestInTunnelNamesItsOrigin(request: String, status: Int) async throws {
        try await withForwardProxy(fixtures) { server in
            let tunnel = try await ProxyClient.tunnel(to: "a.test:443", expecting: "a.test", through: server)
            #expect(try await tunnel.send(request).status == status)
        }
    }

    @Test(arguments: [
        ("http://a.test/x", "Host: b.test", 200), ("http://a.test/x", "Host: a.test\r\nHost: a.test", 400),
        ("http://a.test@b.test/x", "Host: a.test", 400), ("http://b.test\\@a.test/x", "Host: a.test", 400),
        ("http://a.test:80:81/x", "Host: a.test", 400), ("http:///x", "Host: a.test", 400),
        ("http://a.test%2F@b.test/x", "Host: a.test", 400), ("ftp://a.test/x", "Host: a.test", 400),
        ("http://a.test/x", "Host: b.test\r\nTransfer-Encoding: chunked\r\nContent-Length: 5", 400),
        ("http://a.test/x", "Host: b.test\r\n Host: c.test", 400),
        ("http://a.test/x#http://b.test/", "Host: a.test", 400),
    ])
    func targetAloneNamesTheHost(target: String, fields: String, status: Int) async throws {
        let fixture = Fixture.recorded("http://a.test/x", response: .text("a"))
        try await withForwardProxy([fixture]) { server in
            let answer = try await ProxyClient.send("GET \(target) HTTP/1.1\r\n\(fields)\r\n\r\n", through: server)
            #expect(answer.status == status)
        }
    }

    @Test(arguments: [
        "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n@\r\nBad Line\r\n\r\n",
        "GET http://a.test/ HTTP/1.1\r\n@\r\n c2VjcmV0\r\n\r\n", "GET http://a..test/ HTTP/1.1\r\nHost: x\r\n@\r\n\r\n",
        "CONNECT a..test:443 HTTP/1.1\r\nHost: x\r\n@\r\n\r\n", "GET / HTTP/9\r\n@\r\n\r\n",
    ])
    func journalDoesNotShowCredentials(head: String) async throws {
        try await withForwardProxy { server in
            let request = head.replacing("@", with: "pROXY-Authorization: Basic c2VjcmV0")
            let status = try await ProxyClient.send(request, through: server).status
            #expect(status >= 400)
            let heads = await server.journal.entries.map { String(decoding: $0.head, as: UTF8.self) }
            #expect(heads.count == 1 && !heads[0].contains("c2VjcmV0"))
        }
    }

    @Test func connectWithoutContentOpensTunnel() async throws {
        try await withForwardProxy([.recorded("http://a.test/x", response: .text("a"))]) { server in
            let tunnel = try await ProxyClient(server)
            try await tunnel.client.send("CONNECT a.test:80 HTTP/1.1\r\nHost: a.test:80\r\nContent-Length: 0\r\n\r\n")
            #expect(try await tunnel.client.read(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 200 "))
            #expect(try await tunnel.get("/x", host: "a.test").content == "a")
        }
    }

    @Test func connectWithBodyIsRefused() async throws {
        try await withForwardProxy(fixtures) { server in
            let request = "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\nabc"
            let answer = try await ProxyClient.send(request, through: server)
            #expect(answer.status == 400)
        }
    }

    @Test(
        arguments: [
            (nil, "127.0.0.1", nil, nil), (nil, "::1", nil, nil), (nil, "192.0.2.1", nil, 403),
            ("ada:secret", "192.0.2.1", nil, 407), ("ada:secret", "127.0.0.1", nil, nil),
            ("ada:secret", "192.0.2.1", "Basic YWRhOnNlY3JldA==", nil),
            ("ada:secret", "192.0.2.1", "basic  YWRhOnNlY3JldA==", nil),
            ("ada:secret", "192.0.2.1", "Basic YWRhOndyb25n", 407),
            ("ada:secret", "192.0.2.1", "Bearer ada:secret", 407),
        ] as [(String?, String, String?, Int?)]
    )
    func otherMachinesNeedCredentials(
        credentials: String?,
        peer: String,
        authorization: String?,
        status: Int?
    ) async throws {
        try await withForwardProxy([], MockServer.ForwardProxy(credentials: credentials)) { server in
            let worker = try #require(await server.control.loops.first)
            for line in ["GET http://a.test/ HTTP/1.1", "CONNECT a.test:443 HTTP/1.1"] {
                let field = authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
                let request = Array("\(line)\r\nHost: a.test\r\n\(field)\r\n".utf8)
                let refusal = await worker.run { state -> ServerResponse? in
                    var parser = RequestParser()
                    let bytes = request[...]
                    guard let proxy = state.proxy, (try? parser.parseHead(bytes.span)) == true,
                        case .refused(let response, let head?) = proxy.decision(
                            bytes.span,
                            parser.head,
                            in: nil,
                            from: peer
                        )
                    else { return nil }
                    #expect(!String(decoding: head.bytes, as: UTF8.self).contains("Authorization"))
                    return response
                }
                #expect(refusal?.status == status)
                let challenge = refusal?.headers.first { $0.hasName("Proxy-Authenticate") }?.value
                #expect(challenge == (status == 407 ? "Basic realm=\"mockserver\"" : nil))
            }
        }
    }

    @Test func serverWithoutProxyRefusesTunnels() async throws {
        try await withServer(fixtures) { server in
            let answer = try await ProxyClient.send(
                "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n",
                through: server
            )
            #expect(answer.status == 501)
            #expect(answer.content.contains("--proxy"))
        }
    }
}
