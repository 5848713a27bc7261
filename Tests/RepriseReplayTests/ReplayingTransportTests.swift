// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseCassettes
import RepriseFixtures
import RepriseLocking
import RepriseReplay
import RepriseText
import Testing

@Suite struct ReplayingTransportTests {
    private static let base = "https://api.example.com"

    private func replay(
        _ fixtures: [Fixture],
        _ configuration: ReplayingTransport.Configuration = .init()
    ) -> ReplayingTransport {
        ReplayingTransport(fixtures: fixtures, configuration: configuration)
    }

    /// Switching threads costs ten times as much as answering.
    @MainActor @Test func answersOnCallersThread() async throws {
        let thread = { @Sendable in ObjectIdentifier(Thread.current) }
        let threads = Locked<[ObjectIdentifier]>([])
        let matcher = Matcher.custom("thread") { _, _ in
            threads.withLock { $0.append(thread()) }
            return true
        }
        let here = thread()
        let fixtures: [Fixture] = [.recorded("https://api.example.com/a", .text("ok"))]
        let transport = ReplayingTransport(
            fixtures: fixtures,
            configuration: .init(matching: .standard + [matcher], afterLast: .repeat)
        )
        _ = try await transport.send(HTTPRequest(method: .get, scheme: "https", authority: "h", path: "/a"))
        try await Client("https://h", transport: transport).get("/a").send()
        #expect(threads.withLock { $0 } == [here, here])
    }

