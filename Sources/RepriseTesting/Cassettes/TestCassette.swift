// SPDX-License-Identifier: Apache-2.0

public import Reprise
internal import RepriseLocking
internal import RepriseRecording
public import RepriseReplay
internal import RepriseText

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The cassette of a running test.
///
/// Clients created without a transport use it automatically through `Ambient`, in the test's task and its child
/// tasks. It also replaces the live transport of a client (`Client(…, live: transport)`), for decorators without a
/// base such as `CachingTransport()`. For detached tasks and callbacks of other frameworks, use ``transport``.
/// `URLSession.shared` uses the cassette too; see ``sessionConfiguration`` for other URL sessions.
///
/// While the test runs, a request that a live transport of this package sends without the cassette fails with
/// `networkNotAllowed`, in every task of the process, unless it goes to this machine or the mode is `live`. A transport
/// that you wrote yourself is not checked.
///
/// The file is opened for the first request. A test that sends none fails, unless it has the argument
/// `expectsRequests: false`.
public final class TestCassette: Sendable {
    /// The path of the cassette. In the mode `stub`, it may be a folder.
    public let path: String
    /// The mode in effect, including `REPRISE_MODE`.
    public let mode: ReplayMode
    /// The clock of the replay, which clients also use for retries and pauses; nil for the system clock.
    public let clock: (any Clock<Duration>)?

    /// The environment variable that keeps the recordings of failed tests.
    static let keepVariable = "REPRISE_KEEP_FAILED"

    let settings: CassetteSettings
    let log = ExchangeLog()
    let environment: [String: String]
    let configuration: CassetteSession.Configuration
    let test: TestIdentity
    let isStrict: Bool
    /// Whether other tests may use the cassette, because the test names it.
    private let isShared: Bool
    /// Whether the requests come through a server.
    private let isServed: Bool
    private let state = Locked(State.untouched)
    /// The first request that bypassed the cassette.
    private let bypass = Locked<TransportError?>(nil)
    /// Whether there was a request, answered or not, to this cassette or to one that replaced it.
    private let sawRequest = Locked(false)
    /// The cassette that this one replaces.
    let outer: TestCassette?
    /// The exchanges of URL sessions.
    let sessionTasks = SessionTasks()
    /// The cookies of the URL sessions whose own storage is persistent.
    let cookies = CookieJar()
    private let codeToSet: @Sendable (_ argument: String) -> String

    private enum State {
        case untouched
        case open(any CassetteUse)
        case unusable(any Error)
        /// The test has ended.
        case closed((any CassetteUse)?)

        var session: (any CassetteUse)? {
            switch self {
            case .open(let session): session
            case .closed(let session): session
            case .untouched, .unusable: nil
            }
        }
    }

    @TaskLocal static var ambient: TestCassette?

    /// The cassette of the test that runs in this task; nil if it has none.
    public static var current: TestCassette? { ambient }

    /// - Parameter codeToSet: Returns the code in the test that has an argument such as `matching: [.path]`.
    /// - Throws: `ReplayModeError` if the value of `REPRISE_MODE` is invalid.
    init(
        _ name: String,
        _ settings: CassetteSettings,
        of test: TestIdentity,
        environment: [String: String],
        isServed: Bool = false,
        codeToSet: @escaping @Sendable (_ argument: String) -> String
    ) throws(ReplayModeError) {
        let mode = try (settings.mode ?? .replay).resolved(in: environment)
        let folder = CassettePlace.folder(settings.folder, nextTo: test.sourceFile, in: environment)
        path = CassettePlace.path(of: name, in: folder, mode: mode)
        self.mode = mode
        self.settings = settings
        self.environment = environment
        self.test = test
        isShared = name != test.name
        self.isServed = isServed
        configuration = settings.sessionConfiguration(for: test, isShared: isShared, codeToSet: codeToSet)
        self.codeToSet = codeToSet
        outer = Self.current
        isStrict =
            switch mode {
            case .replay(.fail), .stub: true
            case .record(.once): !RecordingMode.once.records(to: path)
            case .live, .record, .replay: false
            }
        clock = isStrict ? configuration.replay.clock : nil
    }

    /// The transport for clients.
    public var transport: any Transport { CassetteTransport(cassette: self) }

    /// Whether the test may also send requests that bypass the cassette.
    var permitsNetwork: Bool { mode == .live && !NetworkGuard.isForbidden(in: environment) }

    /// Notes the error of a request that bypassed the cassette, so that the test fails even if its code ignores it.
    @Sendable func note(_ error: TransportError) {
        bypass.withLock { $0 = $0 ?? error }
    }

    func noteRequest() {
        sawRequest.withLock { $0 = true }
        outer?.noteRequest()
    }

    var hasRequests: Bool { sawRequest.withLock { $0 } }

    var isIdle: Bool { (settings.expectsRequests ?? (settings.mode != .live)) && !hasRequests }

