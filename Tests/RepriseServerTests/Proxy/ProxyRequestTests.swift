// SPDX-License-Identifier: Apache-2.0

import RepriseCassettes
import RepriseServer
import RepriseTestSupport
import RepriseText
import Testing

/// Which parts of a client's request the proxy forwards, and which it records.
@Suite struct ProxyRequestTests {
    /// A request and its forwarded form; `UPSTREAM` is the upstream server's authority.
    struct ForwardingCase: Sendable, CustomTestStringConvertible {
        var name: String
        var request: String
        var forwarded: String
        var testDescription: String { name }
    }

    static let forwardingCases = [
        ForwardingCase(
            name: "Host is rewritten, identity is requested, and the rest is unchanged",
            request: "GET /a%2Fb?c=d&c HTTP/1.1\r\nhost: proxy\r\nX-One:  1\r\nuser-AGENT: x\r\nx-one: 2\r\n\r\n",
            forwarded: "GET /a%2Fb?c=d&c HTTP/1.1\r\nHost: UPSTREAM\r\nX-One:  1\r\nuser-AGENT: x\r\nx-one: 2\r\n"
                + "Accept-Encoding: identity\r\n\r\n"
        ),
        ForwardingCase(
            name: "Accept-Encoding is replaced in place",
            request: "GET / HTTP/1.1\r\nHost: p\r\nAccept-Encoding: gzip\r\nAccept: */*\r\naccept-encoding: br\r\n\r\n",
            forwarded: "GET / HTTP/1.1\r\nHost: UPSTREAM\r\nAccept-Encoding: identity\r\nAccept: */*\r\n\r\n"
        ),
        ForwardingCase(
            name: "hop-by-hop fields are removed",
            request:
                "GET / HTTP/1.1\r\nHost: p\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\n"
                + "Upgrade: h2c\r\nProxy-Connection: a\r\nProxy-Authorization: b\r\nAccept: */*\r\n\r\n",
            forwarded: "GET / HTTP/1.1\r\nHost: UPSTREAM\r\nAccept: */*\r\nAccept-Encoding: identity\r\n\r\n"
        ),
        ForwardingCase(
            name: "absolute-form becomes origin-form",
            request: "GET http://elsewhere.example HTTP/1.1\r\nHost: p\r\n\r\n",
            forwarded: "GET / HTTP/1.1\r\nHost: UPSTREAM\r\nAccept-Encoding: identity\r\n\r\n"
        ),
        ForwardingCase(
            name: "Content-Length is normalized",
            request: "PUT /x HTTP/1.1\r\nHost: p\r\ncontent-length:   003\r\n\r\nabc",
            forwarded: "PUT /x HTTP/1.1\r\nHost: UPSTREAM\r\nContent-Length: 3\r\nAccept-Encoding: identity\r\n\r\nabc"
        ),
        ForwardingCase(
            name: "chunks are rewritten without extensions",
            request:
                "BREW /x HTTP/1.1\r\nHost: p\r\ntransfer-encoding: Chunked\r\nTrailer: a\r\n\r\n0003;a=b\r\nabc\r\n0\r\na: b\r\n\r\n",
            forwarded:
                "BREW /x HTTP/1.1\r\nHost: UPSTREAM\r\nTransfer-Encoding: chunked\r\nTrailer: a\r\nAccept-Encoding: identity\r\n\r\n"
                + "3\r\nabc\r\n0\r\na: b\r\n\r\n"
        ),
        ForwardingCase(
            name: "an empty body is preserved",
            request: "POST /x HTTP/1.1\r\nHost: p\r\nContent-Length: 0\r\n\r\n",
            forwarded: "POST /x HTTP/1.1\r\nHost: UPSTREAM\r\nContent-Length: 0\r\nAccept-Encoding: identity\r\n\r\n"
        ),
    ]

