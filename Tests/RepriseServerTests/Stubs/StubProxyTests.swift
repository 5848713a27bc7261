// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseFixtures
import RepriseServer
import RepriseStubs
import RepriseTestSupport
import Testing

/// Stubs that forward requests to another server, through real sockets.
@Suite struct StubProxyTests {
    /// A server that answers with what it received.
    private static let echo = """
        {"request": {"urlPattern": ".*"}, "response": {"status": 203, "headers": {"X-A": "far", "Location": "/next"},
         "body": "{{{request.method}}} {{{request.url}}} 1={{request.headers.X-One}} 2={{request.headers.X-Two}} \
        h={{request.headers.Host}} {{{request.body}}}", "transformers": ["response-template"]}}
        """

    private static func start(
        _ mappings: [String],
        _ configuration: MockServer.Configuration = .init()
    ) async throws -> MockServer {
        let files = mappings.enumerated().map { ("mappings/\($0).json", $1) }
        let folder = try TemporaryFolder(Dictionary(uniqueKeysWithValues: files))
        return try await MockServer.start(
            fixtures: URL(fileURLWithPath: folder.path),
            configuration: configuration
        )
    }

    private static func answer(
        _ request: String,
        headers: [String] = [],
        content: String = "",
        of server: MockServer
    ) async throws -> String {
        var lines = ["\(request) HTTP/1.1", "Host: near", "Connection: close", "Content-Length: \(content.utf8.count)"]
        lines += headers
        let client = try await RawClient.connect(port: server.port)
        try await client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + content)
        return try await client.readToEnd().text
    }

    private static func mapping(_ url: String, _ rest: String = "") -> String {
        #"{"name": "far", "request": {"urlPattern": ".*"}, "response": {"proxyBaseUrl": "\#(url)"\#(rest)}}"#
    }

    @Test func answerHasContentOfOtherServerAndHeaderLinesOfStub() async throws {
        let far = try await Self.start([Self.echo])
        let rest = #", "status": 418, "body": "no", "headers": {"X-A": "near", "Content-Length": "1"}"#
        let near = try await Self.start([Self.mapping("http://127.0.0.1:\(far.port)/base", rest)])
        let answer = try await Self.answer("POST /a/b?x=%20", headers: ["X-One: 1"], content: "hello", of: near)
        #expect(answer.hasPrefix("HTTP/1.1 203 "))
        #expect(answer.hasSuffix("\r\n\r\nPOST /base/a/b?x=%20 1=1 2= h=127.0.0.1:\(far.port) hello"))
        #expect(answer.contains("X-A: far\r\nLocation: /next\r\n"))
        #expect(answer.contains("\r\nX-A: near\r\n"))
        #expect(answer.contains("\r\nMatched-Stub-Name: far\r\n"))
    }

    @Test func requestIsChangedAsStubSpecifies() async throws {
        let far = try await Self.start([Self.echo])
        let rest = """
            , "transformers": ["response-template"], "proxyUrlPrefixToRemove": "/a", "removeProxyRequestHeaders": ["x-two"],
            "additionalProxyRequestHeaders": {"X-One": "{{request.query.x}}", "Host": "other", "Content-Length": "9"}
            """
        let near = try await Self.start([Self.mapping("http://127.0.0.1:{{request.headers.X-Port}}", rest)])
        let headers = ["X-One: 1", "X-Two: 2", "X-Port: \(far.port)"]
        let answer = try await Self.answer("POST /a/b?x=9%0D%0AX:%209", headers: headers, content: "hello", of: near)
        #expect(answer.hasSuffix("\r\n\r\nPOST /b?x=9%0D%0AX:%209 1=9  X: 9 2= h=other hello"))
        let whole = try await Self.answer("GET /a", headers: headers, of: near)
        #expect(whole.hasSuffix("\r\n\r\nGET / 1= 2= h=other "))
    }

    /// A Host that a template makes invalid is not sent.
    @Test(arguments: ["a%20b", "a,b", "a:x"]) func invalidHostOfStubIsReported(host: String) async throws {
        let far = try await Self.start([Self.echo])
        let rest = """
            , "transformers": ["response-template"], "additionalProxyRequestHeaders": {"Host": "{{request.query.h}}"}
            """
        let near = try await Self.start([Self.mapping("http://127.0.0.1:\(far.port)", rest)])
        let answer = try await Self.answer("GET /a?h=\(host)", of: near)
        #expect(answer.hasPrefix("HTTP/1.1 502 "))
        #expect(answer.contains("expected host or host:port in the Host field of the stub, found 'a"))
        #expect(try await Self.answer("GET /a?h=b:1", of: near).contains(" h=b:1 "))
    }

    @Test func stubThatForwardsToItsOwnServerEndsWithLoopDetected() async throws {
        let server = try await Self.start([#"{"request": {"url": "/none"}}"#])
        try await server.stub(StubMapping(.get("/loop"), .proxy(to: "http://127.0.0.1:\(server.port)")))
        let answer = try await Self.answer("GET /loop", of: server)
        #expect(answer.hasPrefix("HTTP/1.1 508 Loop Detected\r\n"))
        #expect(answer.contains("508 Loop Detected: mockserver did not forward the request to http://127.0.0.1:"))
        #expect(await server.journal.entries.count == 9)
        let counted = try await Self.answer("GET /loop", headers: ["Reprise-Hops: x"], of: server)
        #expect(counted.hasPrefix("HTTP/1.1 508 "))
        await server.stop()
    }

    /// Two servers that forward to each other, one with a stub and one with its upstream.
    @Test func loopOverUpstreamEndsWithLoopDetected() async throws {
        let near = try await Self.start([#"{"request": {"url": "/none"}}"#])
        var configuration = MockServer.Configuration()
        configuration.upstream = try MockServer.Upstream("http://127.0.0.1:\(near.port)")
        let far = try await Self.start([#"{"request": {"url": "/none"}}"#], configuration)
        try await near.stub(StubMapping(.get("/loop"), .proxy(to: "http://127.0.0.1:\(far.port)")))
        #expect(try await Self.answer("GET /loop", of: near).hasPrefix("HTTP/1.1 508 Loop Detected\r\n"))
        #expect(try await Self.answer("GET /loop", of: far).hasPrefix("HTTP/1.1 508 Loop Detected\r\n"))
        await near.stop()
        await far.stop()
    }

    @Test func delayPrecedesForwarding() async throws {
        let far = try await Self.start([Self.echo])
        let near = try await Self.start([
            Self.mapping("http://127.0.0.1:\(far.port)", #", "fixedDelayMilliseconds": 50"#)
        ])
        let start = ContinuousClock.now
        let answer = try await Self.answer("POST /a", content: "hello", of: near)
        #expect(answer.hasSuffix(" hello"))
        #expect(ContinuousClock.now - start >= .milliseconds(50))
    }

    @Test func clientThatLeavesDuringDelayIsNotForwarded() async throws {
        let far = try await Self.start([Self.echo])
        let slow = Self.mapping("http://127.0.0.1:\(far.port)", #", "fixedDelayMilliseconds": 3600000"#)
        let near = try await Self.start([slow])
        let client = try await RawClient.connect(port: near.port)
        try await client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
        await near.stop(grace: .zero)
        #expect(try await client.readToEnd().text == "")
    }

    @Test(arguments: [
        ("http://127.0.0.1:1", "127.0.0.1:1"), ("nonsense", "found 'nonsense'"), ("{{request.query.none}}", "found ''"),
        ("http://169.254.169.254", "link-local"), ("http://[fe80::1]:80", "link-local"),
        ("http://{{request.query.host}}", "link-local"),
    ])
    func otherServerThatCannotAnswerIsNamed(url: String, reason: String) async throws {
        let near = try await Self.start([Self.mapping(url, #", "transformers": ["response-template"]"#)])
        let answer = try await Self.answer("GET /a?host=169.254.1.1", of: near)
        #expect(answer.hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
        #expect(answer.contains(reason))
    }

    @Test func requestOfStubIsNotRecorded() async throws {
        let far = try await Self.start([Self.echo])
        let url = "http://127.0.0.1:\(far.port)"
        let folder = try TemporaryFolder([:])
        let recorder = try CassetteRecorder(folder.path + "/a.cassette.json")
        var configuration = MockServer.Configuration()
        configuration.upstream = try MockServer.Upstream(url, recorder: recorder)
        let stub = #"{"request": {"url": "/a"}, "response": {"proxyBaseUrl": "\#(url)"}}"#
        let near = try await Self.start([stub], configuration)
        _ = try await Self.answer("GET /a", of: near)
        _ = try await Self.answer("GET /b", of: near)
        await near.stop(grace: .zero)
        _ = try recorder.finish()
        let cassette = try String(contentsOfFile: folder.path + "/a.cassette.json", encoding: .utf8)
        #expect(cassette.contains("/b\"") && !cassette.contains("/a\""))
    }
}
