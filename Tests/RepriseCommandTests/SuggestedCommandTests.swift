// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

/// The commands that reports suggest, run as they are printed.
struct SuggestedCommandTests {
    @Test func missSuggestsExplainCommandThatRuns() async throws {
        let folder = try TemporaryFolder(["my fixtures/books.get.json": "[]"])
        let fixtures = "\(folder.path)/my fixtures"
        let server = try MockServerProcess([fixtures, "--port", "0", "--quiet"])
        let client = try await RawClient.connect(port: try await server.port())
        try await client.send("GET /book?page=2 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let report = try await client.readToEnd().text
        server.signal(SIGTERM)
        _ = try await server.result()

        let prefix = "To see every candidate, run: swift run mockserver "
        let line = try #require(report.split(separator: "\n").first { $0.hasPrefix(prefix) })
        #expect(line.dropFirst(prefix.count) == "explain GET '/book?page=2' '\(fixtures)'")
        let explanation = try await MockServerProcess.run("explain", "GET", "/book?page=2", fixtures)
        #expect(explanation.status == 1)
        #expect(explanation.output.contains("path: expected /books, found /book"))
    }

    @Test func missingPathSuggestsCommandToServeFolder() async throws {
        let result = try await MockServerProcess.run("serve", "--no-admin")
        #expect(result.status == 64)
        #expect(result.errors.contains("found none; run: swift run mockserver Fixtures/\n"))
    }
}
