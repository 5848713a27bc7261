// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseReplay
import RepriseTestSupport
import Testing

@testable import RepriseTesting

/// `withMockServer(recording:to:)` records and replays any HTTP library by the rules of `withCassette`.
@Suite struct RecordingServerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private struct Stop: Error {}

    private func upstream(_ text: String = "live") async throws -> ScriptedServer {
        try await ScriptedServer.start { connection in
            while true {
                _ = try await connection.read(until: "\r\n\r\n")
                try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
            }
        }
    }

    /// Requests these paths, as code under test with its own library does.
    @discardableResult
    private func use(
        _ port: Int = 1,
        _ variables: [String: String] = [:],
        mode: ReplayMode? = nil,
        paths: [String] = ["/a"],
        expectsRequests: Bool? = nil,
        _ body: () async throws -> Void = {}
    ) async throws -> [String] {
        try await withMockServer(
            recording: "http://127.0.0.1:\(port)",
            to: "a",
            mode: mode,
            expectsRequests: expectsRequests,
            in: folder.url,
            environment: variables
        ) { server in
            var texts: [String] = []
            for path in paths {
                let response = try await Client(server.url.absoluteString).get(RequestPath(raw: path))
                    .validate(.none).send()
                texts.append(response.text)
            }
            try await body()
            return texts
        }
    }

    private var cassette: String? { folder.text(of: "a.cassette.json") }

    @Test func recordsOnceAndReplaysWithoutServer() async throws {
        let upstream = try await upstream()
        #expect(try await use(upstream.port) == ["live"])
        let recorded = try #require(cassette)
        #expect(folder.names == ["a.cassette.json"])
        #expect(try await use() == ["live"])
        #expect(try await use(1, ["REPRISE_MODE": "replay", "CI": "1"]) == ["live"])
        #expect(cassette == recorded)
        #expect(upstream.acceptedConnections == 1)
    }

    @Test func variableOverridesMode() async throws {
        let (first, second) = (try await upstream("first"), try await upstream("second"))
        try await use(first.port)
        #expect(try await use(second.port, ["REPRISE_MODE": "live"]) == ["second"])
        #expect(try await use(second.port, ["REPRISE_MODE": "append"], paths: ["/a", "/b"]) == ["first", "second"])
        #expect(try await use(1, paths: ["/a", "/b"]) == ["first", "second"])
        try await use(second.port, ["REPRISE_MODE": "overwrite"])
        #expect(try await use() == ["second"])
    }

    @Test func failingTestWritesNothing() async throws {
        let upstream = try await upstream()
        await #expect(throws: Stop.self) { try await use(upstream.port) { throw Stop() } }
        await withKnownIssue { try await use(upstream.port) { #expect(Bool(false)) } }
        #expect(folder.names == [])
        await #expect(throws: Stop.self) {
            try await use(upstream.port, ["REPRISE_KEEP_FAILED": "1"]) { throw Stop() }
        }
        #expect(folder.names == ["a.cassette.json"])
    }

    @Test func recordsNothingOnCI() async throws {
        let error = await #expect(throws: ReplayModeError.self) { try await use(1, ["CI": "1"]) }
        #expect(error?.description.contains("does not exist and would be recorded: expected a mode without") == true)
        await #expect(throws: TransportError.self) { try await use(1, ["REPRISE_MODE": "replay"]) }
        #expect(folder.names == [])
    }

    @Test func unansweredRequestFailsTest() async throws {
        try folder.write(cassetteText([("/a", "old")]), to: "a.cassette.json")
        let failure = await #expect(throws: CassetteFailure.self) { try await use(paths: ["/a", "/b"]) }
        let text = try #require(failure?.description)
        #expect(text.contains("a.cassette.json does not contain everything that the test requests."))
        #expect(text.contains("No fixture answers GET /b."))
        #expect(text.contains("path: expected /a, found /b"))
        #expect(text.contains("REPRISE_MODE=append swift test --filter"))
        #expect(failure?.report.misses.map(\.request) == ["GET /b"])
    }

    /// Code under test may use the admin API.
    @Test func clearedJournalChangesNothing() async throws {
        let upstream = try await upstream()
        try await use(upstream.port, paths: ["/a", "/b"])
        func replay(_ paths: [String]) async throws {
            try await withMockServer(
                recording: "http://127.0.0.1:1",
                to: "a",
                mode: .replay,
                in: folder.url,
                environment: [:]
            ) { server in
                for path in paths {
                    let client = Client(server.url.absoluteString)
                    _ = try await client.get(RequestPath(raw: path)).validate(.none).send()
                }
                _ = try await Client(server.url.absoluteString).delete("/__admin/requests").send()
            }
        }
        try await replay(["/a", "/b"])
        await #expect(throws: CassetteFailure.self) { try await replay(["/a"]) }
        await #expect(throws: CassetteFailure.self) { try await replay(["/a", "/b", "/none"]) }
    }

    @Test func answerThatIsCutOffFailsTest() async throws {
        let upstream = try await ScriptedServer.start { connection in
            _ = try await connection.read(until: "\r\n\r\n")
            try await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart")
            _ = try await connection.read(until: "\r\n\r\n")
        }
        var request: Task<Void, any Error>?
        await #expect(throws: RecordingError.self) {
            try await withMockServer(
                recording: "http://127.0.0.1:\(upstream.port)",
                to: "a",
                in: folder.url,
                environment: [:]
            ) { server in
                let url = server.url.absoluteString
                let (started, start) = AsyncStream.makeStream(of: Void.self)
                request = Task {
                    let response = try await Client(url).get("/a").stream()
                    start.finish()
                    for try await _ in response.body {}
                }
                for await _ in started {}
            }
        }
        _ = await request?.result
        #expect(cassette == nil)
    }

    @Test func answerIsPlayedAsOftenAsItWasRecorded() async throws {
        try folder.write(cassetteText([("/a", "old")]), to: "a.cassette.json")
        let failure = await #expect(throws: CassetteFailure.self) { try await use(paths: ["/a", "/a"]) }
        #expect(failure?.description.contains("The one answer to GET /a was given already.") == true)
    }

    @Test func unusedExchangeFailsTest() async throws {
        try folder.write(cassetteText([("/a", "old"), ("/b", "old")]), to: "a.cassette.json")
        let failure = await #expect(throws: CassetteFailure.self) { try await use() }
        #expect(failure?.report.unused.map(\.request) == ["GET /b"])
        #expect(failure?.description.contains("contains more than the test requests") == true)
    }

    @Test func testWithoutRequestFails() async throws {
        let failure = await #expect(throws: CassetteFailure.self) { try await use(paths: []) }
        let text = try #require(failure?.description)
        #expect(text.contains("No request reached the mock server, so "))
        #expect(text.hasSuffix("withMockServer(recording: \"http://127.0.0.1:1\", to: \"a\", expectsRequests: false)"))
        try await use(paths: [], expectsRequests: false)
        #expect(folder.names == [])
    }

    @Test func namesCassetteAfterTest() async throws {
        let upstream = try await upstream()
        try await withMockServer(
            recording: "http://127.0.0.1:\(upstream.port)",
            in: folder.url,
            environment: [:]
        ) { server in
            _ = try await Client(server.url.absoluteString).get("/a").send()
        }
        #expect(folder.names.contains("RepriseTestingTests/RecordingServerTests/namesCassetteAfterTest.cassette.json"))
    }
}
