// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseFixtures
import RepriseStubs
import RepriseTestSupport
import Testing

@testable import RepriseServer

/// Requests that a server sends on behalf of others: they cannot use an admin API, and a loop of them ends.
@Suite struct ForwardingMarkTests {
    private static func webhook(_ url: String, _ rest: String = "") -> String {
        """
        {"name": "webhook", "parameters": {"method": "POST", "url": "\(url)"\(rest)}}
        """
    }

    private static func stub(_ path: String, webhooks: [String]) -> String {
        """
        {"request": {"urlPath": "\(path)"}, "response": {"status": 202},
         "serveEventListeners": [\(webhooks.joined(separator: ", "))]}
        """
    }

    /// The stub of the documentation, with which any page could shut down the server.
    @Test(arguments: [
        "", #", "headers": {"Reprise-Hops": "0"}"#, #", "headers": {"reprise-hops": ["", "x"], "Host": "localhost"}"#,
        #", "headers": {"Connection": "Reprise-Hops", "Origin": "{{originalRequest.headers.X-Origin}}"}"#,
    ])
    func webhookCannotUseAdminAPI(_ rest: String) async throws {
        let server = try await AdminTestServer.start()
        try await server.add(
            Self.stub("/orders", webhooks: [Self.webhook("{{jsonPath originalRequest.body '$.callback'}}", rest)])
        )
        for target in ["shutdown", "mappings"] {
            let callback = "\(server.server.url.absoluteString)/__admin/\(target)"
            let body = #"{"callback": "\#(callback)"}"#
            #expect(try await server.send("POST", "/orders", body, "Content-Type: text/plain\r\n").status == 202)
        }
        #expect(await server.server.webhooks.map(\.status) == [403, 403])
        #expect(try await server.admin("GET", "/mappings").json.list("mappings").count == 1)
        await server.stop()
    }

    @Test(arguments: [
        "", #", "removeProxyRequestHeaders": ["Reprise-Hops", "reprise-hops"]"#,
        #", "additionalProxyRequestHeaders": {"Reprise-Hops": "0", "Connection": "reprise-hops"}"#,
        #", "additionalProxyRequestHeaders": {"REPRISE-HOPS": "{{request.query.x}}", "Host": "localhost"}"#,
    ])
    func stubCannotForwardToAdminAPI(_ rest: String) async throws {
        let (near, far) = (try await AdminTestServer.start(), try await AdminTestServer.start())
        for (path, target) in [("/own", near), ("/far", far)] {
            try await near.add(
                """
                {"request": {"urlPathPattern": "\(path)/.*"}, "response": {"proxyBaseUrl": "\(target.server.url)",
                 "transformers": ["response-template"], "proxyUrlPrefixToRemove": "\(path)"\(rest)}}
                """
            )
            let answer = try await near.send("POST", "\(path)/__admin/shutdown?x=0", "", "Reprise-Hops: 0\r\n")
            #expect(answer.status == 403)
            #expect(answer.body.contains("found the field 'Reprise-Hops', which a proxy, a stub, or a webhook adds"))
        }
        #expect(try await far.admin("GET", "/version").status == 200)
        await near.stop()
        await far.stop()
    }

    @Test func upstreamDoesNotOpenItsAdminAPI() async throws {
        let far = try await AdminTestServer.start()
        var configuration = MockServer.Configuration(admin: .disabled)
        configuration.upstream = try MockServer.Upstream(far.server.url.absoluteString)
        let near = AdminTestServer(
            server: try await MockServer.start(fixtures: [Fixture](), configuration: configuration)
        )
        #expect(try await near.admin("POST", "/shutdown", "").status == 403)
        #expect(try await far.admin("GET", "/version").status == 200)
        await near.stop()
        await far.stop()
    }

    /// None of these is the path of the admin API, so its access rules don't have to cover them.
    @Test(arguments: [
        "/%5F_admin/version", "//__admin/version", "/x/../__admin/version", "/__ADMIN/version", "/__admin%2Fversion",
    ])
    func otherSpellingsOfAdminPathAreOrdinaryPaths(_ target: String) async throws {
        let server = try await AdminTestServer.start()
        #expect(try await server.send("GET", target).status == 404)
        #expect(await server.server.journal.entries.count == 1)
        #expect(try await server.send("GET", "http://evil.example/__admin/version").status == 403)
        await server.stop()
    }

    // MARK: Loops

