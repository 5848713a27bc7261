// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport
import Testing

/// Negotiation between two peers, and failures with peers that don't speak TLS.
@Suite struct TLSHandshakeTests {
    /// The server's failure and the client's.
    private func failures(of pair: TLSPair) async throws -> (server: TLSError?, client: TLSError?) {
        var failures: (TLSError?, TLSError?)
        try await EventLoop.with { loop in
            let (errors, reported) = AsyncStream.makeStream(of: TLSError.self)
            let server = try await pair.listen(on: loop) {
                let handler = ScriptedHandler()
                handler.onTLSFailure = { socket, error in
                    socket.close()
                    reported.yield(error)
                }
                return handler
            }
            do {
                _ = try await pair.connect(to: server.port)
            } catch let error as TLSError {
                failures.1 = error
            }
            for await error in errors {
                failures.0 = error
                break
            }
        }
        return failures
    }

    /// The client's error when the server handles the first bytes with `answer`.
    private func failure(_ loop: EventLoop, _ answer: @escaping @Sendable (Socket, [UInt8]) -> Void) async throws
        -> any Error
    {
        let server = try await TestServer(loop: loop) {
            let handler = ScriptedHandler()
            handler.onReceive = answer
            return handler
        }
        do {
            let client = try await TLSPair().connect(to: server.port)
            Issue.record("unexpected handshake: \(await client.agreement)")
            throw CancellationError()
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            (["http/1.1"], ["http/1.1"], "http/1.1"), (["h2", "http/1.1"], ["http/1.1"], "http/1.1"),
            (["http/1.1", "h2"], ["h2", "http/1.1"], "h2"), ([], ["http/1.1"], nil), (["http/1.1"], [], nil),
        ] as [([String], [String], String?)]
    )
    func negotiatesServerPreferredProtocol(offered: [String], supported: [String], agreed: String?) async throws {
        try await EventLoop.with { loop in
            var pair = try TLSPair()
            pair.client.applicationProtocols = offered
            pair.server.applicationProtocols = supported
            let client = try await pair.connect(to: pair.listen(on: loop).port)
            #expect(await client.agreement.applicationProtocol == agreed)
        }
    }

    @Test(arguments: TLSVersion.allCases)
    func failsWithoutCommonApplicationProtocol(_ version: TLSVersion) async throws {
        var pair = try TLSPair(version)
        pair.client.applicationProtocols = ["h2"]
        let (server, client) = try await failures(of: pair)
        #expect(server?.kind == .applicationProtocol)
        #expect(client?.kind == .applicationProtocol)
    }

    @Test(arguments: [(TLSVersion.tls12, TLSVersion.tls13), (.tls13, .tls12)])
    func failsWithoutCommonVersion(serverVersion: TLSVersion, clientVersion: TLSVersion) async throws {
        var pair = try TLSPair(serverVersion)
        pair.client.minimumVersion = clientVersion
        pair.client.maximumVersion = clientVersion
        let (server, client) = try await failures(of: pair)
        #expect(server?.kind == .protocolVersion)
        #expect(client?.kind == .protocolVersion)
    }

    @Test func serverReportsClientRefusal() async throws {
        var pair = try TLSPair(names: ["another.test"])
        pair.serverName = "localhost"
        let (server, client) = try await failures(of: pair)
        #expect(client?.kind == .wrongHost)
        #expect(server?.kind == .handshake)
        #expect(server?.message.contains("the client refused the TLS handshake") == true)
    }

