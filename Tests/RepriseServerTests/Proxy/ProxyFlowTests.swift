// SPDX-License-Identifier: Apache-2.0

import RepriseCassettes
import RepriseFixtures
import RepriseIO
import RepriseServer
import RepriseTestSupport
import RepriseText
import Testing

/// When the proxy forwards bytes, and when it holds them back.
@Suite struct ProxyFlowTests {
    private static let size = 64 << 20

    @Test func forwardsEachChunkImmediately() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send("GET / HTTP/1.1\r\nHost: p\r\n\r\n")
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            // Each chunk waits for the previous one: a proxy that buffers would never continue.
            try await connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            try await client.read(until: "\r\n\r\n")
            for number in 0..<5 {
                try await connection.send("2\r\n#\(number)\r\n")
                #expect(try await client.read(until: "#\(number)\r\n").text == "2\r\n#\(number)\r\n")
            }
            try await connection.send("0\r\n\r\n")
            #expect(try await client.read(until: "0\r\n\r\n").text == "0\r\n\r\n")
        }
    }

    @Test func forwardsRequestBodyAsItArrives() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send("POST / HTTP/1.1\r\nHost: p\r\nContent-Length: 6\r\n\r\nab")
            let connection = try await proxy.upstream.accept()
            #expect(try await connection.read(until: "\r\n\r\nab").text.hasPrefix("POST / HTTP/1.1\r\n"))
            try await client.send("cd")
            #expect(try await connection.read(count: 2).text == "cd")
            try await client.send("ef")
            #expect(try await connection.read(count: 2).text == "ef")
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            try await client.read(until: "\r\n\r\n")
        }
    }

    /// Once there are fixtures to compare content with, possibly after a reload, content is kept in memory.
    @Test(arguments: ["Content-Length: 67108865\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n4000001\r\n"])
    func limitsBodySizeOnceFixturesAreLoaded(rest: String) async throws {
        try await withRecordingProxy { proxy in
            let request = "POST / HTTP/1.1\r\nHost: p\r\n" + rest
            let passing = try await proxy.connect()
            try await passing.send(request)
            try await proxy.upstream.accept().read(until: "\r\n\r\n")
            await passing.close()
            let later = try await proxy.connect()
            try await proxy.server.reload(fixtures: [.recorded("https://a.example/x", response: .text("hi"))])
            try await later.send(request)
            #expect(try await later.readToEnd().text.hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
        }
    }

    /// A server that doesn't read receives no more than the socket buffers and the proxy's limited buffer hold.
    @Test func appliesBackpressureToClient() async throws {
        let upstream = try await ScriptedServer.start(readsAtOnce: false)
        var configuration = MockServer.Configuration()
        configuration.upstream = try MockServer.Upstream("http://127.0.0.1:\(upstream.port)")
        let server = try await MockServer.start(fixtures: [], configuration: configuration)
        let client = try await RawClient.connect(port: server.port)
        try await client.send("POST / HTTP/1.1\r\nHost: p\r\nContent-Length: \(Self.size)\r\n\r\n")
        await #expect(throws: RawClient.Failure.self) {
            try await client.send([UInt8](repeating: 0x78, count: Self.size), within: .milliseconds(700))
        }
        await server.stop(grace: .zero)
    }

    /// The same limit applies to a client that doesn't read.
    @Test func appliesBackpressureToUpstream() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect(readsAtOnce: false)
            try await client.send("GET / HTTP/1.1\r\nHost: p\r\n\r\n")
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\n\r\n")
            await #expect(throws: RawClient.Failure.self) {
                try await connection.send([UInt8](repeating: 0x78, count: Self.size), within: .milliseconds(700))
            }
        }
    }

    /// An echoed body arrives complete, although the client doesn't read before it has sent everything.
    @Test func deliversLargeBodyToSlowClient() async throws {
        let count = 4 << 20
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }
        let script: ScriptedServer.Script = { connection in
            try await connection.read(until: "\r\n\r\n")
            let received = try await connection.read(count: count).bytes
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n")
            try await connection.send(received, inPiecesOf: 100_000)
            try await connection.read(until: "never")
        }
        try await withRecordingProxy(script) { proxy in
            let client = try await proxy.connect(readsAtOnce: false)
            try await client.send("POST / HTTP/1.1\r\nHost: p\r\nContent-Length: \(count)\r\n\r\n")
            try await client.send(body, inPiecesOf: 77_777)
            try await client.read(until: "\r\n\r\n")
            #expect(try await client.read(count: count).bytes == body)
        }
    }

    @Test func forwards100ContinueOfUpstream() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send("PUT / HTTP/1.1\r\nHost: p\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            let connection = try await proxy.upstream.accept()
            #expect(try await connection.read(until: "\r\n\r\n").text.contains("\r\nExpect: 100-continue\r\n"))
            let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
            try await connection.send(hints + "HTTP/1.1 100 Continue\r\n\r\n")
            #expect(try await client.read(until: "\r\n\r\n").text == hints)
            #expect(try await client.read(until: "\r\n\r\n").text == "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send("ab")
            #expect(try await connection.read(count: 2).text == "ab")
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            #expect(try await client.read(until: "\r\n\r\n").text == "HTTP/1.1 204 No Content\r\n\r\n")
        }
    }

    @Test func closesWhenUpstreamAnswersBeforeBody() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send("PUT / HTTP/1.1\r\nHost: p\r\nContent-Length: 200\r\nExpect: 100-continue\r\n\r\n")
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            let answer = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"
            try await connection.send(answer)
            #expect(try await client.readToEnd().text == answer)
        }
    }

    @Test func forwardsBodySentWithoutWaitingForContinue() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send("PUT / HTTP/1.1\r\nHost: p\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            try await client.send("ab")
            #expect(try await connection.read(count: 2).text == "ab")
            try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            #expect(try await client.read(until: "\r\n\r\n").text == "HTTP/1.1 204 No Content\r\n\r\n")
        }
    }

    @Test func removesChunkingForHTTP10Client() async throws {
        let script: ScriptedServer.Script = { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: b\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
            )
            try await connection.read(until: "never")
        }
        try await withRecordingProxy(script) { proxy in
            let client = try await proxy.connect()
            try await client.send("GET / HTTP/1.0\r\n\r\n")
            #expect(
                try await client.readToEnd().text == "HTTP/1.1 200 OK\r\nX-A: b\r\nConnection: close\r\n\r\nabc"
            )
        }
    }

    /// Redirects and cookies must not lead the client past the proxy.
    @Test func rewritesLocationAndCookiesOfUpstream() async throws {
        let script: ScriptedServer.Script = { connection in
            let head = try await connection.read(until: "\r\n\r\n").text
            let authority = head.split(separator: "\r\n").first { $0.hasPrefix("Host: ") }?.dropFirst(6) ?? ""
            try await connection.send(
                "HTTP/1.1 302 Found\r\nlocation: http://\(authority)/base/b?c\r\n"
                    + "Set-Cookie: a=1; Path=/base/; Domain=127.0.0.1; HttpOnly\r\nSet-Cookie: b=2; domain=.other.example\r\n"
                    + "Content-Length: 0\r\n\r\n"
            )
            try await connection.read(until: "never")
        }
        try await withRecordingProxy(script, path: "/base") { proxy in
            let client = try await proxy.connect()
            try await client.send("GET /a HTTP/1.1\r\nHost: proxy:1234\r\n\r\n")
            #expect(
                try await client.read(until: "\r\n\r\n").text
                    == "HTTP/1.1 302 Found\r\nlocation: /b?c\r\n"
                    + "Set-Cookie: a=1; Path=/; HttpOnly\r\nSet-Cookie: b=2; domain=.other.example\r\n"
                    + "Content-Length: 0\r\n\r\n"
            )
            guard case .response(let response) = try await proxy.finish().exchanges[0].outcome else {
                return #expect(Bool(false), "expected a response")
            }
            let base = "http://127.0.0.1:\(proxy.upstream.port)/base"
            #expect(response.headers.firstValue(named: "Location") == base + "/b?c")
            #expect(response.headers.firstValue(named: "Set-Cookie")?.contains("Domain=127.0.0.1") == true)
        }
    }

    @Test func finishesRequestsInFlightOnStop() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send("GET / HTTP/1.1\r\nHost: p\r\n\r\n")
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            // A head that is written after the stop has begun contains `Connection: close`.
            let beginning = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na"
            try await connection.send(beginning)
            #expect(try await client.read(count: beginning.utf8.count).text == beginning)
            async let stopped: Void = proxy.server.stop(grace: .seconds(180))
            try await connection.send("b")
            #expect(try await client.readToEnd().text == "b")
            await stopped
            #expect(try await proxy.finish().exchanges.count == 1)
        }
    }

    @Test func forwardsUnmatchedRequests() async throws {
        let script: ScriptedServer.Script = { connection in
            while true {
                try await connection.read(until: "{\"a\":2}")
                try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nforwarded")
            }
        }
        let known = Fixture.recorded(
            "https://api.example.com/x",
            method: "POST",
            body: #"{"a":1}"#,
            contentType: "application/json",
            response: .text("known")
        )
        try await withRecordingProxy(script, fixtures: [known]) { proxy in
            let client = try await proxy.connect()
            for (body, answer) in [(#"{"a":1}"#, "known"), (#"{"a":2}"#, "forwarded"), (#"{"a":1}"#, "known")] {
                try await client.send(
                    "POST /x HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n\(body)"
                )
                let head = "HTTP/1.1 200 OK\r\nContent-Length: \(answer.count)\r\n\r\n"
                #expect(try await client.read(count: (head + answer).utf8.count).text == head + answer)
            }
            let exchanges = try await proxy.finish().exchanges
            #expect(exchanges.map(\.request.body?.source) == [.bytes(Array(#"{"a":2}"#.utf8))])
        }
    }
}
