// SPDX-License-Identifier: Apache-2.0

public import Reprise
public import RepriseRecording

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// A cassette in use: the transport that its mode asks for, from the start to the end of a test, say.
///
/// ```swift
/// let session = try CassetteSession("Tests/Fixtures/users.cassette.json", mode: .record(.once))
/// let api = Client("https://staging.example.com", transport: session.transport)
/// let user: User = try await api.get("/users/42").value()
/// try session.finish()
/// ```
///
/// `REPRISE_MODE` overrides the mode, see ``ReplayMode/resolved(in:)``. Where `CI` is set, a session that could reach the
/// network does not start unless `REPRISE_ALLOW_NETWORK=1`.
public final class CassetteSession: Sendable {
    /// The cassette's path; a folder's in the mode ``ReplayMode/stub``.
    public let path: String
    /// The mode that holds.
    public let mode: ReplayMode
    /// What a client is to use.
    public let transport: any Transport
    /// What a client's retries and pauses are to pass on: a ``VirtualClock`` where all answers come from the cassette
    /// and the pace is not one of real time; nil for the system's.
    public let clock: (any Clock<Duration>)?
    private let recording: RecordingTransport?
    private let replaying: ReplayingTransport?

    /// How a session records and replays.
    public struct Configuration: Sendable {
        /// How it replays. What becomes of a request that nothing answers follows from the mode, not from this.
        public var replay: ReplayingTransport.Configuration
        /// How it records. What becomes of the cassette follows from the mode, not from this.
        public var recording: CassetteRecorder.Configuration
        /// Whether the client's Accept-Encoding is left alone while recording. False by default.
        public var keepsEncoding: Bool

        /// A configuration, each part of which may be left at its default.
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

    /// What became of a session.
    public struct Outcome: Sendable {
        /// What was replayed; nil if nothing was to be.
        public var replay: ReplayReport?
        /// What was recorded; nil if nothing was to be.
        public var recording: CassetteRecorder.Summary?
    }

    /// Starts a session.
    ///
    /// - Parameters:
    ///   - path: the cassette's; in the mode ``ReplayMode/stub`` also a folder of fixtures.
    ///   - mode: where answers come from. The cassette alone by default.
    ///   - base: what reaches the network; nil for the platform's live transport.
    ///   - configuration: how to record and replay.
    ///   - environment: the variables; nil for the process's.
    /// - Throws: ``ReplayModeError``, `FixtureProblems` if the cassette cannot be replayed, `RecordingError` if it cannot
    ///   be recorded.
    public init(
        _ path: String,
        mode: ReplayMode = .replay,
        over base: (any Transport)? = nil,
        configuration: Configuration = Configuration(),
        environment: [String: String]? = nil
    ) throws {
        let environment = environment ?? ProcessInfo.processInfo.environment
        let mode = try mode.resolved(in: environment)
        let hasCassette = FileManager.default.fileExists(atPath: path)
        var plan = SessionPlan(mode, hasCassette: hasCassette)
        if plan.reachesNetwork { try mode.checkNetwork(for: path, in: environment) }
        let live = base ?? DefaultTransport.shared
        self.path = path
        self.mode = mode
        recording = try plan.recording.map { mode in
            var settings = configuration.recording
            settings.mode = mode
            settings.replacesLeftovers = mode == .overwrite
            return try RecordingTransport(
                over: live,
                to: path,
                configuration: settings,
                keepsEncoding: configuration.keepsEncoding
            )
        }
        let onward: any Transport = recording ?? live
        // What a run that was broken off recorded is not recorded again.
        let leftovers = try plan.recording == .overwrite ? [] : recording?.recorder.leftovers() ?? []
        if !leftovers.isEmpty { plan.replays = true }
        if plan.replays {
            var settings = configuration.replay
            if settings.remedy == nil, mode != .stub {
                settings.remedy = "\(ReplayMode.variable)=append, and the same command as now"
            }
            // Where nothing is live, a retry need not take time either.
            if settings.clock == nil, settings.pace == .instant, !plan.reachesNetwork {
                settings.clock = VirtualClock()
            }
            settings.unmatched = plan.reachesNetwork ? .passThrough : .fail
            settings.base = onward
            replaying = try ReplayingTransport(
                paths: hasCassette || leftovers.isEmpty ? [path] : [],
                and: leftovers,
                configuration: settings
            )
        } else {
            replaying = nil
        }
        transport = replaying ?? onward
        clock = replaying?.clock
    }

    /// What was replayed so far; nil if nothing is to be.
    public var report: ReplayReport? { replaying?.report }

    /// Ends the session: writes what was recorded, and checks what was replayed.
    ///
    /// - Returns: what became of it.
    /// - Throws: `RecordingError` if the cassette could not be written; in strict replay ``ReplayFailure`` if something
    ///   was asked that is not in the cassette, or was not asked that is.
    @discardableResult
    public func finish() throws -> Outcome {
        try outcome(recording: try recording?.finish())
    }

    /// Ends a session that is not to be kept, that of a test which failed, say: what was recorded is forgotten, and the
    /// cassette stays as it is. What was replayed is checked as by ``finish()``.
    ///
    /// - Returns: what became of it; as recorded, what would have been written.
    /// - Throws: `RecordingError` if what was recorded could not be removed; ``ReplayFailure`` as ``finish()`` does.
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
    /// Whether the test has to ask for what is recorded, where nothing is being recorded.
    fileprivate var isStrict: Bool {
        switch self {
        case .replay, .record(.once): true
        case .live, .record, .stub: false
        }
    }
}

/// What a mode comes to, with a cassette there or not.
private struct SessionPlan {
    var replays = false
    var recording: RecordingMode?
    var reachesNetwork = true

    init(_ mode: ReplayMode, hasCassette: Bool) {
        switch mode {
        case .live: break
        case .record(.once) where hasCassette: (replays, reachesNetwork) = (true, false)
        case .record(.append) where hasCassette: (replays, recording) = (true, .append)
        case .record(let mode): recording = mode
        case .replay(.passThrough): replays = true
        case .replay(.fail), .stub: (replays, reachesNetwork) = (true, false)
        }
    }
}
