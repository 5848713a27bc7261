// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseServer
import RepriseTestSupport
import Testing

/// Route files as clients see them, through a real socket.
@Suite struct RouteFileServerTests {
    /// Returns the answers to `requests`, which are request lines and header lines separated by `|`.
    private func answers(_ files: [String: String], _ requests: String...) async throws -> [String] {
        let folder = try TemporaryFolder(files)
        let server = try await MockServer.start(fixtures: URL(fileURLWithPath: folder.path))
        var answers: [String] = []
        do {
            for request in requests { answers.append(try await answer(request, server.port)) }
            await server.stop(grace: .zero)
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
        return answers
    }

    private func answer(_ request: String, _ port: Int) async throws -> String {
        let client = try await RawClient.connect(port: port)
        var lines = request.split(separator: "|").map(String.init)
        lines[0] += " HTTP/1.1"
        lines += ["Host: localhost", "Connection: close"]
        try await client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return try await client.readToEnd().text
    }

    @Test func neverServesBackups() async throws {
        let files = ["users.get.json~": "no", "#g.get.json#": "no", "i.get.json 2": "no", "l.get.bak": "no"]
        let answers = try await answers(
            files.merging(["users.get.json": "yes"]) { $1 }, "GET /users", "GET /users", "GET /g", "GET /i", "GET /l",
            "GET /%23g"
        )
        #expect(answers.prefix(2).allSatisfy { $0.hasSuffix("\r\n\r\nyes") })
        #expect(answers.dropFirst(2).allSatisfy { $0.hasPrefix("HTTP/1.1 404 ") })
    }
}
