// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

/// The commands that talk to a running server.
@Suite struct ServerCommandTests {
    private func get(_ path: String, port: Int) async throws {
        let client = try await RawClient.connect(port: port)
        try await client.send("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        _ = try await client.readToEnd()
    }

    /// Runs a command against the server.
    private func run(_ port: Int, _ arguments: String..., token: String? = nil) async throws -> MockServerProcess.Result
    {
        var environment = ["MOCKSERVER_SERVER": "http://127.0.0.1:\(port)"]
        environment["MOCKSERVER_ADMIN_TOKEN"] = token
        return try await MockServerProcess(arguments, environment: environment).result()
    }

    @Test func commandsListExplainResetAndStop() async throws {
        let folder = try TemporaryFolder(["a.get.txt": "a"])
        let server = try MockServerProcess([folder.path, "--port", "0", "--quiet"])
        let port = try await server.port()
        try await get("/a?x=1", port: port)
        try await get("/none", port: port)

        let all = try await run(port, "requests")
        #expect(all.status == 0)
        let lines = all.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasSuffix("  200  GET /a?x=1  \(folder.path)/a.get.txt") == true)
        #expect(lines.last?.hasSuffix("  404  GET /none  no match") == true)
        #expect(!all.output.contains("\u{1B}"))
        #expect(try await run(port, "requests", "--unmatched").output.split(separator: "\n") == lines.suffix(1))
        #expect(try await run(port, "requests", "--limit", "1").output.split(separator: "\n") == lines.suffix(1))
        let json = try await run(port, "requests", "--json").output
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect((object?["requests"] as? [Any])?.count == 2)

        let hit = try await run(port, "explain", "GET", "/a")
        #expect(hit.status == 0)
        #expect(hit.output.contains("a.get.txt"))
        let miss = try await run(port, "explain", "POST", "/a", "-H", "X-A: 1", "-H", "x-a: 2", "-d", "b")
        #expect(miss.status == 1)
        #expect(miss.output.contains("method: expected GET, found POST"))
        #expect(try await run(port, "explain", "GET", "/a", "--json").output.hasPrefix("{"))

        #expect(try await run(port, "reset").output == "reset\n")
        let none = try await run(port, "requests")
        #expect(none.output.isEmpty)
        #expect(none.errors == "no requests yet\n")

        #expect(try await run(port, "stop").output == "stopping\n")
        #expect(try await server.result().status == 0)
    }

    @Test func eachRequestIsLoggedWithoutSecrets() async throws {
        let folder = try TemporaryFolder(["a.get.txt": "a"])
        let server = try MockServerProcess([folder.path, "--port", "0"])
        let port = try await server.port()
        let secret = "7Hq2vXk91LmZ04tBw"
        for path in ["/a?access_token=\(secret)", "/a?access_token=\(secret)", "/none", "/a", "/last"] {
            try await get(path, port: port)
        }
        let errors = try await server.errors(containing: " GET /last  ")
        #expect(!errors.contains(secret))
        let lines = errors.split(separator: "\n").filter { $0.contains(" GET /") }
        let expected = [
            "200 GET /a?access_token=[redacted]  \(folder.path)/a.get.txt  ",
            "200 GET /a?access_token=[redacted]  \(folder.path)/a.get.txt #2  ",
            "404 GET /none  no fixture  ", "200 GET /a  \(folder.path)/a.get.txt #3  ", "404 GET /last  no fixture  ",
        ]
        #expect(lines.count == expected.count)
        for (line, start) in zip(lines, expected) {
            #expect(line.hasPrefix(start))
            #expect(line.dropFirst(start.count).wholeMatch(of: /\d+\.\d ms/) != nil)
        }
        server.signal(SIGTERM)
        #expect(try await server.result().status == 0)
    }

    @Test func commandsSendTokenOfEnvironment() async throws {
        let server = try MockServerProcess(
            ["--port", "0", "--quiet"],
            environment: ["MOCKSERVER_ADMIN_TOKEN": "s3cret"]
        )
        let port = try await server.port()
        let missing = try await run(port, "requests")
        #expect(missing.status == 1)
        #expect(missing.errors.hasPrefix("401 Unauthorized: the admin API expected a token, found none; "))
        let wrong = try await run(port, "reset", token: "guess")
        #expect(wrong.status == 1)
        #expect(wrong.errors.hasPrefix("401 Unauthorized: the admin API expected its token, found other credentials"))
        #expect(try await run(port, "stop", token: "s3cret").status == 0)
        #expect(try await server.result().status == 0)
    }

    @Test func commandsSayThatServerHasNoAdminAPI() async throws {
        let folder = try TemporaryFolder(["a.get.txt": "a"])
        let server = try MockServerProcess([folder.path, "--port", "0", "--quiet", "--no-admin"])
        let port = try await server.port()
        let result = try await run(port, "requests")
        #expect(result.status == 1)
        #expect(
            result.errors.contains("found status 404; check the URL, and that the server does not run with --no-admin")
        )
        server.signal(SIGTERM)
        _ = try await server.result()
    }

    @Test func explainAsksServerOrReadsFiles() async throws {
        let result = try await MockServerProcess.run("explain", "GET", "/a", "x", "--server", "http://127.0.0.1:1")
        #expect(result.status == 64)
        #expect(result.errors.contains("expected --server or folders and files with fixtures, found both"))
    }
}
