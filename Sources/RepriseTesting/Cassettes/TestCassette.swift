// SPDX-License-Identifier: Apache-2.0

public import Reprise
internal import RepriseLocking
internal import RepriseRecording
public import RepriseReplay

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The cassette of a test that runs.
///
/// Clients that were given no transport use it by themselves, through `Ambient`. That holds for the test's task and its
/// child tasks; for code that works in detached tasks, or that was given a client before, there is ``transport``.
///
/// The file is opened for the first request: a test that asks for nothing needs none.
public final class TestCassette: Sendable {
    /// The cassette's path; that of a folder in the mode `stub`, perhaps.
    public let path: String
    /// The mode that holds, with `REPRISE_MODE` taken into account.
    public let mode: ReplayMode
    /// The clock on which a replay's time passes, and with it a client's retries and pauses; nil for the system's.
    public let clock: (any Clock<Duration>)?

    /// The variable that says that a cassette is written also by a test that failed.
    static let keepVariable = "REPRISE_KEEP_FAILED"

    let settings: CassetteSettings
    let log = ExchangeLog()
    private let environment: [String: String]
    private let configuration: CassetteSession.Configuration
    private let test: TestIdentity
    private let isStrict: Bool
    private let state = Locked(State.untouched)

    private enum State {
        case untouched
        case open(CassetteSession)
        case unusable(any Error)
        /// The test is over.
        case closed(CassetteSession?)

        var session: CassetteSession? {
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

    /// - Throws: `ReplayModeError` if `REPRISE_MODE` has a value that is none.
    init(
        _ name: String,
        _ settings: CassetteSettings,
        of test: TestIdentity,
        environment: [String: String]
    ) throws(ReplayModeError) {
        let mode = try (settings.mode ?? .replay).resolved(in: environment)
        let folder = CassettePlace.folder(settings.folder, besides: test.sourceFile, in: environment)
        path = CassettePlace.path(of: name, in: folder, mode: mode)
        self.mode = mode
        self.settings = settings
        self.environment = environment
        self.test = test
        configuration = settings.sessionConfiguration(remedy: test.command(recording: .overwrite))
        isStrict =
            switch mode {
            case .replay(.fail), .stub: true
            case .record(.once): FileManager.default.fileExists(atPath: path)
            case .live, .record, .replay: false
            }
        clock = isStrict ? configuration.replay.clock : nil
    }

    /// What a client is to use.
    public var transport: any Transport { CassetteTransport(cassette: self) }

    /// What was replayed so far; nil if nothing was to be, or nothing was asked for.
    public var report: ReplayReport? { state.withLock { $0.session }?.report }

    /// What to send requests to.
    func open() throws(TransportError) -> any Transport {
        do {
            return try state.withLock { state in
                switch state {
                case .open(let session): return session.transport
                case .unusable(let error): throw error
                case .closed: throw Self.isOver(path)
                case .untouched: break
                }
                do {
                    let session = try makeSession()
                    state = .open(session)
                    return session.transport
                } catch {
                    state = .unusable(error)
                    throw error
                }
            }
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(.noFixture, "\(error)", underlying: error)
        }
    }

    /// Ends the session, once: writes what was recorded, and checks what was replayed.
    ///
    /// - Parameter hasFailed: whether the test has failed. What it recorded may be what it failed for, and is not written
    ///   then, unless ``keepVariable`` says so.
    /// - Throws: why the cassette could not be opened, if it was needed; `RecordingError` if what was recorded is not in
    ///   it; ``CassetteFailure`` if a strict replay was asked for something else than what is in it.
    func finish(hasFailed: Bool) throws {
        guard let session = try close() else { return }
        let isKept = !hasFailed || ReplayMode.isSet(environment[Self.keepVariable])
        do {
            guard let summary = try (isKept ? session.finish() : session.abandon()).recording else { return }
            guard isKept else { return announce(abandoned: summary) }
            announce(summary)
            guard summary.refused > 0 else { return }
            throw RecordingError("\(path): \(summary.refused) exchanges were not written:\n\(summary.notes.joined())")
        } catch let failure as ReplayFailure {
            throw CassetteFailure(path: path, report: failure.report, remedy: test.command(recording: .overwrite))
        }
    }

    /// Lets nobody use it any more.
    ///
    /// - Returns: the session that is to be finished; nil if there is none, or it was finished before.
    private func close() throws -> CassetteSession? {
        try state.withLock { state in
            let former = state
            state = .closed(former.session)
            switch former {
            case .open(let session): return session
            case .unusable(let error): throw error
            case .closed: return nil
            case .untouched:
                // What was recorded and is not asked for any more is a difference too.
                guard isStrict, mode != .stub, FileManager.default.fileExists(atPath: path) else { return nil }
                let session = try makeSession()
                state = .closed(session)
                return session
            }
        }
    }

    private func makeSession() throws -> CassetteSession {
        if isStrict, !FileManager.default.fileExists(atPath: path) {
            throw TransportError(
                .noFixture,
                "\(path) is not there.\n\nTo record it:\n  \(test.command(recording: .once))"
            )
        }
        return try CassetteSession(
            path,
            mode: mode,
            over: settings.base,
            configuration: configuration,
            environment: environment
        )
    }

    /// Whoever records wants to know what became of it, also where the test passes.
    private func announce(_ summary: CassetteRecorder.Summary) {
        let noun = summary.exchanges == 1 ? "exchange" : "exchanges"
        let lines = ["Recorded \(summary.exchanges) \(noun) into \(path)"] + summary.notes.map { "  \($0)" }
        print(lines.joined(separator: "\n"))
    }

    private func announce(abandoned summary: CassetteRecorder.Summary) {
        guard summary.exchanges > 0 else { return }
        let cassette = FileManager.default.fileExists(atPath: path) ? "it is as it was" : "it is still not there"
        let text = """
            \(path): nothing was recorded, because the test failed; \(cassette). To keep what a failing test records, set \
            \(Self.keepVariable)=1
            """
        log.note(text)
        print(text)
    }

    private static func isOver(_ path: String) -> TransportError {
        TransportError(.noFixture, "\(path): the test is over; a task of it still sends requests")
    }
}
