// SPDX-License-Identifier: Apache-2.0

import RepriseMatching
import RepriseTestSupport
import Testing

@testable import RepriseAnswers
@testable import RepriseCassettes
@testable import RepriseFixtures
@testable import RepriseMatching
@testable import RepriseText

@Suite struct RouteFileHeadersTests {
    private func lines(_ text: String) throws -> [String] {
        try RouteFileHeaders.lines(of: Array(text.utf8), file: "a.get.headers").map {
            String(decoding: $0.bytes, as: UTF8.self)
        }
    }

    @Test func keepsLinesAsWritten() throws {
        let text = "\u{FEFF}location:  /login\r\n\n# Two cookies:\nSet-Cookie: a=1\n \t\nSet-Cookie: b=2; Path=/"
        #expect(try lines(text) == ["location:  /login", "Set-Cookie: a=1", "Set-Cookie: b=2; Path=/"])
        #expect(try lines("") == [])
    }

    @Test(arguments: [
        ("A: b\nno colon", "2:1", "found no colon in 'no colon'"),
        ("A: b\n\n  folded", "3:1", "found no colon in '  folded'"),
        (" A: b", "1:1", "found whitespace before the name"), ("Ab c: d", "1:3", "found \\x20 in the name"),
        ("Ab : d", "1:3", "found whitespace before the colon"), (": d", "1:1", "found no name before the colon"),
        ("Aé: d", "1:2", "in the name"), ("A: b\u{1}", "1:5", "found the control character \\x01"),
        ("HTTP/1.1 302 Found", "1:1", "found no colon"),
        ("A: b\ncontent-length: 5", "2:1", "expected no Content-Length line"),
        ("Transfer-Encoding: chunked", "1:1", "expected no Transfer-Encoding line"),
    ])
    func rejectsInvalidLine(text: String, place: String, message: String) throws {
        let error = try #require(throws: FixtureProblems.self) { try lines(text) }
        #expect(error.problems.count == 1)
        #expect(error.description.hasPrefix("a.get.headers:\(place): expected "))
        #expect(error.description.contains(message), "\(error)")
    }

    @Test func reportsEveryInvalidLine() throws {
        let error = try #require(throws: FixtureProblems.self) {
            try lines(String(repeating: "x\n", count: 200))
        }
        #expect(error.problems.count == 101)
        #expect(error.problems.last?.message == FixtureProblems.andMore)
    }

    private func head(_ name: String, _ headers: String, body: String = "x") throws -> [String] {
        guard case .route(let route) = RouteFileName.parse(name) else { return [] }
        let lines = try RouteFileHeaders.lines(of: Array(headers.utf8), file: "a")
        let plan = try ResponsePlan(
            routeFile: route,
            body: .bytes(Array(body.utf8)),
            entityTag: "\"1\"",
            lines: lines
        )
        return plan.head?.headers.map { String(decoding: $0.bytes, as: UTF8.self) } ?? []
    }

    @Test func replaceAddedLinesAndFollowOthers() throws {
        let lines = ["Content-Length: 1", "ETag: \"1\"", "Accept-Ranges: bytes", "content-type: a/b", "X: y"]
        #expect(try head("a.get.json", "content-type: a/b\nX: y") == lines)
        #expect(try head("a.get.302", "Location: /b", body: "") == ["Content-Length: 0", "Location: /b"])
        #expect(try head("a.get.204", "X: y", body: "") == ["X: y"])
        #expect(
            try head("a.get.sse", "Cache-Control: no-store\nContent-Type: text/plain")
                == ["Transfer-Encoding: chunked", "Cache-Control: no-store", "Content-Type: text/plain"]
        )
        #expect(try head("a.get.txt", "ETag: \"v2\"").filter { $0.hasPrefix("ETag") } == ["ETag: \"v2\""])
    }

    @Test func loadWithRouteFile() throws {
        let folder = try TemporaryFolder([
            "old.get.302": "", "old.get.302.headers": "Location: /new", "a/b.get.json": "{}",
            "a/b.get.json.headers": "X-A: 1", "health.get": "", "health.get.headers": "X-B: 2",
        ])
        let set = try FixtureLoader.load([folder.path])
        #expect(set.fixtures.map(\.pattern.summary) == ["GET /a/b", "GET /health", "GET /old"])
        let last = set.fixtures.map { $0.plan.head?.headers.last.map { String(decoding: $0.bytes, as: UTF8.self) } }
        #expect(last == ["X-A: 1", "X-B: 2", "Location: /new"])
        #expect(set.notes.isEmpty)
        // As a shell expands `Fixtures/*`.
        let named = ["old.get.302", "old.get.302.headers"].map { "\(folder.path)/\($0)" }
        #expect(try FixtureLoader.load(named).fixtures.map(\.plan) == [set.fixtures[2].plan])
        #expect(try FixtureLoader.load([named[1]]).fixtures.map(\.plan) == [set.fixtures[2].plan])
    }

    @Test func requireRouteFile() throws {
        let folder = try TemporaryFolder(["a.get.json": "", "b/old.get.302.headers": "Location: /new"])
        for path in [folder.path, "\(folder.path)/b/old.get.302.headers"] {
            let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([path]) }
            #expect(
                error.description == "\(folder.path)/b/old.get.302.headers: expected the route file 'old.get.302' "
                    + "next to its headers, found none; create it, or remove this file"
            )
        }
    }

    @Test func locatesProblems() throws {
        let folder = try TemporaryFolder(["a.get.json": "", "a.get.json.headers": "X: y\nContent-Length: 5\n"])
        let error = try #require(throws: FixtureProblems.self) { try FixtureLoader.load([folder.path]) }
        #expect(error.description.hasPrefix("\(folder.path)/a.get.json.headers:2:1: expected no Content-Length line"))
    }

    @Test func areCheckedForSecrets() throws {
        let key = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
        let folder = try TemporaryFolder([
            "a.get.json": "{}", "a.get.json.headers": "X-Fine: yes\nX-Api-Key: \(key)\n# \(key)\n",
        ])
        let check = SecretCheck(try FixtureLoader.load([folder.path]))
        let places = check.problems.map { $0.description.dropFirst(folder.path.count + 1).prefix(25) }
        #expect(places.first?.hasPrefix("a.get.json.headers:2:12:") == true, "\(check.problems)")
        #expect(check.problems.contains { $0.location?.line == 3 })
    }
}
