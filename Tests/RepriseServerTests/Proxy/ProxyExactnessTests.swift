// SPDX-License-Identifier: Apache-2.0

import RepriseCassettes
import RepriseTestSupport
import RepriseText
import Testing

/// A replay sends the same bytes that the client received through the proxy.
@Suite struct ProxyExactnessTests {
    /// A response on the wire, and how the upstream server ends the connection after it.
    struct Reply: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        /// The bytes that the client receives, if they differ.
        var expected: [UInt8]?
        var method = "GET"
        var resets = false

        init(_ name: String, _ text: String, expected: String? = nil, method: String = "GET", resets: Bool = false) {
            self.init(name, Array(text.utf8), expected: expected, method: method, resets: resets)
        }

        init(_ name: String, _ bytes: [UInt8], expected: String? = nil, method: String = "GET", resets: Bool = false) {
            self.name = name
            self.bytes = bytes
            self.expected = expected.map { Array($0.utf8) }
            self.method = method
            self.resets = resets
        }

        var testDescription: String { name }
    }

    static let replies = [
        Reply(
            "compact JSON",
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}"
        ),
        Reply(
            "spaced JSON",
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n{\"a\": 1}"
        ),
        Reply(
            "JSON with irregular spacing",
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{ \"a\" :1.0}"
        ),
        Reply("invalid JSON", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n{\"a\""),
        Reply(
            "duplicates, case and white space",
            "HTTP/1.1 200 Alright then\r\nX-TWICE:a=1\r\nx-B:  two \r\nx-Twice: b=2\r\ncontent-LENGTH: 0\r\n\r\n"
        ),
        Reply(
            "Latin-1",
            Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX-Name: caf".utf8) + [0xE9] + Array("\r\n\r\n".utf8)
                + [0xE9, 0xFF, 0x00]
        ),
        Reply(
            "chunks and trailers",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
                + "3\r\nabc\r\n5\r\ndefgh\r\n0\r\nX-Sum: 8\r\nx-sum: again\r\n\r\n"
        ),
        Reply(
            "an event split in a character",
            Array("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
                + Array("7\r\ndata: ".utf8) + [0xC3] + Array("\r\n3\r\n".utf8) + [0xA9, 0x0A, 0x0A]
                + Array("\r\n0\r\n\r\n".utf8)
        ),
        Reply("no content", "HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n"),
        Reply("not modified", "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nContent-Length: 77\r\n\r\n"),
        Reply("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n", method: "HEAD"),
        Reply("no reason", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n"),
        Reply(
            "a reason in Latin-1",
            Array("HTTP/1.1 299 Caf".utf8) + [0xE9, 0x09, 0xFF] + Array(" \r\nContent-Length: 0\r\n\r\n".utf8)
        ),
        Reply("not found", "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno"),
        Reply("a redirect", "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"),
        Reply("a closing server", "HTTP/1.1 200 OK\r\nconnection: CLOSE\r\nContent-Length: 2\r\n\r\nab"),
        Reply(
            "a body until close",
            "HTTP/1.1 200 OK\r\nX-A: b\r\n\r\nabc",
            expected: "HTTP/1.1 200 OK\r\nX-A: b\r\nConnection: close\r\n\r\nabc"
        ),
        Reply(
            "HTTP/1.0",
            "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc",
            expected: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"
        ),
        Reply("a body cut short", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"),
        Reply("chunks cut short", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
        Reply("a chunk cut short", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n5\r\nde"),
        Reply("a reset", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", resets: true),
    ]

    @Test(arguments: replies)
    func replaysBytesAsProxied(reply: Reply) async throws {
        let script: ScriptedServer.Script = { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(reply.bytes)
            if reply.resets {
                // A reset discards bytes that the peer hasn't read.
                try await connection.read(until: "never")
            }
        }
        let request = "\(reply.method) /a?b=c HTTP/1.1\r\nHost: localhost\r\n\r\n"
        try await withRecordingProxy(reply.resets ? nil : script) { proxy in
            let client = try await proxy.connect()
            try await client.send(request)
            let expected = reply.expected ?? reply.bytes
            if reply.resets {
                let connection = try await proxy.upstream.accept()
                try await connection.read(until: "\r\n\r\n")
                try await connection.send(reply.bytes)
                #expect(try await client.read(count: expected.count).bytes == expected)
                await connection.reset()
            } else {
                #expect(try await client.read(count: expected.count).bytes == expected)
                await client.finishWriting()
            }
            let rest = try await client.readToEnd()
            #expect(rest.bytes.isEmpty)

            try await proxy.replay { replayed in
                try await replayed.send(request)
                #expect(try await replayed.read(count: expected.count).bytes == expected)
                if !reply.resets { await replayed.finishWriting() }
                #expect(try await replayed.readToEnd().bytes.isEmpty)
                #expect(replayed.ending == client.ending)
                #expect(client.ending == (reply.resets ? .reset : .finished))
            }
        }
    }

    /// The result doesn't depend on how the response is split into packets.
    @Test(arguments: [1, 2, 7, 1000])
    func replaysSameBytesForAnyPieceSize(size: Int) async throws {
        let reply = Self.replies.first { $0.name == "chunks and trailers" }?.bytes ?? []
        let script: ScriptedServer.Script = { connection in
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(reply, inPiecesOf: size)
            try await connection.read(until: "never")
        }
        try await withRecordingProxy(script) { proxy in
            let client = try await proxy.connect()
            try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await client.read(count: reply.count).bytes == reply)
            try await proxy.replay { replayed in
                try await replayed.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try await replayed.read(count: reply.count).bytes == reply)
            }
        }
    }

    /// The proxy forwards a chunk as soon as it begins, and preserves its size.
    @Test func forwardsStartOfLargeChunkImmediately() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            try await connection.send(head + "200000\r\nfirst")
            #expect(try await client.read(until: "first").text == head + "200000\r\nfirst")
            let rest = [UInt8](repeating: 0x78, count: 0x200000 - 5)
            async let sent: Void = connection.send(rest + Array("\r\n0\r\n\r\n".utf8))
            #expect(try await client.read(count: rest.count).bytes == rest)
            #expect(try await client.read(until: "0\r\n\r\n").text == "\r\n0\r\n\r\n")
            try await sent
            let cassette = try await proxy.finish()
            guard case .response(let response) = cassette.exchanges[0].outcome, case .body(let body) = response.content
            else { return #expect(Bool(false), "expected a response with a body") }
            #expect(body.source.count == 0x200000)
        }
    }

    @Test func answersPipelinedRequestsInOrder() async throws {
        let script: ScriptedServer.Script = { connection in
            while true {
                let request = try await connection.read(until: "\r\n\r\n").text
                let path = request.split(separator: " ")[1]
                try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(path.count)\r\n\r\n\(path)")
            }
        }
        try await withRecordingProxy(script) { proxy in
            let client = try await proxy.connect()
            let paths = (0..<50).map { "/\($0)" }
            let requests = paths.map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined()
            let replies = paths.map { "HTTP/1.1 200 OK\r\nContent-Length: \($0.count)\r\n\r\n\($0)" }.joined()
            try await client.send(requests)
            #expect(try await client.read(count: replies.utf8.count).text == replies)
            #expect(proxy.upstream.acceptedConnections == 1)
            try await proxy.replay { replayed in
                try await replayed.send(requests)
                #expect(try await replayed.read(count: replies.utf8.count).text == replies)
            }
        }
    }
}
