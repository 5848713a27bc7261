// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseFixtures
import RepriseServer
import RepriseTestSupport
import Testing

/// Requests and mappings that would take forever if nothing bounded them. Afterward, the same loop answers others.
@Suite struct HostileStubTests {
    private static func statusLine(_ request: String, content: String, of server: MockServer) async throws -> String {
        let client = try await RawClient.connect(port: server.port)
        let lines = ["\(request) HTTP/1.1", "Host: a", "Connection: close", "Content-Length: \(content.utf8.count)"]
        try await client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + content)
        return String(try await client.readToEnd().text.prefix { $0 != "\r\n" })
    }

    private static let letters = String(repeating: "a", count: 20_000)
    private static let depth = 100_000
    private static let deep = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    private static let bomb = """
        <!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;</a>
        """

    @Test(arguments: [
        (#""bodyPatterns": [{"matches": "(a+)+b"}]"#, letters), (#""bodyPatterns": [{"doesNotMatch": "a*"}]"#, letters),
        (#""bodyPatterns": [{"matches": "(.*a){20}c"}]"#, letters),
        (#""bodyPatterns": [{"matchesJsonPath": "$..a..a..z"}]"#, deep),
        (#""bodyPatterns": [{"equalToJson": "[1]"}]"#, deep),
        (#""bodyPatterns": [{"equalToXml": "<a/>"}]"#, bomb), (#""bodyPatterns": [{"matchesXPath": "//b"}]"#, bomb),
    ])
    func conditionThatTakesForeverDoesNotMatch(condition: String, content: String) async throws {
        let folder = try TemporaryFolder([
            "mappings/a.json": #"{"request": {"urlPath": "/a", \#(condition)}, "response": {"body": "hit"}}"#,
            "mappings/b.json": #"{"request": {"urlPath": "/b"}, "response": {"body": "b"}}"#,
        ])
        let server = try await MockServer.start(fixtures: URL(fileURLWithPath: folder.path))
        #expect(try await Self.statusLine("POST /a", content: content, of: server) == "HTTP/1.1 404 Not Found")
        #expect(try await Self.statusLine("GET /b", content: "", of: server) == "HTTP/1.1 200 OK")
    }

    @Test(arguments: [
        "{{#each (range 1 1000000000)}}x{{/each}}", "{{#*inline 'p'}}{{> p}}{{> p}}{{/inline}}{{> p}}",
        "{{regexExtract request.body '(a+)+b'}}",
    ])
    func templateThatTakesForeverAnswers500(template: String) async throws {
        let folder = try TemporaryFolder([
            "mappings/a.json": """
            {"request": {"urlPath": "/a"}, "response": {"body": "\(template)", "transformers": ["response-template"]}}
            """,
            "mappings/b.json": #"{"request": {"urlPath": "/b"}, "response": {"body": "b"}}"#,
        ])
        let server = try await MockServer.start(fixtures: URL(fileURLWithPath: folder.path))
        let line = try await Self.statusLine("POST /a", content: Self.letters, of: server)
        #expect(line == "HTTP/1.1 500 Internal Server Error")
        #expect(try await Self.statusLine("GET /b", content: "", of: server) == "HTTP/1.1 200 OK")
    }
}
