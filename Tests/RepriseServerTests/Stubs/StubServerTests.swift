// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseFixtures
import RepriseServer
import RepriseStubAnswers
import RepriseTestSupport
import Testing

/// Stub mappings as clients see them, through a real socket.
@Suite struct StubServerTests {
    /// A server for files, which stops when this object is released.
    private struct Served {
        let server: MockServer
        let folder: TemporaryFolder

        init(_ files: [String: String], _ configuration: MockServer.Configuration = .init()) async throws {
            folder = try TemporaryFolder(files)
            server = try await MockServer.start(
                fixtures: URL(fileURLWithPath: folder.path),
                configuration: configuration
            )
        }

        /// Returns the answer to a request: its request line and header lines, separated by `|`, and after `||` its
        /// content.
        func answer(_ request: String) async throws -> String {
            try await StubServerTests.answer(request, server.port)
        }
    }

    private static func answer(_ request: String, _ port: Int) async throws -> String {
        let parts = request.components(separatedBy: "||")
        var lines = parts[0].split(separator: "|").map(String.init)
        let content = parts.count > 1 ? parts[1] : ""
        lines[0] += " HTTP/1.1"
        lines += ["Host: localhost", "Connection: close"]
        if !content.isEmpty { lines.append("Content-Length: \(content.utf8.count)") }
        let client = try await RawClient.connect(port: port)
        try await client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + content)
        let text = try await client.readToEnd().text
        return text.components(separatedBy: "\r\n")
            .filter { !$0.hasPrefix("Date: ") && !$0.hasPrefix("Matched-Stub-Id: ") && $0 != "Connection: close" }
            .joined(separator: "\r\n")
    }

    /// A value that cannot be sent is not left out: the stub says so, at its start and in its answer.
    @Test(arguments: [
        #""headers": {"X-A": "a\u0000b"}"#, #""headers": {"X-B": "b", "X-A": ["a", "\u001b[0m"]}"#,
        #""headers": {"X-A": "\u007f"}, "proxyBaseUrl": "http://127.0.0.1:1""#,
        #""proxyBaseUrl": "http://127.0.0.1:1", "additionalProxyRequestHeaders": {"X-A": "\u0001"}"#,
        #""headers": {"X-A": "{{request.query.x}}\u0000"}, "transformers": ["response-template"]"#,
    ])
    func headerThatCannotBeSentIsReported(response: String) async throws {
        let served = try await Served([
            "mappings/a.json": #"{"request": {"urlPath": "/a"}, "response": {\#(response)}}"#
        ])
        let answer = try await served.answer("GET /a?x=1")
        #expect(answer.hasPrefix("HTTP/1.1 500 "))
        #expect(answer.contains("expected a value of the header field X-A without control characters"))
    }

    @Test func renderedHeaderThatCannotBeSentIsReported() async throws {
        let stub = #"{"response": {"headers": {"X-A": "{{request.body}}"}, "transformers": ["response-template"]}}"#
        let served = try await Served(["mappings/a.json": stub])
        #expect(try await served.answer("POST /a||a\nb").contains("\r\nX-A: a b\r\n"))
        #expect(try await served.answer("POST /a||a\0b").hasPrefix("HTTP/1.1 500 "))
    }

    @Test func answersAsMappingsDescribe() async throws {
        let files = [
            "mappings/users.json": """
            {"name": "user", "request": {"method": "GET", "urlPathTemplate": "/users/{id}"},
             "response": {"status": 201, "headers": {"X-A": ["1", "2"]}, "jsonBody": {"id": 1.0}}}
            """,
            "mappings/sub/.hidden.json": """
            {"request": {"url": "/file"}, "response": {"bodyFileName": "a/b.txt", "statusMessage": "Fine"}}
            """,
            "__files/a/b.txt": "from a file",
        ]
        let served1 = try await Served(files)
        #expect(
            try await served1.answer("GET /users/42") == """
                HTTP/1.1 201 Created\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 10\r\nMatched-Stub-Name: user\r\n\r\n{"id":1.0}
                """
        )
        #expect(try await served1.answer("POST /users/42").hasPrefix("HTTP/1.1 404 "))
        #expect(
            try await served1.answer("DELETE /file") == "HTTP/1.1 200 Fine\r\nContent-Length: 11\r\n\r\nfrom a file"
        )
    }

    /// JSON compares code points (RFC 8259, section 8.3), and `\u{E4}` and `a` with U+0308 have different ones.
    @Test func textsWithSameLookAreDifferent() async throws {
        let files = [
            "mappings/a.json": """
            {"request": {"bodyPatterns": [{"equalToJson": {"\u{E4}": 1, "a\u{308}": 2}}]},
             "response": {"transformers": ["response-template"],
             "body": "{{#each (parseJson request.body)}}{{this}},{{/each}}"}}
            """
        ]
        let served = try await Served(files)
        #expect(try await served.answer("POST /||{\"\u{E4}\":1,\"a\u{308}\":2}").hasSuffix("\r\n\r\n1,2,"))
        #expect(try await served.answer("POST /||{\"\u{E4}\":2,\"a\u{308}\":1}").hasPrefix("HTTP/1.1 404 "))
    }

    @Test func missNamesConditionThatReachedLimitOfSteps() async throws {
        let files = [
            "mappings/a.json": #"{"request": {"bodyPatterns": [{"matches": "(?=(a+)+$).*!"}]}, "response": {}}"#,
            "mappings/b.json": #"{"request": {"bodyPatterns": [{"matches": "b"}]}, "response": {}}"#,
        ]
        let served = try await Served(files)
        let miss = try await served.answer("POST /||" + String(repeating: "a", count: 60) + "!")
        #expect(miss.components(separatedBy: "the comparison reached the limit of steps without a result").count == 2)
    }

    @Test func laterStubAnswersAmongEqualPriorities() async throws {
        func mapping(_ body: String, priority: Int? = nil) -> String {
            let priority = priority.map { "\"priority\": \($0), " } ?? ""
            return "{\(priority)\"request\": {\"urlPath\": \"/a\"}, \"response\": {\"body\": \"\(body)\"}}"
        }
        let served2 = try await Served(["mappings/a.json": mapping("a"), "mappings/b.json": mapping("b")])
        #expect(try await served2.answer("GET /a").hasSuffix("\r\nb"))
        let served21 = try await Served(["mappings/a.json": mapping("a", priority: 1), "mappings/b.json": mapping("b")])
        #expect(try await served21.answer("GET /a").hasSuffix("\r\na"))
        let list = "{\"mappings\": [\(mapping("first")), \(mapping("last"))]}"
        let served3 = try await Served(["m.stub.json": list])
        #expect(try await served3.answer("GET /a").hasSuffix("\r\nlast"))
    }

    @Test func stubsWithHighPriorityNumbersAnswerAfterRoutes() async throws {
        let files = [
            "a.get.txt": "route", "b.get.txt": "route",
            "mappings/early.json": #"{"request": {"urlPath": "/a"}, "response": {"body": "stub"}}"#,
            "mappings/late.json": #"{"priority": 10, "request": {"urlPattern": ".*"}, "response": {"body": "late"}}"#,
        ]
        let served4 = try await Served(files)
        #expect(try await served4.answer("GET /a").hasSuffix("\r\nstub"))
        #expect(try await served4.answer("GET /b").hasSuffix("\r\nroute"))
        #expect(try await served4.answer("GET /c").hasSuffix("\r\nlate"))
    }

    @Test func firstOfTwoURLConditionsCounts() async throws {
        let mapping = #"{"request": {"urlPath": "/b", "urlPattern": "/a.*"}, "response": {"body": "hit"}}"#
        let served = try await Served(["mappings/a.json": mapping])
        #expect(try await served.answer("GET /abc").hasSuffix("\r\nhit"))
        #expect(try await served.answer("GET /b").hasPrefix("HTTP/1.1 404 "))
    }

    @Test func headerNameWithTemplateBreaksOnlyItsStub() async throws {
        let files = [
            "mappings/a.json":
                #"{"request": {"urlPath": "/a"}, "response": {"headers": {"X-{{request.method}}": "1"}}}"#,
            "mappings/b.json": #"{"request": {"urlPath": "/b"}, "response": {"body": "b"}}"#,
        ]
        let served = try await Served(files)
        let broken = try await served.answer("GET /a")
        #expect(broken.hasPrefix("HTTP/1.1 500 "))
        #expect(broken.contains("found 'X-{{request.method}}'; write out the name, which cannot be a template"))
        #expect(try await served.answer("GET /b").hasSuffix("\r\nb"))
    }

    @Test func onlyAbsentAcceptsMissingCookie() async throws {
        func mapping(_ path: String, _ matcher: String) -> String {
            #"{"request": {"urlPath": "\#(path)", "cookies": {"c": \#(matcher)}}, "response": {"body": "hit"}}"#
        }
        let files = [
            "mappings/a.json": mapping("/absent", #"{"absent": true}"#),
            "mappings/b.json": mapping("/not", #"{"doesNotMatch": "1"}"#),
            "mappings/c.json": mapping("/or", #"{"or": [{"equalTo": "1"}, {"absent": true}]}"#),
        ]
        let served = try await Served(files)
        #expect(try await served.answer("GET /absent").hasSuffix("\r\nhit"))
        #expect(try await served.answer("GET /absent|Cookie: c=2").hasPrefix("HTTP/1.1 404 "))
        #expect(try await served.answer("GET /not").hasPrefix("HTTP/1.1 404 "))
        #expect(try await served.answer("GET /not|Cookie: c=2").hasSuffix("\r\nhit"))
        #expect(try await served.answer("GET /or").hasPrefix("HTTP/1.1 404 "))
        #expect(try await served.answer("GET /or|Cookie: c=1").hasSuffix("\r\nhit"))
    }

    @Test func dribbleOfShortBodyTakesItsWholeTime() async throws {
        func mapping(_ path: String, _ body: String) -> String {
            """
            {"request": {"urlPath": "\(path)"}, "response": {"body": "\(body)",
             "chunkedDribbleDelay": {"numberOfChunks": 10, "totalDuration": 60}}}
            """
        }
        let files = ["mappings/a.json": mapping("/a", "abc"), "mappings/b.json": mapping("/b", "")]
        let served = try await Served(files)
        let start = ContinuousClock.now
        #expect(try await served.answer("GET /a").hasSuffix("1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n"))
        #expect(ContinuousClock.now - start >= .milliseconds(60))
        #expect(try await served.answer("GET /b").hasSuffix("\r\n0\r\n\r\n"))
    }

    @Test func scenarioMovesFromStateToState() async throws {
        func mapping(_ body: String, _ required: String, _ next: String) -> String {
            """
            {"scenarioName": "s", "requiredScenarioState": "\(required)", "newScenarioState": "\(next)",
             "request": {"urlPath": "/a"}, "response": {"body": "\(body)"}}
            """
        }
        let files = [
            "mappings/1.json": mapping("one", "Started", "two"), "mappings/2.json": mapping("two", "two", "three"),
        ]
        let served5 = try await Served(files)
        #expect(try await served5.answer("GET /a").hasSuffix("\r\none"))
        #expect(try await served5.answer("GET /a").hasSuffix("\r\ntwo"))
        #expect(try await served5.answer("GET /a").hasPrefix("HTTP/1.1 404 "))
    }

    @Test func missNamesNearestStubs() async throws {
        let files = [
            "mappings/user.json": """
            {"name": "user", "request": {"urlPath": "/users", "headers": {"X-Api-Key": {"equalTo": "5ecret"}}}}
            """,
            "mappings/state.json": """
            {"name": "paid", "scenarioName": "order", "requiredScenarioState": "paid", "request": {"urlPath": "/order"}}
            """,
        ]
        let served = try await Served(files)
        let text = try await served.answer("GET /users|X-Api-Key: 5ecret2").replacing(
            served.folder.path + "/",
            with: ""
        )
        #expect(
            text.contains(
                """
                No stub answers GET /users.

                Nearest stubs:

                  'user': ANY /users (mappings/user.json:1)
                    header X-Api-Key: expected a hidden value, which may be a secret, found a hidden value, which may be a \
                secret

                """
            )
        )
        let state = "scenario 'order' is in state 'Started', and the stub requires 'paid'"
        #expect(try await served.answer("GET /order").contains("  'paid': ANY /order ("))
        #expect(try await served.answer("GET /order").contains("    \(state)\n"))
        let problem = try await served.answer("GET /order|Accept: application/json")
        #expect(problem.contains(#""title": "No stub answers this request""#))
        #expect(problem.contains("\"remark\": \"\(state)\""))
        // No stub has this target.
        #expect(try await served.answer("GET /odrer").contains("url: expected [path] /order, found /odrer"))
    }

    @Test func answersGivenNumberOfTimes() async throws {
        let files = [
            "a.get.txt": "route",
            "mappings/a.json": #"{"request": {"urlPath": "/a"}, "response": {"status": 503, "times": 2}}"#,
        ]
        let served6 = try await Served(files)
        #expect(try await served6.answer("GET /a").hasPrefix("HTTP/1.1 503 "))
        #expect(try await served6.answer("GET /a").hasPrefix("HTTP/1.1 503 "))
        #expect(try await served6.answer("GET /a").hasSuffix("\r\nroute"))
    }

    @Test func rendersTemplatesWhereMappingOrServerAsks() async throws {
        let files = [
            "mappings/a.json": """
            {"request": {"urlPath": "/a"}, "response": {"body": "{{request.query.q}}", "headers": {"X-P": "{{request.path}}"},
             "transformers": ["response-template"]}}
            """,
            "mappings/b.json": #"{"request": {"urlPath": "/b"}, "response": {"body": "{{request.body}}!"}}"#,
            "mappings/bad.json": #"{"request": {"urlPath": "/c"}, "response": {"body": "{{nothing 'a'}}{{#if}}"}}"#,
        ]
        let served7 = try await Served(files)
        #expect(try await served7.answer("GET /a?q=%3Cx").hasSuffix("X-P: /a\r\nContent-Length: 5\r\n\r\n&lt;x"))
        #expect(try await served7.answer("GET /b").hasSuffix("\r\n{{request.body}}!"))
        let all = MockServer.Configuration(stubs: StubOptions(rendersAllTemplates: true))
        let served8 = try await Served(files, all)
        #expect(try await served8.answer("POST /b||hello").hasSuffix("\r\nhello!"))
        #expect(try await served8.answer("GET /c").hasPrefix("HTTP/1.1 500 "))
        #expect(try await served8.answer("GET /a?q=1").hasSuffix("\r\n1"))
    }

    @Test func faultsBreakTheConnection() async throws {
        func mapping(_ fault: String) -> String {
            #"{"request": {"urlPath": "/\#(fault)"}, "response": {"body": "no", "fault": "\#(fault)"}}"#
        }
        let names = ["EMPTY_RESPONSE", "MALFORMED_RESPONSE_CHUNK", "RANDOM_DATA_THEN_CLOSE"]
        let files = Dictionary(uniqueKeysWithValues: names.map { ("mappings/\($0).json", mapping($0)) })
        let served9 = try await Served(files)
        #expect(try await served9.answer("GET /EMPTY_RESPONSE") == "")
        let chunk = try await served9.answer("GET /MALFORMED_RESPONSE_CHUNK")
        #expect(chunk.hasPrefix("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nlskdu"))
        // As in WireMock, the bytes follow the head of an answer to HEAD.
        #expect(try await served9.answer("HEAD /MALFORMED_RESPONSE_CHUNK") == chunk)
        #expect(try await served9.answer("GET /RANDOM_DATA_THEN_CLOSE").hasPrefix("lskdu"))
    }

    @Test func answerEndsAsMappingSpecifies() async throws {
        let files = [
            "mappings/a.json":
                #"{"request": {"urlPath": "/a"}, "response": {"body": "abc", "then": "truncate"}}"#,
            "mappings/b.json": #"{"request": {"urlPath": "/b"}, "response": {"status": 204, "body": "abc"}}"#,
            "mappings/c.json":
                #"{"request": {"urlPath": "/c"}, "response": {"body": "abcd", "headers": {"Content-Length": "2"}}}"#,
        ]
        let served10 = try await Served(files)
        #expect(try await served10.answer("GET /a").hasSuffix("Transfer-Encoding: chunked\r\n\r\n4\r\nabc"))
        #expect(try await served10.answer("GET /b") == "HTTP/1.1 204 No Content\r\n\r\n")
        #expect(try await served10.answer("GET /c").hasSuffix("\r\n\r\nab"))
    }

    @Test(arguments: [("reset", RawClient.Ending.reset), ("truncate", .finished)])
    func answerWithoutBodyHasEndingOfMapping(_ end: String, _ expected: RawClient.Ending) async throws {
        let mapping = #"{"request": {"urlPath": "/a"}, "response": {"status": 204, "then": "\#(end)"}}"#
        let served = try await Served(["mappings/a.json": mapping])
        let client = try await RawClient.connect(port: served.server.port)
        try await client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await client.readToEnd().text.hasPrefix("HTTP/1.1 204 No Content\r\n"))
        #expect(client.ending == expected)
        let head = try await RawClient.connect(port: served.server.port)
        try await head.send(
            "HEAD /a HTTP/1.1\r\nHost: x\r\n\r\nGET /none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )
        #expect(try await head.readToEnd().text.contains(" 404 "))
    }

    @Test func neverServesFilesOutsideFolder() async throws {
        let files = [
            "secret.bin": "secret",
            "mappings/a.json": #"{"request": {"urlPath": "/a"}, "response": {"bodyFileName": "../secret.bin"}}"#,
            "mappings/b.json": #"{"request": {"urlPath": "/b"}, "response": {"bodyFileName": "x/../in.txt"}}"#,
            "mappings/c.json": """
            {"request": {"urlPath": "/c"}, "response": {"bodyFileName": "{{request.query.f}}",
             "transformers": ["response-template"]}}
            """,
            "__files/in.txt": "inside", "__files/x/y.txt": "y",
        ]
        let served11 = try await Served(files)
        #expect(try await served11.answer("GET /a").contains(" 500 "))
        #expect(try await served11.answer("GET /b").hasSuffix("inside"))
        #expect(try await served11.answer("GET /c?f=in.txt").hasSuffix("inside"))
        for name in ["../secret.bin", "..%2Fsecret.bin", "/etc/hostname", "x/../../secret.bin"] {
            let answer = try await served11.answer("GET /c?f=\(name)")
            #expect(answer.contains(" 500 ") && !answer.hasSuffix("secret"))
        }
    }

    @Test func scenarioIsNeverInTwoStatesAtOnce() async throws {
        let count = 64
        let mappings = (0..<count).map { number in
            """
            {"scenarioName": "s", "requiredScenarioState": "\(number == 0 ? "Started" : "\(number)")",
             "newScenarioState": "\(number + 1)", "request": {"urlPath": "/a"}, "response": {"body": "<\(number)>"}}
            """
        }
        let files = ["m.stub.json": "{\"mappings\": [\(mappings.joined(separator: ","))]}"]
        var configuration = MockServer.Configuration()
        configuration.threads = 4
        let folder = try TemporaryFolder(files)
        let server = try await MockServer.start(
            fixtures: URL(fileURLWithPath: folder.path),
            configuration: configuration
        )
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<count { group.addTask { try await Self.answer("GET /a", server.port) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        await server.stop(grace: .zero)
        let bodies = Set(answers.compactMap { $0.split(separator: "<").last.map(String.init) })
        #expect(bodies == Set((0..<count).map { "\($0)>" }))
    }
}
