// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseDocuments
import RepriseFixtures
import RepriseIO
import RepriseMatching
import RepriseStubAnswers
import RepriseTestSupport
import Testing

@testable import RepriseServer

/// Requests that take too long for a loop, on a server with one loop. The thread that answers them is blocked, so the
/// test doesn't depend on timing.
@Suite(.timeLimit(.minutes(5))) struct BackgroundAnswerTests {
    /// A server whose only worker thread waits until it is released.
    private final class HeldServer {
        let server: MockServer
        private let folder: TemporaryFolder
        private let held = DispatchSemaphore(value: 0)

        init(_ mappings: [String: String], _ configuration: MockServer.Configuration = .init()) async throws {
            let threads = WorkerThreads(name: "held", limit: 1)
            threads.submit { [held] in held.wait() }
            var configuration = configuration
            configuration.workerThreads = threads
            var files = ["mappings/ping.json": #"{"request": {"urlPath": "/ping"}, "response": {"body": "pong"}}"#]
            for (name, mapping) in mappings { files["mappings/\(name).json"] = mapping }
            folder = try TemporaryFolder(files)
            server = try await MockServer.start(
                fixtures: URL(fileURLWithPath: folder.path),
                configuration: configuration
            )
        }

        func release() { held.signal() }

        /// Waits until the whole request of `client` has arrived and waits for the thread.
        func waitForPendingAnswer(to client: RawClient) async throws {
            while await server.pendingAnswerCount == 0 {
                try #require(await client.readAvailable().bytes.isEmpty)
                try #require(client.ending == nil, "the server closed the connection instead")
                await Task.yield()
            }
        }

        /// Returns a connection that has sent a request.
        func send(_ request: String, _ content: String = "") async throws -> RawClient {
            let client = try await RawClient.connect(port: server.port)
            try await client.send(BackgroundAnswerTests.text(request, content))
            return client
        }

        /// Sends a request on a connection of its own. Returns the last line of the answer.
        func content(_ request: String) async throws -> String {
            let client = try await RawClient.connect(port: server.port)
            try await client.send("\(request) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            return try await client.readToEnd().text.components(separatedBy: "\r\n").last ?? ""
        }
    }

    private static func text(_ request: String, _ content: String = "") -> String {
        "\(request) HTTP/1.1\r\nHost: a\r\nContent-Length: \(content.utf8.count)\r\n\r\n\(content)"
    }

    private static let letters = String(repeating: "a", count: 20_000)
    private static let deep = String(repeating: #"{"a":"#, count: 5000) + "1" + String(repeating: "}", count: 5000)
    private static let large =
        "[" + String(repeating: #"{"id":7,"name":"seven","v":[1,2,3]},"#, count: 20_000) + "1]"
    private static let numbers = "[" + (0..<2000).map(String.init).joined(separator: ",") + "]"
    private static let elements = "<r>" + String(repeating: "<a><a>1</a></a>", count: 900) + "</r>"
    private static let lookahead = #""urlPattern": "/(?=(a+)+$).*!""#

    private static func mapping(_ condition: String, _ response: String = #""body": "hit""#) -> String {
        #"{"request": {\#(condition)}, "response": {\#(response)}}"#
    }

    private static func template(_ text: String) -> String {
        mapping(#""urlPath": "/a""#, #""body": "\#(text)", "transformers": ["response-template"]"#)
    }

    private static func body(_ patterns: String) -> String {
        mapping(#""urlPath": "/a", "bodyPatterns": [\#(patterns)]"#)
    }

    private static func repeated(_ pattern: (Int) -> String) -> String {
        body((0..<1000).map(pattern).joined(separator: ","))
    }

    /// A request that would hold up the loop, and the status of its answer.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let mapping: String
        let request: String
        let content: String
        let status: Int

        init(_ name: String, _ mapping: String, request: String = "POST /a", content: String = "", _ status: Int) {
            (self.name, self.mapping, self.request, self.content, self.status) =
                (name, mapping, request, content, status)
        }

        var testDescription: String { name }
    }

    static let cases = [
        Case(
            "equalToJson, 700 kB",
            body(#"{"equalToJson": [{"id": 1}], "ignoreArrayOrder": true, "ignoreExtraElements": true}"#),
            content: large,
            404
        ),
        Case("equalToJson, deep", body(#"{"equalToJson": "[1]"}"#), content: deep, 404),
        Case("deep scan", body(#"{"matchesJsonPath": "$..a..a..z"}"#), content: numbers, 404),
        Case(
            "1,000 paths",
            repeated { #"{"matchesJsonPath": {"expression": "$..z\#($0)", "absent": ""}}"# },
            content: "[1]",
            200
        ),
        Case("1,000 texts", repeated { #"{"doesNotContain": "q\#($0)"}"# }, content: String(letters.prefix(9000)), 200),
        Case("XPath", body(#"{"matchesXPath": "//a//a//z"}"#), content: elements, 404),
        Case("equalToXml", body(#"{"equalToXml": "<r/>"}"#), content: elements, 404),
        Case("expression on content", body(#"{"matches": "(.*a){20}c"}"#), content: letters, 404),
        Case("expression on target", mapping(lookahead), request: "GET /\(letters.prefix(7000))!", 404),
        Case("nested ranges", template("{{#each (range 1 9999)}}{{#each (range 1 9999)}}x{{/each}}{{/each}}"), 500),
        Case("template with expression", template("{{regexExtract request.body '(a+)+b'}}"), content: letters, 500),
        Case("template with path", template("{{jsonPath request.body '$..a..b'}}"), content: numbers, 200),
    ]

    @Test(arguments: cases)
    func otherConnectionIsAnsweredMeanwhile(_ hostile: Case) async throws {
        let held = try await HeldServer(["a": hostile.mapping])
        let client = try await held.send(hostile.request, hostile.content)
        try await held.waitForPendingAnswer(to: client)
        let other = try await held.send("GET /ping")
        #expect(try await other.read(until: "pong").text.hasPrefix("HTTP/1.1 200 OK"))
        #expect(await client.readAvailable().bytes.isEmpty)
        held.release()
        #expect(try await client.read(until: "\r\n").text.hasPrefix("HTTP/1.1 \(hostile.status) "))
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let held = try await HeldServer([
            "a": Self.body(#"{"contains": "aaa"}"#),
            "b": Self.mapping(#""urlPath": "/b""#, #""body": "b""#),
        ])
        let client = try await held.send("POST /a", Self.letters)
        try await client.send(Self.text("GET /b") + Self.text("POST /a", Self.letters) + Self.text("GET /b"))
        #expect(try await held.content("GET /ping") == "pong")
        held.release()
        try await client.finish("hit", "b", "hit", "b")
    }

    @Test func turnIsTakenOnce() async throws {
        var configuration = MockServer.Configuration(stubs: StubOptions(seed: 1))
        let mappings = [
            "a": #"{"request": {"urlPath": "/a"}, "response": {"body": "one", "times": 1}}"#,
            "b": """
            {"scenarioName": "s", "requiredScenarioState": "Started", "newScenarioState": "next",
             "request": {"urlPath": "/b"}, "response": {"body": "first"}}
            """,
            "c": """
            {"scenarioName": "s", "requiredScenarioState": "next", "newScenarioState": "end",
             "request": {"urlPath": "/b"}, "response": {"body": "second"}}
            """,
            "d": """
            {"id": "7f0b9d2e-2f5e-4a7e-9a5f-0e3f5a1c0001", "request": {"urlPath": "/d"},
             "response": {"body": "{{randomValue length=8}}", "transformers": ["response-template"]}}
            """,
        ]
        let requests = ["GET /a", "GET /a", "GET /b", "GET /b", "GET /b", "GET /d", "GET /d"]
        var answers: [[String]] = []
        for limit in [WorkLimit.none, .short, .nothing] {
            configuration.workLimit = limit
            let held = try await HeldServer(mappings, configuration)
            held.release()
            var contents: [String] = []
            for request in requests { contents.append(String(try await held.content(request).prefix(14))) }
            answers.append(contents)
        }
        #expect(answers[0].first == "one")
        #expect(answers[0] == answers[1])
        #expect(answers[0] == answers[2])
    }

    @Test func requestOfLostClientIsDropped() async throws {
        let held = try await HeldServer([
            "a": #"{"request": {"urlPath": "/a", "bodyPatterns": [{"contains": "a"}]}, "response": {"times": 1}}"#
        ])
        let lost = try await held.send("POST /a", Self.letters)
        try await held.waitForPendingAnswer(to: lost)
        await lost.reset()
        while await held.server.connectionCount > 0, !Task.isCancelled { await Task.yield() }
        held.release()
        let client = try await held.send("POST /a", Self.letters)
        #expect(try await client.read(until: "\r\n").text == "HTTP/1.1 200 OK\r\n")
    }

    @Test func stopWaitsForAnswer() async throws {
        let held = try await HeldServer(["a": Self.body(#"{"contains": "aaa"}"#)])
        let client = try await held.send("POST /a", Self.letters)
        try await held.waitForPendingAnswer(to: client)
        let idle = try await held.send("GET /ping")
        try await idle.read(until: "pong")
        let server = held.server
        async let stopped: Void = server.stop(grace: .seconds(60))
        // Stopping closes the idle connection first.
        _ = try await idle.readToEnd()
        held.release()
        let answer = try await client.readToEnd().text
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.contains("\r\nConnection: close\r\n"))
        #expect(answer.hasSuffix("\r\n\r\nhit"))
        await stopped
    }

    @Test func reloadDoesNotChangeAnswerInProgress() async throws {
        let held = try await HeldServer(["a": Self.body(#"{"contains": "aaa"}"#)])
        let client = try await held.send("POST /a", Self.letters)
        try await held.waitForPendingAnswer(to: client)
        try await held.server.reload(fixtures: [])
        held.release()
        try await client.finish("hit")
        let entry = await held.server.journal.entries.first { $0.target == "/a" }
        #expect(entry?.fixture?.file.hasSuffix("a.json") == true)
    }
}

extension RawClient {
    /// Reads answers with these contents.
    fileprivate func finish(_ contents: String...) async throws {
        for content in contents {
            let answer = try await read(until: "\r\n\r\n\(content)").text
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.components(separatedBy: "HTTP/1.1").count == 2)
        }
    }
}
