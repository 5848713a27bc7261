// SPDX-License-Identifier: Apache-2.0

import RepriseCassettes
import RepriseDocuments
import RepriseFixtures
import RepriseRedaction
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// What leaves a running server hides what a recording hides, through real sockets.
@Suite struct ShownSecretsTests {
    /// What the server does.
    enum Door: String, CaseIterable {
        /// It records what another server answers.
        case recorder
        /// It records what hosts behind its proxy answer.
        case proxy
        /// It serves a folder.
        case folder

        /// A token that one answer names, and that other texts only contain. It differs, because recorders share what
        /// they know.
        var token: String { "tok_Zq81Lmm20xPvRt7\(rawValue)" }
    }

    private static let rules = "redact:\n  names: [customer number]\n  paths: [internal_code]\n"

    private static func answers(_ door: Door) -> [String: String] {
        [
            "early": #"{"note": "see \#(door.token)"}"#,
            "login":
                #"{"access_token": "\#(door.token)", "code": "rate_limit_exceeded", "internal_code": "hunter2hunter"}"#,
            "late": #"{"note": "again \#(door.token)"}"#,
        ]
    }

    /// Answers requests to the names of ``answers(_:)``.
    private static func upstream(_ door: Door) async throws -> ScriptedServer {
        try await ScriptedServer.start { connection in
            while true {
                let head = try await connection.read(until: "\r\n\r\n").text
                let body = answers(door).first { head.contains("/\($0.key)") }?.value ?? "{}"
                try await connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
            }
        }
    }

    /// Runs `body` with a server, and a prefix for the targets of requests that it answers.
    private static func withServer(
        _ door: Door,
        _ body: (_ server: AdminTestServer, _ prefix: String) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder(["reprise.yaml": rules])
        let upstream = try await upstream(door)
        let url = "http://127.0.0.1:\(upstream.port)"
        var configuration = MockServer.Configuration()
        var fixtures: [Fixture] = []
        switch door {
        case .recorder:
            let recorder = try CassetteRecorder(folder.path + "/a.cassette.json")
            configuration.upstream = try MockServer.Upstream(url, recorder: recorder)
        case .proxy:
            let recorder = try CassetteRecorder(folder.path + "/a.cassette.json")
            configuration.proxy = MockServer.ForwardProxy(origins: .init(recorder: recorder))
        case .folder:
            for (name, text) in answers(door) { try folder.write(Array(text.utf8), to: "\(name).get.json") }
            configuration.tool.paths = [folder.path]
            fixtures = try FixtureLoader.load([folder.path]).fixtures
        }
        let server = AdminTestServer(
            server: try await MockServer.start(fixtures: fixtures, configuration: configuration)
        )
        try await body(server, door == .proxy ? url : "")
        await server.server.stop(grace: .zero)
    }

