// SPDX-License-Identifier: Apache-2.0

import RepriseCassettes
import RepriseFixtures
import RepriseMatching
import RepriseServer
import RepriseTestSupport
import RepriseText
import Testing

/// Redirects lead the client back to the proxy, and the replay sends the same bytes.
@Suite struct ProxyRedirectionTests {
    private func reply(_ status: String, _ lines: [String]) -> String {
        "HTTP/1.1 \(status)\r\n" + lines.map { $0 + "\r\n" }.joined() + "Content-Length: 0\r\n\r\n"
    }

    /// Requests `target` through the proxy from an upstream server that answers with `lines`, then from the cassette.
    private func exchange(
        _ lines: [String],
        status: String = "302 Found",
        target: String = "/from",
        base path: String = "",
        _ body: (_ seen: [String], _ replayed: [String], Exchange) throws -> Void
    ) async throws {
        try await withRecordingProxy(path: path) { proxy in
            let upstream = "127.0.0.1:\(proxy.upstream.port)"
            let sent = reply(status, lines.map { $0.replacing("UPSTREAM", with: upstream) })
            let request = "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let client = try await proxy.connect()
            try await client.send(request)
            let connection = try await proxy.upstream.accept()
            #expect(try await connection.read(until: "\r\n\r\n").text.hasPrefix("GET \(path)\(target) HTTP/1.1\r\n"))
            try await connection.send(sent)
            let seen = try await client.read(until: "\r\n\r\n").text
            let replayed = try await proxy.replay { client in
                // The client uses another name for the replay server, because the name must not matter.
                try await client.send(request.replacing("localhost", with: "mock.example:1"))
                return try await client.read(until: "\r\n\r\n").text
            }
            #expect(replayed == seen)
            let recorded = try #require(try proxy.exchanges().first)
            if case .response(let response) = recorded.outcome {
                // The cassette contains the upstream server's own fields.
                let headers = response.headers.dropLast().map { String(decoding: $0.bytes, as: UTF8.self) }
                #expect(reply(status, headers) == sent)
            }
            func named(_ text: String) -> [String] {
                text.split(separator: "\r\n").dropFirst().dropLast().map(String.init)
            }
            try body(named(seen), named(replayed), recorded)
        }
    }

    @Test(
        arguments: ["301 Moved Permanently", "302 Found", "307 Temporary Redirect", "201 Created"],
        [
            ("http://UPSTREAM/next?a=b", "/next?a=b"), ("http://other.example/next", "http://other.example/next"),
            ("/next", "/next"), ("next", "next"), ("//UPSTREAM/next", "/next"),
        ]
    )
    func rewritesLocationToProxy(status: String, location: (String, String)) async throws {
        try await exchange(["Location: \(location.0)"], status: status) { seen, _, recorded in
            #expect(seen == ["Location: \(location.1)"])
            // The base is recorded only if it makes a difference.
            #expect((recorded.request.base != nil) == (location.0 != location.1))
        }
    }

    @Test func replaysCookiesAsProxied() async throws {
        let lines = ["set-cookie: a=b; Domain=127.0.0.1; Path=/", "Set-Cookie: c=d; Domain=other.example"]
        try await withRecordingProxy { proxy in
            let client = try await proxy.connect()
            try await client.send("GET / HTTP/1.1\r\nHost: p\r\n\r\n")
            let connection = try await proxy.upstream.accept()
            try await connection.read(until: "\r\n\r\n")
            try await connection.send(reply("200 OK", lines))
            let seen = try await client.read(until: "\r\n\r\n").text
            #expect(seen == reply("200 OK", ["set-cookie: a=b; Path=/", lines[1]]))
            try await proxy.replay { client in
                try await client.send("GET / HTTP/1.1\r\nHost: p\r\n\r\n")
                let replayed = try await client.read(until: "\r\n\r\n").text
                // Except for the secrets.
                let expected = seen.replacing("a=b", with: "a=[redacted~1]")
                #expect(replayed == expected.replacing("c=d", with: "c=[redacted~2]"))
            }
        }
    }

    /// A client of a proxy for `https://host/v1` requests `/users`; a client of the server itself requests `/v1/users`.
    @Test(arguments: ["/users", "/users?page=2", "/", "//users"])
    func replaysPathsRelativeToUpstreamBase(target: String) async throws {
        try await exchange(["Location: /v1/next", "X-A: b"], target: target, base: "/v1") { seen, _, recorded in
            #expect(seen == ["Location: /next", "X-A: b"])
            #expect(recorded.request.url.hasSuffix("/v1" + target))
            #expect(recorded.request.base?.hasSuffix("/v1") == true)
            let fixture = Fixture(recorded)
            let original = OwnedRequest(method: "GET", url: recorded.request.url)
            let asked = OwnedRequest(method: "GET", url: target)
            #expect(fixture.pattern.matches(original) && !fixture.pattern.matches(asked))
            #expect(fixture.asServed.pattern.matches(asked) && !fixture.asServed.pattern.matches(original))
        }
    }

    @Test func changesOnlyLocationOfRecordingWithoutBase() async throws {
        let lines = ["Location: https://a.example/b", "Set-Cookie: a=b; Domain=a.example; Secure"]
        let exchange = Exchange(
            request: RecordedRequest(method: "GET", url: "https://a.example/"),
            outcome: .response(
                RecordedResponse(
                    status: 302,
                    reason: "Found",
                    headers: (lines + ["Content-Length: 0"]).compactMap { HeaderLine($0) }
                )
            )
        )
        try await withServer([Fixture(exchange)]) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send("GET / HTTP/1.1\r\nHost: p\r\n\r\n")
            #expect(try await client.read(until: "\r\n\r\n").text == reply("302 Found", ["Location: /b", lines[1]]))
        }
    }
}
