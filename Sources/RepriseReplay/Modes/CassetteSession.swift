// SPDX-License-Identifier: Apache-2.0

public import Reprise
public import RepriseRecording

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// One use of a cassette, to record or to replay it, for example from the start to the end of a test. It provides the
/// transport for its mode.
///
/// ```swift
/// let session = try CassetteSession("Tests/Fixtures/users.cassette.json", mode: .record(.once))
/// let api = Client("https://staging.example.com", transport: session.transport)
/// let user: User = try await api.get("/users/42").value()
/// try session.finish()
/// ```
///
/// `REPRISE_MODE` overrides the mode; see ``ReplayMode/resolved(in:)``. If `CI` is set, a session that could reach
/// the network does not start unless `REPRISE_ALLOW_NETWORK=1` is set.
public final class CassetteSession: Sendable {
    /// The path of the cassette. In the mode ``ReplayMode/stub``, it may be a folder.
    public let path: String
    /// The mode in effect.
    public let mode: ReplayMode
    /// The transport for clients.
    public let transport: any Transport
    /// The clock for a client's retries and pauses: a ``VirtualClock`` if all answers come from the cassette and the
    /// pace does not take real time; nil for the system clock.
    public let clock: (any Clock<Duration>)?
    let recording: RecordingTransport?
    private let replaying: ReplayingTransport?

    /// How a session records and replays.
    public struct Configuration: Sendable {
        /// How the session replays. The mode, not this configuration, decides what happens to unmatched requests.
        public var replay: ReplayingTransport.Configuration
        /// How the session records. The mode, not this configuration, decides what happens to an existing cassette.
        public var recording: CassetteRecorder.Configuration
        /// Whether to send the client's `Accept-Encoding` unchanged while recording. The default is `false`.
        public var keepsEncoding: Bool

        /// Creates a configuration. Omitted values have their defaults.
        public init(
            replay: ReplayingTransport.Configuration = .init(),
            recording: CassetteRecorder.Configuration = .init(),
            keepsEncoding: Bool = false
        ) {
            self.replay = replay
            self.recording = recording
            self.keepsEncoding = keepsEncoding
        }
    }

    /// The result of a session.
    public struct Outcome: Sendable {
        /// What was replayed; nil if the session does not replay.
        public var replay: ReplayReport?
        /// What was recorded; nil if the session does not record.
        public var recording: CassetteRecorder.Summary?
    }

    /// Starts a session.
    ///
    /// - Parameters:
    ///   - path: The path of the cassette. In the mode ``ReplayMode/stub``, it may be a folder of fixtures.
    ///   - mode: Where answers come from. The default is the cassette alone.
    ///   - base: The transport that reaches the network; nil for the live transport of the client that sends a
    ///     request, or else of the platform.
    ///   - configuration: How to record and replay.
    ///   - environment: The environment variables; nil for those of the process.
    /// - Throws: ``ReplayModeError`` if the mode is not allowed, `FixtureProblems` if the cassette cannot be
    ///   replayed, `RecordingError` if it cannot be recorded.
    public init(
        _ path: String,
        mode: ReplayMode = .replay,
        over base: (any Transport)? = nil,
        configuration: Configuration = Configuration(),
        environment: [String: String]? = nil
    ) throws {
        let environment = environment ?? ProcessInfo.processInfo.environment
        let mode = try mode.resolved(in: environment)
        let plan = try SessionPlan(path, mode, recording: configuration.recording, environment: environment)
        let live = SessionEnd(base: base)
        self.path = path
        self.mode = mode
        recording = plan.recorder.map {
            RecordingTransport(over: live, recorder: $0, keepsEncoding: configuration.keepsEncoding)
        }
        let onward: any Transport = recording ?? live
        if plan.replays {
            var settings = configuration.replay
            if mode == .stub { settings.afterLast = settings.afterLast ?? .repeat }
            if settings.remedy == nil, mode != .stub {
                settings.remedy = "or repeat this run with \(ReplayMode.variable)=append"
            }
            // If no answer comes from the network, retries do not have to take real time either.
            if settings.clock == nil, settings.pace == .instant, !plan.reachesNetwork {
                settings.clock = VirtualClock()
            }
            settings.unmatched = plan.reachesNetwork ? .passThrough : .fail
            settings.base = onward
            settings.redaction = plan.recorder?.redaction.withoutStandIns ?? configuration.recording.redaction
            replaying = try ReplayingTransport(
                paths: plan.paths,
                and: plan.leftovers,
                configuration: settings
            )
        } else {
            replaying = nil
        }
        transport = replaying ?? onward
        clock = replaying?.clock
    }

    /// What was replayed so far; nil if the session does not replay.
    public var report: ReplayReport? { replaying?.report }

    /// The requests whose exchanges would be left out of the recording, because they have not ended.
    package var unfinished: [String] { recording?.unfinished ?? [] }

    /// What was recorded so far; nil if the session does not record.
    package var recorded: CassetteRecorder.Summary? { recording?.recorder.summary }

    /// Ends the session: writes what was recorded, and checks what was replayed.
    ///
    /// - Returns: The result of the session.
    /// - Throws: `RecordingError` if the cassette could not be written; in strict replay, ``ReplayFailure`` if there
    ///   were misses or unused exchanges.
    @discardableResult
    public func finish() throws -> Outcome {
        try outcome(recording: try recording?.finish())
    }

    /// Ends a session without keeping its recording, for example after a failed test. The cassette stays unchanged.
    /// What was replayed is checked as in ``finish()``.
    ///
    /// - Returns: The result of the session; its `recording` is what would have been written.
    /// - Throws: `RecordingError` if the recording could not be removed; ``ReplayFailure`` under the same conditions
    ///   as ``finish()``.
    @discardableResult
    public func abandon() throws -> Outcome {
        try outcome(recording: try recording?.abandon())
    }

    private func outcome(recording summary: CassetteRecorder.Summary?) throws -> Outcome {
        if summary == nil, mode.isStrict { return Outcome(replay: try replaying?.finish()) }
        return Outcome(replay: replaying?.report, recording: summary)
    }
}

extension ReplayMode {
    /// Whether a replay in this mode must use every exchange and have no misses.
    fileprivate var isStrict: Bool {
        switch self {
        case .replay, .record(.once): true
        case .live, .record, .stub: false
        }
    }
}
