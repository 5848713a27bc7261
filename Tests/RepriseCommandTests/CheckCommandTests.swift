// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseTestSupport
import Testing

/// `mockserver check`, the gate before a commit, as a user runs it.
@Suite struct CheckCommandTests {
    /// The output without the path of the folder.
    private func check(_ folder: TemporaryFolder, _ options: String...) async throws -> MockServerProcess.Result {
        var result = try await MockServerProcess(["check", folder.path] + options).result()
        result.output = result.output.replacing(folder.path + "/", with: "")
        result.errors = result.errors.replacing(folder.path + "/", with: "")
        return result
    }

    private static func stub(_ response: String, request: String = #""url": "/a""#) -> String {
        #"{"request": {\#(request)}, "response": {\#(response)}}"#
    }

    private static func charset(_ name: String) -> String {
        #""headers": {"Content-Type": "text/plain; charset=\#(name)"}, "#
    }

    /// Nobody can say that these are wrong.
    @Test(arguments: [
        ["mappings/a.json": stub(#""headers": {"Set-Cookie": "theme=dark; Path=/"}"#)],
        ["mappings/a.json": stub("", request: #""bodyPatterns": [{"contains": "password=hunter2hunter2"}]"#)],
        ["mappings/a.json": stub("", request: #""headers": {"Authorization": {"equalTo": "Bearer abc123"}}"#)],
        [
            "mappings/a.json": stub(
                #""jsonBody": {"access_token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"}"#
            )
        ],
        ["a.get.json": #"{"password": "hunter2hunter2"}"#],
        ["a.get.txt": "x", "a.get.txt.headers": "Authorization: Bearer abc123\nSet-Cookie: sid=8f2a91c7\n"],
        ["a.get.json": "[1]\n", "b.delete.204.json": "", "c.get.xml": "<a>&lt;<b/></a>", "d.get.svg": "<svg/>"],
        ["a.get.xml": "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"],
        ["a.get.json": "{broken", "a.get.json.headers": "Content-Type: text/plain\n"],
        ["a.get.sse": "data: 1\n\ndata: 2\r\n\r\n: the end\n", "b.get.sse": "", "c.get.sse": "data: 1\n\n\n"],
        ["100%.get.txt": "x", "a b.get.txt": "x", "{id}.get.txt": "x"],
        [
            "mappings/a.json": stub(
                ##""body": "{{#if x}}{{x}}{{/if}} {{unknown}}", "transformers": ["response-template"]"##
            )
        ],
        [
            "mappings/a.json": stub(
                #""headers": {"Content-Encoding": "gzip"}, "base64Body": "H4sIAAAAAAAAA8vIBACsKpPYAgAAAA==""#
            )
        ],
        ["mappings/a.json": stub(#""headers": {"Content-Encoding": "identity"}, "body": "x""#)],
        ["mappings/a.json": stub(#""status": 204, "headers": {"Content-Encoding": "gzip"}"#)],
        ["mappings/a.json": stub(charset("ISO-8859-1") + #""body": "plain""#)],
        ["mappings/a.json": stub(charset("utf-8") + #""body": "é""#)],
        ["mappings/a.json": stub(charset("ISO-8859-1") + #""base64Body": "6Q==""#)],
        ["mappings/a.json": stub(charset("utf-16le") + #""base64Body": "6QBhAA==""#)],
    ])
    func passesInnocentFolder(files: [String: String]) async throws {
        let result = try await check(try TemporaryFolder(files))
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.hasSuffix("no problems\n"))
    }

    @Test(arguments: [
        (["1.get.json": #"{"a": 3,}"#], "1.get.json:1:9: invalid JSON: expected "),
        (["1.get.json": "{}\n{}"], "1.get.json:2:1: invalid JSON: expected "),
        (["1.get.xml": "<a>\n  <b></a>"], "1.get.xml:2:10: invalid XML: expected a well-formed document; correct it"),
        (
            ["1.get.sse": "data: 1\n\ndata: 2\n"],
            "1.get.sse:3:1: expected a blank line after the last event, found the end"
        ),
        (["1.get.sse": "data: 1"], "1.get.sse:1:1: expected a blank line after the last event"),
        (["a%2Fb.get.txt": "x"], "a%2Fb.get.txt:1:1: expected a file name without percent-escapes, found '%2F'"),
        (["x%20y/a.get.txt": "x"], "x%20y/a.get.txt:1:1: expected a file name without percent-escapes, found '%20'"),
        (
            ["q?x=1.get.txt": "x"],
            "q?x=1.get.txt:1:1: expected a name without '?', because a route file answers any query"
        ),
        (
            ["a.get.txt": "plain", "a.get.txt.headers": "Content-Encoding: br\n"],
            "a.get.txt:1:1: expected content in the coding of Content-Encoding: br, found other content"
        ),
        (
            ["mappings/a.json": stub(#""headers": {"Content-Encoding": "gzip"}, "body": "plain""#)],
            "mappings/a.json:1:1: expected content in the coding of Content-Encoding: gzip, found other content"
        ),
        (
            ["mappings/a.json": stub(charset("ISO-8859-1") + #""body": "é""#)],
            "mappings/a.json:1:1: expected content in the charset of Content-Type: text/plain; charset=ISO-8859-1, found"
        ),
        (
            [
                "mappings/a.json": stub(
                    charset("utf-16") + #""jsonBody": {"a": 1}, "transformers": ["response-template"]"#
                )
            ],
            "mappings/a.json:1:1: expected content in the charset of Content-Type: text/plain; charset=utf-16, found UTF-8"
        ),
        (
            [
                "mappings/a.json": stub(charset("windows-1251") + #""bodyFileName": "a.txt""#),
                "__files/a.txt": "привет",
            ],
            "mappings/a.json:1:1: expected content in the charset of Content-Type: text/plain; charset=windows-1251, found"
        ),
        (
            ["a.get.txt": "é", "a.get.txt.headers": "Content-Type: text/plain; charset=latin1\n"],
            "a.get.txt:1:1: expected content in the charset of Content-Type: text/plain; charset=latin1, found UTF-8"
        ),
        (
            ["mappings/a.json": stub(#""body": "{{frobnicate 'a'}}", "transformers": ["response-template"]"#)],
            "mappings/a.json:1:1: answers every request with status 500: template 1:3: expected a helper, found 'frobnicate'"
        ),
        (
            [
                "mappings/a.json": stub(
                    #""headers": {"X": "{{frobnicate 'a'}}"}, "transformers": ["response-template"]"#
                )
            ],
            "mappings/a.json:1:1: answers every request with status 500: template 1:3: expected a helper, found 'frobnicate'"
        ),
        (
            ["mappings/a.json": stub(##""body": "{{#if x}}", "transformers": ["response-template"]"##)],
            "mappings/a.json:1:1: answers every request with status 500: the template of the body is invalid: 1:1: expected"
        ),
        (
            ["mappings/a.json": stub(#""bodyFileName": "missing.txt""#)],
            "mappings/a.json:1:1: answers every request with status 500: "
        ),
        (
            ["mappings/a.json": stub(#""body": "AKIAABCDEFGHIJKLMNOP""#)],
            "mappings/a.json:1:50: expected no secret, found an AWS key in the file (AKI…); replace it with [redacted], or"
        ),
        (
            ["a.get.txt": "x", "a.get.txt.headers": "X: y\nX-Key: ghp_abcdefghijklmnopqrstuvwxyz0123456789\n"],
            "a.get.txt.headers:2:8: expected no secret, found a code host's token in the file (ghp…)"
        ),
        (
            ["a.get.txt": "\n-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----\n"],
            "a.get.txt:2:1: expected no secret, found a private key in the file (---…)"
        ),
        (
            [
                "a.cassette.json":
                    #"{"reprise": 1, "exchanges": [{"request": {"method": "GET", "url": "/", "headers": ["Cookie: token=dark"]}, "response": {"status": "204"}}]}"#
            ],
            "a.cassette.json:1:99: expected no secret, found text that looks like one in request header Cookie; replace it"
        ),
    ])
    func failsForBrokenFolder(files: [String: String], problem: String) async throws {
        let result = try await check(try TemporaryFolder(files))
        #expect(result.status == 1)
        #expect(result.output.split(separator: "\n").first?.hasPrefix(problem) == true, "\(result.output)")
        #expect(result.errors.hasSuffix("1 problem\n"), "\(result.errors)")
    }

    /// Text that looks like a secret there is mostly made up. The position is that of the value.
    @Test func notesSecretsThatPeopleWrite() async throws {
        let folder = try TemporaryFolder([
            "a.get.json": "{\n  \"pin\": 1,\n  \"client_secret\": \"x\"}",
            "b.get.txt": "x", "b.get.txt.headers": "X: y\nAuthorization: Bearer abc123\n",
            "mappings/c.json": Self.stub(
                #""body": "x""#,
                request: #""headers": {"Authorization": {"equalTo": "Bearer ab"}}"#
            ),
        ])
        let advice = "; if it is real, replace it with [redacted], or allow it in reprise.yaml"
        let lines = [
            "a.get.json:3:21: expected no secret, found text that looks like one in the file\(advice)",
            "b.get.txt.headers:2:16: expected no secret, found text that looks like one in header Authorization (Bea…)\(advice)",
            "mappings/c.json:1:56: expected no secret, found text that looks like one in the file (Bea…)\(advice)",
        ]
        let result = try await check(folder)
        #expect(result.status == 0)
        #expect(result.errors == lines.map { "note: \($0)\n" }.joined())
        let strict = try await check(folder, "--strict")
        #expect(strict.status == 1)
        #expect(strict.output == lines.map { "\($0)\n" }.joined())
        #expect(strict.errors == "3 problems\n")
    }

    /// Random bytes often contain what looks like a key or a password.
    @Test(arguments: ["zip", "bin", "get.gz"])
    func searchesBinaryFilesForPrivateKeysOnly(name: String) async throws {
        let folder = try TemporaryFolder()
        let key = "-----BEGIN PRIVATE KEY-----\nMIIEow\n-----END PRIVATE KEY-----\n"
        let start: [UInt8] = [0x1F, 0x8B, 8, 0, 0xFF, 0x0A]
        try folder.write(start + Array("password=hunter2hunter2\nAKIAABCDEFGHIJKLMNOP".utf8), to: "a.get.\(name)")
        #expect(try await check(folder).errors.isEmpty)
        try folder.write(start + Array(key.utf8), to: "a.get.\(name)")
        let result = try await check(folder)
        #expect(result.status == 1)
        #expect(result.output.hasPrefix("a.get.\(name):2:1: expected no secret, found a private key in the file"))
    }
}
