// SPDX-License-Identifier: Apache-2.0

import Reprise
import XCTest

@testable import RepriseTesting

final class XCTestCassetteTests: XCTestCase {
    private struct Stop: Error {}

    func testReplaysCassetteNamedAfterMethod() async throws {
        try await withCassette { _ in
            let who = try await text(at: "/who")
            XCTAssertEqual(who, "testReplaysCassetteNamedAfterMethod")
        }
    }

    func testReplaysCassetteByName() async throws {
        let names = try await withCassette("users") { _ in
            [try await text(at: "/users/1"), try await text(at: "/users/2")]
        }
        XCTAssertEqual(names, ["Atlas", "Tide"])
    }

    func testEditsRecordedResponses() async throws {
        let bends = [Bend(.status(503), of: "GET /users/1")]
        let status = try await withCassette("users", bending: bends, environment: [:]) { _ in
            _ = try await text(at: "/users/2")
            return try await Client("https://api.example.com").get("/users/1").validate(.none).send().status
        }
        XCTAssertEqual(status.code, 503)
    }

    func testFailsForUnusedExchange() async throws {
        do {
            try await withCassette("users", environment: [:]) { _ in _ = try await text(at: "/users/1") }
            XCTFail("expected a failure: /users/2 was not requested")
        } catch let failure as CassetteFailure {
            XCTAssertEqual(failure.report.unused.map(\.request), ["GET /users/2"])
            let filter = #"'^RepriseTestingTests\.XCTestCassetteTests/testFailsForUnusedExchange(\(|$)'"#
            XCTAssertEqual(failure.remedy, "REPRISE_MODE=overwrite swift test --filter \(filter)")
        }
    }

    func testWritesLogOfThrowingTest() async throws {
        let folder = try TemporaryFolder()
        do {
            try await withCassette("users", environment: ["REPRISE_LOG_DIR": folder.url.path]) { _ in
                _ = try await text(at: "/users/2")
                throw Stop()
            }
        } catch is Stop {}
        XCTAssertEqual(folder.text(of: "users.log")?.contains("/users/2 -> 200 OK"), true)
    }

    /// A test that records a failure in XCTest, or throws an error, leaves the cassette unchanged.
    func testPreservesCassetteOfFailingTest() async throws {
        let folder = try TemporaryFolder()
        let old = cassetteText([("/users/1", "old")])
        try folder.write(old, to: "a.cassette.json")
        let server = StubTransport { $0.get("/users/1", .text("new")) }
        for hasFailed in [true, false] {
            let settings = CassetteSettings(.record(.overwrite), nil, nil, folder.url, server)
            let run = CassetteRun("a", settings, of: identity(#filePath), environment: [:])
            try await run.run(hasFailed: { hasFailed }, { _ in _ = try await text(at: "/users/1") })
            XCTAssertEqual(folder.text(of: "a.cassette.json") == old, hasFailed)
        }
        let new = folder.text(of: "a.cassette.json")
        do {
            try await withCassette("a", mode: .record(.overwrite), in: folder.url, over: server, environment: [:]) {
                _ in
                throw Stop()
            }
        } catch is Stop {}
        XCTAssertEqual(folder.text(of: "a.cassette.json"), new)
    }

    func testServesFixturesNextToSourceFile() async throws {
        let name = try await withMockServer("users.cassette.json") { server in
            try await Client(server.url.absoluteString).get("/users/1").send().text
        }
        XCTAssertEqual(name, "Atlas")
    }
}
