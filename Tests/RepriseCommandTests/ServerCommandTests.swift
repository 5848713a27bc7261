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

    /// A server that answers every request with 200 is not necessarily one that stops.
    @Test(arguments: ["stop", "reset"], ["ok", "{}", #"{"mappings": 1}"#])
    func changeOfAnotherServerIsNotReportedAsDone(command: String, body: String) async throws {
        let stub = try JSONEncoder().encode(["body": body])
        let folder = try TemporaryFolder([
            "mappings/all.json": #"{"request": {}, "response": \#(String(decoding: stub, as: UTF8.self))}"#
        ])
        let server = try MockServerProcess([folder.path, "--port", "0", "--quiet", "--no-admin"])
        let port = try await server.port()
        let result = try await run(port, command)
        #expect(result.status == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("expected the admin API of a mock server at http://127.0.0.1:\(port), found"))
        server.signal(SIGTERM)
        #expect(try await server.result().status == 0)
    }

    @Test func refusalOfBrowsersIsNotedAtStart() async throws {
        let har = """
            {"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [{
             "startedDateTime": "2026-01-01T00:00:00Z", "time": 1, "request": {"method": "GET", "url": "http://a/",
             "httpVersion": "HTTP/1.1", "headers": [], "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0},
             "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [],
             "headers": [{"name": "Content-Type", "value": "text/html"}], "redirectURL": "", "headersSize": -1,
             "bodySize": 1, "content": {"size": 1, "mimeType": "text/html", "text": "a"}}, "cache": {},
             "timings": {"send": 0, "wait": 1, "receive": 0}}]}}
            """
        let folder = try TemporaryFolder(["a.har": har])
        let pages = "this server may serve pages from recordings or other servers"
        for (arguments, reason) in [
            ([], pages), (["--admin-strict"], "of --admin-strict"),
            (["--admin-token", "t"], nil), (["--no-admin"], nil),
        ] {
            let server = try MockServerProcess([folder.path, "--port", "0", "--quiet"] + arguments)
            _ = try await server.port()
            server.signal(SIGTERM)
            let note = reason.map { "note: browsers can't use the admin API, because \($0); to allow" }
            let errors = try await server.result().errors
            #expect(errors.contains(note ?? "browsers can't use") == (note != nil))
        }
    }

    /// A terminal obeys control characters, so a name could hide or forge what the tool says.
    @Test func controlCharactersOfNamesReachNoTerminal() async throws {
        let name = "a\u{1B}]0;title\u{07}\u{9B}2J\nmockserver listening"
        let folder = try TemporaryFolder(["\(name).get.txt": "a", "mappings/\(name).json": "{\"request\": {}}"])
        let server = try MockServerProcess([folder.path, "--port", "0", "--verbose"])
        let port = try await server.port()
        try await get("/x", port: port)
        var texts = [try await server.errors(containing: "GET /x  ")]
        let commands = [
            ["requests"], ["explain", "GET", "/x", "--server", "http://127.0.0.1:\(port)"], ["check", folder.path],
            ["routes", folder.path], ["routes", folder.path, "--json"], ["explain", "GET", "/x", folder.path],
            ["requests", "--json"],
        ]
        for command in commands {
            let result = try await MockServerProcess(
                command,
                environment: command[0] == "requests" ? ["MOCKSERVER_SERVER": "http://127.0.0.1:\(port)"] : [:]
            )
            .result()
            texts.append(result.output + result.errors)
        }
        server.signal(SIGTERM)
        let broken = try TemporaryFolder(["\(name).cassette.json": "{\"\u{1B}\u{9B}\": 1}"])
        for command in ["check", "serve"] {
            let result = try await MockServerProcess(
                [command, broken.path, "--port", "0"].filter { command == "serve" || !$0.contains("port") && $0 != "0" }
            )
            .result()
            #expect(result.status == 1)
            texts.append(result.output + result.errors)
        }
        for text in texts {
            #expect(
                !text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control },
                "\(text)"
            )
            #expect(!text.contains("\nmockserver listening"), "\(text)")
        }
        #expect(texts.contains { $0.contains(#"a\x1B]0;title\x07\xC2\x9B2J\nmockserver listening"#) })
    }

    @Test func explainAsksServerOrReadsFiles() async throws {
        let result = try await MockServerProcess.run("explain", "GET", "/a", "x", "--server", "http://127.0.0.1:1")
        #expect(result.status == 64)
        #expect(result.errors.contains("expected --server or folders and files with fixtures, found both"))
    }
}
