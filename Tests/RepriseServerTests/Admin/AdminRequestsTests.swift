// SPDX-License-Identifier: Apache-2.0

import RepriseAdmin
import RepriseDocuments
import RepriseFixtures
import RepriseStubs
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// Reading and changing the journal over a socket.
@Suite struct AdminRequestsTests {
    @Test func answersOfTemplatesAndOtherServersAreKept() async throws {
        let far = try await AdminTestServer.start()
        try await far.add(
            #"{"request": {"url": "/far"}, "response": {"status": 203, "body": "far away", "headers": {"X-A": "1"}}}"#
        )
        try await far.add(#"{"request": {"url": "/broken"}, "response": {"body": "abc", "then": "truncate"}}"#)
        let near = try await AdminTestServer.start()
        try await near.add(
            #"{"request": {"url": "/t?q=1"}, "response": {"body": "<{{request.query.q}}>", "transformers": ["response-template"]}}"#
        )
        try await near.add(
            #"{"priority": 9, "request": {"urlPattern": "/.*"}, "response": {"proxyBaseUrl": "http://127.0.0.1:\#(far.server.port)"}}"#
        )
        for path in ["/t?q=1", "/far", "/broken"] { try await near.send("GET", path) }
        let events = try await near.admin("GET", "/requests").json.list("requests").reversed().map { $0["response"] }
        #expect(events[0]?["body"] == "<1>")
        #expect(events[1]?["body"] == "far away")
        #expect(events[1]?["status"] == 203)
        #expect(events[1]?["headers"]?["X-A"] == "1")
        #expect(events[2]?["body"] == nil)
        let har = try await near.admin("GET", "/reprise/journal?format=har").body
        #expect(har.contains("far away"))
        let cassette = try await near.admin("GET", "/reprise/journal?format=cassette").body
        #expect(cassette.contains("far away") && cassette.contains("<1>"))
        await near.stop()
        await far.stop()
    }

    private static func server(threads: Int = 1) async throws -> AdminTestServer {
        let server = try await AdminTestServer.start(threads: threads)
        try await server.add(
            #"{"name": "post", "request": {"method": "POST", "urlPath": "/a"}, "response": {"status": 201, "body": "é", "headers": {"X": "1"}}, "metadata": {"k": 1}}"#
        )
        return server
    }

    @Test func eventDescribesRequestAndAnswer() async throws {
        let server = try await Self.server()
        try await server.send("POST", "/a?x=1&x=2&y=%20z", "body", "Cookie: c=d\r\nX-A: 1\r\nX-A: 2\r\n")
        let list = try await server.admin("GET", "/reprise/requests")
        let event = try AdminList<ServeEvent>(parsing: Array(list.body.utf8)).elements[0]
        #expect(event.request.url == "/a?x=1&x=2&y=%20z")
        #expect(event.request.absoluteURL == "http://localhost/a?x=1&x=2&y=%20z")
        #expect(event.request.clientIP == "127.0.0.1")
        #expect(event.request.headers["x-a"] == ["1", "2"])
        #expect(event.request.cookies["c"] == ["d"])
        #expect(event.request.text == "body")
        #expect(event.request.query == [NamedValues("x", ["1", "2"]), NamedValues("y", [" z"])])
        #expect(event.request.port == 80)
        #expect(event.wasMatched)
        #expect(event.stub.name == "post")
        #expect(event.response.status == 201)
        #expect(event.response.headers["X"] == ["1"])
        #expect(event.response.body == Array("é".utf8))
        #expect(event.origin?.ordinal == 1)
        let single = try await server.admin("GET", "/requests/\(event.id)")
        #expect(try ServeEvent(parsing: Array(single.body.utf8)).request == event.request)
        #expect(list.json["requestJournalDisabled"] == false)
        await server.stop()
    }

    @Test(arguments: [
        ("GET", "/requests", ["requests"], ["reprise"]),
        ("GET", "/requests/unmatched/near-misses", ["nearMisses"], ["matchResult", "conditions"]),
        ("POST", "/near-misses/request", ["nearMisses"], ["matchResult", "conditions"]),
        ("POST", "/near-misses/request-pattern", ["nearMisses"], ["matchResult", "conditions"]),
    ])
    func detailsAreOnlyInAnswersBelowReprise(
        method: String,
        path: String,
        list: [String],
        detail: [String]
    ) async throws {
        let server = try await Self.server()
        try await server.send("GET", "/a")
        let content = method == "GET" ? nil : #"{"url": "/a", "method": "GET"}"#
        for (prefix, isDetailed) in [("", false), ("/reprise", true)] {
            let answer = try await server.admin(method, prefix + path, content).json
            let found = detail.reduce(answer.first(list[0])) { $0?[$1] }
            #expect((found != nil) == isDetailed, "\(prefix)\(path)")
        }
        await server.stop()
    }

    @Test func singleAndRemovedEventsHaveOnlyMembersOfWireMock() async throws {
        let server = try await Self.server()
        try await server.send("POST", "/a", "")
        guard case .string(let id)? = try await server.admin("GET", "/requests").json.first("requests")?["id"] else {
            Issue.record("no event")
            return
        }
        #expect(try await server.admin("GET", "/requests/\(id)").json["reprise"] == nil)
        #expect(try await server.admin("GET", "/reprise/requests/\(id)").json["reprise"] != nil)
        let removed = try await server.admin("POST", "/requests/remove", "{}").json
        #expect(removed.first("serveEvents")?["wasMatched"] == true)
        #expect(removed.first("serveEvents")?["reprise"] == nil)
        await server.stop()
    }

    @Test func requestsOfTheAdminAPIAreNotInTheJournal() async throws {
        let server = try await Self.server()
        for _ in 0..<3 { try await server.admin("GET", "/requests") }
        #expect(await server.server.journal.entries.isEmpty)
        await server.stop()
    }

    @Test func refusedRequestOfTheAdminAPIIsNotInTheJournal() async throws {
        let server = try await Self.server()
        let client = try await RawClient.connect(port: server.server.port)
        try await client.send(
            "POST /__admin/mappings HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n"
        )
        #expect(try await client.readToEnd().text.hasPrefix("HTTP/1.1 400 "))
        #expect(await server.server.journal.entries.isEmpty)
        #expect(try await server.admin("GET", "/metrics").body.contains(#"reprise_requests_total{result="refused"} 0"#))
        await server.stop()
    }

    @Test func eventKeepsRemovedStub() async throws {
        let server = try await Self.server()
        try await server.send("POST", "/a", "")
        try await server.admin("DELETE", "/mappings")
        let event = try await server.admin("GET", "/requests").json.first("requests")
        #expect(event?["stubMapping"]?["name"] == "post")
        #expect(event?["response"]?["body"] == "é")
        await server.stop()
    }

    @Test func listIsFiltered() async throws {
        let server = try await Self.server()
        let id = try await server.admin("GET", "/mappings").json.first("mappings")?["id"]
        for path in ["/a", "/miss", "/a"] { try await server.send("POST", path, "") }
        func urls(_ query: String) async throws -> [JSONTree?] {
            try await server.admin("GET", "/requests?\(query)").json.list("requests").map { $0["request"]?["url"] }
        }
        #expect(try await urls("") == ["/a", "/miss", "/a"])
        #expect(try await urls("limit=1") == ["/a"])
        #expect(try await urls("unmatched=true") == ["/miss"])
        guard case .string(let id)? = id else { return }
        #expect(try await urls("matchingStub=\(id)") == ["/a", "/a"])
        #expect(try await urls("since=2020-01-01T00:00:00Z&limit=2") == ["/a", "/miss"])
        #expect(try await urls("since=2099-01-01T00:00:00.000Z") == [])
        #expect(try await server.admin("GET", "/requests?since=x").status == 400)
        #expect(try await server.admin("GET", "/requests?limit=x").status == 422)
        await server.stop()
    }

    @Test func requestsAreCountedFoundAndRemovedByPattern() async throws {
        let server = try await Self.server()
        for path in ["/a", "/b?x=1", "/a"] { try await server.send("POST", path, #"{"k": 1}"#) }
        func count(_ pattern: String) async throws -> JSONTree? {
            try await server.admin("POST", "/requests/count", pattern).json["count"]
        }
        #expect(try await count("{}") == 3)
        #expect(try await count(#"{"method": "POST", "urlPath": "/a"}"#) == 2)
        #expect(try await count(#"{"queryParameters": {"x": {"equalTo": "1"}}}"#) == 1)
        #expect(try await count(#"{"bodyPatterns": [{"matchesJsonPath": "$.k"}]}"#) == 3)
        let found = try await server.admin("POST", "/requests/find", #"{"urlPath": "/b"}"#).json
        #expect(found.list("requests").map { $0["url"] } == ["/b?x=1"])
        let removed = try await server.admin("POST", "/requests/remove", #"{"urlPath": "/a"}"#).json
        #expect(removed.list("serveEvents").count == 2)
        #expect(try await count("{}") == 1)
        #expect(await server.server.journal.entries.map(\.target) == ["/b?x=1"])
        await server.stop()
    }

    @Test func requestsAreRemovedByIdentifierByMetadataAndAllTogether() async throws {
        let server = try await Self.server(threads: 2)
        for path in ["/a", "/b", "/c", "/d"] { try await server.send("POST", path, "") }
        let events = try await server.admin("GET", "/requests").json.list("requests")
        #expect(events.map { $0["request"]?["url"] } == ["/d", "/c", "/b", "/a"])
        guard case .string(let id)? = events[0]["id"] else { return }
        for _ in 0..<2 { #expect(try await server.admin("DELETE", "/requests/\(id)").status == 200) }
        #expect(try await server.admin("GET", "/requests/\(id)").status == 404)
        let removed = try await server.admin("POST", "/requests/remove-by-metadata", #"{"matchesJsonPath": "$.k"}"#)
        #expect(removed.json.list("serveEvents").map { $0["request"]?["url"] } == ["/a"])
        #expect(try await server.admin("GET", "/requests").json["meta"] == ["total": 2])
        try await server.admin("DELETE", "/requests")
        #expect(try await server.admin("GET", "/requests").json["meta"] == ["total": 0])
        try await server.send("POST", "/e", "")
        #expect(try await server.admin("GET", "/requests").json["meta"] == ["total": 1])
        try await server.admin("POST", "/requests/reset")
        #expect(try await server.admin("GET", "/requests").json["meta"] == ["total": 0])
        await server.stop()
    }

    @Test func unmatchedRequestsHaveNearMisses() async throws {
        let server = try await Self.server()
        try await server.send("POST", "/aa", "")
        try await server.send("POST", "/a", "")
        let unmatched = try await server.admin("GET", "/requests/unmatched").json
        #expect(unmatched.list("requests").map { $0["url"] } == ["/aa"])
        let near = try await server.admin("GET", "/reprise/requests/unmatched/near-misses").json.list("nearMisses")
        #expect(near.map { $0["stubMapping"]?["name"] } == ["post"])
        #expect(near[0]["request"]?["url"] == "/aa")
        guard case .number(let distance)? = near[0]["matchResult"]?["distance"] else { return }
        #expect(distance.double > 0 && distance.double < 1)
        #expect(near[0]["matchResult"]?.list("conditions").map { $0["matches"] } == [true, false])
        await server.stop()
    }

    /// A condition is marked if its comparison reached the limit of steps, because it could be satisfied.
    @Test func nearMissesNameUndecidedConditions() async throws {
        let server = try await AdminTestServer.start()
        try await server.add(#"{"request": {"bodyPatterns": [{"matches": "(?=(a+)+$).*!"}]}, "response": {}}"#)
        let content = String(repeating: "a", count: 60) + "!"
        try await server.send("POST", "/a", content)
        for (path, body) in [
            ("/near-misses/request", #"{"method": "POST", "url": "/a", "body": "\#(content)"}"#),
            ("/near-misses/request-pattern", #"{"bodyPatterns": [{"matches": "(?=(a+)+$).*!"}]}"#),
        ] {
            let near = try await server.admin("POST", "/reprise" + path, body).json.first("nearMisses")
            let conditions = near?["matchResult"]?.list("conditions") ?? []
            #expect(conditions.filter { $0["undecided"] == true }.map { $0["field"] } == ["body"])
            let plain = try await server.admin("POST", path, body)
            #expect(!plain.body.contains("undecided"))
        }
        await server.stop()
    }

    @Test func nearMissesOfGivenRequestAndPattern() async throws {
        let server = try await Self.server()
        for path in ["/a", "/ab", "/zzz", "/abc"] { try await server.send("POST", path, "") }
        let stubs = try await server.admin("POST", "/near-misses/request", #"{"url": "/ab", "method": "POST"}"#).json
        #expect(stubs.list("nearMisses").map { $0["stubMapping"]?["name"] } == ["post"])
        let pattern = #"{"method": "POST", "urlPath": "/ab"}"#
        let requests = try await server.admin("POST", "/near-misses/request-pattern", pattern).json.list("nearMisses")
        #expect(requests.count == 3)
        #expect(requests[0]["request"]?["url"] == "/ab")
        #expect(requests[0]["matchResult"]?["distance"] == 0)
        #expect(requests[0]["requestPattern"] == ["urlPath": "/ab", "method": "POST"])
        await server.stop()
    }

    @Test func journalBoundsAreReported() async throws {
        var configuration = MockServer.Configuration()
        configuration.journalRecords = 4
        let server = AdminTestServer(server: try await MockServer.start(fixtures: [], configuration: configuration))
        for number in 0..<10 { try await server.send("GET", "/\(number)") }
        let list = try await server.admin("GET", "/reprise/requests").json
        #expect(list.list("requests").map { $0["request"]?["url"] } == ["/9", "/8", "/7", "/6"])
        #expect(list["meta"] == ["total": 4, "dropped": 6])
        await server.stop()
    }

    @Test(
        arguments: [
            ("POST", "/requests/count", "", 422, "/"), ("POST", "/requests/count", "{", 422, "/"),
            ("POST", "/requests/count", #"{"methud": "x"}"#, 422, "/methud"),
            ("POST", "/requests/find", #"{"urlPattern": "("}"#, 422, "/urlPattern"),
            ("POST", "/requests/remove", "[]", 422, "/"), ("POST", "/requests/remove-by-metadata", "x", 422, "/"),
            ("GET", "/requests/x", nil, 404, nil), ("DELETE", "/requests/x", nil, 404, nil),
            ("GET", "/requests/00000000-0000-0000-0000-000000000000", nil, 404, nil),
            ("POST", "/near-misses/request", "{}", 422, "/url"), ("POST", "/near-misses/request", "{", 422, "/"),
            ("POST", "/near-misses/request", #"{"url": "/", "headers": {"A": 1}}"#, 422, "/headers"),
            ("POST", "/near-misses/request-pattern", "{", 422, "/"), ("PUT", "/requests", "{}", 404, nil),
        ] as [(String, String, String?, Int, String?)]
    )
    func badRequestChangesNothing(
        method: String,
        path: String,
        body: String?,
        status: Int,
        pointer: String?
    ) async throws {
        let server = try await Self.server()
        try await server.send("POST", "/a", "")
        let answer = try await server.admin(method, path, body)
        #expect(answer.status == status)
        #expect(answer.pointer == pointer.map { .string($0) }, "\(answer.body)")
        #expect(answer.detail.contains("expected"), "\(answer.body)")
        #expect(await server.server.journal.entries.count == 1)
        await server.stop()
    }

    // MARK: Endpoints of this server

    @Test func journalIsExportedWithoutSecrets() async throws {
        let server = try await Self.server()
        try await server.send(
            "POST",
            "/a?api_key=s3cr3tvalue",
            #"{"password": "hunter2hunter2"}"#,
            "Authorization: Bearer abcdefghijkl\r\nContent-Type: application/json\r\n"
        )
        try await server.send("GET", "/miss")
        for format in ["ndjson", "har", "cassette"] {
            let text = try await server.admin("GET", "/reprise/journal?format=\(format)").body
            #expect(
                !text.contains("s3cr3tvalue") && !text.contains("hunter2") && !text.contains("abcdefghijkl"),
                "\(text)"
            )
            #expect(text.contains(format == "cassette" ? "[redacted~1]" : "[redacted]"))
        }
        let lines = try await server.admin("GET", "/reprise/journal").body.split(separator: "\n")
        #expect(lines.count == 2)
        let har = try await server.admin("GET", "/reprise/journal?format=har").json["log"]
        #expect(har?.list("entries").map { $0["response"]?["status"] } == [201, 404])
        #expect(try await server.admin("GET", "/reprise/journal?format=x").status == 422)
        await server.stop()
    }

    /// Incomplete content is marked, so that it is not mistaken for complete content.
    @Test func exportedHARMarksContentThatIsNotComplete() async throws {
        let server = try await Self.server()
        try await server.send("POST", "/a", String(repeating: "x", count: 70_000))
        try await server.send("POST", "/a", "whole")
        try await server.send("POST", "/a", "\u{1F}\u{8B}", "Content-Encoding: gzip\r\n")
        try await server.send("GET", "/miss")
        let text = try await server.admin("GET", "/reprise/journal?format=har").body
        let entries = try JSONTree(parsing: Array(text.utf8))["log"]?.list("entries") ?? []
        let sent = entries.map { $0["request"]?["postData"] }
        #expect(sent.map { $0?["_truncated"] == true } == [true, false, true, false])
        #expect(sent.map { $0?["comment"] == nil } == [false, true, false, true])
        #expect(sent[0]?["text"] == .string(String(repeating: "x", count: 65_536)))
        #expect(sent[2]?["text"] == "")
        #expect(entries.map { $0["request"]?["bodySize"] } == [-1, 5, -1, 0])
        let answers = entries.map { $0["response"]?["content"] }
        #expect(answers.map { $0?["_truncated"] == true } == [false, false, false, true])
        #expect(answers.map { $0?["size"] } == [2, 2, 2, -1])
        // When the file is played, only the known content is compared, and the entry without a known answer is left
        // out.
        let folder = try TemporaryFolder(["a.har": text])
        #expect(try FixtureLoader.load([folder.path]).fixtures.count == 3)
        await server.stop()
    }

    @Test func exportedHARHasBinaryContentOfRequest() async throws {
        let server = try await Self.server()
        let client = try await RawClient.connect(port: server.server.port)
        try await client.send(
            Array("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n".utf8) + [0xFF, 0x00]
        )
        _ = try await client.readToEnd()
        let har = try await server.admin("GET", "/reprise/journal?format=har").json["log"]?.first("entries")
        #expect(har?["request"]?["postData"] == ["mimeType": "", "text": "/wA=", "encoding": "base64"])
        await server.stop()
    }

    /// What was read of a request shows what is wrong with it.
    @Test func refusedRequestHasContentThatWasRead() async throws {
        let server = try await Self.server()
        let client = try await RawClient.connect(port: server.server.port)
        let chunks = "5\r\nhello\r\n2\r\n, \r\nzz\r\n"
        try await client.send("POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
        #expect(try await client.readToEnd().text.hasPrefix("HTTP/1.1 400 "))
        let entries = await server.server.journal.entries
        #expect(entries.map(\.text) == ["hello, "])
        #expect(entries.map(\.isContentComplete) == [false])
        #expect(try await server.admin("GET", "/requests").json.first("requests")?["request"]?["body"] == "hello, ")
        await server.stop()
    }

    @Test func exportFollowsRulesOfFixtureFolder() async throws {
        let folder = try TemporaryFolder(["reprise.yaml": "redact:\n  names: [customer number]\n"])
        let server = try await AdminTestServer.start(folder)
        try await server.send("GET", "/health?customer_number=4711xyz", nil, "Customer-Number: 4711xyz\r\n")
        for format in ["ndjson", "har", "cassette"] {
            let text = try await server.admin("GET", "/reprise/journal?format=\(format)").body
            #expect(!text.contains("4711xyz") && text.contains("[redacted"), "\(text)")
        }
        try folder.write(Array("redact: 5".utf8), to: "reprise.yaml")
        #expect(try await server.admin("GET", "/reprise/journal").status == 409)
        await server.stop()
    }

    @Test func exportedCassetteIsServedAsFixture() async throws {
        let server = try await Self.server()
        try await server.send("POST", "/a", "hello")
        let text = try await server.admin("GET", "/reprise/journal?format=cassette").body
        let folder = try TemporaryFolder(["a.cassette.json": text])
        let other = try await AdminTestServer.start(folder)
        #expect(try await other.send("POST", "/a", "hello").body == "é")
        let event = try await other.admin("GET", "/requests").json.first("requests")
        #expect(event?["wasMatched"] == true)
        #expect(event?["stubMapping"]?["request"] == ["urlPath": "/a", "method": "POST"])
        #expect(event?["response"]?["body"] == "é")
        await other.stop()
        await server.stop()
    }

    @Test func explanationNamesWhatAnswersAndWhy() async throws {
        let server = try await Self.server()
        let hit = try await server.admin("POST", "/reprise/explain", #"{"url": "/a", "method": "POST"}"#).json
        #expect(hit["answeredBy"] == "stub")
        let miss = try await server.admin("POST", "/reprise/explain", #"{"url": "/a"}"#).json
        #expect(miss["answeredBy"] == "miss")
        #expect(miss.first("stubs")?.list("fields").map { $0["matches"] } == [false, true])
        #expect(await server.server.journal.entries.isEmpty)
        await server.stop()
    }

    @Test func fixturesAreListedWithTheirRequests() async throws {
        let folder = try TemporaryFolder([
            "books.get.json": "[]", "mappings/a.json": #"{"name": "a", "request": {"url": "/a"}}"#,
        ])
        let server = try await AdminTestServer.start(folder)
        try await server.send("GET", "/books")
        let list = try await server.admin("GET", "/reprise/fixtures").json
        #expect(list.list("fixtures").map { [$0["path"], $0["requests"]] } == [["/books", 1], ["/health", 0]])
        #expect(list.list("stubs").map { [$0["name"], $0["requests"]] } == [["a", 0]])
        await server.stop()
    }
}