    @Test func reportsPlaintextServer() async throws {
        try await EventLoop.with { loop in
            let error = try await failure(loop) { socket, _ in
                socket.send("HTTP/1.1 400 Bad Request\u{1B}\r\nConnection: close\r\n\r\n")
            }
            let found = try #require(error as? TLSError)
            #expect(found.kind == .handshake)
            #expect(found.message == #"localhost does not speak TLS: it sent "HTTP/1.1 400 Bad Request\u{1B}""#)
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT x:443 HTTP/1.1\r\n\r\n", "SSH-2.0-OpenSSH\r\n"])
    func reportsPlaintextClient(greeting: String) async throws {
        try await EventLoop.with { loop in
            let (errors, reported) = AsyncStream.makeStream(of: TLSError.self)
            let server = try await TLSPair().listen(on: loop) {
                let handler = ScriptedHandler()
                handler.onTLSFailure = { socket, error in
                    socket.close()
                    reported.yield(error)
                }
                return handler
            }
            let client = try await RawClient.connect(port: server.port)
            try await client.send(greeting)
            try await client.readToEnd()
            var found = errors.makeAsyncIterator()
            let line = greeting.prefix { $0 != "\r\n" }
            #expect(await found.next()?.message == "the client does not speak TLS: it sent \"\(line)\"")
        }
    }

    @Test func reportsCloseDuringHandshake() async throws {
        try await EventLoop.with { loop in
            let error = try await failure(loop) { socket, _ in socket.close() }
            let found = try #require(error as? TLSError)
            #expect(found.kind == .handshake)
            #expect(found.message == "localhost closed the connection during the TLS handshake")
        }
    }

    @Test func reportsResetDuringHandshake() async throws {
        try await EventLoop.with { loop in
            let error = try await failure(loop) { socket, _ in socket.reset() }
            let found = try #require(error as? SystemError)
            #expect(found.isConnectionLost)
            #expect(found.call == "TLS handshake with localhost")
        }
    }

    /// For every record type that the garbage claims.
    @Test(arguments: [20, 21, 22, 23, 24] as [UInt8])
    func failsOnGarbageRecord(type: UInt8) async throws {
        try await EventLoop.with { loop in
            let error = try await failure(loop) { socket, _ in
                var garbage: [UInt8] = [type, 3, 3, 0, 64]
                for index in 0..<200 { garbage.append(UInt8(truncatingIfNeeded: index &* 167 ^ 0x5a)) }
                _ = try? socket.send(garbage, from: 0)
                socket.finishWriting()
            }
            #expect(error is TLSError)
        }
    }

    /// Garbage must not crash the server or block later connections.
    @Test func survivesGarbageFromClients() async throws {
        try await EventLoop.with { loop in
            let pair = try TLSPair()
            let server = try await pair.listen(on: loop)
            var generator = SystemRandomNumberGenerator()
            for round in 0..<64 {
                let client = try await RawClient.connect(port: server.port)
                var bytes = (0..<Int.random(in: 1...2000)).map { _ in UInt8.random(in: 0...255, using: &generator) }
                // Starts like a ClientHello, for more or fewer bytes in each round.
                let hello: [UInt8] = [22, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]
                bytes.replaceSubrange(..<min(round % 12, bytes.count), with: hello.prefix(round % 12))
                try? await client.send(bytes)
                await client.finishWriting()
                try await client.readToEnd()
            }
            let client = try await pair.connect(to: server.port)
            try await client.send("x")
            try await client.read(count: 1)
        }
    }

    @Test(arguments: ["", ".", ".example.com", "exa mple.com", "b\u{FC}cher.example", "a\0b.com", "a\r\nb"])
    func rejectsInvalidServerName(name: String) async throws {
        try await EventLoop.with { loop in
            var pair = try TLSPair()
            pair.serverName = name
            let port = try await pair.listen(on: loop).port
            let error = await #expect(throws: TLSError.self) { try await pair.connect(to: port) }
            #expect(error?.kind == .configuration)
        }
    }

    @Test(arguments: [("www.example.test", true), ("127.0.0.1", false), ("::1", false)])
    func sendsServerNameUnlessAddress(name: String, isSent: Bool) async throws {
        try await EventLoop.with { loop in
            let hello = Locked<[UInt8]>([])
            let server = try await TestServer(loop: loop) {
                let handler = ScriptedHandler()
                handler.onReceive = { socket, bytes in
                    hello.withLock { $0 = bytes }
                    socket.close()
                }
                return handler
            }
            var pair = try TLSPair()
            pair.serverName = name
            await #expect(throws: TLSError.self) { try await pair.connect(to: server.port) }
            let text = String(decoding: hello.withLock { $0 }.map { $0 < 128 ? $0 : 0 }, as: UTF8.self)
            #expect(text.contains("http/1.1"))
            #expect(text.contains(name) == isSent)
        }
    }
}
