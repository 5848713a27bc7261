// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

/// `mockserver cassette` as a user runs it.
@Suite struct CassetteCommandTests {
    private let secret = "q7Hd0pLx93Zb-kT4mWvN"

    private func exchange(_ path: String, _ header: String, text: String) -> String {
        """
        {"request": {"method": "GET", "url": "http://example.com\(path)", "headers": ["\(header)"]}, \
        "response": {"status": "200 OK", "headers": ["Content-Length: \(text.utf8.count)"], "body": {"text": "\(text)"}}}
        """
    }

    @Test func redactsCassetteOnce() async throws {
        let entries = [
            exchange("/a", "Accept: */*", text: "see \(secret)"),
            exchange("/b", "Authorization: Bearer \(secret)", text: "ok"),
        ]
        let text = "{\"reprise\": 1, \"exchanges\": [\n\(entries.joined(separator: ",\n"))\n]}\n"
        let folder = try TemporaryFolder(["a.cassette.json": text])
        let cassette = "\(folder.path)/a.cassette.json"
        let places = """
            \(cassette): entry 1, GET http://example.com/a: response body
            \(cassette): entry 2, GET http://example.com/b: request header Authorization

            """
        let preview = try await MockServerProcess.run("cassette", "redact", cassette, "--dry-run")
        #expect(preview.output == places + "\(cassette): found 2 places with secrets\n")
        #expect(preview.status == 0)
        #expect(try String(contentsOfFile: cassette, encoding: .utf8) == text)
        let redaction = try await MockServerProcess.run("cassette", "redact", cassette)
        #expect(redaction.output == places + "\(cassette): redacted 2 places with secrets\n")
        #expect(try !String(contentsOfFile: cassette, encoding: .utf8).contains(secret))
        let again = try await MockServerProcess.run("cassette", "redact", cassette)
        #expect(again.output == "\(cassette): no secrets found\n")
        #expect(try await MockServerProcess.run("cassette", "redact", cassette + "x").status == 1)
    }

    /// A recorder removes only files with the names that it gives, so the secret would stay in this one.
    @Test(arguments: [[], ["--dry-run"]])
    func refusesToRedactBodyFileWithOtherName(options: [String]) async throws {
        let entry =
            #"{"request": {"method": "GET", "url": "/a"}, "response": {"status": "200", "body": {"file": "@"}}}"#
        func cassette(_ file: String) -> String {
            "{\"reprise\": 1, \"exchanges\": [\(entry.replacing("@", with: file))]}\n"
        }
        let secret = "api_key=\(secret)"
        let folder = try TemporaryFolder([
            "a.cassette.json": cassette("notes.txt"), "a.cassette.bodies/notes.txt": secret,
            "b.cassette.json": cassette("link.txt"), "b.cassette.bodies/x": "", "elsewhere.txt": secret,
        ])
        try folder.link("b.cassette.bodies/link.txt", to: "../elsewhere.txt")
        let path = "\(folder.path)/a.cassette"
        let named = try await MockServerProcess(["cassette", "redact", path + ".json"] + options).result()
        #expect(named.status == 1)
        #expect(named.output == "\(path).json: entry 1, GET /a: response body\n")
        #expect(named.errors.hasPrefix("\(path).json: nothing was changed, because these body files contain a secret"))
        #expect(named.errors.contains("automatically: \(path).bodies/notes.txt; replace the secret there"))
        #expect(try String(contentsOfFile: path + ".json", encoding: .utf8) == cassette("notes.txt"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + ".bodies") == ["notes.txt"])
        let linked = "\(folder.path)/b.cassette.json"
        let link = try await MockServerProcess(["cassette", "redact", linked] + options).result()
        #expect(link.status == 1)
        #expect(link.output.isEmpty)
        #expect(link.errors.contains("found a symbolic link that leads out of it: \"link.txt\""))
        #expect(try String(contentsOfFile: "\(folder.path)/elsewhere.txt", encoding: .utf8) == secret)
    }

    @Test func serverAndCheckSuggestCommandThatAddsWaitingExchanges() async throws {
        let line = "{\"ordinal\": 0, \"exchange\": \(exchange("/a", "Accept: */*", text: "hello"))}\n"
        let folder = try TemporaryFolder(["a.cassette.json.recording-log": line, "x.get.txt": "x"])
        let cassette = "\(folder.path)/a.cassette.json"
        let note = "recording-log: exchanges of an interrupted recording are not in the cassette; to add them, run: "
        let check = try await MockServerProcess.run("check", folder.path)
        #expect(check.errors.contains("note: \(cassette).\(note)"))
        #expect(check.errors.contains(" cassette recover "))
        let server = try MockServerProcess([folder.path, "--port", "0", "--quiet"])
        _ = try await server.port()
        server.signal(SIGTERM)
        #expect(try await server.result().errors.contains(note))
        let recovery = try await MockServerProcess.run("cassette", "recover", cassette)
        #expect(recovery.output.contains("recovered 1 exchange from an interrupted recording"))
        #expect(try String(contentsOfFile: cassette, encoding: .utf8).contains("hello"))
        #expect(try await !MockServerProcess.run("check", folder.path).errors.contains(note))
    }
}
