// SPDX-License-Identifier: Apache-2.0

import RepriseCassettes
import RepriseIO
import RepriseServer
import RepriseTestSupport
import RepriseText
import Testing

/// Responses of upstreams that are not valid HTTP/1.1. What can only mean one thing is repaired, forwarded, and
/// recorded with a note; the rest is refused.
@Suite struct ImperfectUpstreamTests {
    private static let request = "GET / HTTP/1.1\r\nHost: p\r\n\r\n"

    /// A server that sends `response` to each request and keeps its connections open.
    private static func answering(_ response: [UInt8]) -> ScriptedServer.Script {
        { connection in
            while true {
                try await connection.read(until: "\r\n\r\n")
                try await connection.send(response)
            }
        }
    }

    private static let hello = "Content-Length: 5\r\n\r\nhello"

    @Test(
        arguments: [
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 200 OK\r\n" + hello,
                "kept one of several equal values of Content-Length"
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello", "HTTP/1.1 200 OK\r\n" + hello,
                "kept one of several equal values of Content-Length"
            ),
            (
                "HTTP/1.1 200 OK\nA:  b\nContent-Length: 5\n\nhello", "HTTP/1.1 200 OK\r\nA:  b\r\n" + hello,
                "ended lines with CR LF"
            ),
            (
                "HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 5\r\n\r\nhello",
                "HTTP/1.1 200 OK\r\nA: b c\r\n" + hello, "joined folded header lines"
            ),
            (
                "HTTP/1.1 200 OK\r\nA : b\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 200 OK\r\nA: b\r\n" + hello,
                "removed whitespace before a colon"
            ),
            (
                "\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 200 OK\r\n" + hello,
                "removed empty lines before the status line"
            ),
            ("HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 200 \r\n" + hello, nil),
            ("HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 200 OK\r\n" + hello, nil),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=\"b\";c\r\nhello\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello", nil
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n5\nhello\n0\n\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello",
                "removed Content-Length, because the body is chunked; ended lines of the chunked coding with CR LF"
            ),
        ] as [(String, String, String?)]
    )
    func responseIsForwardedCleanAndNoted(received: String, forwarded: String, repairs: String?) async throws {
        try await withRecordingProxy(Self.answering(Array(received.utf8))) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.request)
            let text = try await client.read(until: "hello").text
            #expect(text == forwarded)
            if text.contains("chunked") { try await client.read(until: "\r\n0\r\n\r\n") }
            guard case .response(let response)? = try await proxy.finish().exchanges.first?.outcome else {
                return #expect(Bool(false), "expected a response")
            }
            #expect(response.content == .body(RecordedBody(.bytes(Array("hello".utf8)))))
            #expect(response.note == repairs.map { "repaired: \($0)" })
        }
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello", "one Content-Length field"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\nhello", "one decimal number"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\nhello", "one decimal number"),
            ("HTTP/1.1 200 OK\r\nA: b\u{1}c\r\nContent-Length: 5\r\n\r\nhello", "without control characters"),
            ("HTTP/1.1 200 OK\r\nA: b\rc\r\nContent-Length: 5\r\n\r\nhello", "a line feed after a carriage return"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "exactly 'chunked'"),
            ("HTTP/2 200\r\nContent-Length: 5\r\n\r\nhello", "the server speaks only HTTP/2, and HTTP/1.1 is required"),
            (
                "\u{0}\u{0}\u{6}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{3}\u{0}\u{0}\u{0}\u{64}",
                "the server speaks only HTTP/2, and HTTP/1.1 is required; enable HTTP/1.1 on the server"
            ),
            ("\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}\u{46}", "the server answered with TLS; use https:// in the URL"),
            (
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
                "the server switched to another protocol, such as WebSocket"
            ),
        ]
    )
    func ambiguousResponseIsRefusedInOneSentence(received: String, sentence: String) async throws {
        try await withRecordingProxy(Self.answering(Array(received.utf8))) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.request)
            let answer = try await client.read(until: "\r\n\r\n").text + client.read(until: "\n").text
            #expect(answer.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
            #expect(answer.contains(sentence))
            #expect(try await proxy.finish().exchanges.isEmpty)
            #expect(proxy.recorder.summary.notes.first?.contains(sentence) == true)
        }
    }

    @Test func serverThatSpeaksHTTP2OverTLSIsNamed() async throws {
        let authority = try CertificateAuthority()
        var server = TLSServerConfiguration(try authority.identity(for: ["localhost"]))
        server.applicationProtocols = ["h2"]
        let secure = try await ScriptedServer.start(tls: try TLSContext(server: server))
        try await withRecordingProxy(configure: { configuration in
            let recorder = configuration.upstream?.recorder
            configuration.upstream = try? MockServer.Upstream("https://localhost:\(secure.port)", recorder: recorder)
            configuration.upstream?.trust = .system(adding: authority.certificate)
        }) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.request)
            let answer = try await client.read(until: "\r\n\r\n").text + client.read(until: "\n").text
            #expect(answer.contains("the server speaks only HTTP/2, and HTTP/1.1 is required"))
        }
    }

    @Test func webSocketClientIsToldToConnectDirectly() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "GET /chat HTTP/1.1\r\nHost: p\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n\r\n"
            )
            let answer = try await client.read(until: "\r\n\r\n").text + client.read(until: "\n").text
            let base = "http://127.0.0.1:\(proxy.upstream.port)"
            let sentence = "mockserver does not forward WebSocket connections; connect the client to \(base) directly"
            #expect(answer.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
            #expect(answer.hasSuffix("502 Bad Gateway: \(sentence)\n"))
            #expect(try await proxy.finish().exchanges.isEmpty)
            #expect(proxy.recorder.summary.notes.first?.hasSuffix(sentence) == true)
            #expect(proxy.upstream.acceptedConnections == 0)
        }
    }

    /// The upgrade to HTTP/2 is optional (RFC 9110 section 7.8), and clients ask for it by default.
    @Test func otherUpgradesAreIgnored() async throws {
        let script = Self.answering(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
        try await withRecordingProxy(script) { proxy in
            let client = try await proxy.connect()
            try await client.send("GET / HTTP/1.1\r\nHost: p\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
            #expect(try await client.read(until: "\r\n\r\n").text == "HTTP/1.1 204 No Content\r\n\r\n")
        }
    }

    /// RFC 9112 section 6.3: what follows such a response may not be what it seems.
    @Test(arguments: [true, false])
    func connectionIsNotReusedAfterBothFramings(hasBoth: Bool) async throws {
        let length = hasBoth ? "Content-Length: 5\r\n" : ""
        let response = "HTTP/1.1 200 OK\r\n\(length)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
        try await withRecordingProxy(Self.answering(Array(response.utf8))) { proxy in
            let client = try await proxy.connect()
            for _ in 0..<3 {
                try await client.send(Self.request)
                try await client.read(until: "0\r\n\r\n")
            }
            #expect(proxy.upstream.acceptedConnections == (hasBoth ? 3 : 1))
        }
    }

    /// The client has received the head by then, so it sees an incomplete response.
    @Test func malformedChunkCutsResponseOffWithReason() async throws {
        let response = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0x5\r\n"
        try await withRecordingProxy(Self.answering(Array(response.utf8))) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.request)
            #expect(try await client.readToEnd().text.hasSuffix("5\r\nhello\r\n"))
            guard case .response(let recorded)? = try await proxy.finish().exchanges.first?.outcome else {
                return #expect(Bool(false), "expected a response")
            }
            #expect(recorded.note?.contains("expected a chunk size in hexadecimal digits") == true)
        }
    }

    /// The server closes each connection right after its answer, without saying so. No request may fail or be sent
    /// twice.
    @Test func everyPOSTToServerThatClosesConnectionsIsAnswered() async throws {
        let received = Locked(0)
        let script: ScriptedServer.Script = { connection in
            try await connection.read(until: "hello")
            received.withLock { $0 += 1 }
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        try await withRecordingProxy(script) { proxy in
            let client = try await proxy.connect()
            for _ in 0..<200 {
                try await client.send("POST / HTTP/1.1\r\nHost: p\r\nContent-Length: 5\r\n\r\nhello")
                let answer = try await client.read(until: "\r\n\r\n").text + client.read(count: 2).text
                #expect(answer == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        }
        #expect(received.withLock { $0 } == 200)
    }
}
