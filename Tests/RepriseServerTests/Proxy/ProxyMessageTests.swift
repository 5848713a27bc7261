// SPDX-License-Identifier: Apache-2.0

import RepriseCassettes
import RepriseFixtures
import RepriseServer
import RepriseTestSupport
import RepriseText
import Testing

/// The rare parts of messages: informational responses, request trailers, long targets, and `OPTIONS *`.
@Suite struct ProxyMessageTests {
    private let request = "GET / HTTP/1.1\r\nHost: p\r\n\r\n"
    private let noContent = "HTTP/1.1 204 No Content\r\n\r\n"

    private func response(_ proxy: RecordingProxy) async throws -> RecordedResponse {
        guard case .response(let response)? = try await proxy.finish().exchanges.first?.outcome else {
            throw RecordingProxy.Unexpected.noResponse
        }
        return response
    }

    @Test func informationalResponsesAreForwardedAndRecorded() async throws {
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"
        let processing = "HTTP/1.1 102 Processing\r\n\r\n"
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send(request)
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            // The client gets each one before the upstream sends the next.
            for interim in [processing, hints] {
                try await connection.send(interim)
                #expect(try await client.read(until: "\r\n\r\n").text == interim)
            }
            try await connection.send(noContent)
            #expect(try await client.read(until: "\r\n\r\n").text == noContent)
            let informational = try await response(proxy).informational
            #expect(informational.map(\.status) == [102, 103])
            #expect(informational.map(\.reason) == ["Processing", "Early Hints"])
            #expect(informational.last?.headers == [HeaderLine(name: "Link", value: "</a>; rel=preload")])
        }
    }

    @Test func continueOfUpstreamIsForwardedOnceAndRecorded() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send("PUT / HTTP/1.1\r\nHost: p\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 100 Go ahead\r\nA: b\r\n\r\n")
            #expect(try await client.read(until: "\r\n\r\n").text == "HTTP/1.1 100 Go ahead\r\nA: b\r\n\r\n")
            try await client.send("ab")
            try await connection.read(count: 2)
            try await connection.send(noContent)
            #expect(try await client.read(until: "\r\n\r\n").text == noContent)
            #expect(try await response(proxy).informational.map(\.status) == [100])
        }
    }

    /// RFC 9110 section 15.2: a client of HTTP/1.0 does not know informational responses.
    @Test func informationalResponsesAreHiddenFromHTTP10Client() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send("GET / HTTP/1.0\r\n\r\n")
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 103 Early Hints\r\n\r\n" + noContent)
            #expect(try await client.readToEnd().text.hasPrefix("HTTP/1.1 204 No Content\r\n"))
        }
    }

    @Test(arguments: [true, false])
    func requestTrailersAreForwardedAndRecorded(isHeld: Bool) async throws {
        // With a fixture, the content is held and compared before it is forwarded.
        let fixtures = isHeld ? [Fixture.recorded("https://a.example/x", response: .text("hi"))] : []
        try await withRecordingProxy(fixtures: fixtures) { proxy in
            let client = try await proxy.connect()
            let head = "POST /sum HTTP/1.1\r\nHost: p\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
            try await client.send(head + "3\r\nabc\r\n0\r\nX-Sum: 1\r\nContent-Length: 9\r\nx-sum:2\r\n\r\n")
            let connection = try await proxy.upstream.accept()
            #expect(try await connection.read(until: "\r\n\r\n").text.contains("\r\nTrailer: X-Sum\r\n"))
            let body = try await connection.read(until: "\r\n\r\n").text
            #expect(body == "3\r\nabc\r\n0\r\nX-Sum: 1\r\nx-sum:2\r\n\r\n")
            try await connection.send(noContent)
            try await client.read(until: "\r\n\r\n")
            let recorded = try await proxy.finish().exchanges.first?.request
            #expect(
                recorded?.trailers.map(\.bytes) == ["X-Sum: 1", "Content-Length: 9", "x-sum:2"].map { Array($0.utf8) }
            )
            #expect(recorded?.body?.source == .bytes(Array("abc".utf8)))
        }
    }

    @Test func targetOf64KiBIsForwardedAndRecorded() async throws {
        try await withRecordingProxy { proxy in
            let target = "/?q=" + String(repeating: "x", count: (64 << 10) - 4)
            let client = try await proxy.connect()
            try await client.send("GET \(target) HTTP/1.1\r\nHost: p\r\n\r\n")
            let connection = try await proxy.upstream.accept()
            #expect(try await connection.read(until: "\r\n\r\n").text.hasPrefix("GET \(target) HTTP/1.1\r\n"))
            try await connection.send(noContent)
            try await client.read(until: "\r\n\r\n")
            try await proxy.replay { replayed in
                try await replayed.send("GET \(target) HTTP/1.1\r\nHost: p\r\n\r\n")
                #expect(try await replayed.read(until: "\r\n\r\n").text == noContent)
            }
            #expect(try proxy.exchanges().first?.request.url.hasSuffix(target) == true)
        }
    }

    @Test func longerTargetIsRefused() async throws {
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send("GET /" + String(repeating: "x", count: 64 << 10) + " HTTP/1.1\r\nHost: p\r\n\r\n")
            #expect(try await client.readToEnd().text.hasPrefix("HTTP/1.1 414 URI Too Long\r\n"))
        }
    }

    @Test(arguments: ["", "/base"], [true, false])
    func optionsOfServerAreForwardedAndRecorded(path: String, isHeld: Bool) async throws {
        let fixtures = isHeld ? [Fixture.recorded("https://a.example/x", response: .text("hi"))] : []
        let answer = "HTTP/1.1 204 No Content\r\nAllow: GET, BREW\r\n\r\n"
        try await withRecordingProxy(fixtures: fixtures, path: path) { proxy in
            let client = try await proxy.connect()
            try await client.send("OPTIONS * HTTP/1.1\r\nHost: p\r\n\r\n")
            let connection = try await proxy.upstream.accept()
            #expect(try await connection.read(until: "\r\n\r\n").text.hasPrefix("OPTIONS * HTTP/1.1\r\n"))
            try await connection.send(answer)
            #expect(try await client.read(until: "\r\n\r\n").text == answer)
            try await proxy.replay { replayed in
                try await replayed.send("OPTIONS * HTTP/1.1\r\nHost: p\r\n\r\n")
                #expect(try await replayed.read(until: "\r\n\r\n").text == answer)
            }
            #expect(try proxy.exchanges().map(\.request.url) == ["*"])
        }
    }
}

extension RecordingProxy {
    enum Unexpected: Error {
        case noResponse
    }
}