    @Test(arguments: forwardingCases)
    func forwardsNormalizedRequest(forwarding: ForwardingCase) async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send(forwarding.request)
            let connection = try await proxy.upstream.accept()
            let expected = forwarding.forwarded.replacing("UPSTREAM", with: "127.0.0.1:\(proxy.upstream.port)")
                .replacing("\r\n\r\n", with: "\r\nReprise-Hops: 1\r\n\r\n", maxReplacements: 1)
            #expect(try await connection.read(count: expected.utf8.count).text == expected)
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            #expect(try await client.read(until: "\r\n\r\n").text == "HTTP/1.1 204 No Content\r\n\r\n")
            #expect(await connection.readAvailable().text == "")
        }
    }

    @Test func recordsRequestWithUpstreamURL() async throws {
        let script: ScriptedServer.Script = { connection in
            try await connection.read(until: "hello")
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
        try await withRecordingProxy(script, path: "/base/") { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "POST /a?b HTTP/1.1\r\nHost: p\r\naccept-encoding: gzip\r\nX-A: 1\r\nConnection: close\r\n"
                    + "Content-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello"
            )
            try await client.readToEnd()
            let request = try await proxy.finish().exchanges[0].request
            #expect(request.method == "POST")
            #expect(request.url == "http://127.0.0.1:\(proxy.upstream.port)/base/a?b")
            #expect(
                request.headers.map { String(decoding: $0.bytes, as: UTF8.self) } == [
                    "accept-encoding: gzip", "X-A: 1", "Content-Type: text/plain",
                ]
            )
            #expect(request.body?.source == .bytes(Array("hello".utf8)))
        }
    }

    /// As in curl, the client's own `Authorization` takes precedence.
    @Test(arguments: [("", "Basic dXNlcjpwYSBzcw=="), ("Authorization: Bearer x\r\n", "Bearer x")])
    func sendsCredentialsOfUpstreamURL(line: String, expected: String) async throws {
        try await withRecordingProxy(configure: { configuration in
            let (url, recorder) = (configuration.upstream?.url ?? "", configuration.upstream?.recorder)
            configuration.upstream = try? MockServer.Upstream(
                url.replacing("http://", with: "http://user:pa%20ss@"),
                recorder: recorder
            )
            #expect(configuration.upstream?.url == url)
        }) { proxy in
            let client = try await proxy.connect()
            try await client.send("GET / HTTP/1.1\r\nHost: p\r\n\(line)\r\n")
            let connection = try await proxy.upstream.accept()
            let head = try await connection.read(until: "\r\n\r\n").text
            #expect(head.split(separator: "\r\n").filter { $0.hasPrefix("Auth") } == ["Authorization: \(expected)"])
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            try await client.read(until: "\r\n\r\n")
            let recorded = try await proxy.finish().exchanges[0].request
            #expect(recorded.url == "http://127.0.0.1:\(proxy.upstream.port)/")
            #expect(recorded.headers.count == (line.isEmpty ? 0 : 1))
        }
    }

    @Test func echoedCredentialsOfUpstreamURLAreNotRecorded() async throws {
        let script: ScriptedServer.Script = { connection in
            try await connection.read(until: "\r\n\r\n")
            let content = "see Ym9iOnMzY3JldC03S2Q= or bob:s3cret-7Kd or s3cret-7Kd"
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(content.utf8.count)\r\n\r\n\(content)")
        }
        try await withRecordingProxy(
            script,
            configure: { configuration in
                let (url, recorder) = (configuration.upstream?.url ?? "", configuration.upstream?.recorder)
                configuration.upstream = try? MockServer.Upstream(
                    url.replacing("http://", with: "http://bob:s3cret-7Kd@"),
                    recorder: recorder
                )
            }
        ) { proxy in
            let client = try await proxy.connect()
            try await client.send("GET / HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n")
            try await client.readToEnd()
            guard case .response(let response) = try await proxy.finish().exchanges[0].outcome,
                case .body(let body) = response.content, case .bytes(let bytes) = body.source
            else {
                Issue.record("expected a body")
                return
            }
            #expect(
                String(decoding: bytes, as: UTF8.self) == "see [redacted~1] or [redacted~1] or [redacted~2]"
            )
        }
    }

    @Test func preservesAcceptEncodingWhenConfigured() async throws {
        try await withRecordingProxy(configure: { $0.upstream?.keepsEncoding = true }) { proxy in
            let client = try await proxy.connect()
            try await client.send("GET / HTTP/1.1\r\nHost: p\r\nAccept-Encoding: gzip\r\n\r\n")
            let connection = try await proxy.upstream.accept()
            let head = try await connection.read(until: "\r\n\r\n").text
            #expect(head.hasSuffix("\r\nAccept-Encoding: gzip\r\nReprise-Hops: 1\r\n\r\n"))
        }
    }

    /// A request that two parsers could read differently never reaches the second parser.
    @Test(arguments: [
        "POST / HTTP/1.1\r\nHost: p\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: p\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
        "POST / HTTP/1.1\r\nHost: p\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: p\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: p\r\nContent-Length: +5\r\n\r\nhello",
        "GET / HTTP/1.1\r\nHost: p\r\nX: a\n b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: p\r\nX: a\rb\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: p\r\nHost: q\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n",
    ])
    func doesNotForwardHostileRequests(request: String) async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send(request)
            let answer = try await client.readToEnd().text
            #expect(answer.hasPrefix("HTTP/1.1 400 ") || answer.hasPrefix("HTTP/1.1 501 "))
            #expect(proxy.upstream.acceptedConnections == 0)
            #expect(try await proxy.finish().exchanges.isEmpty)
        }
    }

    /// An invalid body is cut off, so that the upstream server doesn't treat it as complete.
    @Test func abortsUpstreamRequestWithInvalidBody() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send("POST / HTTP/1.1\r\nHost: p\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "3\r\nabc\r\n")
            try await client.send("0x5\r\nhello\r\n0\r\n\r\n")
            #expect(try await client.readToEnd().text.hasPrefix("HTTP/1.1 400 "))
            #expect(try await connection.readToEnd().text == "")
            #expect(try await proxy.finish().exchanges.isEmpty)
        }
    }

    static let noContent: ScriptedServer.Script = { connection in
        while true {
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
    }
}
