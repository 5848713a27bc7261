// SPDX-License-Identifier: Apache-2.0

package import RepriseCassettes
internal import RepriseFixtures
internal import RepriseLocking
public import RepriseRedaction
internal import RepriseStorage
internal import RepriseText

/// Records exchanges into one cassette: what a recording transport and a recording proxy have in common.
///
/// ```swift
/// let recorder = try CassetteRecorder("Fixtures/users.cassette.json", configuration: .init(mode: .append))
/// // RecordingTransport(over: base, recorder: recorder), or a server's upstream, has it from here on.
/// let summary = try recorder.finish()
/// ```
///
/// It may be used from any thread; exchanges may overlap, and stand in the cassette in the order in which they began.
///
/// What was recorded is in a log beside the cassette, `<cassette>.recording-log`, from the moment when its exchange ended;
/// ``finish()`` puts it into the cassette, and ``abandon()`` forgets it. Where the process ends before, the next recorder
/// of the cassette takes in what is there. No secret is in the log, or in any other file, at any time.
public final class CassetteRecorder: Sendable {
    /// How to record.
    public struct Configuration: Sendable {
        /// What to do about the cassette that is there.
        public var mode: RecordingMode
        /// What is taken out; `nil` for what the `reprise.yaml` beside the cassette says, and the standard rules. With
        /// rules of one's own beside those of the file it is ``RedactionFile/redaction(besideCassette:rules:)``.
        public var redaction: Redaction?
        /// Whether a body is written that cannot be scanned for secrets, because of its coding.
        public var allowsUnscanned: Bool
        /// The requests to record anew, and no others; `nil` for all. Their entries of the cassette are replaced where
        /// they stand: by the same request first, else in order. More than there were are put behind the last, those
        /// that did not come again stay, and ``mode`` does not matter.
        public var only: RequestSelection?
        /// Whether what an earlier recording that was broken off left is left out of the cassette: for who records all
        /// of it anew. It is gone when this recording is finished, and not before.
        package var replacesLeftovers = false
        /// Makes what takes the secrets out of a body with those header lines.
        var bodyRedactor: (@Sendable ([HeaderLine]) -> any BodyRedacting)?
        /// Microseconds since 1970.
        var wallClock: @Sendable () -> Int64 = RecordingTime.now

        /// The defaults: replace the cassette, redact by the standard rules and those beside it, write nothing unscanned.
        public init(
            mode: RecordingMode = .overwrite,
            redaction: Redaction? = nil,
            allowsUnscanned: Bool = false,
            only: RequestSelection? = nil
        ) {
            self.mode = mode
            self.redaction = redaction
            self.allowsUnscanned = allowsUnscanned
            self.only = only
        }
    }

    /// What was recorded so far.
    public struct Summary: Sendable, Hashable {
        /// How many exchanges were recorded whole.
        public var exchanges = 0
        /// What the user should know: an exchange that was not written, requests that differ in a secret alone.
        public var notes: [String] = []
        /// How many exchanges were not written.
        public var refused = 0
    }

    /// The cassette's path.
    public let path: String
    let configuration: Configuration
    let redaction: Redaction
    /// What was taken out so far.
    let removed = RemovedValues()
    let folder: BodyFolder
    let state: Locked<State>
    let lately: Locked<SeenLately>

    struct State {
        var phase = Phase.recording
        /// Open, and locked, until the recording is finished.
        var log: RecordingLog?
        var nextOrdinal: Int
        /// How many exchanges have begun and are not over.
        var open = 0
        var summary = Summary()
        var redacted = RedactedRequests()
        /// What the disk did not do first.
        var failure: FileError?
        var lastTime: Int64 = 0

        var isRecording: Bool { if case .recording = phase { true } else { false } }
    }

    enum Phase {
        case recording
        case finishing
        /// The new cassette is in its place; what it has no more use for is not removed.
        case written(CassetteFinishing)
        case finished
    }

