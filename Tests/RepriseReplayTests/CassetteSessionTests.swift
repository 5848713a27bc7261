// SPDX-License-Identifier: Apache-2.0

import Foundation
import Reprise
import RepriseRecording
import RepriseRedaction
import Testing

@testable import RepriseReplay

@Suite(.timeLimit(.minutes(5))) struct CassetteSessionTests {
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

    private func get(_ path: RequestPath, _ session: CassetteSession) async throws -> String {
        try await Client("https://api.example.com", transport: session.transport).get(path).send().text
    }

    @Test func recordsOnceAndThenReplays() async throws {
        let first = try session(.record(.once))
        #expect(try await get("/users/42", first) == #"{"id": 42}"#)
        #expect(try first.finish().recording?.exchanges == 1)
        let second = try session(.record(.once))
        #expect(try await get("/users/42", second) == #"{"id": 42}"#)
        await #expect(throws: ClientError.self) { try await get("/users/43", second) }
        #expect(throws: ReplayFailure.self) { try second.finish() }
    }

    private func getAll(_ session: CassetteSession, _ paths: [String]) async throws -> [String] {
        var seen: [String] = []
        for path in paths { seen.append(try await get(RequestPath(raw: path), session)) }
        return seen
    }

    private static let both = ["/users/42", "/users/43"]

    @Test(
        arguments: [
            (ReplayMode.replay, nil), (.record(.once), nil), (.record(.append), 2),
            (.replay(unmatched: .passThrough), 2),
            (.stub, 2),
        ] as [(ReplayMode, Int?)]
    )
    func playsRecordedExchangeOnceInStrictMode(mode: ReplayMode, choices: Int?) async throws {
        let first = try session(.record(.once))
        _ = try await get("/users/42", first)
        try first.finish()
        let second = try session(mode)
        #expect(try await get("/users/42", second) == #"{"id": 42}"#)
        guard let choices else {
            await #expect(throws: ClientError.self) { try await get("/users/42", second) }
            #expect(throws: ReplayFailure.self) { try second.finish() }
            return
        }
        #expect(try await get("/users/42", second) == #"{"id": 42}"#)
        #expect(try second.finish().replay?.choices.count == choices)
    }

    @Test func appendsNewExchanges() async throws {
        let first = try session(.record(.append))
        _ = try await getAll(first, ["/users/42"])
        try first.finish()
        let second = try session(.record(.append))
        _ = try await getAll(second, Self.both)
        let outcome = try second.finish()
        #expect(outcome.replay?.choices.count == 1)
        #expect(outcome.recording?.exchanges == 1)
        let third = try session(.replay)
        #expect(try await getAll(third, Self.both) == [#"{"id": 42}"#, #"{"id": 43}"#])
        #expect(try third.finish().replay?.isComplete == true)
    }

    @Test func appendsEachHopOfRedirect() async throws {
        let server = StubTransport {
            $0.get("/a", .text("known"))
            $0.get("/b", .stream("over ", "there", status: 302).header("Location", "/a"))
        }
        for paths in [["/a"], ["/b"]] {
            let session = try CassetteSession(cassette, mode: .record(.append), over: server, environment: [:])
            #expect(try await getAll(session, paths) == ["known"])
            #expect(try session.finish().recording?.notes == [])
        }
        let replay = try session(.replay)
        #expect(try await getAll(replay, ["/b"]) == ["known"])
        #expect(throws: Never.self) { try replay.finish() }
    }

    private static let long = (0..<3000).map { "{\"line\": \($0), \"text\": \"that makes it long\"}\n" }.joined()
    private static let streaming = StubTransport {
        $0.get("/users/42", .json(#"{"id": 42}"#))
        $0.get("/users/43", .json(#"{"id": 43}"#))
        $0.get("/lines", .stream(.text(long), .text("last\n")).header("Content-Type", "application/x-ndjson"))
    }

    /// Leaves a recording in the state in which it is if the process ends during it.
    private func recordWithoutFinishing(_ paths: [String]) async throws {
        let mode = ReplayMode.record(.append)
        weak var recorder: CassetteRecorder?
        do {
            let session = try CassetteSession(cassette, mode: mode, over: Self.streaming, environment: [:])
            recorder = session.recording?.recorder
            _ = try await getAll(session, paths)
        }
        // The task of a stream may end later, and the recorder keeps its lock until then.
        while recorder != nil { await Task.yield() }
    }

    @Test(arguments: [RecordingMode.once, .append], [true, false])
    func replaysExchangesOfInterruptedRun(mode: RecordingMode, hasCassette: Bool) async throws {
        let known = mode == .append && hasCassette ? ["/users/42"] : []
        if !known.isEmpty {
            let first = try session(.record(.append))
            _ = try await getAll(first, known)
            try first.finish()
        }
        try await recordWithoutFinishing(["/lines", "/users/43"])
        // No server is available.
        let mode = ReplayMode.record(mode)
        let second = try CassetteSession(cassette, mode: mode, over: StubTransport { _ in }, environment: [:])
        let paths = known + ["/lines", "/users/43"]
        let expected = known.map { _ in #"{"id": 42}"# } + [Self.long + "last\n", #"{"id": 43}"#]
        #expect(try await getAll(second, paths) == expected)
        #expect(try second.finish().recording?.exchanges == 0)
        let third = try session(.replay)
        #expect(try await getAll(third, paths) == expected)
        #expect(try third.finish().replay?.choices.count == paths.count)
    }

    @Test func recordsRestOfInterruptedRun() async throws {
        try await recordWithoutFinishing(["/users/42"])
        for _ in 1...2 {
            let second = try session(.record(.once))
            #expect(try await getAll(second, Self.both) == [#"{"id": 42}"#, #"{"id": 43}"#])
            // Abandoning a session doesn't discard the exchanges of the interrupted run.
            #expect(try second.abandon().recording?.exchanges == 1)
            #expect(folder.text(of: "users.cassette.json") == nil)
        }
        let third = try session(.record(.once))
        _ = try await getAll(third, Self.both)
        #expect(try third.finish().recording?.exchanges == 1)
        #expect(folder.text(of: "users.cassette.json")?.components(separatedBy: "\"request\"").count == 3)
    }

    @Test func overwriteDiscardsInterruptedRun() async throws {
        try await recordWithoutFinishing(["/users/42", "/lines"])
        let second = try session(.record(.overwrite))
        _ = try await getAll(second, ["/users/42"])
        #expect(try second.finish().recording?.notes.first?.contains("left out 2 exchanges") == true)
        let third = try session(.replay)
        _ = try await getAll(third, ["/users/42"])
        #expect(try third.finish().replay?.choices.count == 1)
        #expect(!FileManager.default.fileExists(atPath: folder.path("users.cassette.bodies")))
    }

    @Test func abandoningPreservesCassette() async throws {
        let first = try session(.record(.append))
        _ = try await getAll(first, ["/users/42"])
        try first.finish()
        let old = folder.text(of: "users.cassette.json")
        for mode in [RecordingMode.append, .overwrite] {
            let second = try session(.record(mode))
            _ = try await getAll(second, Self.both)
            try second.abandon()
            #expect(folder.text(of: "users.cassette.json") == old)
        }
        // A replay is strict even if it is abandoned.
        #expect(throws: ReplayFailure.self) { try session(.replay).abandon() }
    }

    @Test func replayUsesVirtualClock() async throws {
        let recording = try session(.record(.overwrite))
        _ = try await getAll(recording, ["/users/42"])
        #expect(recording.clock == nil)
        try recording.finish()
        let replay = try session(.replay)
        let clock = try #require(replay.clock as? VirtualClock)
        try await clock.sleep(for: .seconds(3600))
        #expect(try await getAll(replay, ["/users/42"]) == [#"{"id": 42}"#])
        #expect(try session(.replay(unmatched: .passThrough)).clock == nil)
    }

    @Test func overwriteReplacesCassette() async throws {
        for paths in [Self.both, ["/users/43"]] {
            let session = try session(.record(.overwrite))
            _ = try await getAll(session, paths)
            try session.finish()
        }
        let replay = try session(.replay)
        await #expect(throws: ClientError.self) { try await get("/users/42", replay) }
        #expect(try await get("/users/43", replay) == #"{"id": 43}"#)
    }

    @Test func replaysStrictlyUnlessPassingThrough() async throws {
        let recording = try session(.record(.overwrite))
        _ = try await getAll(recording, ["/users/42"])
        try recording.finish()
        let strict = try session(.replay)
        #expect(throws: ReplayFailure.self) { try strict.finish() }
        let open = try session(.replay(unmatched: .passThrough))
        #expect(try await getAll(open, ["/users/43"]) == [#"{"id": 43}"#])
        #expect(try open.finish().replay?.misses.count == 1)
    }

    @Test func environmentVariableOverridesMode() async throws {
        let recording = try session(.replay, ["REPRISE_MODE": "overwrite"])
        _ = try await getAll(recording, ["/users/42"])
        #expect(recording.mode == .record(.overwrite))
        #expect(try recording.finish().recording?.exchanges == 1)
        let live = try session(.replay, ["REPRISE_MODE": "live"])
        #expect(try await getAll(live, ["/users/43"]) == [#"{"id": 43}"#])
        let outcome = try live.finish()
        #expect(outcome.replay == nil && outcome.recording == nil)
    }

    @Test(arguments: [
        ReplayMode.live, .record(.once), .record(.append), .record(.overwrite), .replay(unmatched: .passThrough),
    ])
    func rejectsNetworkModesOnCIUnlessAllowed(mode: ReplayMode) throws {
        for value in ["true", "1"] {
            let error = #expect(throws: ReplayModeError.self) { try session(mode, ["CI": value]) }
            #expect(error?.description.contains("REPRISE_ALLOW_NETWORK=1") == true)
            #expect(error?.description.contains("users.cassette.json") == true)
        }
    }

    @Test(arguments: [["CI": "false"], ["CI": ""], ["CI": "true", "REPRISE_ALLOW_NETWORK": "1"]])
    func allowsNetworkOutsideCIOrWithVariable(environment: [String: String]) throws {
        #expect(throws: Never.self) { try session(.record(.append), environment) }
    }

    @Test func replaysExistingCassetteOnCI() async throws {
        let first = try session(.record(.once))
        _ = try await getAll(first, ["/users/42"])
        try first.finish()
        let second = try session(.record(.once), ["CI": "true"])
        #expect(try await getAll(second, ["/users/42"]) == [#"{"id": 42}"#])
        #expect(throws: Never.self) { try second.finish() }
    }

    @Test func stubModeAnswersFromFolder() async throws {
        try folder.write(#"{"id": 7}"#, to: "Fixtures/users/7.get.json")
        try folder.write("[]", to: "Fixtures/users/index.get.json")
        let session = try CassetteSession(
            folder.path("Fixtures"),
            mode: .stub,
            environment: ["CI": "true", "REPRISE_MODE": "overwrite"]
        )
        #expect(try await getAll(session, ["/users/7"]) == [#"{"id": 7}"#])
        #expect(throws: Never.self) { try session.finish() }
    }

    @Test func missNamesRecordCommand() async throws {
        let recording = try session(.record(.overwrite))
        _ = try await getAll(recording, ["/users/42"])
        try recording.finish()
        let replay = try session(.replay)
        let error = await #expect(throws: ClientError.self) { try await get("/users/43", replay) }
        #expect(error?.message.contains("swift run mockserver record https://api.example.com --out") == true)
        #expect(error?.message.contains("REPRISE_MODE=append") == true)
    }

    @Test(arguments: [false, true])
    func missFollowsRedactionOfCassette(_ isInCode: Bool) async throws {
        try folder.write(isInCode ? "" : "redact: {names: [shoe size], paths: [shoes]}", to: "reprise.yaml")
        var configuration = CassetteSession.Configuration()
        if isInCode { configuration.recording.redaction = try Redaction([.name("shoe size"), .path("shoes")]) }
        func session(_ mode: ReplayMode) throws -> CassetteSession {
            try CassetteSession(
                cassette,
                mode: mode,
                over: Self.server,
                configuration: configuration,
                environment: [:]
            )
        }
        let recording = try session(.record(.overwrite))
        _ = try await getAll(recording, ["/users/42"])
        try recording.finish()
        let replay = try session(.replay)
        let error = await #expect(throws: TransportError.self) {
            try await replay.transport.request(
                "/users/42?shoe_size=fortytwo",
                .post,
                body: #"{"shoes": "f0rtyfour"}"#,
                fields: [.contentType: "application/json"]
            )
        }
        let report = try #require(replay.report).misses.map { "\($0.request) \($0.message)" }.joined()
        for text in [try #require(error).message, report] {
            #expect(text.contains("shoe_size=[redacted]"), "\(text)")
            #expect(!text.contains("fortytwo") && !text.contains("f0rtyfour"), "\(text)")
        }
    }

    @Test func missHidesSecretsThatWereRecorded() async throws {
        let recording = try session(.record(.overwrite))
        _ = try await get("/users/42?access_token=tok_Rq77Lmm20xPvKw3", recording)
        try recording.finish()
        let replay = try session(.replay)
        let error = await #expect(throws: ClientError.self) { try await get("/orders/tok_Rq77Lmm20xPvKw3", replay) }
        #expect(error?.message.contains("/orders/[redacted]") == true)
        #expect(error?.message.contains("tok_Rq77Lmm20xPvKw3") == false)
    }

    @Test func reportsMissingCassette() {
        let error = #expect(throws: FixtureProblems.self) { try session(.replay) }
        #expect(error?.description.contains("users.cassette.json") == true)
    }
}
