// SPDX-License-Identifier: Apache-2.0

import Foundation
import RepriseFixtures
import RepriseMatching
import RepriseStubAnswers
import RepriseStubs
import RepriseTestSupport
import RepriseText
import Testing

@testable import RepriseServer

/// Sessions, seen through sockets.
@Suite(.timeLimit(.minutes(1))) struct SessionTests {
    private func stub(_ path: String, _ text: String, id: String? = nil) -> StubMapping {
        var mapping = StubMapping(.get(path), .text(text))
        mapping.id = id
        return mapping
    }

    /// Returns the content of an answer with status 200, or the status.
    private func get(_ path: String, port: Int, _ lines: String..., body: String? = nil) async throws -> String {
        let client = try await RawClient.connect(port: port)
        var lines = lines + ["Host: x", "Connection: close"]
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        let method = body == nil ? "GET" : "POST"
        try await client.send("\(method) \(path) HTTP/1.1\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n\(body ?? "")")
        let answer = try await client.readToEnd().text
        let content = answer.components(separatedBy: "\r\n\r\n").dropFirst().joined()
        return answer.hasPrefix("HTTP/1.1 200") ? content : String(answer.dropFirst(9).prefix(3))
    }

    @Test func everyDoorLeadsToItsSession() async throws {
        let server = try await MockServer.start(stubs: [stub("/a", "root"), stub("/b", "inherited")])
        let session = try await server.control.openSession()
        try await server.control.add([stub("/a", "session")], in: session.id)
        let (port, header) = (server.port, "Reprise-Session: \(session.id)")
        #expect(try await get("/a", port: session.port) == "session")
        #expect(try await get("/__session/\(session.id)/a", port: port) == "session")
        #expect(try await get("/a", port: port, header) == "session")
        #expect(try await get("/a", port: port) == "root")
        #expect(try await get("/b", port: session.port) == "inherited")
        #expect(session.prefixURL == "\(server.url)/__session/\(session.id)")
        #expect(session.url == "http://127.0.0.1:\(session.port)")
        await server.stop()
    }

    /// The port of a request decides, then its path, then its header field.
    @Test func portTakesPrecedenceOverPathAndHeader() async throws {
        let server = try await MockServer.start(stubs: [stub("/a", "root")])
        let control = server.control
        let (one, other) = (try await control.openSession(), try await control.openSession())
        try await control.add([stub("/a", "one")], in: one.id)
        try await control.add([stub("/a", "other")], in: other.id)
        let header = "Reprise-Session: \(other.id)"
        #expect(try await get("/a", port: one.port, header) == "one")
        #expect(try await get("/__session/\(one.id)/a", port: server.port, header) == "one")
        #expect(try await get("/a", port: server.port, header) == "other")
        #expect(try await get("/a", port: server.port, "Reprise-Session: ") == "404")
        await server.stop()
    }

    /// The header field has no meaning on a server that never had a session, but the path does.
    @Test func headerIsIgnoredWithoutSessions() async throws {
        let server = try await MockServer.start(stubs: [
            stub("/a", "root"), stub("/__", "short"), stub("/__session", "path"),
        ])
        #expect(try await get("/a", port: server.port, "Reprise-Session: unknown") == "root")
        #expect(try await get("/__", port: server.port, "Reprise-Session: unknown") == "404")
        #expect(try await get("/__session", port: server.port) == "path")
        #expect(try await get("/__session/unknown/a", port: server.port) == "404")
        let session = try await server.control.openSession()
        await server.control.closeSession(session.id)
        #expect(try await get("/a", port: server.port, "Reprise-Session: unknown") == "404")
        await server.stop()
    }

    @Test func unknownSessionIsNamed() async throws {
        let server = try await MockServer.start(stubs: [])
        let client = try await RawClient.connect(port: server.port)
        let name = String(repeating: "n", count: 100)
        try await client.send("GET /__session/\(name)/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let answer = try await client.readToEnd().text
        #expect(answer.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(answer.contains("expected an open session, found '\(name.prefix(60))"))
        #expect(!answer.contains(name.prefix(81)))
        #expect(answer.hasSuffix("open another with POST /__admin/reprise/sessions\n"))
        await server.stop()
    }

    /// What a stub of the server has answered in a session does not count for others.
    @Test func answersAreCountedInEachSession() async throws {
        var once = stub("/a", "once")
        once.response.times = 1
        let server = try await MockServer.start(stubs: [once])
        let control = server.control
        let sessions = [try await control.openSession(), try await control.openSession()]
        for port in sessions.map(\.port) + [server.port] {
            #expect(try await get("/a", port: port) == "once")
            #expect(try await get("/a", port: port) == "404")
        }
        await control.resetToFiles(in: sessions[0].id)
        #expect(try await get("/a", port: sessions[0].port) == "once")
        #expect(try await get("/a", port: sessions[1].port) == "404")
        await server.stop()
    }

    /// A stub of the server that a session removed cannot be edited there, and one with its identifier replaces it.
    @Test func hiddenStubIsNotEdited() async throws {
        let server = try await MockServer.start(stubs: [stub("/a", "one", id: "1"), stub("/b", "two", id: "2")])
        let control = server.control
        let session = try await control.openSession()
        await control.remove(["1"], in: session.id)
        #expect(try await control.replace("1", with: stub("/a", "edited"), in: session.id) == nil)
        #expect(try await control.replace("3", with: stub("/a", "edited"), in: session.id) == nil)
        #expect(try await get("/a", port: session.port) == "404")
        try await control.add([stub("/c", "added", id: "2")], in: session.id)
        #expect(try await get("/b", port: session.port) == "404")
        #expect(try await get("/c", port: session.port) == "added")
        #expect(try await control.replace("2", with: stub("/d", "edited", id: "2"), in: session.id) != nil)
        #expect(try await get("/c", port: session.port) == "404")
        #expect(try await get("/d", port: session.port) == "edited")
        #expect(await control.stubs(in: session.id).count == 1)
        #expect(await control.stubs().count == 2)
        #expect(try await get("/b", port: server.port) == "two")
        await server.stop()
    }

    /// Only one of the two ports removes the prefix of the session from the path, so equal heads can mean different
    /// requests.
    @Test func forwardsEqualHeadsOnDifferentPorts() async throws {
        let upstream = try await MockServer.start(stubs: [stub("/a", "without prefix")])
        var configuration = MockServer.Configuration()
        configuration.threads = 1
        configuration.upstream = try MockServer.Upstream("\(upstream.url)")
        let server = try await MockServer.start(stubs: [], configuration: configuration)
        let session = try await server.control.openSession()
        let path = "/__session/\(session.id)/a"
        for _ in 1...3 {
            for _ in 1...2 { #expect(try await get(path, port: server.port) == "without prefix") }
            // The upstream has no session, and no stub for the whole path.
            for _ in 1...2 { #expect(try await get(path, port: session.port) == "404") }
        }
        await server.stop()
        await upstream.stop()
    }

    @Test func prefixURLOfServerOnAllInterfacesLeadsToItsAdminAPI() async throws {
        var configuration = MockServer.Configuration()
        configuration.host = "0.0.0.0"
        let server = try await MockServer.start(stubs: [stub("/a", "root")], configuration: configuration)
        let session = try await server.control.openSession()
        #expect(session.prefixURL == "http://127.0.0.1:\(server.port)/__session/\(session.id)")
        let path = "/__session/\(session.id)/__admin/mappings"
        #expect(try await admin("GET", path, port: server.port).hasPrefix("HTTP/1.1 200 "))
        await server.stop()
    }

    @Test func requestsOfEndedSessionGet404() async throws {
        let server = try await MockServer.start(stubs: [stub("/a", "root")])
        let session = try await server.control.openSession()
        let waiting = try await RawClient.connect(port: session.port)
        #expect(try await get("/a", port: session.port) == "root")
        #expect(await server.control.closeSession(session.id))
        #expect(await !server.control.closeSession(session.id))
        let header = "Reprise-Session: \(session.id)"
        #expect(try await get("/a", port: server.port, header) == "404")
        #expect(try await get("/a", port: server.port, header, body: "x") == "404")
        #expect(try await get("/__session/\(session.id)/a", port: server.port) == "404")
        #expect(try await get("/__session/unknown/a", port: server.port) == "404")
        await #expect(throws: (any Error).self) { _ = try await RawClient.connect(port: session.port) }
        #expect(try await waiting.readToEnd().text == "")
        #expect(await server.control.sessions.isEmpty)
        await #expect(throws: FixtureProblems.self) { try await server.control.add([stub("/a", "x")], in: session.id) }
        #expect(try await get("/a", port: server.port) == "root")
        await server.stop()
    }

    @Test func sequencesAndScenariosBeginAnewInSession() async throws {
        var first = stub("/s", "one")
        first.scenario = StubMapping.Scenario(name: "s", requiredState: "Started", newState: "two")
        var second = stub("/s", "two")
        second.scenario = StubMapping.Scenario(name: "s", requiredState: "two")
        let fixtures = ["first", "second"].map { Fixture.recorded("https://api.example.com/r", response: .text($0)) }
        let stubs = try [StubFixture]([first, second], options: StubOptions())
        let server = try await MockServer.start(fixtures: fixtures, stubs: stubs)
        #expect(try await get("/r", port: server.port) == "first")
        #expect(try await get("/s", port: server.port) == "one")
        let session = try await server.control.openSession()
        #expect(try await get("/r", port: session.port) == "first")
        #expect(try await get("/s", port: session.port) == "one")
        #expect(try await get("/s", port: session.port) == "two")
        #expect(await server.scenarios == ["s": "two"])
        await server.reset()
        #expect(try await get("/r", port: session.port) == "second")
        #expect(try await get("/s", port: session.port) == "two")
        #expect(try await get("/r", port: server.port) == "first")
        #expect(try await get("/s", port: server.port) == "one")
        await server.control.resetToFiles(in: session.id)
        #expect(try await get("/r", port: session.port) == "first")
        #expect(try await get("/s", port: session.port) == "one")
        await server.stop()
    }

    /// A scenario whose stubs are gone begins anew if stubs of that name are added later.
    @Test(arguments: [false, true], [false, true])
    func removingStubsForgetsTheirScenario(removesAll: Bool, isInSession: Bool) async throws {
        let server = try await MockServer.start(stubs: [])
        let control = server.control
        let session = try await control.openSession()
        let (id, port) = (isInSession ? session.id : nil, isInSession ? session.port : server.port)
        var first = stub("/s", "one", id: "1")
        first.scenario = StubMapping.Scenario(name: "s", requiredState: "Started", newState: "two")
        var second = stub("/s", "two", id: "2")
        second.scenario = StubMapping.Scenario(name: "s", requiredState: "two")
        for _ in 1...2 {
            try await control.add([first, second], in: id)
            #expect(await control.scenarios(in: id).map(\.state) == ["Started"])
            #expect(try await get("/s", port: port) == "one")
            #expect(try await get("/s", port: port) == "two")
            #expect(await control.scenarios(in: id).map(\.state) == ["two"])
            if removesAll { await control.removeAll(in: id) } else { await control.remove(["1", "2"], in: id) }
            #expect(try await get("/s", port: port) == "404")
            #expect(await control.scenarios(in: id).isEmpty)
        }
        await server.stop()
    }

    @Test func scenarioOfSessionIsSetAndReset() async throws {
        var first = stub("/s", "one")
        first.scenario = StubMapping.Scenario(name: "s", requiredState: "Started", newState: "two")
        var second = stub("/s", "two")
        second.scenario = StubMapping.Scenario(name: "s", requiredState: "two")
        let server = try await MockServer.start(stubs: [first, second])
        let control = server.control
        let session = try await control.openSession()
        try await control.setScenario("s", to: "two", in: session.id)
        #expect(try await get("/s", port: session.port) == "two")
        #expect(try await get("/s", port: server.port) == "one")
        await control.resetScenarios(in: session.id)
        #expect(try await get("/s", port: session.port) == "one")
        #expect(await server.scenarios == ["s": "two"])
        await #expect(throws: ScenarioError.self) { try await control.setScenario("s", to: "none", in: session.id) }
        await #expect(throws: ScenarioError.self) { try await control.setScenario("none", to: "two", in: session.id) }
        await server.stop()
    }

    /// The journal since the last look, for the server and for a session.
    @Test func laterRequestsAreReadFromJournal() async throws {
        var configuration = MockServer.Configuration()
        configuration.threads = 2
        let server = try await MockServer.start(stubs: [stub("/a", "root")], configuration: configuration)
        let control = server.control
        let session = try await control.openSession()
        for (id, port) in [(nil, server.port), (session.id, session.port)] as [(SessionID?, Int)] {
            _ = try await get("/1", port: port)
            _ = try await get("/2", port: port)
            let first = await control.journal(in: id, after: [])
            #expect(first.entries.map(\.target) == ["/1", "/2"])
            #expect(await control.journal(in: id, after: first.places).entries.isEmpty)
            _ = try await get("/3", port: port)
            #expect(await control.journal(in: id, after: first.places).entries.map(\.target) == ["/3"])
        }
        await control.closeSession(session.id)
        #expect(await control.journal(in: session.id, after: []).entries.isEmpty)
        await server.stop()
    }

    @Test(arguments: [
        ("/__session/abc", "abc", 14), ("/__session/abc/", "abc", 14), ("/__session/abc/d/e", "abc", 14),
        ("/__session/a?b", "a?b", 14), ("/__session/", nil, 0), ("/__sessions/abc", nil, 0), ("/a/__session/b", nil, 0),
        ("", nil, 0),
    ])
    func prefixOfPathNamesSession(path: String, id: String?, count: Int) {
        let bytes = Array(path.utf8)[...]
        let found = SessionRoute.prefix(of: bytes.span)
        #expect(found?.id.text == id)
        #expect((found?.count ?? 0) == count)
    }

    @Test func randomIdentifiersHave15LettersAndDigits() {
        let ids = (0..<100).map { _ in SessionID.random().text }
        #expect(ids.allSatisfy { $0.utf8.count == 15 && $0.allSatisfy { $0.isLowercase || $0.isNumber } })
        #expect(Set(ids).count == ids.count)
    }

    @Test func prefixOfTargetEndsBeforeTheQuery() {
        #expect(SessionRoute.prefixCount(ofTarget: "/__session/abc?x=/y") == 14)
        #expect(SessionRoute.prefixCount(ofTarget: "/__session/abc/d?x") == 14)
        #expect(SessionRoute.prefixCount(ofTarget: "/a?/__session/abc") == 0)
    }

    @Test func positionsOfSessionSurviveReload() async throws {
        func fixtures(_ path: String, _ count: Int) -> [Fixture] {
            (1...count).map { .recorded("https://api.example.com/\(path)", response: .text("\(path)\($0)")) }
        }
        let server = try await MockServer.start(fixtures: fixtures("a", 3) + fixtures("b", 3))
        let session = try await server.control.openSession()
        #expect(try await get("/b", port: session.port) == "b1")
        // The sequence has another number now.
        try await server.reload(fixtures: fixtures("b", 3))
        #expect(try await get("/b", port: session.port) == "b2")
        try await server.reload(fixtures: fixtures("b", 2))
        #expect(try await get("/b", port: session.port) == "b1")
        await server.stop()
    }

    @Test func positionsForgetSequencesThatNothingUses() {
        let positions = SessionPositions()
        let kept = OrdinalCounter()
        for sequence in [kept, OrdinalCounter()] { #expect(positions.take(sequence) == 1) }
        #expect(positions.count == 2)
        positions.removeUnused()
        #expect(positions.count == 1)
        #expect(positions.take(kept) == 2)
    }

    @Test func sessionHidesAndEditsInheritedStubs() async throws {
        let server = try await MockServer.start(stubs: [stub("/a", "one", id: "1"), stub("/b", "two", id: "2")])
        let control = server.control
        let session = try await control.openSession()
        await control.remove(["1"], in: session.id)
        #expect(try await control.replace("2", with: stub("/b", "edited"), in: session.id) != nil)
        #expect(try await get("/a", port: session.port) == "404")
        #expect(try await get("/b", port: session.port) == "edited")
        #expect(try await get("/a", port: server.port) == "one")
        #expect(try await get("/b", port: server.port) == "two")
        try await server.stub(stub("/c", "later"))
        #expect(try await get("/c", port: session.port) == "later")
        await control.removeAll(in: session.id)
        #expect(try await get("/c", port: session.port) == "404")
        #expect(await control.stubs(in: session.id).isEmpty)
        #expect(await control.stubs().count == 3)
        await server.stop()
    }

    @Test func resetOfSessionRestoresStubsOfServer() async throws {
        let server = try await MockServer.start(stubs: [stub("/a", "root", id: "1")])
        let control = server.control
        let session = try await control.openSession()
        await control.remove(["1"], in: session.id)
        try await control.add([stub("/b", "added")], in: session.id)
        try await server.stub(stub("/c", "later"))
        #expect(try await get("/a", port: session.port) == "404")
        #expect(try await get("/b", port: session.port) == "added")
        await control.resetToFiles(in: session.id)
        #expect(try await get("/a", port: session.port) == "root")
        #expect(try await get("/b", port: session.port) == "404")
        #expect(try await get("/c", port: session.port) == "later")
        #expect(await control.stubs(in: session.id).count == 2)
        await server.stop()
    }

    @Test func endedSessionCannotBeChanged() async throws {
        let server = try await MockServer.start(stubs: [stub("/a", "root", id: "1")])
        let control = server.control
        let session = try await control.openSession()
        await control.closeSession(session.id)
        await #expect(throws: FixtureProblems.self) { try await control.add([stub("/b", "x")], in: session.id) }
        await #expect(throws: FixtureProblems.self) {
            try await control.replace("1", with: stub("/a", "x"), in: session.id)
        }
        #expect(await control.remove(["1"], in: session.id).isEmpty)
        await control.removeAll(in: session.id)
        await control.resetToFiles(in: session.id)
        #expect(await !control.closeSession(session.id))
        #expect(try await get("/a", port: server.port) == "root")
        #expect(try await get("/b", port: server.port) == "404")
        await server.stop()
    }

    /// The stubs of files, of the server, and of the session are in layers of their own.
    @Test func nearStubsOfAllLayersAreInOrderOfDistance() async throws {
        let server = try await MockServer.start(
            stubs: [stub("/items/aaab", "x", id: "file 1"), stub("/items/aacc", "x", id: "file 2")]
        )
        let control = server.control
        let session = try await control.openSession()
        try await server.stub(stub("/items/aaac", "x", id: "server 1"))
        try await control.add(
            [stub("/items/addd", "x", id: "session 3"), stub("/items/aaad", "x", id: "session 1")],
            in: session.id
        )
        let facts = DecodedRequest(OwnedRequest(method: "GET", url: "/items/aaaa"))
        let view = try #require(await control.served(in: session.id))
        let ids = ["session 1", "server 1", "file 1", "file 2", "session 3"]
        func near(_ limit: Int) -> [String] {
            view.stubs.nearStubs(facts, view.play, limit: limit, hiding: nil).map(\.stub.stub.id)
        }
        // Of stubs at the same distance, the one that is tried first comes first.
        #expect(near(5) == ids)
        #expect(near(2) == ["session 1", "server 1"])
        await server.stop()
    }

    @Test func journalsAreApart() async throws {
        let server = try await MockServer.start(stubs: [stub("/a", "root")])
        let session = try await server.control.openSession()
        _ = try await get("/root", port: server.port)
        _ = try await get("/session", port: session.port)
        _ = try await get("/session", port: server.port, "Reprise-Session: \(session.id)", body: "x")
        _ = try await get("/unknown", port: server.port, "Reprise-Session: unknown")
        #expect(await server.journal.entries.map(\.target) == ["/root"])
        #expect(await server.control.journal(in: session.id).entries.map(\.target) == ["/session", "/session"])
        await server.stop()
    }

    @Test(arguments: ["", "http://x"])
    func journalHasPathWithoutPrefix(_ base: String) async throws {
        let server = try await MockServer.start(stubs: [stub("/a", "root")])
        let session = try await server.control.openSession()
        _ = try await get("\(base)/__session/\(session.id)/none?q=/b", port: server.port)
        #expect(try await get("\(base)/__session/\(session.id)/a", port: server.port) == "root")
        let text = try await admin("POST", "/__admin/requests/find", port: session.port, body: "{}")
        #expect(text.contains(#""url":"/none?q=/b""#) && text.contains(#""url":"/a""#) && !text.contains("__session"))
        await server.stop()
    }

    @Test func invalidRequestBelongsToNoSession() async throws {
        let server = try await MockServer.start(stubs: [stub("/a", "root")])
        let session = try await server.control.openSession()
        let client = try await RawClient.connect(port: server.port)
        try await client.send("GET /a HTTP/1.1\r\nHost: x\r\nReprise-Session: \(session.id)\r\n\r\nnonsense\r\n\r\n")
        #expect(try await client.readToEnd().text.contains("HTTP/1.1 400 "))
        #expect(await server.control.journal(in: session.id).entries.map(\.target) == ["/a"])
        #expect(await server.journal.entries.count == 1)
        await server.stop()
    }

    @Test func endedSessionHasNoJournal() async throws {
        let server = try await MockServer.start(stubs: [stub("/a", "root")])
        let session = try await server.control.openSession()
        let kept = try await server.control.openSession()
        _ = try await get("/mine", port: session.port)
        _ = try await get("/kept", port: kept.port)
        await server.control.closeSession(session.id)
        _ = try await get("/of-another", port: server.port, "Reprise-Session: unknown")
        #expect(await server.control.journal(in: session.id).entries.isEmpty)
        await server.control.resetJournal(in: session.id)
        #expect(await server.control.journal(in: kept.id).entries.map(\.target) == ["/kept"])
        await server.stop()
    }

    private func admin(_ method: String, _ path: String, port: Int, body: String = "") async throws -> String {
        let client = try await RawClient.connect(port: port)
        try await client.send(
            "\(method) \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        return try await client.readToEnd().text
    }

    @Test func adminAPIOfEachDoorConcernsItsSession() async throws {
        let server = try await MockServer.start(stubs: [stub("/a", "root")])
        let opened = try await admin("POST", "/__admin/reprise/sessions", port: server.port)
        #expect(opened.hasPrefix("HTTP/1.1 201 "))
        let session = try #require(await server.control.sessions.first)
        for part in [session.id.text, session.url, session.prefixURL, "\(session.port)"] {
            #expect(opened.contains(part))
        }
        let mapping = #"{"request": {"url": "/a"}, "response": {"body": "session"}}"#
        #expect(
            try await admin("POST", "/__admin/mappings", port: session.port, body: mapping).hasPrefix("HTTP/1.1 201 ")
        )
        #expect(try await get("/a", port: session.port) == "session")
        #expect(try await get("/a", port: server.port) == "root")
        let prefix = "/__session/\(session.id)"
        #expect(try await get("\(prefix)/a", port: server.port) == "session")
        let count = try await admin(
            "POST",
            "\(prefix)/__admin/requests/count",
            port: server.port,
            body: #"{"method": "GET", "url": "/a"}"#
        )
        #expect(count.contains(#""count":2"#), "\(count)")
        _ = try await admin("DELETE", "\(prefix)/__admin/requests", port: server.port)
        #expect(await server.control.journal(in: session.id).entries.isEmpty)
        #expect(await server.journal.entries.map(\.target) == ["/a"])
        let ended = try await admin("DELETE", "/__admin/reprise/sessions/\(session.id)", port: server.port)
        #expect(ended.hasPrefix("HTTP/1.1 200 "))
        let gone = try await admin("GET", "\(prefix)/__admin/mappings", port: server.port)
        #expect(gone.hasPrefix("HTTP/1.1 404 "))
        await server.stop()
    }

    @Test func baseURLOfTemplateHasPrefix() async throws {
        let template = StubMapping(
            .get("/a"),
            .text("{{request.baseUrl}} {{request.url}} {{request.path}}").template()
        )
        let server = try await MockServer.start(stubs: [template])
        let session = try await server.control.openSession()
        let prefix = "/__session/\(session.id)"
        let found = try await get("\(prefix)/a?b", port: server.port)
        #expect(found == "http://x\(prefix) /a?b /a")
        #expect(try await get("/a", port: session.port) == "http://x /a /a")
        // The prefix alone means the root.
        #expect(try await get(prefix, port: server.port) == "404")
        await server.stop()
    }

    @Test func sessionEndsWhenIdleForAnHour() async throws {
        let clock = ManualClock()
        var configuration = MockServer.Configuration()
        configuration.sessionClock = clock
        let server = try await MockServer.start(stubs: [stub("/a", "root")], configuration: configuration)
        let control = server.control
        let used = try await control.openSession()
        let idle = try await control.openSession()
        for minute in 1...61 {
            await clock.waitForSleepers()
            // Not a minute earlier.
            #expect(await control.sessions.count == (minute == 61 ? 1 : 2))
            if minute % 30 == 0 { _ = try await get("/a", port: used.port) }
            clock.advance(by: .seconds(60))
        }
        await clock.waitForSleepers()
        #expect(await control.sessions.map(\.id) == [used.id])
        #expect(try await get("/a", port: server.port, "Reprise-Session: \(idle.id)") == "404")
        await control.closeSession(used.id)
        await server.stop()
    }

    /// Whether the last session ended because it was idle or by a call, the next one is watched again.
    @Test(arguments: [false, true])
    func sessionAfterTheLastEndsWhenIdleToo(isClosed: Bool) async throws {
        let clock = ManualClock()
        var configuration = MockServer.Configuration()
        configuration.sessionClock = clock
        let server = try await MockServer.start(stubs: [], configuration: configuration)
        let control = server.control
        for _ in 1...3 {
            let session = try await control.openSession()
            if isClosed { await control.closeSession(session.id) }
            for _ in 1...(isClosed ? 1 : 60) {
                await clock.waitForSleepers()
                clock.advance(by: .seconds(60))
            }
            while await control.sessionWatch != nil, !Task.isCancelled { await Task.yield() }
            #expect(await control.sessions.isEmpty)
        }
        await server.stop()
    }

    /// A test can prepare its stubs for long before it sends a request.
    @Test func changeOfStubsKeepsSessionOpen() async throws {
        let clock = ManualClock()
        var configuration = MockServer.Configuration()
        configuration.sessionClock = clock
        let server = try await MockServer.start(stubs: [], configuration: configuration)
        let control = server.control
        let session = try await control.openSession()
        for minute in 1...100 {
            await clock.waitForSleepers()
            if minute % 40 == 0 { try await control.add([stub("/\(minute)", "x")], in: session.id) }
            clock.advance(by: .seconds(60))
        }
        await clock.waitForSleepers()
        #expect(await control.sessions.map(\.id) == [session.id])
        await control.closeSession(session.id)
        await server.stop()
    }

    /// Each of 200 tests has its own stub for the same URL; none gets another's answer.
    @Test func parallelTestsOnOneServerStayApart() async throws {
        var configuration = MockServer.Configuration()
        configuration.threads = 2
        let server = try await MockServer.start(stubs: [stub("/user", "root")], configuration: configuration)
        try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    let session = try await server.control.openSession()
                    #expect(try await get("/user", port: session.port) == "root")
                    try await server.control.add([stub("/user", "user \(number)")], in: session.id)
                    for turn in 0..<3 {
                        let text =
                            switch turn {
                            case 0: try await get("/user", port: session.port)
                            case 1: try await get("/__session/\(session.id)/user", port: server.port)
                            default: try await get("/user", port: server.port, "Reprise-Session: \(session.id)")
                            }
                        #expect(text == "user \(number)")
                    }
                    #expect(await server.control.journal(in: session.id).entries.count == 4)
                    await server.control.closeSession(session.id)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await get("/user", port: server.port) == "root")
        await server.stop()
    }
}
