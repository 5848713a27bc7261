// SPDX-License-Identifier: Apache-2.0

import RepriseCassettes
import RepriseIO
import RepriseRecording
import RepriseServer
import RepriseTestSupport
import RepriseText
import Testing

/// Failures on either side are reported to the other side, and recorded.
@Suite struct ProxyFailureTests {
    private let request = "GET / HTTP/1.1\r\nHost: p\r\n\r\n"

    private func outcome(_ proxy: RecordingProxy) async throws -> Exchange.Outcome? {
        try await proxy.finish().exchanges.first?.outcome
    }

    @Test func answers502WhenUpstreamIsNotListening() async throws {
        try await withRecordingProxy { proxy in
            await proxy.upstream.stopListening()
            let client = try await proxy.connect()
            try await client.send(request)
            let answer = try await client.read(until: "\n\r\n").text + client.read(until: "\n").text
            #expect(answer.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
            #expect(
                answer.contains("mockserver got no response. http://127.0.0.1:\(proxy.upstream.port): no connection")
            )
            // The second failure adds no second note, even for another request.
            try await client.send(request.replacing("GET /", with: "GET /other"))
            try await client.read(until: "\n\r\n")
            #expect(try await outcome(proxy) == nil)
            let notes = proxy.recorder.summary.notes.filter { $0.contains("not recorded:") }
            #expect(notes.count == 1)
            let reason = "not recorded: http://127.0.0.1:\(proxy.upstream.port): no connection"
            #expect(notes.first?.contains(" and 1 more request: \(reason)") == true)
            #expect(proxy.recorder.summary.refused == 0)
        }
    }

    /// If the upstream connection is lost before the end of the head, the proxy resets its client, and so does the
    /// replay.
    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nConte"], [false, true])
    func resetsClientWhenUpstreamConnectionIsLost(bytes: String, resets: Bool) async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send(request)
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(bytes)
            if resets { await connection.reset() } else { await connection.close() }
            #expect(try await client.readToEnd().bytes.isEmpty)
            #expect(client.ending == .reset)
            try await proxy.replay { replayed in
                try await replayed.send(request)
                #expect(try await replayed.readToEnd().bytes.isEmpty)
                #expect(replayed.ending == .reset)
            }
            #expect(try proxy.exchanges().map(\.outcome) == [.failure(.connectionLost)])
        }
    }

    /// RFC 9112 section 9.3.1: a server may close an idle connection while a request is on its way.
    @Test func retriesIdempotentRequestOnNewConnection() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            let first = try await useConnectionOnce(client, proxy)
            let put = "PUT / HTTP/1.1\r\nHost: p\r\nContent-Length: 5\r\n\r\nhello"
            try await client.send(put)
            try await first.read(until: "hello")
            await first.close()
            let second = try await proxy.upstream.accept()
            #expect(try await second.read(until: "hello").text.hasPrefix("PUT / HTTP/1.1\r\n"))
            try await second.send("HTTP/1.1 204 No Content\r\n\r\n")
            #expect(try await client.read(until: "\r\n\r\n").text == "HTTP/1.1 204 No Content\r\n\r\n")
            let exchanges = try await proxy.finish().exchanges
            #expect(exchanges.map(\.request.method) == ["GET", "PUT"])
            #expect(exchanges.last?.request.body?.source == .bytes(Array("hello".utf8)))
        }
    }

    /// A server may close a connection that has just become idle, so a request that must not be sent twice gets a new
    /// one.
    @Test func nonIdempotentRequestGetsNewConnection() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            let first = try await useConnectionOnce(client, proxy)
            try await client.send("POST / HTTP/1.1\r\nHost: p\r\nContent-Length: 5\r\n\r\nhello")
            let second = try await proxy.upstream.accept()
            #expect(try await second.read(until: "hello").text.hasPrefix("POST / HTTP/1.1\r\n"))
            await first.close()
            try await second.send("HTTP/1.1 204 No Content\r\n\r\n")
            #expect(try await client.read(until: "\r\n\r\n").text == "HTTP/1.1 204 No Content\r\n\r\n")
            #expect(try await proxy.finish().exchanges.map(\.request.method) == ["GET", "POST"])
        }
    }

    /// The server may have processed the request.
    @Test func nonIdempotentRequestIsSentOnce() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            _ = try await useConnectionOnce(client, proxy)
            try await client.send("POST / HTTP/1.1\r\nHost: p\r\nContent-Length: 5\r\n\r\nhello")
            let second = try await proxy.upstream.accept()
            try await second.read(until: "hello")
            await second.close()
            #expect(try await client.readToEnd().bytes.isEmpty)
            #expect(proxy.upstream.acceptedConnections == 2)
            #expect(try await proxy.finish().exchanges.map(\.outcome).last == .failure(.connectionLost))
        }
    }

    /// Sends a request through the proxy, and returns the upstream connection, which the proxy keeps open.
    private func useConnectionOnce(_ client: RawClient, _ proxy: RecordingProxy) async throws -> RawClient {
        try await client.send(request)
        let connection = try await proxy.upstream.accept()
        try await connection.read(until: "\r\n\r\n")
        try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        try await client.read(until: "\r\n\r\n")
        return connection
    }

    @Test func answers502ToInvalidResponse() async throws {
        let script: ScriptedServer.Script = { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("nonsense\r\n\r\n")
        }
        try await withRecordingProxy(script) { proxy in
            let client = try await proxy.connect()
            // The client's connection stays open.
            for _ in 0..<2 {
                try await client.send(request)
                let head = try await client.read(until: "\r\n\r\n").text
                #expect(head.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
                let length = head.split(separator: "\r\n").last { $0.hasPrefix("Content-Length: ") }?.dropFirst(16)
                try await client.read(count: try #require(length.flatMap { Int($0) }))
            }
            #expect(try await proxy.finish().exchanges.isEmpty)
        }
    }

    @Test func answers502ForUntrustedUpstream() async throws {
        let context = try TLSContext(
            server: TLSServerConfiguration(CertificateAuthority().identity(for: ["localhost"]))
        )
        let secure = try await ScriptedServer.start(tls: context)
        try await withRecordingProxy(configure: { configuration in
            let recorder = configuration.upstream?.recorder
            configuration.upstream = try? MockServer.Upstream("https://localhost:\(secure.port)", recorder: recorder)
        }) { proxy in
            let client = try await proxy.connect()
            try await client.send(request)
            #expect(try await client.read(until: "\r\n\r\n").text.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
            #expect(try await outcome(proxy) == nil)
        }
    }

    @Test func forwardsToTrustedUpstream() async throws {
        let authority = try CertificateAuthority()
        let context = try TLSContext(server: TLSServerConfiguration(authority.identity(for: ["127.0.0.1"])))
        // The response contains the number of the request on its connection. The number of connections proves nothing,
        // because clients of a previous server on the same port may connect too.
        let secure = try await ScriptedServer.start(tls: context) { connection in
            for number in 1... {
                try await connection.read(until: "\r\n\r\n")
                try await connection.send("HTTP/1.1 204 No Content\r\nX-Number: \(number)\r\n\r\n")
            }
        }
        try await withRecordingProxy(configure: { configuration in
            let recorder = configuration.upstream?.recorder
            configuration.upstream = try? MockServer.Upstream("https://127.0.0.1:\(secure.port)", recorder: recorder)
            configuration.upstream?.trust = .system(adding: authority.certificate)
        }) { proxy in
            let client = try await proxy.connect()
            try await client.send(request + request)
            for number in 1...2 {
                let answer = try await client.read(until: "\r\n\r\n").text
                #expect(answer == "HTTP/1.1 204 No Content\r\nX-Number: \(number)\r\n\r\n")
            }
        }
    }

    /// When the client disconnects, the proxy closes the upstream connection and keeps what it has received.
    @Test(arguments: [true, false])
    func recordsPartialResponseWhenClientDisconnects(resets: Bool) async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send(request)
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
            )
            try await client.read(until: "abc\r\n")
            if resets { await client.reset() } else { await client.close() }
            try await connection.readToEnd()
            guard case .response(let response) = try await outcome(proxy), case .stream(let steps) = response.content
            else { return #expect(Bool(false), "expected a stream") }
            #expect(steps.map(\.event) == [.bytes(Array("abc".utf8)), .end(.cancelled)])
        }
    }

    @Test(arguments: [true, false])
    func recordsCancellationWhenClientDisconnectsBeforeHead(resets: Bool) async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send(request)
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            if resets { await client.reset() } else { await client.close() }
            try await connection.readToEnd()
            #expect(try await outcome(proxy) == .failure(.cancelled))
        }
    }

    @Test func doesNotRecordIncompleteRequest() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send("POST / HTTP/1.1\r\nHost: p\r\nContent-Length: 10\r\n\r\nabc")
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "abc")
            await client.close()
            try await connection.readToEnd()
            #expect(try await outcome(proxy) == nil)
        }
    }

    @Test(arguments: [
        "", "example.com", "ftp://example.com", "http://", "http://a b", "http://a?b", "http://user%@a",
        "http://a:99999",
    ])
    func rejectsInvalidUpstreamURL(url: String) {
        #expect(throws: UpstreamError.self) { try MockServer.Upstream(url) }
    }

    @Test(arguments: ["http://user:hunter2@a b", "http://user:hunter2@a?b", "user:hunter2@a", "http://user:hunt/er2@a"])
    func urlErrorContainsNoPassword(url: String) throws {
        let error = try #require(throws: UpstreamError.self) { try MockServer.Upstream(url) }
        #expect(!error.description.contains("hunt") && !error.description.contains("er2"))
    }

    @Test func rejectsInvalidTrustedCertificates() async throws {
        var configuration = MockServer.Configuration()
        configuration.upstream = try MockServer.Upstream("https://localhost")
        configuration.upstream?.trust = .system(adding: Array("nothing".utf8))
        let error = await #expect(throws: StartError.self) {
            try await MockServer.start(fixtures: [], configuration: configuration)
        }
        #expect(error?.description.hasPrefix("cannot forward to https://localhost: the trusted certificates") == true)
    }
}
