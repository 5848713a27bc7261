// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseFixtures
import RepriseLocking
import RepriseReplay
import RepriseStubAnswers
import RepriseStubs
import Testing

/// Stub mappings in process.
@Suite struct StubReplayTests {
    private func replay(
        _ stubs: [StubMapping],
        _ configuration: ReplayingTransport.Configuration = .init()
    ) throws -> ReplayingTransport {
        ReplayingTransport(
            stubs: try stubs.map { try StubFixture($0, options: configuration.stubs) },
            configuration: configuration
        )
    }

    @Test func stubsAnswerBeforeOrAfterRoutesByPriority() async throws {
        let folder = try TemporaryFolder()
        for (name, text) in [
            "a.get.txt": "route", "b.get.txt": "route",
            "mappings/early.json": #"{"request": {"urlPath": "/a"}, "response": {"body": "stub"}}"#,
            "mappings/late.json": #"{"priority": 10, "request": {"urlPattern": ".*"}, "response": {"body": "late"}}"#,
        ] { try folder.write(text, to: name) }
        let replay = try ReplayingTransport(folder.path)
        let stub = try StubTransport(fixtures: folder.path) { $0.get("/c", .text("from code")) }
        for transport in [replay, stub] as [any Transport] {
            #expect(try await transport.text("/a") == "stub")
            #expect(try await transport.text("/b") == "route")
            #expect(try await transport.text("/d") == "late")
        }
        #expect(try await stub.text("/c") == "from code")
    }

