// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseReplay
import Testing

@testable import RepriseTesting

/// A failing test discards what it recorded.
@Suite struct FailedTestTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private struct Stop: Error {}

    /// How a test ends.
    enum Ending: CaseIterable {
        case passes, throwsError, failsExpectation, recordsIssueInTask, hasKnownIssue

        var isFailure: Bool { self != .passes && self != .hasKnownIssue }

        func reach() async throws {
            switch self {
            case .passes: break
            case .throwsError: throw Stop()
            case .failsExpectation: #expect(Bool(false))
            case .recordsIssueInTask: await Task { _ = Issue.record("from a task") }.value
            case .hasKnownIssue: withKnownIssue { Issue.record("known") }
            }
        }
    }

    private static let server = StubTransport {
        $0.get("/users/1", .text("new"))
        $0.get("/users/2", .text("new"))
    }
    private static let down = StubTransport { $0.get("/users/1", .failure(.connectionRefused)) }
    private static let old = cassetteText([("/users/1", "old")])
    private static let modes = [RecordingMode.once, .append, .overwrite]

    private func use(
        _ mode: RecordingMode,
        _ ending: Ending,
        over base: any Transport = server,
        _ variables: [String: String] = [:]
    ) async {
        await withKnownIssue(isIntermittent: true) {
            try await withCassette("a", mode: .record(mode), in: folder.url, over: base, environment: variables) { _ in
                for path in ["/users/1", "/users/2"] { _ = try? await text(at: path) }
                try await ending.reach()
            }
        }
    }

    private var cassette: String? { folder.text(of: "a.cassette.json") }

    @Test(arguments: Ending.allCases, modes)
    func writesCassetteOnlyForPassingTest(ending: Ending, mode: RecordingMode) async {
        await use(mode, ending)
        #expect(folder.names == (ending.isFailure ? [] : ["a.cassette.json"]))
    }

    @Test(arguments: Ending.allCases, [RecordingMode.append, .overwrite])
    func preservesExistingCassetteOfFailingTest(ending: Ending, mode: RecordingMode) async throws {
        try folder.write(Self.old, to: "a.cassette.json")
        await use(mode, ending)
        #expect((cassette == Self.old) == ending.isFailure)
        #expect(folder.names == ["a.cassette.json"])
    }

    /// If staging is down, the test fails, and the next run must not replay that failure.
    @Test(arguments: modes)
    func discardsFailuresOfUnavailableServer(mode: RecordingMode) async {
        await use(mode, .throwsError, over: Self.down)
        #expect(folder.names == [])
        await use(mode, .passes)
        #expect(cassette?.contains("failure") == false)
    }

    /// A test of how code handles a failure passes, and its cassette contains the failure.
    @Test func recordsFailureInPassingTest() async {
        await use(.once, .passes, over: Self.down)
        #expect(cassette?.contains(#""failure": "connectionRefused""#) == true)
    }

    @Test(arguments: modes)
    func retainsRecordingIfVariableIsSet(mode: RecordingMode) async {
        await use(mode, .failsExpectation, ["REPRISE_KEEP_FAILED": "1"])
        #expect(cassette?.contains("new") == true)
    }

    @Test func logExplainsDiscardedRecording() async throws {
        let logs = folder.url.appending(path: "logs").path
        await use(.overwrite, .failsExpectation, ["REPRISE_LOG_DIR": logs])
        let log = try #require(folder.text(of: "logs/a.log"))
        #expect(log.contains("nothing was recorded because the test failed; the cassette still does not exist"))
        #expect(log.contains("set REPRISE_KEEP_FAILED=1"))
        #expect(log.contains("/users/1 -> 200"))
    }

    @Test(.cassette("a", expectsRequests: false, over: server), arguments: Ending.allCases, modes)
    func traitWritesCassetteOnlyForPassingTest(ending: Ending, mode: RecordingMode) async throws {
        let test = try #require(Test.current)
        let environment = ["REPRISE_FIXTURES": folder.url.path, "REPRISE_MODE": mode.rawValue]
        // A detached task doesn't inherit the cassette that the test already has.
        await Task.detached {
            await withKnownIssue(isIntermittent: true) {
                try await CassetteScope.$environment.withValue(environment) {
                    try await CassetteScope.provide(for: test) {
                        _ = try await text(at: "/users/1")
                        try await ending.reach()
                    }
                }
            }
        }.value
        #expect(folder.names == (ending.isFailure ? [] : ["a.cassette.json"]))
    }

    /// Watching for issues doesn't move the closure to another actor.
    @MainActor @Test func runsClosureOnCallersActor() async throws {
        try await withCassette("none", expectsRequests: false, in: folder.url, environment: [:]) { _ in
            MainActor.preconditionIsolated()
            await Task.yield()
            MainActor.preconditionIsolated()
        }
    }
}
