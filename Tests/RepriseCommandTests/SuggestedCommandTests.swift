// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

/// The commands that reports suggest, run by a shell as they are printed.
struct SuggestedCommandTests {
    /// A request that misses, and what the report says about it.
    struct Miss: Sendable, CustomTestStringConvertible {
        var request: String
        var body: [UInt8] = []
        var options: [String] = []
        /// The differences that the report and the explanation name.
        var reasons: [String]
        /// A text that neither the report nor the command may contain.
        var secret = "s3cr3t"

        var testDescription: String { request }
    }

    private static let cassette = #"""
        {"reprise": 1, "exchanges": [
          {"request": {"method": "POST", "url": "https://api.example.com/users",
            "headers": ["X-Tenant: acme", "Content-Type: application/json"],
            "body": {"json": {"name": "Ann", "n": 1}}}, "response": {"status": "200 OK", "headers": []}},
          {"request": {"method": "POST", "url": "https://api.example.com/raw", "headers": [],
            "body": {"base64": "AP8="}}, "response": {"status": "200 OK", "headers": []}},
          {"request": {"method": "GET", "url": "https://api.example.com/once?q=1", "headers": []},
            "response": {"status": "200 OK", "headers": ["Content-Length: 0"]}}
        ]}
        """#

    /// Sends a request and returns the report of the miss.
    private func report(_ miss: Miss, port: Int) async throws -> String {
        let client = try await RawClient.connect(port: port)
        let length = "Content-Length: \(miss.body.count)\r\n"
        let head = "\(miss.request)\r\nHost: localhost\r\nConnection: close\r\n\(miss.body.isEmpty ? "" : length)\r\n"
        try await client.send(Array(head.utf8) + miss.body)
        return try await client.readToEnd().text
    }

    /// Runs the command that a report suggests, with the built program.
    private func explain(_ report: String, in folder: TemporaryFolder) async throws -> MockServerProcess.Result {
        let hint = try #require(report.components(separatedBy: "To see every candidate, ").last)
        let command = try #require(hint.components(separatedBy: "run: ").last)
        return try await MockServerProcess.shell(command, in: URL(filePath: folder.path)).result()
    }

    @Test(arguments: [
        Miss(request: "GET /book?page=2 HTTP/1.1", reasons: ["path: expected /users, found /book"]),
        Miss(
            request: "GET /it's;touch%20$(touch${IFS}pwned)`touch${IFS}pwned`!!&a='b' HTTP/1.1",
            reasons: ["found /it's;touch%20$(touch$%7BIFS%7Dpwned)%60touch$%7BIFS%7Dpwned%60!!&a='b'"]
        ),
        Miss(
            request: "POST /users HTTP/1.1\r\nContent-Type: application/json",
            body: Array(#"{"name": "O'Brien \"$(touch pwned)\" `touch pwned` 100% !! \\n", "n": 1}"#.utf8),
            reasons: [#"body./name: expected "Ann", found "O'Brien"#]
        ),
        Miss(
            request: "POST /users HTTP/1.1\r\nContent-Type: application/json\r\nX-Tenant: it's $(touch pwned)",
            body: Array("{\n  \"name\": \"Ann\",\n  \"n\": 1\n}\n".utf8),
            options: ["--match-header", "X-Tenant"],
            reasons: ["header.X-Tenant: expected acme, found it's $(touch pwned)"]
        ),
        Miss(
            request: "POST /users?ts=5 HTTP/1.1\r\nContent-Type: application/json",
            body: Array(#"{"name": "Bo", "n": 7}"#.utf8),
            options: ["--ignore-query", "ts", "--ignore-json", "/n", "--match-host"],
            reasons: [#"body./name: expected "Ann", found "Bo""#, "host: expected api.example.com, found localhost"]
        ),
        Miss(
            request: "POST /raw HTTP/1.1",
            body: [0x2D, 0x00, 0xFF, 0x25, 0x64, 0x5C, 0x0A, 0x27, 0xC3],
            reasons: [#"found -\x00\xFF%d\\n'\xC3"#]
        ),
        Miss(
            request: "POST /raw HTTP/1.1",
            body: Array("@/etc/passwd ä\u{202E}\u{1B}[2J\n".utf8),
            reasons: ["@/etc/passwd ä"]
        ),
        Miss(
            request: "POST /users?page=2&api_key=s3cr3t HTTP/1.1\r\nContent-Type: application/json\r\n"
                + "Authorization: Bearer s3cr3t",
            body: Array(#"{"name": "Bo", "n": 1, "password": "s3cr3t"}"#.utf8),
            reasons: [#"body./name: expected "Ann", found "Bo""#, "query.page: expected nothing, found 2"]
        ),
        Miss(
            request: "POST /users HTTP/1.1\r\nContent-Type: application/json",
            body: Array(#"{"name": "Bo", "n": 1, "rest": "\#(String(repeating: "x", count: 9000))"}"#.utf8),
            reasons: [#"body./name: expected "Ann", found "Bo""#]
        ),
    ])
    func explainCommandReproducesReason(_ miss: Miss) async throws {
        let folder = try TemporaryFolder(["my fixtures/api.cassette.json": Self.cassette])
        let server = try MockServerProcess(["\(folder.path)/my fixtures", "--port", "0", "--quiet"] + miss.options)
        let report = try await report(miss, port: try await server.port())
        server.signal(SIGTERM)
        _ = try await server.result()
        for reason in miss.reasons { #expect(report.contains(reason)) }
        #expect(!report.contains(miss.secret))

        // The report names this file if the body is too large for a command.
        try folder.write(miss.body, to: "BODY")
        let explanation = try await explain(report, in: folder)
        #expect(explanation.status == 1, "\(report) \(explanation.errors)")
        for reason in miss.reasons { #expect(explanation.output.contains(reason), "\(report)") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["BODY", "my fixtures"])
    }

    /// What only the running server knows is explained by the server.
    @Test func explainCommandAsksServerAboutItsState() async throws {
        let stub =
            #"{"request": {"urlPath": "/job"}, "scenarioName": "job", "requiredScenarioState": "done", "response": {}}"#
        let folder = try TemporaryFolder(["api.cassette.json": Self.cassette, "mappings/job.json": stub])
        let server = try MockServerProcess([folder.path, "--port", "0", "--quiet", "--after-last", "miss"])
        let port = try await server.port()

        let states = try await explain(
            try await report(Miss(request: "GET /job HTTP/1.1", reasons: []), port: port),
            in: folder
        )
        #expect(
            states.output.contains("scenario 'job' is in state 'Started', and the stub requires 'done'"),
            "\(states)"
        )

        let once = Miss(request: "GET /once?q=1 HTTP/1.1", reasons: [])
        #expect(try await report(once, port: port).hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(
            try await explain(try await report(once, port: port), in: folder).output.contains("was given already: 404")
        )

        let opened = try await report(Miss(request: "POST /__admin/reprise/sessions HTTP/1.1", reasons: []), port: port)
        let id = try #require(opened.firstMatch(of: /"id":"([a-z0-9]+)"/)?.1)
        let own = #"{"request": {"urlPath": "/own", "method": "PUT"}, "response": {}}"#
        let adding = Miss(
            request: "POST /__session/\(id)/__admin/mappings HTTP/1.1",
            body: Array(own.utf8),
            reasons: []
        )
        #expect(try await report(adding, port: port).hasPrefix("HTTP/1.1 201 "))
        let inSession = try await report(Miss(request: "GET /__session/\(id)/own HTTP/1.1", reasons: []), port: port)
        #expect(inSession.hasSuffix(" --server http://127.0.0.1:\(port)/__session/\(id)\n"))
        #expect(try await explain(inSession, in: folder).output.contains("method: expected PUT, found GET"))
        server.signal(SIGTERM)
        _ = try await server.result()
    }

    @Test func missingPathSuggestsCommandToServeFolder() async throws {
        let result = try await MockServerProcess.run("serve", "--no-admin")
        #expect(result.status == 64)
        #expect(result.errors.contains("found none; run: swift run mockserver Fixtures/\n"))
    }
}