    @Test func stubCannotResetCount() async throws {
        let server = try await AdminTestServer.start()
        let fields =
            #""additionalProxyRequestHeaders": {"Reprise-Hops": "0"}, "removeProxyRequestHeaders": ["Reprise-Hops"]"#
        try await server.add(
            #"{"request": {"url": "/loop"}, "response": {"proxyBaseUrl": "\#(server.server.url)", \#(fields)}}"#
        )
        #expect(try await server.send("GET", "/loop").status == 508)
        #expect(await server.server.journal.entries.count == 9)
        await server.stop()
    }

    /// Two servers of which each forwards what it does not know to the other.
    @Test func upstreamsThatLeadToEachOtherEndWithLoopDetected() async throws {
        let near = try await AdminTestServer.start()
        var configuration = MockServer.Configuration()
        configuration.upstream = try MockServer.Upstream(near.server.url.absoluteString)
        let far = AdminTestServer(
            server: try await MockServer.start(fixtures: [Fixture](), configuration: configuration)
        )
        let spec = #"{"targetBaseUrl": "\#(far.server.url)", "persist": false}"#
        #expect(try await near.admin("POST", "/recordings/start", spec).status == 200)
        #expect(try await near.send("GET", "/loop").status == 508)
        #expect(try await far.send("GET", "/loop").status == 508)
        await near.stop()
        await far.stop()
    }

    /// A stub may call itself several times; the number of webhooks does not grow with each generation.
    @Test(arguments: [(1, 9), (2, 62), (3, 39), (10, 110)])
    func webhookThatCallsItsOwnStubEnds(webhooks: Int, most: Int) async throws {
        let server = try await AdminTestServer.start()
        let webhook = Self.webhook("\(server.server.url)/own", #", "headers": {"Reprise-Hops": "0"}"#)
        try await server.add(Self.stub("/own", webhooks: Array(repeating: webhook, count: webhooks)))
        #expect(try await server.send("POST", "/own", "").status == 202)
        var sent = await server.server.webhooks
        // A receiver orders its webhooks after the sender has its answer.
        while !sent.contains(where: { $0.failure != nil }) { sent = await server.server.webhooks }
        #expect(sent.count <= most)
        #expect(sent.contains { $0.failure?.contains("led back to this server several times in a row") == true })
        await server.stop()
    }

    @Test(arguments: [
        ("http://127.0.0.1:80", "127.0.0.1", 80, true), ("http://localhost", "127.0.0.1", 80, true),
        ("http://LOCALHOST.", "::1", 80, true), ("http://[::1]", "localhost", 80, true),
        ("http://0.0.0.0", "127.0.0.1", 80, true), ("http://127.9.9.9", "0.0.0.0", 80, true),
        ("http://[::ffff:127.0.0.1]", "::", 80, true), ("http://mock", "mock", 80, true),
        ("https://127.0.0.1", "127.0.0.1", 443, true), ("http://127.0.0.1:81", "127.0.0.1", 80, false),
        ("http://127.0.0.2", "127.0.0.1", 80, false), ("http://10.0.0.1", "0.0.0.0", 80, false),
        ("http://example.com", "127.0.0.1", 80, false), ("http://localhost", "10.0.0.1", 80, false),
        ("http://localhost", "127.0.0.2", 80, false), ("http://0.0.0.0", "127.0.0.2", 80, false),
        ("http://127.0.0.2", "localhost", 80, false), ("http://localhost", "::", 80, true),
    ])
    func upstreamIsRecognizedAsOwnAddress(url: String, host: String, port: Int, isOwn: Bool) throws {
        #expect(try UpstreamAddress(url).origin.reaches(host: host, port: port) == isOwn)
    }

    @Test func recordingItselfIsRefused() async throws {
        let server = try await AdminTestServer.start()
        let spec = #"{"targetBaseUrl": "http://localhost:\#(server.server.port)", "persist": false}"#
        let answer = try await server.admin("POST", "/recordings/start", spec)
        #expect(answer.status == 422)
        #expect(answer.detail.hasPrefix("expected the URL of another server, found this server"))
        await server.stop()
        let upstream = try MockServer.Upstream("http://localhost:\(server.server.port)")
        let error = await #expect(throws: StartError.self) {
            try await MockServer.start(
                fixtures: [Fixture](),
                port: server.server.port,
                configuration: .init(upstream: upstream)
            )
        }
        #expect(error?.code == .configuration)
    }
}
