// SPDX-License-Identifier: Apache-2.0

import RepriseFixtures
import RepriseServer
import RepriseTestSupport
import Testing

/// Hostile and broken clients receive one answer and a closed connection, never a second answer.
@Suite struct HostileInputTests {
    private static let fixtures = [
        Fixture.recorded("https://api.example.com/hello", response: .text("hi")),
        Fixture.recorded("https://api.example.com/hello", method: "POST", body: "abc", response: .text("ok")),
    ]

    private static let next = "GET /hello HTTP/1.1\r\nHost: x\r\n\r\n"

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var input: String
        var status: Int
        var testDescription: String { name }
    }

    private static func get(_ fields: String, target: String = "/hello", version: String = "HTTP/1.1") -> String {
        "GET \(target) \(version)\r\nHost: x\r\n\(fields)\r\n"
    }

    private static func post(_ fields: String, _ body: String) -> String {
        "POST /hello HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\(body)"
    }

    static let rejected: [Case] = [
        Case(
            name: "Content-Length with Transfer-Encoding",
            input: post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
            status: 400
        ),
        Case(
            name: "two Content-Lengths",
            input: post("Content-Length: 3\r\nContent-Length: 3\r\n", "abc"),
            status: 400
        ),
        Case(name: "a list of lengths", input: post("Content-Length: 3, 3\r\n", "abc"), status: 400),
        Case(name: "a signed length", input: post("Content-Length: +3\r\n", "abc"), status: 400),
        Case(name: "a length with a letter", input: post("Content-Length: 3x\r\n", "abc"), status: 400),
        Case(name: "a length over 2^63", input: post("Content-Length: 9223372036854775808\r\n", ""), status: 400),
        Case(name: "xchunked", input: post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), status: 501),
        Case(name: "gzip, chunked", input: post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), status: 501),
        Case(
            name: "identity in a second line, after chunked",
            input: post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "0\r\n\r\n"),
            status: 400
        ),
        Case(name: "chunked twice", input: post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"), status: 400),
        Case(name: "whitespace before the colon", input: get("X : 1\r\n"), status: 400),
        Case(name: "an empty name", input: get(": 1\r\n"), status: 400),
        Case(name: "a name that is not a token", input: get("X(: 1\r\n"), status: 400),
        Case(name: "a folded line", input: get("X: 1\r\n 2\r\n"), status: 400),
        Case(name: "a bare CR", input: get("X: 1\r2\r\n"), status: 400),
        Case(name: "a NUL", input: get("X: 1\u{0}2\r\n"), status: 400),
        Case(name: "a bare LF", input: "GET /hello HTTP/1.1\nHost: x\n\n", status: 400),
        Case(name: "no Host", input: "GET /hello HTTP/1.1\r\n\r\n", status: 400),
        Case(name: "two Hosts", input: get("Host: x\r\n"), status: 400),
        Case(name: "an invalid Host", input: "GET /hello HTTP/1.1\r\nHost: a b\r\n\r\n", status: 400),
        Case(name: "chunk size 0x5", input: post("Transfer-Encoding: chunked\r\n", "0x5\r\nabcde\r\n"), status: 400),
        Case(name: "chunk size +5", input: post("Transfer-Encoding: chunked\r\n", "+5\r\nabcde\r\n"), status: 400),
        Case(name: "chunk size -0", input: post("Transfer-Encoding: chunked\r\n", "-0\r\n\r\n"), status: 400),
        Case(
            name: "17 hex digits",
            input: post("Transfer-Encoding: chunked\r\n", "00000000000000005\r\nabcde\r\n"),
            status: 400
        ),
        Case(name: "no CRLF after data", input: post("Transfer-Encoding: chunked\r\n", "3\r\nabcd\r\n"), status: 400),
        Case(
            name: "LF in an extension",
            input: post("Transfer-Encoding: chunked\r\n", "3;a\nb\r\nabc\r\n0\r\n\r\n"),
            status: 400
        ),
        Case(name: "HTTP/0.9", input: "GET /hello\r\n\r\n", status: 400),
        Case(name: "a malformed version", input: get("", version: "HTTP/+1.-1"), status: 400),
        Case(name: "the HTTP/2 preface", input: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", status: 505),
        Case(
            name: "a target over 64 KiB",
            input: get("", target: "/" + String(repeating: "a", count: 65536)),
            status: 414
        ),
        Case(
            name: "a header section over 64 KiB",
            input: get("X: " + String(repeating: "a", count: 65536) + "\r\n"),
            status: 431
        ),
        Case(name: "over 100 fields", input: get(String(repeating: "X: 1\r\n", count: 100)), status: 431),
        Case(name: "a body over 64 MiB", input: post("Content-Length: 67108865\r\n", ""), status: 413),
        Case(name: "a chunk over 64 MiB", input: post("Transfer-Encoding: chunked\r\n", "4000001\r\n"), status: 413),
        Case(
            name: "an unknown expectation",
            input: post("Content-Length: 3\r\nExpect: the-worst\r\n", "abc"),
            status: 417
        ),
        Case(name: "* with GET", input: get("", target: "*"), status: 400),
    ]

    @Test(arguments: rejected)
    func rejectsInvalidRequestOnceAndCloses(hostile: Case) async throws {
        try await withServer(Self.fixtures) { server in
            for pieceSize in [Int.max, 1] where pieceSize > 1 || hostile.input.utf8.count < 2000 {
                let client = try await RawClient.connect(port: server.port)
                let input = Array((hostile.input + Self.next).utf8)
                // The server may close the connection before the client has sent everything.
                try? await client.send(input, inPiecesOf: min(pieceSize, input.count))
                let text = try await client.readToEnd().text
                #expect(text.hasPrefix("HTTP/1.1 \(hostile.status) "))
                #expect(text.contains("\r\nConnection: close\r\n"))
                #expect(!text.contains("\r\n\r\nhi"))
                #expect(client.ending == .finished)
            }
            #expect(await server.journal.entries.allSatisfy { $0.status == hostile.status })
        }
    }

    static let accepted: [Case] = [
        Case(name: "HTTP/1.9", input: get("", version: "HTTP/1.9"), status: 200),
        Case(name: "absolute-form", input: get("", target: "http://other.example/hello"), status: 200),
        Case(
            name: "HEAD with a body",
            input: "HEAD /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nGET ",
            status: 404
        ),
        Case(
            name: "trailers",
            input: post("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\nContent-Length: 5\r\nHost: y\r\n\r\n"),
            status: 200
        ),
        Case(name: "an empty line before the request", input: "\r\n" + next, status: 200),
    ]

    @Test(arguments: accepted)
    func answersUnusualRequestAndKeepsConnection(unusual: Case) async throws {
        try await withServer(Self.fixtures) { server in
            for pieceSize in [Int.max, 1] {
                let client = try await RawClient.connect(port: server.port)
                let input = Array((unusual.input + Self.next).utf8)
                try await client.send(input, inPiecesOf: min(pieceSize, input.count))
                let first = try await client.read(until: "\r\n\r\n").text
                #expect(first.hasPrefix("HTTP/1.1 \(unusual.status) "))
                let second = try await client.read(until: "\r\n\r\nhi").text
                #expect(second.contains("HTTP/1.1 200 OK\r\nContent-Length: 2"))
            }
        }
    }

    @Test func decodesChunksFromHTTP10ClientAndCloses() async throws {
        try await withServer(Self.fixtures) { server in
            let client = try await RawClient.connect(port: server.port)
            let request = "POST /hello HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n"
            try await client.send(request + "3\r\nabc\r\n0\r\n\r\n" + Self.next)
            let text = try await client.readToEnd().text
            #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(text.hasSuffix("\r\n\r\nok"))
        }
    }

    /// Idle connections don't block others.
    @Test func servesDespiteIdleConnections() async throws {
        try await withServer(Self.fixtures) { server in
            var idle: [RawClient] = []
            for _ in 0..<500 { idle.append(try await RawClient.connect(port: server.port)) }
            let client = try await RawClient.connect(port: server.port)
            try await client.send(Self.next)
            _ = try await client.read(until: "\r\n\r\nhi")
            for other in idle { await other.close() }
        }
    }
}
