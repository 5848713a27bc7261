// SPDX-License-Identifier: Apache-2.0

import RepriseTesting
import XCTest

final class XCTestCassetteTests: XCTestCase {
    private struct Stop: Error {}

    func testReplaysTheCassetteOfItsMethod() async throws {
        try await withCassette { _ in
            let who = try await text(at: "/who")
            XCTAssertEqual(who, "testReplaysTheCassetteOfItsMethod")
        }
    }

    func testReplaysACassetteByItsName() async throws {
        let names = try await withCassette("users") { _ in
            [try await text(at: "/users/1"), try await text(at: "/users/2")]
        }
        XCTAssertEqual(names, ["Atlas", "Tide"])
    }

    func testFailsWithWhatWasNotAskedFor() async throws {
        do {
            try await withCassette("users", environment: [:]) { _ in _ = try await text(at: "/users/1") }
            XCTFail("/users/2 was not asked for")
        } catch let failure as CassetteFailure {
            XCTAssertEqual(failure.report.unused.map(\.request), ["GET /users/2"])
            let filter = "RepriseTestingTests.XCTestCassetteTests/testFailsWithWhatWasNotAskedFor"
            XCTAssertEqual(failure.remedy, "REPRISE_MODE=overwrite swift test --filter \(filter)")
        }
    }

    func testWritesTheLogOfATestThatThrows() async throws {
        let folder = try TemporaryFolder()
        do {
            try await withCassette("users", environment: ["REPRISE_LOG_DIR": folder.url.path]) { _ in
                _ = try await text(at: "/users/2")
                throw Stop()
            }
        } catch is Stop {}
        XCTAssertEqual(folder.text(of: "users.log")?.contains("/users/2 -> 200 OK"), true)
    }

    func testServesTheFixturesBesideTheSourceFile() async throws {
        let name = try await withMockServer("users.cassette.json") { server in
            try await Client(server.url.absoluteString).get("/users/1").response().text
        }
        XCTAssertEqual(name, "Atlas")
    }
}
