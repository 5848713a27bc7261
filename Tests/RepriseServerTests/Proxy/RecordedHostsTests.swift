// SPDX-License-Identifier: Apache-2.0

import RepriseCassettes
import RepriseFixtures
import RepriseServer
import RepriseTestSupport
import RepriseText
import Testing

/// Redirects between recorded hosts, through a real socket.
struct RecordedHostsTests {
    private static func redirect(from url: String, to location: String) -> Fixture {
        .recorded(url, response: .text("", headers: ["Location: \(location)"], status: 302, reason: "Found"))
    }

    private func location(
        _ location: String,
        configure: (inout MockServer.Configuration) -> Void = { _ in }
    ) async throws -> String? {
        let fixtures = [
            Self.redirect(from: "https://api.example.com/old", to: location),
            .recorded("https://www.example.com:8443/page", response: .text("page")),
        ]
        return try await withServer(fixtures, configure: configure) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send("GET /old HTTP/1.1\r\nHost: api.example.com\r\nConnection: close\r\n\r\n")
            let lines = try await client.readToEnd().text.split(separator: "\r\n")
            return lines.first { $0.hasPrefix("Location: ") }.map { String($0.dropFirst(10)) }
        }
    }

    @Test(
        arguments: [
            ("https://api.example.com/new?a=1#b", "/new?a=1#b"),
            ("HTTPS://API.example.com:443/new", "/new"),
            ("https://www.example.com:8443/page", "/page"),
            ("//api.example.com/new", "/new"),
            ("https://api.example.com", "/"),
            ("https://api.example.com?a=1", "/?a=1"),
            ("https://api.example.com//two", "/.//two"),
            ("https://api.example.com.evil.test/new", nil),
            ("https://user@api.example.com/new", nil),
            ("https://api.example.com:8443/new", nil),
            ("https://www.example.com/page", nil),
            ("ftp://api.example.com/new", nil),
            ("https://accounts.example.org/login", nil),
            ("/new", nil),
            ("new", nil),
        ] as [(String, String?)]
    )
    func replacesOnlyURLsOfRecordedHosts(recorded: String, sent: String?) async throws {
        #expect(try await location(recorded) == sent ?? recorded)
    }

    @Test func keepsLocationsIfConfigured() async throws {
        let url = "https://api.example.com/new"
        #expect(try await location(url) { $0.keepsLocations = true } == url)
        #expect(try await location(url) { $0.matching = .standard + [.host] } == url)
    }

    @Test func followsRedirectFromHTTPToHTTPSOfSamePath() async throws {
        let fixtures = [
            Self.redirect(from: "http://example.com/page", to: "https://example.com/page"),
            .recorded("https://example.com/page", response: .text("page")),
        ]
        try await withServer(fixtures) { server in
            let client = try await RawClient.connect(port: server.port)
            let request = "GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try await client.send(request)
            let redirect = "HTTP/1.1 302 Found\r\nLocation: /page\r\nContent-Length: 0\r\n\r\n"
            #expect(try await client.read(count: redirect.utf8.count).text == redirect)
            try await client.send(request)
            let page = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage"
            #expect(try await client.read(count: page.utf8.count).text == page)
        }
    }

    @Test func keepsLocationOfRecordingWithoutHost() async throws {
        let fixtures = [
            Self.redirect(from: "/old", to: "https://api.example.com/new"),
            .recorded("https://api.example.com/new", response: .text("new")),
        ]
        try await withServer(fixtures) { server in
            let client = try await RawClient.connect(port: server.port)
            try await client.send("GET /old HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(try await client.readToEnd().text.contains("Location: https://api.example.com/new\r\n"))
        }
    }
}