    @Test(arguments: Door.allCases, ["ndjson", "har", "cassette"])
    func journalIsExportedAsRecordingIs(_ door: Door, format: String) async throws {
        try await Self.withServer(door) { server, prefix in
            for name in ["early", "login", "late"] {
                try await server.send("GET", "\(prefix)/\(name)?customer_number=4711xyz")
            }
            let text = try await server.admin("GET", "/reprise/journal?format=\(format)").body
            // NDJSON also has the bytes in Base64.
            for secret in [door.token, "4711xyz", "hunter2hunter"] {
                #expect(!text.contains(secret) && !text.contains(Base64.text(Array(secret.utf8)).prefix(8)), "\(text)")
            }
            #expect(text.contains("rate_limit_exceeded"))
            #expect(text.contains("see [redacted") && text.contains("again [redacted"))
            guard format == "cassette" else { return }
            let cassette = try CassetteReader.read(
                Array(text.utf8),
                file: "a.cassette.json",
                bodies: .beside(cassette: "a.cassette.json")
            ).cassette
            #expect(cassette.exchanges.count == 3)
            #expect(cassette.standIns?.count == 3)
            let notes = text.matches(of: /(see|again) (\[redacted[^"]*)"/).map(\.output.2)
            #expect(notes.count == 2 && Set(notes).count == 1)
        }
    }

    /// What hides a token does not hide the code of an error.
    @Test func codesOfErrorsAreLegible() async throws {
        try await Self.withServer(.folder) { server, _ in
            let codes = [
                #""code": "insufficient_quota""#, #""error_code": "INVALID_ARGUMENT""#, #""code": 404"#,
                #""code": "rate_limit_exceeded""#,
            ]
            for code in codes {
                let fields = "Content-Type: application/json\r\n"
                let miss = try await server.send("POST", "/miss?code=token_expired", "{\(code)}", fields)
                #expect(miss.body.contains(code) && miss.body.contains("code=token_expired"), "\(miss.body)")
            }
            try await server.send("GET", "/miss?code=SplxlOBeZQQYbYS6WxSbIA&error_code=access_denied")
            for format in ["ndjson", "har"] {
                let text = try await server.admin("GET", "/reprise/journal?format=\(format)").body
                for code in codes {
                    #expect(text.contains(code.replacing("\"", with: "\\\"")), "\(text)")
                }
                #expect(text.contains("code=[redacted]&error_code=access_denied"), "\(text)")
                #expect(!text.contains("SplxlOBe"))
            }
            var shown = ShownRequestLine(server.server.configuration.redaction)
            let line = shown.text(ofHead: Array("GET /a?code=rate_limit_exceeded HTTP/1.1\r\n".utf8).span)
            #expect(line == "GET /a?code=rate_limit_exceeded")
        }
    }

    @Test(arguments: Door.allCases)
    func snapshotHasNoSecretOfAnotherEntry(_ door: Door) async throws {
        try await Self.withServer(door) { server, prefix in
            for name in ["early", "login"] { try await server.send("GET", "\(prefix)/\(name)") }
            let text = try await server.admin(
                "POST",
                "/recordings/snapshot",
                #"{"filters": {"allowNonProxied": true}}"#
            ).body
            #expect(text.contains("see [redacted"), "\(text)")
            #expect(!text.contains(door.token) && !text.contains("hunter2hunter"), "\(text)")
        }
    }

    @Test(arguments: Door.allCases)
    func eventsFollowRules(_ door: Door) async throws {
        try await Self.withServer(door) { server, prefix in
            let events = try await RawClient.connect(port: server.server.port)
            try await events.send("GET /__admin/reprise/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await events.read(until: "event: start")
            try await server.send("GET", "\(prefix)/login?customer_number=4711xyz")
            var text = try await events.read(until: "event: completed").text
            #expect(text.contains("customer_number=[redacted]") && !text.contains("4711xyz"), "\(text)")
            // Only a recorder reads contents as they pass.
            guard door != .folder else { return }
            try await events.read(until: "milliseconds")
            try await server.send("GET", "\(prefix)/orders/\(door.token)")
            text = try await events.read(until: "event: completed").text
            #expect(text.contains("/orders/[redacted]") && !text.contains(door.token), "\(text)")
        }
    }

    @Test(arguments: Door.allCases.filter { $0 != .recorder }, ["text/plain", "application/json"])
    func missesFollowRules(_ door: Door, accept: String) async throws {
        try await Self.withServer(door) { server, prefix in
            try await server.send("GET", "\(prefix)/login")
            let body = #"{"internal_code": "hunter2hunter", "code": "insufficient_quota"}"#
            let fields = "Accept: \(accept)\r\nContent-Type: application/json\r\nCustomer-Number: 4711xyz\r\n"
            let token = door == .folder ? "" : "/\(door.token)"
            let miss = try await server.send("POST", "/logins\(token)?customer_number=4711xyz", body, fields)
            #expect(miss.status == 404)
            for secret in ["4711xyz", "hunter2hunter", door.token] {
                #expect(!miss.body.contains(secret), "\(miss.body)")
            }
            // Without fixtures, the text does not repeat the request.
            let isShown = door == .folder || accept.contains("json")
            #expect(miss.body.contains("customer_number=[redacted]") == isShown, "\(miss.body)")
            let missing = await server.server.trafficSummary().unanswered.map { "\($0.request) \($0.explanation)" }
            #expect(missing.count == 1)
            for secret in ["4711xyz", "hunter2hunter", door.token] { #expect(!missing[0].contains(secret)) }
        }
    }

    @Test func logFollowsRulesOfServer() async throws {
        try await Self.withServer(.folder) { server, _ in
            var shown = ShownRequestLine(server.server.configuration.redaction)
            let text = shown.text(ofHead: Array("GET /a?customer_number=4711xyz HTTP/1.1\r\n".utf8).span)
            #expect(text == "GET /a?customer_number=[redacted]")
        }
    }

    @Test func rulesThatCannotBeReadKeepServerFromStarting() async throws {
        let folder = try TemporaryFolder(["reprise.yaml": "redact: 5\n"])
        var configuration = MockServer.Configuration()
        configuration.tool.paths = [folder.path + "/a.cassette.json"]
        let error = await #expect(throws: StartError.self) {
            try await MockServer.start(stubs: [], configuration: configuration)
        }
        #expect(error?.code == .configuration)
        #expect(error?.description.contains("\(folder.path)/reprise.yaml:1:9") == true, "\(error?.description ?? "")")
    }
}