    /// Starts a recording.
    ///
    /// - Parameters:
    ///   - path: the cassette's; its folder is made if it is not there.
    ///   - configuration: how to record.
    /// - Throws: ``RecordingError`` if nothing can be recorded there: another recorder is at work, the cassette that is
    ///   to be kept is broken, the folder cannot be written to, or the mode is ``RecordingMode/once`` and there is a
    ///   cassette (``RecordingMode/records(to:)`` tells before).
    public init(_ path: String, configuration: Configuration = Configuration()) throws(RecordingError) {
        // A link and what it points to are one cassette, with one log and one folder of bodies.
        let path = FixtureFileReader.isLink(path) ? FixtureFileReader.realPath(of: path) : path
        self.path = path
        self.configuration = configuration
        redaction = try Self.redaction(for: path, configuration)
        lately = Locked(SeenLately(redaction, removed))
        folder = BodyFolder(cassette: path)
        try Self.check(path, configuration)
        do {
            try FilePlace(path).folder.makeFolder()
        } catch {
            throw RecordingError(cassette: path, error)
        }
        var log = try RecordingLog(cassette: path)
        do {
            try folder.removeLeftovers(except: log.leftovers.files, temporaryOnly: true)
        } catch {
            throw RecordingError(cassette: path, error)
        }
        let nextOrdinal = log.nextOrdinal
        if configuration.replacesLeftovers { log.setLeftoversAside() }
        var state = State(log: log, nextOrdinal: nextOrdinal)
        state.summary.notes = log.leftovers.notes(cassette: path, isReplaced: configuration.replacesLeftovers)
        self.state = Locked(state)
    }

    private static func redaction(
        for path: String,
        _ configuration: Configuration
    ) throws(RecordingError) -> Redaction {
        if let redaction = configuration.redaction { return redaction }
        do throws(FixtureProblems) {
            return try RedactionFile.redaction(besideCassette: path)
        } catch {
            throw RecordingError(error.description)
        }
    }

    private static func check(_ path: String, _ configuration: Configuration) throws(RecordingError) {
        if FilePlace(path).isFolder {
            throw RecordingError(
                "\(path): expected a cassette or nothing, found a folder; move it away, or record to another path"
            )
        }
        if configuration.only != nil || configuration.mode == .append {
            _ = try CassetteSource(path)
        } else if !configuration.mode.records(to: path) {
            throw RecordingError(
                "\(path): expected no cassette in mode once, found one; replay it, or record in mode append or overwrite"
            )
        }
    }

    /// Begins an exchange.
    ///
    /// - Parameters:
    ///   - request: what is sent, with an absolute URL; its body comes piece by piece.
    ///   - time: now, on a clock of the caller's: only what lies between the times of one exchange counts.
    package func begin(_ request: RecordedRequest, at time: Duration) -> ExchangeRecording {
        if let only = configuration.only, !only.contains(method: request.method, url: request.url) {
            return ExchangeRecording(of: self, nil)
        }
        let started: (ordinal: Int, microseconds: Int64)? = state.withLock { state in
            guard state.isRecording else { return nil }
            defer { state.nextOrdinal += 1 }
            state.open += 1
            // A clock that is set back must not turn the order round.
            state.lastTime = max(state.lastTime, configuration.wallClock())
            return (state.nextOrdinal, state.lastTime)
        }
        guard let started else { return ExchangeRecording(of: self, nil) }
        let draft = ExchangeDraft(
            request,
            files: ExchangeFiles(recorder: self, ordinal: started.ordinal),
            startedAt: RecordingTime.text(microsecondsSince1970: started.microseconds),
            at: time
        )
        let recording = ExchangeRecording(of: self, draft)
        if case .bytes(let body)? = request.body?.source { recording.requestBytes(body) }
        return recording
    }

    /// What was recorded so far.
    public var summary: Summary { state.withLock { $0.summary } }
}
