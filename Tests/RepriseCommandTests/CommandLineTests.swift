// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

/// The command-line tool as a user runs it.
@Suite struct CommandLineTests {
    /// The folder that the README serves.
    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures").path

    private func withFolder(_ files: [String: String], _ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "reprise-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, content) in files {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(content.utf8).write(to: file)
        }
        try await body(folder.path)
    }

    private func get(_ path: String, port: Int) async throws -> String {
        let client = try await RawClient.connect(port: port)
        try await client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return try await client.readToEnd().text
    }

    @Test func servesFolderUntilTerminated() async throws {
        try await withFolder(["users/42.get.json": #"{"id": 42}"#]) { folder in
            let server = try MockServerProcess([folder, "--port", "0"])
            let port = try await server.port()
            #expect(try await get("/users/42", port: port).hasSuffix("\r\n\r\n{\"id\": 42}"))
            _ = try await server.errors(containing: "GET /users/42")
            server.signal(SIGTERM)
            let result = try await server.result()
            #expect(result.status == 0)
            #expect(result.output == "mockserver listening on http://127.0.0.1:\(port) (1 fixture from \(folder))\n")
            #expect(result.errors.hasPrefix("200 GET /users/42  "))
            #expect(result.errors.contains("users/42.get.json"))
        }
    }

    @Test func readsOptionsFromEnvironment() async throws {
        try await withFolder(["a.get.txt": "a"]) { folder in
            let portFile = folder + "/_port"
            let environment = ["MOCKSERVER_PORT": "0", "MOCKSERVER_QUIET": "1", "MOCKSERVER_PORT_FILE": portFile]
            let server = try MockServerProcess(["serve", folder], environment: environment)
            let port = try await server.port()
            #expect(try String(contentsOfFile: portFile, encoding: .utf8) == "\(port)\n")
            _ = try await get("/a", port: port)
            server.signal(SIGINT)
            let result = try await server.result()
            #expect(result.status == 0)
            #expect(result.errors.isEmpty)
        }
    }

    @Test func servesStaticFilesWithoutFixtures() async throws {
        try await withFolder(["index.html": "home", "a.txt": "a"]) { folder in
            let server = try MockServerProcess(["--static", folder, "--port", "0"])
            let port = try await server.port()
            #expect(try await get("/", port: port).hasSuffix("\r\n\r\nhome"))
            server.signal(SIGTERM)
            let result = try await server.result()
            #expect(
                result.output == "mockserver listening on http://127.0.0.1:\(port) (static files from \(folder))\n"
            )
            #expect(result.errors.hasPrefix("200 GET /  \(folder)/index.html  "))
        }
    }

    @Test func servesFixturesBeforeStaticFiles() async throws {
        try await withFolder(["fixtures/a.txt.get": "fixture", "site/a.txt": "file", "site/b.txt": "file"]) { folder in
            let environment = ["MOCKSERVER_STATIC": "\(folder)/site", "MOCKSERVER_PORT": "0"]
            let server = try MockServerProcess(["\(folder)/fixtures"], environment: environment)
            let port = try await server.port()
            #expect(try await get("/a.txt", port: port).hasSuffix("\r\n\r\nfixture"))
            #expect(try await get("/b.txt", port: port).hasSuffix("\r\n\r\nfile"))
            server.signal(SIGTERM)
            let line = "(1 fixture from \(folder)/fixtures, static files from \(folder)/site)\n"
            #expect(try await server.result().output.hasSuffix(line))
        }
    }

    @Test func explainAndRoutesIncludeStaticFiles() async throws {
        try await withFolder(["a.get.txt": "a", "site/b.txt": "b"]) { folder in
            let options = ["--static", "\(folder)/site", folder]
            let found = try await MockServerProcess(["explain", "GET", "/b.txt?x=1"] + options).result()
            #expect(found.status == 0)
            let line = "No fixture answers this request, but the static file \(folder)/site/b.txt does.\n"
            #expect(found.output.contains(line))
            let missing = try await MockServerProcess(["explain", "POST", "/b.txt"] + options).result()
            #expect(missing.status == 1 && missing.output.contains("404"))
            let routes = try await MockServerProcess(["routes"] + options).result()
            #expect(routes.output.hasSuffix("GET and HEAD without a fixture: static files from \(folder)/site\n"))
        }
    }

    @Test func rejectsMissingStaticFolder() async throws {
        let result = try await MockServerProcess.run("--static", "/nowhere/at-all", "--port", "0")
        #expect(result.status == 1)
        #expect(result.errors.contains("/nowhere/at-all: expected a folder, found nothing; create it\n"))
    }

    @Test func notesBackupsAndSharedRoutes() async throws {
        try await withFolder(["a.get.json": "{}", "a.get.txt": "", "a.get.json~": ""]) { folder in
            let check = try await MockServerProcess.run("check", folder)
            #expect(check.status == 0)
            let server = try MockServerProcess([folder, "--port", "0"])
            _ = try await server.port()
            server.signal(SIGTERM)
            for errors in [check.errors, try await server.result().errors] {
                #expect(errors.contains("note: \(folder)/a.get.json~: not served, because a name that ends in '~' "))
                #expect(errors.contains("note: \(folder)/a.get.txt: answers GET /a, like \(folder)/a.get.json, "))
            }
        }
    }

    @Test func checkReportsProblemsOfHeadersFiles() async throws {
        try await withFolder(["a.get.302": "", "a.get.302.headers": "Location: /b\nContent-Length: 0\n"]) { folder in
            let check = try await MockServerProcess.run("check", folder)
            #expect(check.status == 1)
            #expect(check.output.contains("\(folder)/a.get.302.headers:2:1: expected no Content-Length line, "))
        }
    }

    @Test func errorNamesInvalidVariable() async throws {
        let result = try await MockServerProcess.run("serve", "x", environment: ["MOCKSERVER_PORT": "eighty"])
        #expect(result.status == 64)
        #expect(result.errors.contains("MOCKSERVER_PORT"))
        #expect(result.errors.contains("eighty"))
    }

    @Test func exitsWith64OnUsageError() async throws {
        #expect(try await MockServerProcess.run("serve", "x", "--pace", "fast").status == 64)
        #expect(try await MockServerProcess.run("--no-admin").status == 64)
        #expect(try await MockServerProcess.run("serve", "x", "--threads", "0").status == 64)
    }

    @Test func treatsSimultaneousSignalsAsOne() async throws {
        try await withFolder(["a.get.txt": "a"]) { folder in
            let server = try MockServerProcess([folder, "--port", "0", "--quiet"])
            let port = try await server.port()
            let client = try await RawClient.connect(port: port)
            try await client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try await client.read(until: "\r\n\r\na")
            server.signal(SIGTERM)
            server.signal(SIGINT)
            #expect(try await server.result().status == 0)
        }
    }

    @Test func reloadsOnSIGHUP() async throws {
        try await withFolder(["a.get.txt": "old"]) { folder in
            let server = try MockServerProcess([folder, "--port", "0"])
            let port = try await server.port()
            #expect(try await get("/a", port: port).hasSuffix("old"))
            try Data("new".utf8).write(to: URL(filePath: folder + "/a.get.txt"))
            server.signal(SIGHUP)
            _ = try await server.errors(containing: "reloaded 1 fixture")
            #expect(try await get("/a", port: port).hasSuffix("new"))
            try Data("{".utf8).write(to: URL(filePath: folder + "/b.cassette.json"))
            server.signal(SIGHUP)
            let errors = try await server.errors(containing: "not reloaded")
            #expect(errors.contains("b.cassette.json:1:2: "))
            #expect(try await get("/a", port: port).hasSuffix("new"))
            server.signal(SIGTERM)
            #expect(try await server.result().status == 0)
        }
    }

    /// A storm of signals must neither queue up reloads nor hold up the end.
    @Test func pendingReloadsBecomeOneAndDoNotDelayStop() async throws {
        let files = (1...1000).map { ("\($0).get.txt", "\($0)") }
        try await withFolder(Dictionary(files) { $1 }) { folder in
            let server = try MockServerProcess([folder, "--port", "0"])
            let port = try await server.port()
            for number in 1...60 {
                server.signal(SIGHUP)
                #expect(try await get("/\(number)", port: port).hasSuffix("\(number)"))
            }
            server.signal(SIGTERM)
            let result = try await server.result()
            #expect(result.status == 0)
            let reloads = result.errors.split(separator: "\n").count { $0.hasPrefix("reloaded 1000 fixtures") }
            #expect(reloads < 30)
            #expect(!result.errors.contains("not reloaded"))
        }
    }

    @Test func reloadsWatchedFiles() async throws {
        try await withFolder(["a.get.txt": "old"]) { folder in
            let server = try MockServerProcess([folder, "--port", "0", "--watch"])
            let port = try await server.port()
            try Data("new".utf8).write(to: URL(filePath: folder + "/a.get.txt"), options: .atomic)
            _ = try await server.errors(containing: "reloaded 1 fixture")
            #expect(try await get("/a", port: port).hasSuffix("new"))
            try Data("{".utf8).write(to: URL(filePath: folder + "/b.cassette.json"), options: .atomic)
            let errors = try await server.errors(containing: "previous fixtures stay in use; fix the problems\n")
            #expect(errors.contains("b.cassette.json:1:2: "))
            #expect(try await get("/a", port: port).hasSuffix("new"))
            server.signal(SIGTERM)
            #expect(try await server.result().status == 0)
        }
    }

    @Test func startsEmptyIfStubsCanBeAdded() async throws {
        try await withFolder([:]) { folder in
            let server = try MockServerProcess([folder, "--port", "0", "--quiet"])
            let port = try await server.port()
            let note = try await server.errors(containing: "send SIGHUP\n")
            #expect(
                note.hasPrefix("note: nothing to serve yet; POST a stub mapping to http://127.0.0.1:\(port)/__admin")
            )
            try Data("new".utf8).write(to: URL(filePath: folder + "/a.get.txt"))
            server.signal(SIGHUP)
            _ = try await server.errors(containing: "reloaded 1 fixture")
            server.signal(SIGTERM)
            #expect(try await server.result().status == 0)
            let refused = try await MockServerProcess.run(folder + "/none", "--no-admin")
            #expect(refused.status == 1)
        }
    }

    @Test func startsWithoutPathsIfStubsCanBeAdded() async throws {
        let server = try MockServerProcess(["--port", "0", "--quiet"])
        _ = try await server.port()
        #expect(try await server.errors(containing: "\n").contains("/__admin/mappings, or start with a folder"))
        server.signal(SIGTERM)
        #expect(try await server.result().status == 0)
    }

    @Test func emptyFolderIsRefusedWithoutAdminAPI() async throws {
        try await withFolder([:]) { folder in
            let result = try await MockServerProcess.run(folder, "--no-admin")
            #expect(result.status == 1)
            #expect(result.errors.contains("expected fixtures in this folder, found none"))
        }
    }

    @Test func printsVersion() async throws {
        let result = try await MockServerProcess.run("--version")
        #expect(result.status == 0)
        #expect(result.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
    }

    @Test(arguments: ["stop", "reset", "requests", "explain"])
    func commandsNameServerThatCannotBeReached(_ command: String) async throws {
        let request = command == "explain" ? ["GET", "/x"] : []
        let arguments = [command] + request + ["--server", "http://127.0.0.1:1"]
        let result = try await MockServerProcess(arguments).result()
        #expect(result.status == 1)
        #expect(result.errors.hasPrefix("cannot reach http://127.0.0.1:1: "))
        #expect(result.errors.contains("connection refused; start a server, or pass --server URL"))
    }

    @Test(arguments: ["127.0.0.1:8080", "ftp://x", "http://", "http://x/path", "http://user@x"])
    func commandsRejectInvalidServer(_ url: String) async throws {
        let result = try await MockServerProcess.run("reset", "--server", url)
        #expect(result.status == 64)
        #expect(result.errors.contains("--server: expected a URL such as http://127.0.0.1:8080, found '\(url)'"))
    }

    @Test func reportsPortInUse() async throws {
        try await withFolder(["a.get.txt": "a"]) { folder in
            let server = try MockServerProcess([folder, "--port", "0", "--quiet"])
            let port = try await server.port()
            for threads in ["1", "2"] {
                let second = try await MockServerProcess.run(folder, "--port", "\(port)", "--threads", threads)
                #expect(second.status == 1)
                #expect(second.errors.contains("port \(port)"))
                #expect(second.errors.contains("is in use by another process"))
                #expect(second.output.isEmpty)
            }
            server.signal(SIGTERM)
            #expect(try await server.result().status == 0)
        }
    }

    @Test func reportsUnwritablePortFile() async throws {
        try await withFolder(["a.get.txt": "a"]) { folder in
            let file = folder + "/nowhere/port"
            let result = try await MockServerProcess.run(folder, "--port", "0", "--port-file", file)
            #expect(result.status == 1)
            #expect(result.errors == "cannot write the port file \(file): no such file or directory\n")
        }
    }

    /// Something other than a regular file stays what it is, and gets the port.
    @Test func writesPortIntoFIFOAndTargetOfLink() async throws {
        let folder = try TemporaryFolder(["a.get.txt": "a", "_target": "an older and longer line\n"])
        try folder.pipe("_pipe")
        try folder.link("_link", to: "_target")
        try folder.link("_dangling", to: "_new")
        try folder.link("_device", to: "/dev/null")
        for (name, content) in [("_pipe", "_pipe"), ("_link", "_target"), ("_dangling", "_new"), ("_device", nil)] {
            let file = "\(folder.path)/\(name)"
            let kind = try FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType
            let server = try MockServerProcess([folder.path, "--port", "0", "--quiet", "--port-file", file])
            let port = try await server.port()
            if let content {
                let read = FileHandle(forReadingAtPath: "\(folder.path)/\(content)")?.readDataToEndOfFile()
                #expect(read == Data("\(port)\n".utf8), "\(name)")
            }
            server.signal(SIGTERM)
            #expect(try await server.result().status == 0)
            #expect(
                try FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType == kind,
                "\(name)"
            )
        }
        let refused = try await MockServerProcess.run(folder.path, "--port", "0", "--port-file", folder.path)
        #expect(refused.status == 1)
        #expect(refused.errors == "cannot write the port file \(folder.path): is a directory\n")
    }

    @Test func warnsAboutNonLoopbackHostOnlyOnceListening() async throws {
        try await withFolder(["a.get.txt": "a"]) { folder in
            let failed = try await MockServerProcess.run(folder, "--port", "0", "--host", "256.1.1.1")
            #expect(failed.status == 1)
            #expect(!failed.errors.contains("warning"))
            let server = try MockServerProcess([folder, "--port", "0", "--host", "0.0.0.0"])
            _ = try await server.errors(containing: "warning: 0.0.0.0 is not a loopback address")
        }
    }

    @Test func exitsImmediatelyOnLaterSecondSignal() async throws {
        let chunks = String(repeating: #"{"after": 100, "text": "x"}, "#, count: 100)
        let cassette = """
            {"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "/"}, "response": {"status": "200 OK",
             "headers": ["Transfer-Encoding: chunked"], "stream": [\(chunks){"after": 60000, "end": "complete"}]}}]}
            """
        try await withFolder(["a.cassette.json": cassette]) { folder in
            let server = try MockServerProcess([folder, "--port", "0"])
            let client = try await RawClient.connect(port: try await server.port())
            try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await client.read(until: "\r\n\r\n")
            // Signals in quick succession count as one. The response would take a minute; the server waits five
            // seconds.
            server.signalUntilExit(SIGINT)
            #expect(try await server.result().status == 130)
        }
    }

    @Test func reportsAllBrokenFixtures() async throws {
        let files = ["a.cassette.json": "{", "b.cassette.json": "[]", "c.har": "nothing", "d.stub.json": "[]"]
        try await withFolder(files) { folder in
            for command in [["check", folder], [folder, "--port", "0"]] {
                let result = try await MockServerProcess(command).result()
                #expect(result.status == 1)
                let text = result.output + result.errors
                for name in files.keys { #expect(text.contains("\(name):")) }
            }
        }
    }

    @Test func checksFolder() async throws {
        let result = try await MockServerProcess.run("check", Self.fixtures)
        #expect(result.status == 0)
        #expect(result.output.contains("no problems"))
    }

    @Test func findsSecretsWithoutPrintingThem() async throws {
        let secret = "sk-abcdEFGH1234ijklMNOP"
        try await withFolder(["a.get.txt": "key\n\(secret)"]) { folder in
            let result = try await MockServerProcess.run("check", folder)
            #expect(result.status == 1)
            #expect(
                result.output.contains("a.get.txt:2:1: expected no secret, found a key of a language model's API in")
            )
            #expect(!(result.output + result.errors).contains(secret.dropFirst(4)))
        }
    }

    @Test func countsSingleFixture() async throws {
        try await withFolder(["a.get.txt": "a"]) { folder in
            let result = try await MockServerProcess.run("check", folder)
            #expect(result.output == "1 fixture, no problems\n")
        }
    }

    @Test(arguments: [["record"], ["explain", "GET", "products", "x"], ["health", "--port", "x"], ["check"]])
    func printsUsageOfSubcommand(arguments: [String]) async throws {
        let result = try await MockServerProcess(arguments).result()
        #expect(result.status == 64)
        #expect(result.errors.contains("\nUsage: mockserver \(arguments[0]) "))
        #expect(result.errors.hasSuffix("  See 'mockserver \(arguments[0]) --help' for more information.\n"))
    }

    @Test func suggestsSlashForPathWithoutOne() async throws {
        let result = try await MockServerProcess.run("explain", "GET", "products", "x")
        let expected = "expected a URL, or a path that starts with a slash, found 'products'; write '/products'"
        #expect(result.errors.contains(expected))
    }

    /// `nohup` starts a program with SIGHUP ignored, and it must stay ignored.
    @Test func keepsSIGHUPIgnored() async throws {
        try await withFolder(["a.get.txt": "old"]) { folder in
            let server = try MockServerProcess([folder, "--port", "0"], ignoring: SIGHUP)
            let port = try await server.port()
            try Data("new".utf8).write(to: URL(filePath: folder + "/a.get.txt"))
            server.signal(SIGHUP)
            let answer = try await get("/a", port: port)
            #expect(answer.hasSuffix("old"))
            server.signal(SIGTERM)
            let errors = try await server.result().errors
            #expect(!errors.contains("reloaded"))
        }
    }

    @Test func explainsRequestWithoutServer() async throws {
        try await withFolder(["users/42.get.json": "{}", "users/{id}.get.json": "{}"]) { folder in
            let hit = try await MockServerProcess.run("explain", "GET", "/users/42", folder)
            #expect(hit.status == 0)
            #expect(hit.output.contains("users/42.get.json"))
            let miss = try await MockServerProcess.run("explain", "POST", "/users/42", folder)
            #expect(miss.status == 1)
            #expect(miss.output.contains("method: expected GET, found POST"))
            let variables = ["MOCKSERVER_PATHS": folder, "MOCKSERVER_HEADER": "Accept: */*\nno line"]
            let wrong = try await MockServerProcess.run("explain", "GET", "/", environment: variables)
            #expect(wrong.status == 64)
            #expect(wrong.errors.contains("MOCKSERVER_HEADER: expected 'Name: value', found 'no line'"))
        }
    }

    @Test func explainsStubs() async throws {
        let files = [
            "a.get.txt": "route", "b.get.txt": "route",
            "mappings/early.json": #"{"name": "early", "request": {"urlPath": "/a"}}"#,
            "mappings/first.json": #"{"name": "first", "priority": 1, "request": {"url": "/a?x=1"}}"#,
            "mappings/late.json":
                #"{"name": "late", "priority": 9, "request": {"method": "GET", "urlPattern": "/[bc]"}}"#,
        ]
        try await withFolder(files) { folder in
            func explain(_ method: String, _ url: String) async throws -> (status: Int32, text: String) {
                let result = try await MockServerProcess.run("explain", method, url, folder)
                return (Int32(result.status), result.output.replacing(folder + "/", with: ""))
            }
            let early = try await explain("GET", "/a?x=1")
            #expect(early.status == 0)
            #expect(
                early.text.hasPrefix(
                    """
                    GET /a?x=1

                    Answered by the stub 'first' (mappings/first.json:1:1).
                    Without it, a.get.txt would answer.

                    'first': ANY /a?x=1 (mappings/first.json:1)
                      answers
                      = url: /a?x=1

                    'early': ANY /a (mappings/early.json:1)
                      matches, but 'first' has the higher precedence: priority 1 before 5
                      = url: [path] /a

                    """
                )
            )
            let route = try await explain("GET", "/b")
            #expect(route.status == 0)
            #expect(route.text.contains("Answered by b.get.txt."))
            #expect(route.text.contains("matches, but its priority is 9, and a fixture answers before stubs above 5"))
            let late = try await explain("GET", "/c")
            #expect(late.status == 0)
            #expect(
                late.text.contains(
                    "No fixture answers this request, but the stub 'late' (mappings/late.json:1:1) does."
                )
            )
            let miss = try await explain("POST", "/c")
            #expect(miss.status == 1)
            #expect(miss.text.contains("No fixture or stub answers this request: 404."))
            #expect(miss.text.contains("x method: expected GET, found POST"))
        }
    }

    @Test func checkNotesStubsThatNeverAnswer() async throws {
        let files = [
            "mappings/a.json": #"{"request": {"url": "/a?x=1"}}"#,
            "mappings/b.json": #"{"request": {"urlPath": "/a"}}"#,
        ]
        try await withFolder(files) { folder in
            let check = try await MockServerProcess.run("check", folder)
            #expect(check.status == 0)
            #expect(check.errors.contains("note: \(folder)/mappings/a.json:1:1: never answers, because the stub at "))
        }
    }

    @Test func listsRoutes() async throws {
        try await withFolder(["users/{id}.get.json": "{}"]) { folder in
            let table = try await MockServerProcess.run("routes", folder)
            #expect(table.status == 0)
            #expect(table.output.contains("GET     /users/{id}  any   200     \(folder)/users/{id}.get.json\n"))
            let json = try await MockServerProcess.run("routes", "--json", folder)
            #expect(json.output.hasPrefix("[\n") && json.output.contains(#""path" : "/users/{id}""#))
            let server = try MockServerProcess([folder, "--port", "0", "--verbose"])
            _ = try await server.port()
            let errors = try await server.errors(containing: "METHOD")
            #expect(errors.contains("GET     /users/{id}"))
        }
    }

    @Test func reportsHealthOfServer() async throws {
        try await withFolder(["a.get.txt": "a"]) { folder in
            let server = try MockServerProcess([folder, "--port", "0", "--quiet"])
            let port = try await server.port()
            #expect(try await MockServerProcess.run("health", "--port", "\(port)").status == 0)
            server.signal(SIGTERM)
            _ = try await server.result()
            let unhealthy = try await MockServerProcess.run("health", "--port", "\(port)")
            #expect(unhealthy.status == 1)
            #expect(unhealthy.errors.contains("unhealthy: "))
        }
    }

    @Test func servesExampleFixtures() async throws {
        let server = try MockServerProcess([Self.fixtures, "--port", "0", "--quiet"])
        let port = try await server.port()
        #expect(try await get("/", port: port).contains("text/html"))
        #expect(try await get("/README", port: port).hasPrefix("HTTP/1.1 404"))
        server.signal(SIGTERM)
        #expect(try await server.result().status == 0)
    }
}
