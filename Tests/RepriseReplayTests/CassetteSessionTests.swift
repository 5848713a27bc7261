// SPDX-License-Identifier: Apache-2.0

import Reprise
import RepriseReplay
import Testing

@Suite struct CassetteSessionTests {
    private let folder: TemporaryFolder
    private let cassette: String

    init() throws {
        folder = try TemporaryFolder()
        cassette = folder.path("users.cassette.json")
    }

    private static let server = StubTransport {
        $0.get("/users/42", .json(#"{"id": 42}"#))
        $0.get("/users/43", .json(#"{"id": 43}"#))
    }

    private func session(_ mode: ReplayMode, _ environment: [String: String] = [:]) throws -> CassetteSession {
        try CassetteSession(cassette, mode: mode, over: Self.server, environment: environment)
    }

    private func get(_ path: String, _ session: CassetteSession) async throws -> String {
        try await Client("https://api.example.com", transport: session.transport).get(path).response().text
    }

    @Test func recordsOnceAndReplaysThen() async throws {
        let first = try session(.record(.once))
        #expect(try await get("/users/42", first) == #"{"id": 42}"#)
        #expect(try first.finish().recording?.exchanges == 1)
        let second = try session(.record(.once))
        #expect(try await get("/users/42", second) == #"{"id": 42}"#)
        await #expect(throws: ClientError.self) { try await get("/users/43", second) }
        #expect(throws: ReplayFailure.self) { try second.finish() }
    }
}
