// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseIO
import RepriseTestSupport
import Testing

/// `mockserver record`, `serve --unmatched-to`, and HTTPS as a user runs them.
@Suite struct RecordCommandTests {
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "reprise-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await body(folder.path)
    }

    /// A server that answers with the request's path in a header field.
    private func upstream(tls: TLSContext? = nil) async throws -> ScriptedServer {
        try await ScriptedServer.start(tls: tls) { connection in
            while true {
                let path = try await connection.read(until: "\r\n\r\n").text.split(separator: " ")[1]
                try await connection.send("HTTP/1.1 200 OK\r\nx-Path: \(path)\r\nContent-Length: 2\r\n\r\nok")
            }
        }
    }

    private func get(_ path: String, port: Int) async throws -> String {
        let client = try await RawClient.connect(port: port)
        try await client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let head = try await client.read(until: "\r\n\r\n").text
        guard let line = head.split(separator: "\r\n").first(where: { $0.hasPrefix("Content-Length: ") }),
            let length = Int(line.dropFirst(16))
        else { return head }
        return head + (try await client.read(count: length).text)
    }

    @Test func recordsCassetteThatReplaysAnswer() async throws {
        try await withFolder { folder in
            let upstream = try await upstream()
            let cassette = folder + "/api.cassette.json"
            let url = "http://127.0.0.1:\(upstream.port)"
            let proxy = try MockServerProcess(["record", url, "--out", cassette, "--port", "0"])
            let port = try await proxy.port()
            let answer = "HTTP/1.1 200 OK\r\nx-Path: /a?b=c\r\nContent-Length: 2\r\n\r\nok"
            #expect(try await get("/a?b=c", port: port) == answer)
            proxy.signal(SIGINT)
            let result = try await proxy.result()
            #expect(result.status == 0)
            #expect(
                result.output == """
                    mockserver listening on http://127.0.0.1:\(port) (recording \(url) into \(cassette))
                    recorded 1 exchange into \(cassette)

                    """
            )
            #expect(result.errors.contains("\n200 GET /a?b=c  \(url)  "))

            let server = try MockServerProcess([cassette, "--port", "0", "--quiet"])
            #expect(try await get("/a?b=c", port: try await server.port()) == answer)
            server.signal(SIGTERM)
            #expect(try await server.result().status == 0)
        }
    }

    @Test func reachesUpstreamThroughProxyAndLetsPagesRead() async throws {
        try await withFolder { folder in
            let proxy = try await upstream()
            let url = "http://api.example.test"
            let recorder = try MockServerProcess(
                ["record", url, "--out", folder + "/api.cassette.json", "--port", "0", "--cors"]
                    + ["--upstream-proxy", "http://user:password@127.0.0.1:\(proxy.port)"]
            )
            let client = try await RawClient.connect(port: try await recorder.port())
            try await client.send("GET /a HTTP/1.1\r\nHost: localhost\r\nOrigin: http://page.test\r\n\r\n")
            let head = try await client.read(until: "\r\n\r\n").text
            // The proxy gets the absolute form.
            #expect(head.contains("\r\nx-Path: http://api.example.test/a\r\n"))
            #expect(head.contains("\r\nAccess-Control-Allow-Origin: http://page.test\r\n"))
            recorder.signal(SIGINT)
            #expect(try await recorder.result().status == 0)
            let cassette = try String(contentsOfFile: folder + "/api.cassette.json", encoding: .utf8)
            #expect(cassette.contains("\"\(url)/a\""))
            #expect(!cassette.contains("Proxy-Authorization") && !cassette.contains("Access-Control"))
        }
    }

    @Test(arguments: [
        (["--upstream-key", "key.pem"], "--upstream-key: expected --upstream-cert, found none"),
        (["--upstream-proxy", "socks5://a"], "--upstream-proxy: expected http:// or https://, found socks5://"),
    ])
    func refusesUnusableUpstreamOptions(options: [String], message: String) async throws {
        let result = try await MockServerProcess(["record", "https://a.test", "--out", "a.cassette.json"] + options)
            .result()
        #expect(result.status == 64)
        #expect(result.errors.contains(message))
    }

    @Test func certificateIsNotForAllHosts() async throws {
        try await withFolder { folder in
            try Data("-".utf8).write(to: URL(filePath: folder + "/c.pem"))
            let result = try await MockServerProcess(
                ["record", "--proxy", "--out", folder + "/a.cassette.json", "--upstream-cert", folder + "/c.pem"]
            ).result()
            #expect(result.status == 64)
            #expect(result.errors.contains("--upstream-cert: expected --only-host with --proxy"))
        }
    }

    @Test func readsOptionsFromEnvironment() async throws {
        try await withFolder { folder in
            let authority = try CertificateAuthority()
            let context = try TLSContext(server: TLSServerConfiguration(authority.identity(for: ["localhost"])))
            let upstream = try await upstream(tls: context)
            try Data(authority.certificate).write(to: URL(filePath: folder + "/ca.pem"))
            let proxy = try MockServerProcess(
                ["record"],
                environment: [
                    "MOCKSERVER_UPSTREAM": "https://localhost:\(upstream.port)", "MOCKSERVER_PORT": "0",
                    "MOCKSERVER_OUT": folder + "/api.cassette.json", "MOCKSERVER_MODE": "overwrite",
                    "MOCKSERVER_UPSTREAM_CA": folder + "/ca.pem", "MOCKSERVER_QUIET": "1",
                ]
            )
            #expect(try await get("/a", port: try await proxy.port()).hasSuffix("\r\n\r\nok"))
            proxy.signal(SIGTERM)
            let result = try await proxy.result()
            #expect(result.status == 0)
            #expect(!result.errors.contains("GET /a"))
        }
    }

    @Test func reportsUntrustedUpstreamUnlessInsecure() async throws {
        try await withFolder { folder in
            let context = try TLSContext(
                server: TLSServerConfiguration(CertificateAuthority().identity(for: ["localhost"]))
            )
            let upstream = try await upstream(tls: context)
            let url = "https://localhost:\(upstream.port)"
            let arguments = ["record", url, "--out", folder + "/a.cassette.json", "--port", "0"]
            let careful = try MockServerProcess(arguments)
            let answer = try await get("/a", port: try await careful.port())
            #expect(answer.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
            #expect(answer.contains("no trusted certificate leads to the certificate of localhost"))
            #expect(answer.contains("; --upstream-ca FILE (trust in code) adds trusted certificates, and --insecure "))
            _ = try await get("/b", port: try await careful.port())
            careful.signal(SIGTERM)
            // The reason is logged with the first request, and once in the note on all of them.
            #expect(try await careful.result().errors.components(separatedBy: "no trusted certificate").count - 1 <= 2)

            let careless = try MockServerProcess(arguments + ["--insecure"])
            #expect(try await get("/a", port: try await careless.port()).hasSuffix("\r\n\r\nok"))
            careless.signal(SIGTERM)
            let warning = "warning: --insecure disables certificate verification"
            #expect(try await careless.result().errors.hasPrefix(warning))
        }
    }

    @Test func modeOnceReplaysExistingRecording() async throws {
        try await withFolder { folder in
            let upstream = try await upstream()
            let cassette = folder + "/a.cassette.json"
            let arguments = [
                "record", "http://127.0.0.1:\(upstream.port)", "--out", cassette, "--port", "0", "--mode", "once",
            ]
            for _ in 0..<2 {
                let proxy = try MockServerProcess(arguments)
                #expect(try await get("/a", port: try await proxy.port()).hasSuffix("\r\n\r\nok"))
                proxy.signal(SIGTERM)
                #expect(try await proxy.result().status == 0)
            }
            #expect(upstream.acceptedConnections == 1)
        }
    }

    /// A cassette without exchanges would be replayed by the next run.
    @Test(arguments: ["once", "append", "overwrite"])
    func createsNoCassetteIfNothingWasRecorded(mode: String) async throws {
        try await withFolder { folder in
            let upstream = try await upstream()
            let cassette = folder + "/a.cassette.json"
            func record(_ port: Int) async throws -> (answer: String, result: MockServerProcess.Result) {
                let arguments = [
                    "record", "http://127.0.0.1:\(port)", "--out", cassette, "--port", "0", "--mode", mode,
                ]
                let proxy = try MockServerProcess(arguments)
                let answer = try await get("/a", port: try await proxy.port())
                proxy.signal(SIGTERM)
                return (answer, try await proxy.result())
            }
            let (refused, dead) = try await record(1)
            #expect(refused.hasPrefix("HTTP/1.1 502 "))
            #expect(dead.status == 1)
            #expect(dead.errors.contains("note: nothing was recorded; \(cassette) was not created"))
            #expect(!dead.output.contains("recorded 0"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            // Earlier versions left a cassette without exchanges.
            let empty = "{\n  \"reprise\": 1,\n  \"exchanges\": []\n}\n"
            try Data(empty.utf8).write(to: URL(filePath: cassette))
            let (answer, alive) = try await record(upstream.port)
            #expect(answer.hasSuffix("\r\n\r\nok"))
            #expect(alive.status == 0)
            #expect(alive.output.contains("recorded 1 exchange into"))
        }
    }

    /// The recorder notices it at the next exchange, and the cassette is written nevertheless.
    @Test func reportsRemovedFolderWhileRecording() async throws {
        try await withFolder { folder in
            let upstream = try await upstream()
            let cassette = folder + "/out/a.cassette.json"
            let proxy = try MockServerProcess(
                ["record", "http://127.0.0.1:\(upstream.port)", "--out", cassette, "--port", "0", "--quiet"]
            )
            let port = try await proxy.port()
            _ = try await get("/a", port: port)
            try FileManager.default.removeItem(atPath: folder + "/out")
            for path in ["/b", "/c"] { _ = try await get(path, port: port) }
            let sentence = "error: \(cassette).recording-log: the recording log was removed or replaced"
            _ = try await proxy.errors(containing: sentence)
            proxy.signal(SIGTERM)
            let result = try await proxy.result()
            #expect(result.status == 0)
            #expect(result.errors.components(separatedBy: sentence).count == 2)
            #expect(result.output.hasSuffix("recorded 3 exchanges into \(cassette)\n"))
            let check = try await MockServerProcess.run("check", cassette)
            #expect(check.output == "3 fixtures, no problems\n")
        }
    }

    /// Writing fails as on a full disk.
    @Test func stoppingOverAPIReportsLostExchanges() async throws {
        try await withFolder { folder in
            let upstream = try await upstream()
            let server = try MockServerProcess([folder, "--port", "0", "--quiet"], fileSize: 0)
            let port = try await server.port()
            func call(_ method: String, _ path: String, _ body: String = "") async throws -> String {
                let client = try await RawClient.connect(port: port)
                try await client.send(
                    "\(method) /__admin/\(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                return try await client.readToEnd().text
            }
            let target = #"{"targetBaseUrl": "http://127.0.0.1:\#(upstream.port)"}"#
            #expect(try await call("POST", "recordings/start", target).hasPrefix("HTTP/1.1 200 "))
            #expect(try await get("/a", port: port).hasSuffix("\r\n\r\nok"))
            let stop = try await call("POST", "recordings/stop")
            #expect(stop.hasPrefix("HTTP/1.1 409 "))
            #expect(stop.contains("exchanges lost: 1"))
            // It is over, because another attempt could not find the exchange either.
            #expect(try await call("GET", "recordings/status").contains("Stopped"))
            server.signal(SIGTERM)
            #expect(try await server.result().status == 0)
        }
    }

    @Test func recordingOfItselfDoesNotStart() async throws {
        try await withFolder { folder in
            let port = "\(try await upstream().port)"
            for url in ["http://127.0.0.1:\(port)", "http://localhost:\(port)/base", "http://0.0.0.0:\(port)"] {
                let result = try await MockServerProcess.run(
                    "record",
                    url,
                    "--out",
                    folder + "/a.cassette.json",
                    "--port",
                    port
                )
                #expect(result.status == 1)
                #expect(result.errors.hasPrefix("expected another server as the upstream, found this one at \(url); "))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test func rerecordsOnlySelectedExchange() async throws {
        try await withFolder { folder in
            let cassette = folder + "/a.cassette.json"
            let first = try await upstream()
            for (arguments, paths) in [([], ["/a", "/b"]), (["--only", "GET /a"], ["/b", "/a"])] {
                let proxy = try MockServerProcess(
                    ["record", "http://127.0.0.1:\(first.port)", "--out", cassette, "--port", "0"] + arguments
                )
                let port = try await proxy.port()
                for path in paths { #expect(try await get(path, port: port).hasSuffix("\r\n\r\nok")) }
                proxy.signal(SIGTERM)
                let result = try await proxy.result()
                #expect(result.status == 0)
                #expect(result.output.contains("recorded \(arguments.isEmpty ? "2 exchanges" : "1 exchange") into"))
            }
            let check = try await MockServerProcess.run("check", cassette)
            #expect(check.output == "2 fixtures, no problems\n")
        }
    }

    @Test func appliesRedactionFileNextToCassette() async throws {
        try await withFolder { folder in
            let upstream = try await ScriptedServer.start { connection in
                try await connection.read(until: "\r\n\r\n")
                try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
            }
            let cassette = folder + "/a.cassette.json"
            try Data("redact:\n  names: [shoe size]\n".utf8).write(to: URL(filePath: folder + "/reprise.yaml"))
            let arguments = ["record", "http://127.0.0.1:\(upstream.port)", "--out", cassette, "--port", "0"]
            let proxy = try MockServerProcess(arguments)
            _ = try await get("/a?shoe_size=fortytwo&password=hunter2", port: try await proxy.port())
            proxy.signal(SIGTERM)
            let result = try await proxy.result()
            #expect(result.status == 0)
            #expect(result.errors.contains("GET /a?shoe_size=[redacted]&password=[redacted]"), "\(result.errors)")
            let text = try String(contentsOfFile: cassette, encoding: .utf8)
            #expect(!text.contains("fortytwo"))
            #expect(!text.contains("hunter2"))

            try Data("redact: 5\n".utf8).write(to: URL(filePath: folder + "/reprise.yaml"))
            let broken = try await MockServerProcess(arguments).result()
            #expect(broken.status == 1)
            #expect(broken.errors.contains("\(folder)/reprise.yaml:1:"))
        }
    }

    @Test func servesFixturesAndRecordsUnmatchedRequests() async throws {
        try await withFolder { folder in
            let upstream = try await upstream()
            try Data("known".utf8).write(to: URL(filePath: folder + "/a.get.txt"))
            let cassette = folder + "/rest.cassette.json"
            let server = try MockServerProcess([
                folder, "--port", "0", "--unmatched-to", "http://127.0.0.1:\(upstream.port)", "--record", cassette,
            ])
            let port = try await server.port()
            #expect(try await get("/a", port: port).hasSuffix("\r\n\r\nknown"))
            #expect(try await get("/b", port: port).hasSuffix("\r\n\r\nok"))
            server.signal(SIGTERM)
            let result = try await server.result()
            #expect(result.status == 0)
            #expect(result.output.hasSuffix("recorded 1 exchange into \(cassette)\n"))
            let check = try await MockServerProcess.run("check", folder)
            #expect(check.output == "2 fixtures, no problems\n")
        }
    }

    @Test(arguments: [
        (["record"], "expected the upstream server's URL"),
        (["record", "http://x"], "--out: expected the cassette to write"),
        (["record", "ftp://x", "--out", "a.cassette.json"], "upstream: expected the upstream server's URL"),
        (["record", "http://x", "--out", "a.json"], "--out: expected a file whose name ends in .cassette.json"),
        (
            ["record", "http://x", "--out", "a.cassette.json", "--mode", "x"],
            "--mode: expected append, once, or overwrite"
        ),
        (["record", "http://x", "--out", "a.cassette.json", "--only", "x"], "--only: expected a method and a path"),
        (["serve", ".", "--record", "a.cassette.json"], "--record: expected --unmatched-to or --proxy, found neither"),
        (["serve", ".", "--cert", "a.pem"], "--cert: expected --key, found none"),
        (["serve", ".", "--key", "a.pem"], "--key: expected --cert, found none"),
    ])
    func reportsExpectedArguments(arguments: [String], reason: String) async throws {
        let process = try MockServerProcess(arguments)
        let result = try await process.result()
        #expect(result.status == 64)
        #expect(result.errors.contains(reason), "\(result.errors)")
    }

    @Test func servesHTTPSTrustedByHealthCheck() async throws {
        try await withFolder { folder in
            try Data("a".utf8).write(to: URL(filePath: folder + "/a.get.txt"))
            let authority = folder + "/_ca"
            let server = try MockServerProcess([folder, "--port", "0", "--quiet", "--tls-folder", authority])
            let port = String(try await server.port())
            let trusting = try await MockServerProcess.run("health", "--port", port, "--tls-ca", authority + "/ca.pem")
            #expect(trusting.output == "healthy: HTTP/1.1 204 No Content\n")
            #expect(try await MockServerProcess.run("health", "--port", port, "--tls").status == 0)
            let plain = try await MockServerProcess.run("health", "--port", port)
            #expect(plain.status == 1)
            #expect(plain.errors.contains("pass --tls"))
            let other = try CertificateAuthority().certificate
            try Data(other).write(to: URL(filePath: folder + "/_other.pem"))
            let wary = try await MockServerProcess.run("health", "--port", port, "--tls-ca", folder + "/_other.pem")
            #expect(wary.status == 1)
            #expect(wary.errors.contains("no trusted certificate leads to the certificate of 127.0.0.1"))
            server.signal(SIGTERM)
            let result = try await server.result()
            let url = "https://127.0.0.1:\(port)"
            #expect(
                result.output == """
                    mockserver listening on \(url) (1 fixture from \(folder))
                    to trust its certificate, run: curl --cacert \(authority)/ca.pem \(url)/

                    """
            )
        }
    }
}
