// SPDX-License-Identifier: Apache-2.0

import RepriseCassettes
import RepriseFixtures
import RepriseIO
import RepriseStubs
import RepriseTestSupport
import Testing

@testable import RepriseServer

/// Answers to clients that use the server as their proxy.
@Suite(.timeLimit(.minutes(5))) struct ForwardProxyReplayTests {
    private let fixtures: [Fixture] = [
        .recorded("http://a.test/x", response: .text("a")),
        .recorded("https://a.test/x", response: .text("secure a")),
        .recorded("http://b.test/x", response: .text("b")),
        .recorded("http://b.test:8080/x", response: .text("b at 8080")),
        .recorded("https://[::1]/x", response: .text("six")),
        .recorded("https://10.1.2.3/x", response: .text("four")),
        .recorded("/any", response: .text("any")),
        .recorded("http://a.test/moved", response: .text("", headers: ["Location: http://a.test/x"], status: 302)),
    ]

    @Test(arguments: [
        ("http://a.test/x", "a"), ("http://A.test:80/x", "a"), ("https://a.test/x", "secure a"),
        ("http://b.test/x", "b"), ("http://b.test:8080/x", "b at 8080"), ("http://c.test/any", "any"),
    ])
    func absoluteFormGetsRecordingsOfItsOrigin(url: String, content: String) async throws {
        try await withForwardProxy(fixtures) { server in
            let client = try await ProxyClient(server)
            // The Host field is ignored (RFC 9112 section 3.2.2).
            for host in ["a.test", "b.test"] {
                let answer = try await client.get(url, host: host, "Proxy-Authorization: Basic c2VjcmV0")
                #expect(answer.status == 200)
                #expect(answer.content == content)
            }
        }
    }

    @Test(arguments: [
        ("a.test:443", "a.test", "a.test", "secure a"), ("A.TEST.:443", "a.test", "a.test", "secure a"),
        ("[::1]:443", "::1", "[::1]", "six"), ("10.1.2.3:443", "10.1.2.3", "10.1.2.3", "four"),
        ("c.test:8443", "c.test", "c.test:8443", nil),
    ])
    func tunnelEndsWithCertificateOfHost(
        target: String,
        name: String,
        host: String,
        content: String?
    ) async throws {
        try await withForwardProxy(fixtures) { server in
            let client = try await ProxyClient.tunnel(to: target, expecting: name, through: server)
            for _ in 0..<2 {
                let answer = try await client.get("/x", host: host, "Proxy-Connection: keep-alive")
                #expect(answer.status == (content == nil ? 404 : 200))
                if let content {
                    #expect(answer.content == content)
                } else {
                    #expect(answer.content.hasPrefix("No fixture answers GET https://c.test:8443/x.\n"))
                    #expect(answer.content.contains("host: expected a.test, found c.test:8443"))
                }
            }
            #expect(try await client.get("https://\(host)/any", host: host).content == "any")
        }
    }

    @Test func summaryNamesURLsOfUnansweredRequests() async throws {
        try await withForwardProxy(fixtures) { server in
            let client = try await ProxyClient.tunnel(to: "c.test:443", expecting: "c.test", through: server)
            _ = try await client.get("/x?q=1", host: "c.test")
            let unanswered = try #require(await server.trafficSummary().unanswered.first)
            #expect(unanswered.explanation.hasPrefix("No fixture answers GET https://c.test/x?q=1.\n"))
            #expect(unanswered.explanation.contains("host: expected a.test, found c.test"))
        }
    }

    @Test func plainHTTPInTunnelIsRead() async throws {
        try await withForwardProxy(fixtures) { server in
            let client = try await ProxyClient.tunnel(to: "b.test:8080", through: server)
            #expect(try await client.get("/x", host: "b.test:8080").content == "b at 8080")
        }
    }

    @Test func journalHasAbsoluteURLsAndNoFieldsForTheProxy() async throws {
        try await withForwardProxy(fixtures) { server in
            let tunnel = try await ProxyClient.tunnel(to: "a.test:443", expecting: "a.test", through: server)
            _ = try await tunnel.get("/x?q=1", host: "a.test", "Proxy-Connection: keep-alive")
            let client = try await ProxyClient(server)
            _ = try await client.get("http://b.test/x", host: "other.test", "proxy-authorization: Basic c2VjcmV0")
            let entries = await server.journal.entries
            #expect(
                entries.map(\.requestLine) == ["GET https://a.test/x?q=1 HTTP/1.1", "GET http://b.test/x HTTP/1.1"]
            )
            #expect(
                entries.map { $0.headers.map { "\($0.name): \($0.value)" } } == [["Host: a.test"], ["Host: b.test"]]
            )
            let admin = try await RawClient.connect(port: server.port)
            try await admin.send("GET /__admin/requests HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let text = try await admin.readToEnd().text
            #expect(text.contains(#""absoluteUrl":"https://a.test/x?q=1""#))
        }
    }

    @Test func urlsInAnswersAreNotTranslated() async throws {
        try await withForwardProxy(fixtures) { server in
            let answer = try await ProxyClient.get("http://a.test/moved", host: "a.test", through: server)
            #expect(answer.head.contains("\r\nLocation: http://a.test/x\r\n"))
        }
    }

    @Test func serverStaysOneForItsOwnRequests() async throws {
        try await withForwardProxy(fixtures) { server in
            let client = try await ProxyClient(server)
            #expect(try await client.get("/x", host: "b.test").content == "b")
            #expect(try await client.get("/any", host: "localhost").content == "any")
            let miss = try await client.get("/x", host: "localhost")
            #expect(miss.status == 404)
            #expect(miss.content.contains("host: expected a.test, found localhost"))
        }
    }

    /// Each exchange was recorded from a client that sent its request to a proxy for the base URL.
    @Test func recordingOfBaseURLAnswersThroughProxyAsTheServerDid() async throws {
        let lines = ["Location: http://up.test:8080/v1/next", "Set-Cookie: a=b; Domain=up.test; Path=/v1"]
        let fixtures = ["one", "two"].map { content in
            var request = RecordedRequest(method: "GET", url: "http://up.test:8080/v1/go")
            request.base = "http://up.test:8080/v1"
            return Fixture(Exchange(request: request, outcome: .response(.text(content, headers: lines, status: 302))))
        }
        try await withForwardProxy(fixtures) { server in
            let client = try await ProxyClient(server)
            let head = lines.joined(separator: "\r\n")
            for (user, content) in [("YTp4", "one"), ("Yjp4", "one"), ("YTp4", "two")] {
                let url = "http://up.test:8080/v1/go"
                let answer = try await client.get(url, host: "up.test:8080", "Proxy-Authorization: Basic \(user)")
                #expect(answer.content == content)
                #expect(answer.head.contains("302 OK\r\n\(head)\r\n"))
            }
            let direct = try await ProxyClient(server).get("/go", host: "localhost")
            #expect(direct.content == "one")
            #expect(direct.head.contains("Location: /next\r\nSet-Cookie: a=b; Path=/\r\n"))
            let misses = [
                try await ProxyClient.get("http://up.test:8080/go", host: "up.test:8080", through: server),
                try await ProxyClient.get("/v1/go", host: "localhost", through: server),
            ]
            #expect(misses.map(\.status) == [404, 404])
            #expect(misses[0].content.contains("expected /v1/go, found /go"), "\(misses[0].content)")
            #expect(misses[1].content.contains("expected /go, found /v1/go"), "\(misses[1].content)")
            #expect(await server.trafficSummary().unanswered.count == 2)
        }
    }

    @Test func stubsAnswerAnyHostAndSeeTheURL() async throws {
        try await withForwardProxy { server in
            try await server.stub(StubMapping(.get("/s"), .text("{{request.scheme}} {{request.host}}").template()))
            let tunnel = try await ProxyClient.tunnel(to: "a.test:443", expecting: "a.test", through: server)
            #expect(try await tunnel.get("/s", host: "a.test").content == "https a.test")
            #expect(
                try await ProxyClient.get("http://b.test/s", host: "b.test", through: server).content == "http b.test"
            )
        }
    }

    @Test func proxyAndTLSOfTheServerExcludeEachOther() async throws {
        var configuration = MockServer.Configuration()
        configuration.proxy = MockServer.ForwardProxy()
        configuration.tls = .localAuthority()
        let error = await #expect(throws: StartError.self) {
            try await MockServer.start(fixtures: [], configuration: configuration)
        }
        #expect(error?.code == .configuration)
    }

    @Test(
        arguments: [
            "https://a.test", "", "a b", "a.test/", ".", "..a.test", "a..test", "*a.test", "a.*.test", "a.test:0x50",
            "a.test:65536", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.256", "fd00::/129", "[v1.fe]",
            "a@b.test",
        ].map { MockServer.ForwardProxy(only: [$0]) }
            + [
                ("a.test", "b.test/x"), ("a.test:80", "b.test"), ("*.a.test", "b.test"), ("a.test", "[v1.fe]"),
                ("*", "b"),
            ]
            .map { MockServer.ForwardProxy(map: [$0: $1]) } + [
                MockServer.ForwardProxy(pass: [""]), MockServer.ForwardProxy(credentials: "name"),
            ]
    )
    func invalidSettingsAreReported(proxy: MockServer.ForwardProxy) async throws {
        var configuration = MockServer.Configuration()
        configuration.proxy = proxy
        let error = await #expect(throws: StartError.self) {
            try await MockServer.start(fixtures: [], configuration: configuration)
        }
        #expect(error?.description.contains("expected") == true)
    }

    @Test func validHostsAreAccepted() async throws {
        let hosts = [
            "*", "a.test", "A_b.test.", ".a.test", "*.a.test:443", "1.test", "10.0.0.0/8", "10.0.0.1:80", "::1",
            "[::1]:443", "fd00::/8",
        ]
        let map = ["a.test.": "b.test:1", "[::1]": "[::1]:1", "10.0.0.1": "b.test"]
        try await withForwardProxy([], MockServer.ForwardProxy(only: hosts, pass: hosts, map: map)) { _ in }
    }
}