    @Test func stubModeAnswersWithMappings() async throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"request": {"urlPath": "/a"}, "response": {"body": "stub"}}"#, to: "mappings/a.json")
        let session = try CassetteSession(folder.path, mode: .stub, environment: [:])
        #expect(try await session.transport.text("/a") == "stub")
        try session.finish()
    }

    @Test func templateSeesRequestAsSent() async throws {
        let template = """
            {{request.baseUrl}} {{request.path}} {{request.query.q}} {{request.headers.X-A}} {{request.clientIp}} \
            {{request.body}} [{{request.headers.Host}}{{request.headers.User-Agent}}{{request.headers.Content-Length}}]
            """
        let mapping = StubMapping(.post("/a/{id}"), .text(template).header("X-Id", "{{request.pathSegments.[1]}}"))
        let stub = try StubTransport(stubs: [mapping], options: StubOptions(rendersAllTemplates: true))
        let fields: HTTPFields = [try #require(.init("X-A")): "x"]
        let response = try await stub.request("/a/7?q=1", .post, body: "hello", fields: fields)
        #expect(response.headers[try #require(.init("X-Id"))] == "7")
        #expect(try await response.text() == "https://api.example.com /a/7 1 x 127.0.0.1 hello []")
    }

    @Test func seedFixesRandomValues() async throws {
        let mapping = StubMapping(.get("/a"), .text("{{randomValue length=20 type='ALPHANUMERIC'}}"))
        let options = StubOptions(rendersAllTemplates: true, seed: 7)
        let first = try StubTransport(stubs: [mapping], options: options)
        let second = try StubTransport(stubs: [mapping], options: options)
        let text = try await first.text("/a")
        #expect(text.count == 20)
        #expect(try await second.text("/a") == text)
        #expect(try await first.text("/a") != text)
    }

    @Test func scenarioMovesFromStateToState() async throws {
        let stub = try StubTransport(stubs: [
            StubMapping(.get("/cart"), .text("empty")).inScenario("cart", requires: "Started"),
            StubMapping(.post("/cart"), .status(201)).inScenario("cart", then: "full"),
            StubMapping(.get("/cart"), .text("book")).inScenario("cart", requires: "full"),
        ])
        #expect(try await stub.text("/cart") == "empty")
        #expect(try await stub.request("/cart", .post).status.code == 201)
        #expect(try await stub.text("/cart") == "book")
    }

    @Test(arguments: [
        (StubResponse.Fault.emptyResponse, TransportError.Code.truncated), (.connectionReset, .reset),
        (.malformedResponseChunk, .malformedResponse), (.randomDataThenClose, .malformedResponse),
    ])
    func faultsFailAsOverSocket(fault: StubResponse.Fault, code: TransportError.Code) async throws {
        var response = StubResponse()
        response.fault = fault
        let stub = try StubTransport(stubs: [StubMapping(.get("/a"), response)])
        let seen = await #expect(throws: TransportError.self) { try await stub.request("/a").text() }
        #expect(seen?.code == code)
        #expect(seen?.message.contains("stub") == true)
    }

    @Test(arguments: [(StubResponse.Outcome.truncate, "truncated"), (.reset, "reset"), (.stall, "timedOut")])
    func endingsAreThoseOfMapping(then: StubResponse.Outcome, code: String) async throws {
        var response = StubResponse.text("abc")
        response.then = then
        let stub = try StubTransport(stubs: [StubMapping(.get("/a"), response)])
        let seen = try await Observation(stub.request("/a"))
        #expect(seen.text == "abc" && seen.failure == code)
    }

    @Test(arguments: [(HTTPRequest.Method.get, 204), (.get, 304), (.head, 200)])
    func responseThatAllowsNoContentHasNone(method: HTTPRequest.Method, status: Int) async throws {
        let stub = try StubTransport(stubs: [StubMapping(.any("/a"), .text("abc").status(status))])
        let response = try await stub.request("/a", method)
        #expect(response.status.code == status)
        #expect(try await response.text() == "")
        #expect(response.headers[.contentLength] == (method == .head ? "3" : nil))
    }

    @Test func delaysPassInVirtualTime() async throws {
        let clock = VirtualClock(patience: .seconds(180))
        let transport = try replay(
            [
                StubMapping(.get("/slow"), .text("slow").delayed(.seconds(3600))),
                StubMapping(.get("/dribble"), .text("abcd").dribbled(chunks: 4, over: .seconds(4))),
            ],
            .init(pace: .virtual, clock: clock)
        )
        let unlimited = RequestOptions(timeout: nil)
        #expect(try await transport.request("/slow", options: unlimited).text() == "slow")
        #expect(clock.now.offset == .seconds(3600))
        #expect(try await transport.request("/dribble", options: unlimited).text() == "abcd")
        #expect(clock.now.offset == .seconds(3604))
        let late = await #expect(throws: TransportError.self) {
            try await transport.request("/slow", options: RequestOptions(timeout: .seconds(10)))
        }
        #expect(late?.code == .timedOut)
    }

    @Test func unusedStubsDoNotFailStrictReplay() async throws {
        let transport = try replay([StubMapping(.get("/a"), .text("a")), StubMapping(.get("/b"), .text("b"))])
        _ = try await transport.text("/b")
        _ = try await transport.text("/b")
        let report = try transport.finish()
        let choices = report.choices.map(\.description)
        #expect(choices == ["GET /b -> in memory (answer 1)", "GET /b -> in memory (answer 2)"])
        #expect(report.unused.isEmpty)
    }

    @Test func missExplainsWhyStubsDidNotAnswer() async throws {
        let transport = try replay([
            StubMapping(.get("/a").header("X-A", .equalTo("1")), .text("a")),
            StubMapping(.get("/a"), .text("once")).times(1),
        ])
        #expect(try await transport.text("/a") == "once")
        let miss = await #expect(throws: TransportError.self) { try await transport.request("/a") }
        #expect(miss?.code == .noFixture)
        let message = try #require(miss?.message)
        #expect(message.hasPrefix("No stub answers GET /a.\n\nNearest stubs:\n"))
        #expect(message.contains("it answers only one request, and has answered it"))
        #expect(message.contains("header X-A: expected 1, found nothing"))
        #expect(message.contains("\n\nTo record it:\n  swift run mockserver record https://api.example.com"))
        #expect(throws: ReplayFailure.self) { try transport.finish() }
    }

    @Test func proxyNeedsTransportOfTest() async throws {
        var response = StubResponse()
        var proxy = StubResponse.Proxy(baseURL: "http://backend:81/base/")
        proxy.pathPrefixToRemove = "/api"
        proxy.addedHeaders = [StubHeader("X-Added", "1")]
        proxy.removedHeaders = ["X-Removed"]
        response.proxy = proxy
        let mapping = StubMapping(.any("/api/a"), response)
        let closed = try replay([mapping])
        let failure = await #expect(throws: TransportError.self) { try await closed.request("/api/a") }
        #expect(failure?.message.contains("ReplayingTransport.Configuration.proxy") == true)

        let seen = Locked<[HTTPRequest]>([])
        let backend = StubTransport.answering { request in
            seen.withLock { $0.append(request.head) }
            return .text("from backend: \(String(decoding: request.body, as: UTF8.self))")
        }
        let open = try replay([mapping], .init(proxy: backend))
        let removed = try #require(HTTPField.Name("X-Removed"))
        let reply = try await open.request("/api/a", .post, body: "hello", fields: [removed: "1"])
        #expect(try await reply.text() == "from backend: hello")
        let request = try #require(seen.withLock { $0 }.first)
        #expect(request.authority == "backend:81" && request.scheme == "http" && request.path == "/base/a")
        #expect(request.headerFields[removed] == nil)
        #expect(request.headerFields[try #require(.init("X-Added"))] == "1")
    }

    @Test func partsOfProxyAreTemplates() async throws {
        var response = StubResponse()
        var proxy = StubResponse.Proxy(baseURL: "http://{{request.query.host}}/base")
        proxy.addedHeaders = [StubHeader("X-Added", "{{request.pathSegments.[0]}}"), StubHeader("Content-Length", "9")]
        response.proxy = proxy
        response.headers = [StubHeader("X-Near", "{{request.method}}")]
        let backend = StubTransport.answering { request in
            let added = HTTPField.Name("X-Added").flatMap { request.head.headerFields[$0] }
            return .text("\(request.head.authority ?? "") \(request.head.path ?? "") \(added ?? "")")
        }
        let stubs = StubOptions(rendersAllTemplates: true)
        let transport = try replay([StubMapping(.all, response)], .init(stubs: stubs, proxy: backend))
        let reply = try await transport.request("/a?host=far:81")
        #expect(try await reply.text() == "far:81 /base/a?host=far:81 a")
        #expect(reply.headers[try #require(.init("X-Near"))] == "GET")

        proxy.baseURL = "http://{{math nothing '+' 1}}"
        response.proxy = proxy
        let broken = try replay([StubMapping(.all, response)], .init(stubs: stubs, proxy: backend))
        let failure = await #expect(throws: TransportError.self) { try await broken.request("/a") }
        #expect(failure?.code == .invalidRequest)
        #expect(failure?.message.contains("math: expected a value, found nothing") == true)
    }

    @Test func delaysPassOnClockOfStubTransport() async throws {
        let clock = VirtualClock(patience: .seconds(180))
        let stub = try StubTransport(
            stubs: [
                StubMapping(.get("/slow"), .text("slow").delayed(.seconds(3600))),
                StubMapping(.get("/dribble"), .text("abcd").dribbled(chunks: 4, over: .seconds(4))),
                StubMapping(.get("/now"), .text("now")),
            ],
            clock: clock
        )
        let unlimited = RequestOptions(timeout: nil)
        #expect(try await stub.request("/slow", options: unlimited).text() == "slow")
        #expect(clock.now.offset == .seconds(3600))
        #expect(try await stub.request("/dribble", options: unlimited).text() == "abcd")
        #expect(clock.now.offset == .seconds(3604))
        #expect(try await stub.request("/now").text() == "now")
        #expect(clock.now.offset == .seconds(3604))
    }

    @Test func recordedPausesTakeNoTimeInStubTransport() async throws {
        let folder = try TemporaryFolder()
        try folder.write("data: 1\n\n", to: "chat.get.sse")
        try folder.write(
            #"{"request": {"url": "/slow"}, "response": {"fixedDelayMilliseconds": 60000}}"#,
            to: "mappings/slow.json"
        )
        let clock = VirtualClock(patience: .seconds(180))
        let stub = try StubTransport(fixtures: folder.path, clock: clock)
        #expect(try await stub.text("/chat") == "data: 1\n\n")
        #expect(clock.now.offset == .zero)
        _ = try await stub.request("/slow", options: RequestOptions(timeout: nil)).text()
        #expect(clock.now.offset == .seconds(60))
    }

    @Test func reportNamesWebhooksThatAreNotSent() async throws {
        var mapping = StubMapping(.get("/a"), .text("a"))
        mapping.webhooks = [Webhook(method: "GET", url: "http://127.0.0.1:1/")]
        let transport = try replay([mapping])
        #expect(try await transport.text("/a") == "a")
        #expect(transport.report.choices.map(\.description) == ["GET /a -> in memory (answer 1; webhooks not sent)"])
    }

    @Test func invalidConditionIsRefused() {
        #expect(throws: FixtureProblems.self) {
            try StubTransport(stubs: [StubMapping(.all.url(.matching("(")), .text("a"))])
        }
    }
}
