// SPDX-License-Identifier: Apache-2.0

import Logging
import RepriseLocking
import RepriseTestSupport
import Testing

@testable import Reprise

@Suite(.timeLimit(.minutes(5))) struct CallLoggingTests {
    private let record = LogRecord()
    private let clock = ManualClock(passesBySleeping: true)

    private func api(
        _ transport: some Transport,
        verbose: Bool = false,
        tokens: Tokens? = nil,
        maxConcurrentRequests: Int? = nil
    ) -> Client {
        Client(
            "https://h",
            transport: transport,
            configuration: .init(
                timeout: nil,
                clock: clock,
                tokenProvider: tokens,
                maxConcurrentRequests: maxConcurrentRequests,
                logging: verbose ? .verbose(record.logger) : .simple(record.logger)
            )
        )
    }

    // MARK: Events

    @Test func logsNothingByDefault() async throws {
        #expect(CallLog(Client.Configuration().logging, clock: nil) == nil)
        var api = api(ClosureTransport())
        api.configuration.logging = .none
        try await api.get("/").send()
        #expect(record.lines.isEmpty)
    }

    @Test func logsStartAndEndOfCall() async throws {
        let stub = StubTransport { $0.get("/a", .text("abc").delayed(.milliseconds(1500))) }
        try await api(stub).get("/a").send()
        #expect(record.lines.map(\.message) == ["start GET https://h/a", "end GET https://h/a"])
        let end = record.lines[1]
        #expect(end.level == .info)
        #expect(end["attempt"] == "1")
        #expect(end["status"] == "200")
        #expect(end["size"] == "3")
        #expect(end["duration"] == "1500.0 ms")
        #expect(end["request-id"]?.count == 16)
        #expect(record.lines[0]["request-id"] == end["request-id"])
    }

    @Test func logsDistinctRequestIDPerCall() async throws {
        let api = api(ClosureTransport())
        try await api.get("/a").send()
        try await api.get("/a").send()
        #expect(Set(record.lines.map { $0["request-id"] }).count == 2)
    }

    @Test func measuresConcurrentCallsSeparately() async throws {
        let clock = ManualClock()
        let go = Signal()
        let transport = ClosureTransport { request, _, _ throws(TransportError) in
            if request.path == "/slow" { await go.wait() }
            return Response(HTTPResponse(status: .ok))
        }
        var api = api(transport)
        api.configuration.clock = clock
        api.configuration.timeout = nil
        let client = api
        let slow = Task { try await client.get("/slow").send() }
        while transport.requests.isEmpty, !Task.isCancelled { await Task.yield() }
        clock.advance(by: .seconds(7))
        try await client.get("/fast").send()
        go.set()
        _ = try await slow.value
        let durations = record.lines.filter { $0.event == "end" }.map { $0["duration"] }
        #expect(durations == ["0.0 ms", "7000.0 ms"])
    }

    @Test func logsRetriesAndFinalFailure() async throws {
        let transport = ClosureTransport(.serviceUnavailable)
        let call = api(transport).get("/").retry(.fixed(attempts: 2, delay: .seconds(3)))
        await #expect(throws: ClientError.self) { try await call.send() }
        #expect(record.events == ["start", "end", "retry", "start", "end", "failure"])
        #expect(record.lines.map { $0["attempt"] } == ["1", "1", "1", "2", "2", "2"])
        #expect(record.lines[2]["delay"] == "3000.0 ms")
        #expect(record.lines[2]["error"] == "status: answered 503")
        #expect(record.lines[2].level == .notice)
        #expect(record.lines[5].level == .error)
        #expect(record.lines[5]["error"] == "status: answered 503")
    }

    @Test(arguments: [true, false])
    func logsFailureWithoutResponse(isRetried: Bool) async throws {
        let transport = ClosureTransport { _, _, _ throws(TransportError) in throw TransportError(.offline, "no way") }
        let call = api(transport).get("/").retry(isRetried ? .fixed(attempts: 1) : .never)
        await #expect(throws: ClientError.self) { try await call.send() }
        #expect(record.events == ["start", "end", "failure"])
        #expect(record.lines[1]["error"] == "transport: no way")
        #expect(record.lines[2]["error"] == "transport: no way")
    }

    @Test func logsDecodingFailure() async throws {
        let stub = StubTransport { $0.get("/a", .json(#"{"password": "hunter2"}"#)) }
        await #expect(throws: ClientError.self) { try await api(stub).get("/a").value(as: [Int].self) }
        #expect(record.lines.map(\.event) == ["start", "end", "failure"])
        let failure = try #require(record.lines.last)
        #expect(failure.level == .error)
        #expect(failure["error"] == "decoding: answered 200")
        #expect(failure["request-id"] == record.lines[0]["request-id"])
    }

    @Test func logsInterruptedBody() async throws {
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(ScriptedSource([], failing: TransportError(.reset, "so"))))
        }
        await #expect(throws: ClientError.self) { try await api(transport).get("/").send() }
        #expect(record.events == ["start", "end", "failure"])
        #expect(record.lines[1]["status"] == "200")
        #expect(record.lines[1]["error"] == "transport: so")
        #expect(record.lines[1]["size"] == nil)
    }

    @Test func logsTokenRefresh() async throws {
        let transport = ClosureTransport { request, _, _ throws(TransportError) in
            let isNew = request.headerFields[.authorization] == "Bearer new-secret"
            return Response(HTTPResponse(status: isNew ? .ok : .unauthorized))
        }
        let tokens = Tokens("old-secret") { "new-secret" }
        try await api(transport, verbose: true, tokens: tokens).get("/").authorized().send()
        #expect(record.events == ["start", "end", "refresh", "start", "end"])
        #expect(!record.text.contains("secret"))
        #expect(record.text.contains("Authorization: [redacted]"))
    }

    @Test func logsStreamWhenHeadArrives() async throws {
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(ScriptedSource([.bytes([1], endsChunk: true)])))
        }
        let response = try await api(transport, verbose: true).get("/").stream()
        #expect(record.events == ["start", "end"])
        #expect(record.lines[1]["size"] == nil)
        #expect(try await response.body.collect() == [1])
    }

    @Test func logsCallCanceledWhileQueued() async throws {
        let go = Signal()
        let transport = ClosureTransport { _, _, _ throws(TransportError) in
            await go.wait()
            return Response(HTTPResponse(status: .ok))
        }
        let api = api(transport, maxConcurrentRequests: 1)
        let first = Task { try await api.get("/").send() }
        while transport.requests.isEmpty, !Task.isCancelled { await Task.yield() }
        let second = Task { try await api.get("/b").send() }
        while api.configuration.slots?.waiting != 1, !Task.isCancelled { await Task.yield() }
        second.cancel()
        _ = await second.result
        #expect(record.lines.filter { $0.message.hasSuffix("/b") }.map(\.event) == ["start", "end", "failure"])
        #expect(record.lines.last?["error"] == "cancelled: the task was canceled")
        go.set()
        _ = await first.result
    }

    // MARK: Contents

    @Test func verboseLogsCurlCommandAndResponse() async throws {
        let transport = ClosureTransport(.created, headers: [.contentType: "application/json"], body: #"{"id": 1}"#)
        try await api(transport, verbose: true).post("/a").json(["name": "Ada"]).send()
        let curl = #"""
            start POST https://h/a
            curl \
              -X POST \
              https://h/a \
              -H 'Content-Type: application/json' \
              --data-raw '{"name":"Ada"}'
            """#
        #expect(record.lines[0].message == curl)
        #expect(
            record.lines[1].message == """
                end POST https://h/a
                201 Created
                Content-Type: application/json

                {"id": 1}
                """
        )
    }

    @Test func simpleLogsOmitContent() async throws {
        let transport = ClosureTransport(headers: [.contentType: "application/json"], body: #"{"id": "inside"}"#)
        try await api(transport).post("/a").json(["name": "inside"]).send()
        #expect(!record.text.contains("inside"))
        #expect(!record.text.contains("curl"))
    }

    @Test func truncatesLongBodies() async throws {
        let text = "[\"" + String(repeating: "a", count: 5000) + "\"]"
        let transport = ClosureTransport(headers: [.contentType: "application/json"], body: Body(text))
        try await api(transport, verbose: true).post("/").body(text, contentType: "application/json").send()
        let shown = text.prefix(1024)
        for line in record.lines {
            #expect(line.message.contains("\(shown)… (5004 bytes)"))
            #expect(!line.message.contains("\(shown)a"))
        }
    }

    @Test func redactsSecrets() async throws {
        let headers: HTTPFields = [
            .setCookie: "session=hunter2", .contentType: "application/json", .location: "/next?access_token=hunter2",
            .eTag: "visible",
        ]
        let body: Body = #"{"accessToken": "hunter2", "user": {"newPassword": "hunter2", "name": "visible"}}"#
        let transport = ClosureTransport(.badRequest, headers: headers, body: body)
        let api = api(transport, verbose: true)
        let call = api.post("/a").query("api_key", "hunter2").header("Cookie", "hunter2").retry(.fixed().also(.post))
        await #expect(throws: ClientError.self) {
            try await call.form(["password": "hunter2", "name": "visible"]).send()
        }
        await #expect(throws: ClientError.self) { try await call.json(["clientSecret": "hunter2"]).send() }
        #expect(!record.text.contains("hunter2"))
        #expect(record.text.contains("visible"))
        struct Leaking: Error { var secret = "hunter2" }
        await #expect(throws: Leaking.self) {
            try await call.intercept { _, _ in throw Leaking() }.send()
        }
        #expect(record.lines.last?["error"] == "Leaking")
    }
}