    /// What was replayed so far; nil if the cassette does not replay, or if there were no requests.
    public var report: ReplayReport? { state.withLock { $0.session }?.report }

    func open() throws(TransportError) -> any Transport {
        do {
            return try state.withLock { state in
                if case .untouched = state {
                    do { state = .open(try makeSession()) } catch { state = .unusable(error) }
                }
                switch state {
                case .open(let session as CassetteSession): return session.transport
                case .unusable(let error): throw error
                case .untouched, .open, .closed: throw Self.isOver(path)
                }
            }
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(.noFixture, "\(error)", underlying: error)
        }
    }

    /// Makes a use by a server take the place of a session of clients.
    func adopt(_ use: any CassetteUse) {
        state.withLock { $0 = .open(use) }
    }

    /// Ends the session, once: writes what was recorded, and checks what was replayed.
    ///
    /// - Parameters:
    ///   - hasFailed: Whether the test has failed. Its recording may be the cause of the failure, so it is not written
    ///     unless ``keepVariable`` is set.
    ///   - failsIfIdle: Whether a test without requests fails, if it has not failed already.
    /// - Throws: The error from opening the cassette, if it was needed; `RecordingError` if exchanges were not
    ///   written; ``CassetteFailure`` if the requests did not match the cassette in a strict replay, or if there were
    ///   none; the error of a request that bypassed the cassette.
    func finish(hasFailed: Bool, failsIfIdle: Bool = true) throws {
        defer { sessionTasks.cancel() }
        let bypass = bypass.withLock { $0 }
        try finishSession(hasFailed: hasFailed || bypass != nil)
        if let bypass { throw bypass }
        if isIdle, failsIfIdle, !hasFailed { throw failure(ReplayReport()) }
    }

    private func failure(_ report: ReplayReport) -> CassetteFailure {
        CassetteFailure(
            path: path,
            report: report,
            remedy: test.command(recording: .overwrite),
            isShared: isShared,
            isServed: isServed,
            codeWithoutRequests: isIdle ? codeToSet(CassetteFailure.withoutRequests) : nil
        )
    }

    private func finishSession(hasFailed: Bool) throws {
        let unanswered = log.unanswered
        let session = try close()
        let unfinished = hasFailed ? [] : unfinished(in: session, unanswered)
        guard let session else {
            if unfinished.isEmpty { return }
            throw Self.hasUnfinished(unfinished, path)
        }
        let recorded = hasFailed ? nil : session.recorded
        let isComplete = unfinished.isEmpty && recorded?.shortcomings == nil
        let isKept = !hasFailed && isComplete || NetworkPermission.isSet(environment[Self.keepVariable])
        do {
            guard let summary = try isKept ? session.finish() : session.abandon() else { return }
            if isKept { announce(summary) } else { announce(abandoned: summary) }
            guard unfinished.isEmpty else { throw Self.hasUnfinished(unfinished, path) }
            let last = isKept ? summary : recorded
            guard let last, let shortcomings = last.shortcomings else { return }
            throw RecordingError("\(path): \(([shortcomings] + last.notes).joined(separator: "\n"))")
        } catch let failure as ReplayFailure {
            // A test that may send no requests does not have to request what is recorded.
            if !isIdle, !hasRequests { return }
            throw self.failure(failure.report)
        }
    }

    /// The requests that a recording lacks because they have not ended. The session does not know those that it has not
    /// received yet.
    ///
    /// - Parameter unanswered: The requests without a response before the session was closed.
    private func unfinished(in session: (any CassetteUse)?, _ unanswered: [String]) -> [String] {
        if let known = session?.unfinished, !known.isEmpty { return known }
        return if case .record = mode, !isStrict { unanswered } else { [] }
    }

    /// Closes the cassette to further requests.
    ///
    /// - Returns: The session to finish; nil if there is none, or if it is already finished.
    private func close() throws -> (any CassetteUse)? {
        try state.withLock { state in
            let former = state
            state = .closed(former.session)
            switch former {
            case .open(let session): return session
            case .unusable(let error): throw error
            case .closed: return nil
            case .untouched:
                // Exchanges that the test no longer requests are a difference too.
                guard isStrict, mode != .stub, FileManager.default.fileExists(atPath: path) else { return nil }
                let session = try makeSession()
                state = .closed(session)
                return session
            }
        }
    }

    /// Checks that a cassette that is only replayed exists.
    func checkExists() throws(TransportError) {
        guard isStrict, !FileManager.default.fileExists(atPath: path) else { return }
        throw TransportError(
            .noFixture,
            "\(path) does not exist.\n\nTo record it:\n  \(test.command(recording: .once))"
        )
    }

    private func makeSession() throws -> CassetteSession {
        try checkExists()
        return try CassetteSession(
            path,
            mode: mode,
            over: settings.base,
            configuration: configuration,
            environment: environment
        )
    }
}
