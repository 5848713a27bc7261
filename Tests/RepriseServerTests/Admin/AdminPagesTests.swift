// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseCassettes
import RepriseFixtures
import RepriseStubs
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// The admin API of servers that serve pages: scripts of recorded pages have the server's own origin.
@Suite struct AdminPagesTests {
    /// A request by a script of a served page.
    private static let script = "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n"

    private static func page(_ type: String?, _ text: String = "<script src=x></script>") -> Fixture {
        .recorded("/page", response: .text(text, headers: type.map { ["Content-Type: \($0)"] } ?? []))
    }

    private static func start(_ fixtures: [Fixture], _ admin: MockServer.Admin = .init()) async throws
        -> AdminTestServer
    {
        AdminTestServer(server: try await MockServer.start(fixtures: fixtures, configuration: .init(admin: admin)))
    }

    @Test(arguments: [
        "text/html", "Text/HTML; charset=utf-8", "application/xhtml+xml", "image/svg+xml", "text/xml", "html", nil,
    ])
    func scriptOfRecordedPageIsRefused(_ type: String?) async throws {
        let server = try await Self.start([Self.page(type)])
        let refused = try await server.admin("GET", "/mappings", nil, Self.script)
        #expect(refused.status == 403)
        #expect(refused.body.contains("start the server with --admin-token"))
        #expect(
            try await server.admin("POST", "/mappings", "{}", Self.script + "Origin: http://localhost\r\n").status
                == 403
        )
        #expect(try await server.admin("GET", "/mappings").status == 200)
        #expect(server.server.refusesBrowsers)
        await server.stop()
    }

    @Test(arguments: [
        page("application/json"), page("text/plain"), page("image/png"), page(nil, "{}"), page(nil, ""),
        page("text/event-stream"),
    ])
    func recordingWithoutPagesChangesNothing(_ fixture: Fixture) async throws {
        let server = try await Self.start([fixture])
        #expect(try await server.admin("GET", "/mappings", nil, Self.script).status == 200)
        #expect(!server.server.refusesBrowsers)
        await server.stop()
    }

    @Test func scriptWithTokenIsAllowed() async throws {
        let server = try await Self.start([Self.page("text/html")], .init(token: "s3cret"))
        let refused = try await server.admin("GET", "/mappings", nil, Self.script)
        #expect(refused.status == 401)
        // A challenge for a password would make the browser ask for one, and add it to every request.
        #expect(refused.head.contains("WWW-Authenticate: Bearer ") && !refused.head.contains("Basic"))
        let password = "Authorization: Basic \(Base64.text(Array("x:s3cret".utf8)))\r\n"
        #expect(try await server.admin("GET", "/mappings", nil, Self.script + password).status == 401)
        let bearer = "Authorization: Bearer s3cret\r\n"
        #expect(try await server.admin("GET", "/mappings", nil, Self.script + bearer).status == 200)
        await server.stop()
    }

    /// A page that was served may still be shown after its stub is gone.
    @Test(arguments: [false, true])
    func stubThatForwardsBringsForeignPages(inSession: Bool) async throws {
        let server = try await Self.start([])
        let base = inSession ? "/__session/\(try await Self.session(of: server))" : ""
        #expect(try await server.admin("GET", "/mappings", nil, Self.script).status == 200)
        let stub = #"{"response": {"proxyBaseUrl": "http://127.0.0.1:1"}}"#
        #expect(try await server.send("POST", "\(base)/__admin/mappings", stub).status == 201)
        #expect(try await server.admin("GET", "/mappings", nil, Self.script).status == 403)
        #expect(try await server.send("DELETE", "\(base)/__admin/mappings").status == 200)
        #expect(try await server.admin("GET", "/mappings", nil, Self.script).status == 403)
        await server.stop()
    }

    private static func session(of server: AdminTestServer) async throws -> String {
        guard case .string(let id)? = try await server.admin("POST", "/reprise/sessions", "{}").json["id"] else {
            return ""
        }
        return id
    }

    @Test func recordingBringsForeignPages() async throws {
        let server = try await Self.start([])
        let spec = #"{"targetBaseUrl": "http://127.0.0.1:1", "persist": false}"#
        #expect(try await server.admin("POST", "/recordings/start", spec).status == 200)
        #expect(try await server.admin("POST", "/recordings/stop", "").status == 200)
        #expect(try await server.admin("GET", "/mappings", nil, Self.script).status == 403)
        await server.stop()
    }

    @Test func reloadBringsForeignPages() async throws {
        let server = try await Self.start([])
        try await server.server.reload(fixtures: [Self.page("text/html")])
        #expect(try await server.admin("GET", "/mappings", nil, Self.script).status == 403)
        await server.stop()
    }

    @Test func handwrittenPagesAreTheUsersOwn() async throws {
        try await withTemporaryFolder { folder in
            try Data("<script>1</script>".utf8).write(to: URL(filePath: folder + "/page.get.html"))
            for isStrict in [false, true] {
                let server = AdminTestServer(
                    server: try await MockServer.start(
                        fixtures: URL(filePath: folder),
                        configuration: .init(admin: .init(requiresTokenFromBrowsers: isStrict))
                    )
                )
                #expect(try await server.admin("GET", "/mappings", nil, Self.script).status == (isStrict ? 403 : 200))
                #expect(server.server.refusesBrowsers == isStrict)
                await server.stop()
            }
        }
    }
}
