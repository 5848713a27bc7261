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