    @Test func preservesRecordedHead() async throws {
        let transport = replay([
            .recorded("\(Self.base)/a", .text("ok", headers: ["x-b: 1", "X-A:  2 ", "x-b: 3"]))
        ])
        let response = try await transport.request("/a")
        #expect(response.headers[values: .init("X-B")!] == ["1", "3"])
        #expect(
            response.rawHead?.bytes
                == Array("HTTP/1.1 200 OK\r\nx-b: 1\r\nX-A:  2 \r\nx-b: 3\r\nContent-Length: 2\r\n".utf8)
        )
        #expect(try await response.text() == "ok")
    }

    /// As on the server.
    @Test func answersRangesAndConditionsAsRecorded() async throws {
        let url = "\(Self.base)/v"
        let transport = replay(
            [
                .recorded(url, headers: ["Range: bytes=0-2"], .text("012", status: 206)),
                .recorded(url, headers: ["Range: bytes=3-5"], .text("345", status: 206)),
                .recorded(url, headers: ["If-None-Match: \"a\""], .text("", status: 304)), .recorded(url, .text("all")),
            ],
            .init(afterLast: .repeat)
        )
        let asked: [(HTTPFields, Int)] = [
            ([.range: "bytes=3-5"], 206), ([.range: "bytes=0-2"], 206), ([.ifNoneMatch: "\"b\""], 304), ([:], 200),
            ([.range: "bytes=1-5"], 200),
        ]
        for (fields, status) in asked {
            let response = try await transport.request("/v", fields: fields)
            #expect(response.status.code == status)
            if let range = fields[.range], status == 206 {
                #expect(try await response.text() == (range == "bytes=3-5" ? "345" : "012"))
            }
        }
    }

    @Test func editsCountAnswersToSameRange() async throws {
        let (url, range) = ("\(Self.base)/v", ["Range: bytes=0-2"])
        let recorded: [Fixture] = [
            .recorded(url, headers: range, .text("012", status: 206)), .recorded(url, headers: range, .text("all")),
        ]
        let transport = replay(try recorded.bent(by: [Bend(.status(503), answers: 1)]), .init(afterLast: .repeat))
        var statuses: [Int] = []
        for _ in 0..<3 {
            statuses.append(try await transport.request("/v", fields: [.range: "bytes=0-2"]).status.code)
        }
        #expect(statuses == [503, 200, 200])
    }

    /// As over a network, so that code that passes a test with a recording also works without it.
    @Test(arguments: ["", "ok"])
    func deliversContentOnce(content: String) async throws {
        let replay = replay([.recorded("\(Self.base)/a", .text(content))])
        let stub = StubTransport { $0.get("/a", .bytes(Array(content.utf8))) }
        let folder = try TemporaryFolder()
        let base = AnyTransport { (_, _, _) async throws(TransportError) in
            Response(HTTPResponse(status: .ok), body: Body(content))
        }
        let recording = try RecordingTransport(over: base, to: folder.path("a.cassette.json"))
        let transports: [any Transport] = [replay, stub, recording]
        for transport in transports {
            let response = try await transport.request("/a")
            #expect(try await response.text() == content)
            let error = await #expect(throws: TransportError.self) { try await response.body.collect() }
            #expect(error?.code == .bodyConsumed)
        }
    }

    @Test func playsAnswersToEqualRequestsInOrder() async throws {
        let jobs: [Fixture] = [
            .recorded("\(Self.base)/jobs/1", line: 3, .text("waiting")),
            .recorded("\(Self.base)/jobs/1", line: 9, .text("done")),
        ]
        let transport = replay(jobs, .init(afterLast: .repeat))
        var seen: [String] = []
        for _ in 0..<3 { seen.append(try await transport.text("/jobs/1")) }
        #expect(seen == ["waiting", "done", "done"])
        let report = try transport.finish()
        #expect(report.choices.map(\.ordinal) == [1, 2, 3])
        #expect(report.choices.map { $0.source.location?.line } == [3, 9, 9])
        #expect(report.choices[1].description == "GET /jobs/1 -> test.cassette.json:9 (2 of 2)")
    }

    @Test(arguments: [
        (AfterLast.repeat, ["1", "2", "2", "2"]), (.restart, ["1", "2", "1", "2"]),
        (.miss, ["1", "2", "noFixture", "noFixture"]),
    ])
    func appliesAfterLastSetting(afterLast: AfterLast, expected: [String]) async throws {
        let fixtures: [Fixture] = [.recorded("\(Self.base)/a", .text("1")), .recorded("\(Self.base)/a", .text("2"))]
        for matching in [[Matcher].standard, .standard + [.custom("any") { _, _ in true }]] {
            let transport = replay(fixtures, .init(matching: matching, afterLast: afterLast))
            var seen: [String] = []
            for _ in 0..<4 {
                do throws(TransportError) {
                    let response = try await transport.request("/a")
                    seen.append(await Observation(response).text)
                } catch {
                    seen.append(error.code.rawValue)
                }
            }
            #expect(seen == expected)
        }
    }

    private static let custom = [Matcher].standard + [.custom("any") { _, _ in true }]

    @Test(arguments: [[Matcher].standard, custom])
    func playsRecordedAnswerOnce(matching: [Matcher]) async throws {
        let payment = Fixture.recorded("\(Self.base)/payments", method: "POST", .text("paid"))
        let transport = replay([payment], .init(matching: matching))
        #expect(try await transport.text("/payments", .post) == "paid")
        for _ in 1...2 {
            let error = await #expect(throws: TransportError.self) {
                try await transport.request("/payments", .post)
            }
            #expect(error?.code == .noFixture)
            #expect(error?.message.contains("given already") == true)
            #expect(
                error?.message.contains("To answer it again, repeat the last answer:\n  afterLast: .repeat\n") == true
            )
        }
        let failure = #expect(throws: ReplayFailure.self) { try transport.finish() }
        #expect(failure?.report.misses.count == 2)
    }

    @Test(arguments: [[Matcher].standard, custom])
    func repeatsHandwrittenAnswerBesideRecordings(matching: [Matcher]) async throws {
        let folder = try TemporaryFolder()
        try folder.write("waiting", to: "jobs/1.get.txt")
        try folder.write(Self.cassette, to: "jobs.cassette.json")
        try folder.write(Self.har, to: "more.har")
        let transport = try ReplayingTransport(paths: [folder.path], configuration: .init(matching: matching))
        for _ in 1...3 { #expect(try await transport.text("/jobs/1") == "waiting") }
        for path in ["/jobs/2", "/jobs/3"] {
            _ = try await transport.request(path)
            await #expect(throws: TransportError.self) { try await transport.request(path) }
        }
    }

    private static let cassette = #"""
        {"reprise": 1, "exchanges": [{
          "request": {"method": "GET", "url": "https://api.example.com/jobs/2", "headers": []},
          "response": {"status": "204 No Content", "headers": []}
        }]}
        """#
    private static let har = #"""
        {"log": {"version": "1.2", "creator": {"name": "test", "version": "1"}, "entries": [{
          "startedDateTime": "2026-11-21T09:00:00Z", "time": 1, "timings": {"send": 0, "wait": 1, "receive": 0},
          "request": {"method": "GET", "url": "https://api.example.com/jobs/3", "httpVersion": "HTTP/1.1",
            "headers": [], "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0},
          "response": {"status": 204, "statusText": "No Content", "httpVersion": "HTTP/1.1", "headers": [],
            "cookies": [], "content": {"size": 0, "mimeType": ""}, "redirectURL": "", "headersSize": -1, "bodySize": 0},
          "cache": {}
        }]}}
        """#

    /// A client repeats a request that fails, so edited recordings answer again, and so do those that stand in for a
    /// server.
    @Test func repeatsRecordedAnswerUnlessReplayIsStrict() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.cassette, to: "jobs.cassette.json")
        let network = StubTransport { $0.get("/jobs/2", .text("network")) }
        let configurations: [ReplayingTransport.Configuration] = [
            .init(afterLast: .repeat), .init(unmatched: .passThrough, over: network),
            .init(bends: [Bend(.status(503))]),
        ]
        let transports: [any Transport] =
            try configurations.map { try ReplayingTransport(paths: [folder.path], configuration: $0) } + [
                StubTransport(fixtures: folder.path)
            ]
        for transport in transports {
            let statuses = [
                try await transport.request("/jobs/2").status, try await transport.request("/jobs/2").status,
            ]
            #expect(Set(statuses.map(\.code)).count == 1)
            #expect(statuses[1].code != 200)
        }
    }

    @Test func assignsDistinctAnswersToConcurrentEqualRequests() async throws {
        let transport = replay((0..<100).map { .recorded("\(Self.base)/a", line: $0, .text("\($0)")) })
        let seen = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await transport.text("/a") } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(seen.count == 100)
        let report = try transport.finish()
        #expect(report.choices.map(\.ordinal) == Array(1...100))
        #expect(report.choices.map { $0.source.location?.line } == Array(0..<100))
    }

    @Test func answersHEADFromGETWithoutAdvancingSequence() async throws {
        let transport = replay([.recorded("\(Self.base)/a", .text("one")), .recorded("\(Self.base)/a", .text("two"))])
        let response = try await transport.request("/a", .head)
        #expect(response.headers[.contentLength] == "3")
        #expect(try await response.text() == "")
        #expect(try await transport.text("/a") == "one")
    }

    @Test func answersOPTIONSWithMethodsOfPath() async throws {
        let transport = replay([.recorded("\(Self.base)/a", .text("one"))])
        let response = try await transport.request("/a", .options)
        #expect(response.status == .noContent)
        #expect(response.headers[.allow] == "GET, HEAD, OPTIONS")
    }

    // MARK: Misses

    @Test func missNamesNearestFixtureAndRecordCommand() async throws {
        let transport = replay([.recorded("\(Self.base)/users?page=2", line: 12, .text("x"))])
        let error = await #expect(throws: TransportError.self) { try await transport.request("/users?page=3") }
        #expect(error?.code == .noFixture)
        #expect(error?.message.contains("GET /users?page=2 (test.cassette.json:12)") == true)
        #expect(error?.message.contains("query.page: expected 2, found 3") == true)
        let command = "swift run mockserver record https://api.example.com --out test.cassette.json --only 'GET /users'"
        #expect(error?.message.contains(command) == true)
        let failure = #expect(throws: ReplayFailure.self) { try transport.finish() }
        #expect(failure?.report.misses.map(\.request) == ["GET https://api.example.com/users?page=3"])
        #expect(failure?.report.unused.map(\.description) == ["GET /users?page=2 (test.cassette.json:12)"])
    }

    /// A test may use another host than the recording.
    @Test(arguments: [
        ("http://localhost:8080", "https://api.example.com:8443"),
        ("https://auth.example.com", "https://auth.example.com"),
    ])
    func recordCommandNamesServerOfCassette(requested: String, upstream: String) async throws {
        let folder = try TemporaryFolder()
        let cassette = #"""
            {"reprise": 1, "exchanges": [
              {"request": {"method": "GET", "url": "https://api.example.com:8443/a", "headers": []}, "failure": "dns"},
              {"request": {"method": "GET", "url": "https://auth.example.com/b", "headers": []}, "failure": "dns"}
            ]}
            """#
        try folder.write(cassette, to: "a.cassette.json")
        let transport = try ReplayingTransport(folder.path("a.cassette.json"))
        let request = HTTPRequest(url: try #require(URL(string: "\(requested)/c")))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(request, body: nil, options: RequestOptions())
        }
        #expect(error?.message.contains("\n  swift run mockserver record \(upstream) --out ") == true)
    }

    @Test(arguments: [
        ([Matcher].standard, "matching: [.method, .path, .query(ignoring: [\"ts\"]), .body(ignoring: [\"/id\"])]"),
        (
            [.body(ignoring: ["/at"]), .host, .query],
            "matching: [.body(ignoring: [\"/at\", \"/id\"]), .host, .query(ignoring: [\"ts\"])]"
        ),
        (
            [.path, .body, .headers(["X-Nonce", "Accept"])],
            "matching: [.path, .body(ignoring: [\"/id\"]), .headers([\"Accept\"])]"
        ),
    ])
    func missEndsWithCodeThatIgnoresVolatileValues(matching: [Matcher], code: String) async throws {
        let body = #"{"id":"0d6f2c1e-8f0a-4c43-9a65-0c3c1d1f7d11","n":1}"#
        let nonces = ["9f86d081884c7d659a2feaa0c55ad015", "a3bf4f1b2b0b822cd15d6c15b0f00a08"]
        let transport = replay(
            [
                .recorded(
                    "\(Self.base)/a?ts=1763854005",
                    method: "POST",
                    headers: ["X-Nonce: \(nonces[0])"],
                    body: body,
                    .text("x")
                )
            ],
            .init(matching: matching)
        )
        let error = await #expect(throws: TransportError.self) {
            try await transport.request(
                "/a?ts=1763854099",
                .post,
                body: #"{"id":"77b1a0c4-53c5-4a9c-8c0e-2f5f0d7c9e10","n":1}"#,
                fields: [.init("X-Nonce")!: nonces[1]]
            )
        }
        let suggestion = "\n\nIf these values differ in each run, ignore them:\n  \(code)"
        #expect(error?.message.hasSuffix(suggestion) == true)
    }

    @Test func missWithCustomMatcherNamesMatchersToChange() async throws {
        let transport = replay(
            [.recorded("\(Self.base)/a?ts=1763854005", .text("x"))],
            .init(matching: .standard + [.custom("any") { _, _ in true }])
        )
        let error = await #expect(throws: TransportError.self) { try await transport.request("/a?ts=1763854099") }
        let suggestion = "change the matchers of their parts to [.query(ignoring: [\"ts\"]), .body]"
        #expect(error?.message.hasSuffix(suggestion) == true)
    }

    @Test func finishReportsUnusedFixtures() async throws {
        let transport = replay([
            .recorded("\(Self.base)/a", line: 3, .text("a")), .recorded("\(Self.base)/b", line: 8, .text("b")),
        ])
        _ = try await transport.text("/a")
        let failure = #expect(throws: ReplayFailure.self) { try transport.finish() }
        #expect(failure?.description.contains("  GET /b (test.cassette.json:8)") == true)
        #expect(failure?.description.contains("  GET /a -> test.cassette.json:3 (1 of 1)") == true)
    }

    @Test func redactsSecretsOfMiss() async throws {
        let transport = replay([])
        await #expect(throws: TransportError.self) { try await transport.request("/a?api_key=hunter2") }
        #expect(transport.report.misses.first?.request.contains("hunter2") == false)
    }

    @Test func forwardsMissesInPassThrough() async throws {
        let live = StubTransport {
            $0.post("/b") { request in .text("live \(request.text)") }
            $0.get("/moved", .status(302).header("Location", "/a"))
        }
        let transport = replay(
            [.recorded("\(Self.base)/a", .text("recorded"))],
            .init(unmatched: .passThrough, over: live)
        )
        #expect(try await transport.text("/a") == "recorded")
        #expect(try await transport.text("/b", .post, body: "hello") == "live hello")
        #expect(try await transport.text("/moved") == "recorded")
        #expect(live.requests.count == 2)
        #expect(try transport.finish().misses.count == 2)
    }

    // MARK: Failures and endings

    @Test(arguments: [
        (Failure.connectionRefused, TransportError.Code.connectionRefused), (.connectionLost, .reset),
        (.timedOut, .timedOut), (.dns, .nameNotResolved), (.tls, .tls),
    ])
    func replaysRecordedFailures(failure: Failure, code: TransportError.Code) async {
        let error = await #expect(throws: TransportError.self) {
            try await replay([.failing("\(Self.base)/a", failure)]).request("/a")
        }
        #expect(error?.code == code)
    }

    @Test(arguments: [
        (Ending.truncated, TransportError.Code.truncated, Ending.truncated), (.reset, .reset, .reset),
        (.timedOut, .timedOut, .timedOut),
    ])
    func replaysBytesAndRecordedEnding(
        ending: Ending,
        code: TransportError.Code,
        seen: Ending
    ) async throws {
        let transport = replay([
            .recorded("\(Self.base)/a", .stream([(10, "data: 1\n\n")], ending: ending, after: 60_000))
        ])
        let observation = try await Observation(transport.request("/a"))
        #expect(observation.chunks == [Array("data: 1\n\n".utf8)])
        #expect(observation.failure == code.rawValue)
        #expect(observation.ending == seen)
    }

    @Test func followsRecordedRedirectsUnlessRefused() async throws {
        let moved = RecordedResponse(status: 302, reason: "Found", headers: [HeaderLine(name: "Location", value: "/b")])
        let fixtures: [Fixture] = [.recorded("\(Self.base)/a", moved), .recorded("\(Self.base)/b", .text("there"))]
        let response = try await replay(fixtures).request("/a")
        #expect(response.url == "https://api.example.com/b")
        #expect(try await response.text() == "there")
        let kept = try await replay(fixtures).request("/a", options: RequestOptions(redirects: .dontFollow))
        #expect(kept.status == .found)
    }

    // MARK: Requests

    @Test func failsIfRequestBodyFails() async {
        struct Broken: Error {}
        let body = Body(AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: Broken()) })
        let request = HTTPRequest(method: .post, scheme: "https", authority: "api.example.com", path: "/a")
        let transport = replay([.recorded("\(Self.base)/a", method: "POST", body: "x", .text("ok"))])
        let error = await #expect(throws: TransportError.self) { try await transport.send(request, body: body) }
        #expect(error?.code == .requestBody)
        #expect(error?.underlying is Broken)
    }

    @Test func matchesStreamedRequestBody() async throws {
        let chunks = AsyncStream<[UInt8]> { stream in
            for piece in ["{\"b\": 2,", " \"a\": 1}"] { stream.yield(Array(piece.utf8)) }
            stream.finish()
        }
        let request = HTTPRequest(method: .post, scheme: "https", authority: "api.example.com", path: "/a")
        let transport = replay([
            .recorded(
                "\(Self.base)/a",
                method: "POST",
                headers: ["Content-Type: application/json"],
                body: #"{"a":1,"b":2}"#,
                .text("ok")
            )
        ])
        #expect(try await transport.send(request, body: Body(chunks)).text() == "ok")
    }

    @Test func endsImmediatelyWhenCanceled() async {
        let transport = replay([.recorded("\(Self.base)/a", .text("ok"))])
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await transport.request("/a")
        }
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    // MARK: Bodies

    @Test func reportsContentLengthOfTruncatedBody() async throws {
        let cutShort = RecordedResponse.stream([(0, "12345")], ending: .truncated, headers: ["Content-Length: 10"])
        let transport = replay([
            .recorded("\(Self.base)/a", cutShort),
            .recorded("\(Self.base)/b", .stream([(0, "12345")], ending: .truncated)),
        ])
        #expect(try await transport.request("/a").body.length == 10)
        #expect(try await transport.request("/b").body.length == nil)
    }

    // MARK: Files

    @Test func streamsBodyFileInPieces() async throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "0123456789abcdef", count: 10_000)
        try folder.write(text, to: "big.get.txt")
        let transport = try ReplayingTransport(folder.path)
        let response = try await transport.request("/big")
        var sizes: [Int] = []
        var content: [UInt8] = []
        for try await chunk in response.body {
            sizes.append(chunk.count)
            content += chunk
        }
        #expect(sizes == [65536, 65536, 160_000 - 131_072])
        #expect(content == Array(text.utf8))
        #expect(response.ending == .complete)
    }

    @Test func errorNamesMissingBodyFile() async throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "x", count: 100_000), to: "big.get.txt")
        let transport = try ReplayingTransport(folder.path)
        try FileManager.default.removeItem(atPath: folder.path("big.get.txt"))
        let response = try await transport.request("/big")
        let error = await #expect(throws: TransportError.self) { try await response.body.collect() }
        #expect(error?.message.contains("big.get.txt") == true)
    }

    @Test func reportsProblemsWithFixtures() throws {
        let folder = try TemporaryFolder()
        try folder.write("{", to: "a.cassette.json")
        #expect(throws: FixtureProblems.self) { try ReplayingTransport(folder.path) }
    }
}
