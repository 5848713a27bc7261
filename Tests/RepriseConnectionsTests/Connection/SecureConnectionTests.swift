import RepriseConnections
// SPDX-License-Identifier: Apache-2.0
import RepriseIO
import RepriseTestSupport
import Testing

/// Requests over TLS.
@Suite struct SecureConnectionTests {
    private static let noContent: ScriptedServer.Script = { connection in
        while true {
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
    }

    @Test func requestsShareSecureConnection() async throws {
        let tls = try TLSFixture()
        let server = try await ScriptedServer.start(tls: tls.server, script: Self.noContent)
        try await withPool {
            $0.tls = tls.client
        } _: { pool in
            let first = try await pool.send(.get(from: server, isSecure: true))
            #expect(first.status == 204)
            #expect(first.timings.secured != nil)
            let second = try await pool.send(.get(from: server, isSecure: true))
            #expect(second.timings.isReused)
            #expect(second.timings.secured == nil)
        }
        #expect(server.acceptedConnections == 1)
        try await server.expectOpenConnections(0)
    }

    /// A defect of a server's certificate.
    enum Flaw: CaseIterable {
        case unknownAuthority, wrongHost, expired, notYetValid, selfSigned
    }

    @Test(arguments: Flaw.allCases) func rejectsInvalidCertificate(flaw: Flaw) async throws {
        let now = CertificateValidity.days(1).notBefore
        var tls = try TLSFixture(
            names: [flaw == .wrongHost ? "other.test" : "localhost"],
            validity: CertificateValidity(
                notBefore: now + (flaw == .notYetValid ? 86_400 : -100_000),
                notAfter: now + (flaw == .expired ? -1000 : 200_000)
            )
        )
        if flaw == .unknownAuthority { tls.client = try TLSFixture().client }
        if flaw == .selfSigned {
            let identity = try TLSIdentity.selfSigned(for: ["localhost"])
            tls.server = try TLSContext(server: TLSServerConfiguration(identity))
        }
        let server = try await ScriptedServer.start(tls: tls.server, script: Self.noContent)
        try await withPool {
            $0.tls = tls.client
        } _: { pool in
            let error = await connectionError { try await pool.send(.get(from: server, isSecure: true)) }
            guard case .tls(let cause) = error?.kind else {
                Issue.record("\(String(describing: error))")
                return
            }
            let expected: TLSError.Kind =
                switch flaw {
                case .unknownAuthority: .untrustedCertificate
                case .wrongHost: .wrongHost
                case .expired: .expiredCertificate
                case .notYetValid: .notYetValidCertificate
                case .selfSigned: .selfSigned
                }
            #expect(cause.kind == expected)
            try await server.expectOpenConnections(0)
        }
    }

    @Test func reportsServerWithoutTLS() async throws {
        let server = try await ScriptedServer.start { connection in
            try await connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
            try await connection.readToEnd()
        }
        try await withPool { pool in
            let error = await connectionError { try await pool.send(.get(from: server, isSecure: true)) }
            #expect(error?.name == "tls")
            try await server.expectOpenConnections(0)
        }
    }

    @Test(arguments: [true, false]) func closeDelimitedBodyRequiresClosureAlert(sendsAlert: Bool) async throws {
        let tls = try TLSFixture()
        let server = try await ScriptedServer.start(tls: tls.server)
        let proxy = try await ForwardProxy.start()
        try await withPool {
            $0.tls = tls.client
            $0.proxies = Proxies(https: Proxy(origin: proxy.origin))
        } _: { pool in
            async let answer = pool.send(.get(from: server, isSecure: true))
            let connection = try await server.accept()
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 200 OK\r\n\r\nall of it")
            let stream = try #require(try await answer.stream)
            // The proxy forwards a reset as FIN, without a closure alert.
            if sendsAlert { await connection.close() } else { await connection.reset() }
            let result = await connectionError {
                let body = try await stream.collect()
                #expect(String(decoding: body.content, as: UTF8.self) == "all of it")
            }
            #expect(result?.name == (sendsAlert ? nil : "truncated"))
        }
    }

    @Test func transfersMegabytesBothWays() async throws {
        let tls = try TLSFixture()
        let size = 8 << 20
        let server = try await ScriptedServer.start(tls: tls.server) { connection in
            try await connection.read(until: "\r\n\r\n")
            let body = try await connection.read(count: size).bytes
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            try await connection.send(body)
            try await connection.readToEnd()
        }
        try await withPool {
            $0.tls = tls.client
        } _: { pool in
            let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            var request = OutgoingRequest.get(from: server, isSecure: true)
            request.method = "PUT"
            request.body = .bytes(content)
            let body = try await pool.send(request).collect()
            #expect(body.content == content)
        }
    }

    @Test func cancellationDuringHandshakeClosesConnection() async throws {
        let server = try await ScriptedServer.start()
        try await withPool { pool in
            let task = Task { await connectionError { try await pool.send(.get(from: server, isSecure: true)) } }
            let connection = try await server.accept()
            try await connection.read(count: 5)
            task.cancel()
            #expect(await task.value?.name == "cancelled")
            try await server.expectOpenConnections(0)
            expectNoSockets(to: server)
        }
    }

    @Test func invalidTrustFailsEachRequest() async throws {
        let server = try await ScriptedServer.start()
        try await withPool {
            $0.tls.trust = .certificates(Array("nonsense".utf8))
        } _: { pool in
            for _ in 0..<2 {
                let error = await connectionError { try await pool.send(.get(from: server, isSecure: true)) }
                #expect(error?.name == "tls")
            }
        }
    }
}
