// SPDX-License-Identifier: Apache-2.0

import RepriseCassettes
import RepriseFixtures
import RepriseIO
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// Requests that the proxy sends to their hosts.
@Suite(.timeLimit(.minutes(5))) struct ForwardProxyRecordingTests {
    private let answer =
        "HTTP/1.1 200 Fine\r\nx-CASE:  kept\r\nLocation: http://api.test/y\r\nContent-Length: 2\r\n\r\nhi"

    @Test func plainRequestIsSentToItsHostAndRecorded() async throws {
        let upstream = try await ScriptedServer.start()
        let recorded = try await withRecordingForwardProxy(map: ["api.test": "127.0.0.1:\(upstream.port)"]) { server in
            let client = try await ProxyClient(server)
            let request =
                "GET http://api.test:8080/x?q HTTP/1.1\r\nHost: other.test\r\nX-a:  b\r\nProxy-Authorization: Basic "
                + "c2VjcmV0\r\nProxy-Connection: keep-alive\r\n\r\n"
            try await client.client.send(request)
            let connection = try await upstream.accept()
            let received = try await connection.read(until: "\r\n\r\n").text
            #expect(received.hasPrefix("GET /x?q HTTP/1.1\r\nHost: api.test:8080\r\nX-a:  b\r\n"))
            #expect(!received.contains("Proxy-"))
            try await connection.send(answer)
            #expect(try await client.client.read(count: answer.utf8.count).text == answer)
        }
        #expect(recorded.exchanges.map(\.request.url) == ["http://api.test:8080/x?q"])
        #expect(recorded.exchanges.first?.request.headers.map(\.bytes) == [Array("X-a:  b".utf8)])
        guard case .response(let response)? = recorded.exchanges.first?.outcome else {
            Issue.record("expected a response, found \(recorded.exchanges)")
            return
        }
        #expect(
            response.headers.map { String(decoding: $0.bytes, as: UTF8.self) } == [
                "x-CASE:  kept", "Location: http://api.test/y", "Content-Length: 2",
            ]
        )
    }

    @Test func tunnelIsRecordedAndReplayed() async throws {
        let authority = try CertificateAuthority()
        let context = try TLSContext(server: TLSServerConfiguration(authority.identity(for: ["api.test"])))
        let upstream = try await ScriptedServer.start(tls: context) { [answer] connection in
            while true {
                let head = try await connection.read(until: "\r\n\r\n").text
                if head.hasPrefix("POST") { try await connection.read(count: 3) }
                try await connection.send(answer)
            }
        }
        let recorded = try await withRecordingForwardProxy(
            map: ["api.test": "127.0.0.1:\(upstream.port)"],
            trust: .certificates(authority.certificate)
        ) { server in
            let tunnel = try await ProxyClient.tunnel(to: "api.test:443", expecting: "api.test", through: server)
            #expect(try await tunnel.get("/x", host: "api.test").content == "hi")
            let post = "POST /x HTTP/1.1\r\nHost: api.test\r\nContent-Length: 3\r\n\r\nabc"
            #expect(try await tunnel.send(post).content == "hi")
            #expect(await server.journal.entries.map(\.requestLine).last == "POST https://api.test/x HTTP/1.1")
        }
        #expect(
            recorded.exchanges.map { "\($0.request.method) \($0.request.url)" } == [
                "GET https://api.test/x", "POST https://api.test/x",
            ]
        )
        let fixtures = recorded.exchanges.map { Fixture($0) }
        try await withForwardProxy(fixtures) { server in
            let tunnel = try await ProxyClient.tunnel(to: "api.test:443", expecting: "api.test", through: server)
            let replayed = try await tunnel.get("/x", host: "api.test")
            #expect(replayed.head + replayed.content == answer)
        }
    }

    @Test func failureOfHostIsExplainedInsideTheTunnel() async throws {
        let authority = try CertificateAuthority()
        let context = try TLSContext(server: TLSServerConfiguration(authority.identity(for: ["other.test"])))
        let upstream = try await ScriptedServer.start(tls: context) { _ = try await $0.readToEnd() }
        let recorded = try await withRecordingForwardProxy(
            map: ["api.test": "127.0.0.1:\(upstream.port)"],
            trust: .certificates(authority.certificate)
        ) { server in
            let tunnel = try await ProxyClient.tunnel(to: "api.test:443", expecting: "api.test", through: server)
            let answer = try await tunnel.get("/x", host: "api.test")
            #expect(answer.status == 502)
            #expect(answer.content.contains("api.test"))
        }
        #expect(recorded.exchanges.isEmpty)
    }

    /// Clouds offer credentials at such addresses.
    @Test(arguments: ["169.254.169.254", "[fe80::1]"])
    func linkLocalAddressIsNotRecorded(host: String) async throws {
        let recorded = try await withRecordingForwardProxy(map: [:]) { server in
            let answer = try await ProxyClient.get("http://\(host)/latest/api/token", host: host, through: server)
            #expect(answer.status == 502)
            #expect(answer.content.contains("an address that is not link-local"))
        }
        #expect(recorded.exchanges.isEmpty)
    }

    @Test func streamAndUploadPassAsTheyArrive() async throws {
        let upstream = try await ScriptedServer.start()
        let recorded = try await withRecordingForwardProxy(map: ["api.test": "127.0.0.1:\(upstream.port)"]) { server in
            let client = try await ProxyClient(server).client
            try await client.send(
                "POST http://api.test/up HTTP/1.1\r\nHost: api.test\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            try await client.send("3\r\nabc\r\n")
            let connection = try await upstream.accept()
            try await connection.read(until: "abc")
            let piece = [UInt8](repeating: 0x61, count: 1 << 20)
            try await client.send(Array("100000\r\n".utf8) + piece + Array("\r\n0\r\nX-Sum: 1\r\n\r\n".utf8))
            try await connection.read(until: "X-Sum: 1\r\n\r\n")
            try await connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
            try await client.read(until: "Link: </a>\r\n\r\n")
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            try await connection.send(head + "8\r\ndata: 1\n\r\n")
            try await client.read(until: "data: 1\n\r\n")
            try await connection.send("8\r\ndata: 2\n\r\n0\r\n\r\n")
            try await client.read(until: "0\r\n\r\n")
        }
        #expect(recorded.exchanges.count == 1)
    }

    @Test func passedHostIsTunneledUnread() async throws {
        let upstream = try await ScriptedServer.start()
        let proxy = MockServer.ForwardProxy(pass: ["raw.test"], map: ["raw.test": "127.0.0.1:\(upstream.port)"])
        try await withForwardProxy([], proxy) { server in
            let client = try await ProxyClient.tunnel(to: "raw.test:22", through: server).client
            let connection = try await upstream.accept()
            // Either side may begin.
            try await connection.send("SSH-2.0-server\r\n")
            try await client.read(until: "SSH-2.0-server\r\n")
            let piece = [UInt8](repeating: 0x16, count: 3 << 20)
            try await client.send(piece)
            #expect(try await connection.read(count: piece.count).bytes == piece)
            await client.finishWriting()
            try await connection.readToEnd()
            try await connection.send("bye")
            await connection.finishWriting()
            #expect(try await client.readToEnd().text == "bye")
            #expect(
                await server.journal.entries.map { "\($0.requestLine) \($0.status)" } == [
                    "CONNECT raw.test:22 HTTP/1.1 200"
                ]
            )
            #expect(await server.trafficSummary().requestCount == 0)
        }
    }

    @Test func onlyTheseHostsAreAnswered() async throws {
        let upstream = try await ScriptedServer.start { [answer] connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(answer)
        }
        let map = ["b.test": "127.0.0.1:\(upstream.port)"]
        let fixtures: [Fixture] = [.recorded("/x", response: .text("any"))]
        try await withForwardProxy(fixtures, MockServer.ForwardProxy(only: ["a.test"], map: map)) { server in
            let (own, other) = (
                try await ProxyClient.get("http://a.test/x", host: "a.test", through: server),
                try await ProxyClient.get("http://b.test/x", host: "b.test", through: server)
            )
            #expect([own.content, other.content] == ["any", "hi"])
        }
    }

    @Test func unreachablePassedHostIsExplained() async throws {
        let upstream = try await ScriptedServer.start()
        await upstream.stopListening()
        let proxy = MockServer.ForwardProxy(pass: ["raw.test"], map: ["raw.test": "127.0.0.1:\(upstream.port)"])
        try await withForwardProxy([], proxy) { server in
            let answer = try await ProxyClient.send("CONNECT raw.test:22 HTTP/1.1\r\nHost: x\r\n\r\n", through: server)
            #expect(answer.status == 502)
            #expect(answer.content.contains("raw.test:22: no connection: connect 127.0.0.1:\(upstream.port)"))
        }
    }
}
