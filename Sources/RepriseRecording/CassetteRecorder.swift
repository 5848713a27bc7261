// SPDX-License-Identifier: Apache-2.0

package import RepriseCassettes
internal import RepriseFixtures
internal import RepriseLocking
public import RepriseRedaction
internal import RepriseStorage
internal import RepriseText

/// Records exchanges to one cassette. Recording transports and recording proxies share it.
///
/// ```swift
/// let recorder = try CassetteRecorder("Fixtures/users.cassette.json", configuration: .init(mode: .append))
/// // Pass it to RecordingTransport(over: base, recorder: recorder), or to a server's upstream.
/// let summary = try recorder.finish()
/// ```
///
/// A recorder can be used from any thread. Exchanges can overlap, and the cassette lists them in the order in which
/// they started.
///
/// When an exchange ends, it is saved to a log beside the cassette, `<cassette>.recording-log`. ``finish()`` moves
/// the log to the cassette and ``abandon()`` discards it. If the process ends before that, the next recorder of the
/// cassette adds the log's exchanges. Secrets that the redaction finds are replaced before an exchange is written. A
/// secret that is found later is also removed from what was written before.
public final class CassetteRecorder: Sendable {
    /// The configuration of a recorder.
    public struct Configuration: Sendable {
        /// How to treat an existing cassette.
        public var mode: RecordingMode
        /// The redaction; `nil` applies the standard rules and the `reprise.yaml` beside the cassette. To add rules
        /// in code to those of the file, use ``RedactionFile/redaction(besideCassette:rules:)``.
        public var redaction: Redaction?
        /// Whether to write bodies that cannot be scanned for secrets because of their content coding.
        public var allowsUnscanned: Bool
        /// The requests to record again; `nil` records all requests. New exchanges replace the entries of these
        /// requests in place: first the entries with an equal request, then the others in order. Additional exchanges
        /// are inserted after the last replaced entry. Entries whose requests were not repeated stay. ``mode`` is
        /// ignored.
        public var only: RequestSelection?
        /// Whether to leave exchanges of an earlier, interrupted recording out of the cassette, because everything is
        /// recorded again. They are deleted when this recording is finished, not before.
        package var replacesLeftovers = false
        /// Whether an exchange that is identical to a recent one is recorded without a second search. The result is the
        /// same.
        package var recognizesRepetitions = true
        /// Called when exchanges are lost because a file cannot be written, with a message: at once, and while more are
        /// lost, every ten seconds. Also called once if the recording log is removed. It is called on the thread that
        /// records, and must not wait.
        package var reportLoss: (@Sendable (_ message: String) -> Void)?
        /// The secrets that are looked for in all traffic. The recorders of a process share it.
        package var memory = SecretMemory.shared
        /// Whether the text that is redacted comes from the existing cassette, so that the texts it lists are
        /// stand-ins.
        var redactsExisting = false
        var bodyRedactor: (@Sendable ([HeaderLine]) -> any BodyRedacting)?
        var wallClock: @Sendable () -> Int64 = RecordingTime.now

        /// Creates a configuration. By default, the recorder replaces the cassette, applies the standard rules and
        /// the `reprise.yaml` beside the cassette, and writes no unscanned bodies.
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

    /// A summary of the exchanges recorded so far.
    public struct Summary: Sendable, Hashable {
        /// The number of exchanges that were recorded completely.
        public var exchanges = 0
        /// Notes for the user, such as an exchange that was not written or requests that differ only in a secret.
        public var notes: [String] = []
        /// The number of exchanges that were not written.
        public var refused = 0
        /// The number of exchanges among them that were lost because a file could not be written, such as on a full
        /// disk.
        public var lost = 0
        /// The number of exchanges that were in progress when a server ended them by force.
        package internal(set) var cutOff = 0
        /// The number of requests to which the other server gave no answer that could be recorded.
        package internal(set) var unanswered = 0
        /// Whether the recording has ended without an exchange, so that the cassette was not written.
        package internal(set) var isEmpty = false

        /// What the recording lacks, so that a replay would not answer each request; nil if it lacks nothing.
        package var shortcomings: String? {
            func count(_ number: Int, _ name: String) -> String { "\(number) \(name)\(number == 1 ? "" : "s")" }
            var reasons: [String] = []
            if unanswered > 0 { reasons.append("the server did not answer \(count(unanswered, "request"))") }
            if refused > 0 { reasons.append("\(count(refused, "exchange")) could not be recorded") }
            if cutOff > 0 { reasons.append("\(count(cutOff, "response")) had not ended") }
            return reasons.isEmpty ? nil : "the recording is not complete: \(reasons.joined(separator: ", "))"
        }
    }

    /// The cassette's path.
    public let path: String
    let configuration: Configuration
    /// The redaction, which replaces secrets with the stand-ins of this cassette.
    package let redaction: Redaction
    let standIns: StandIns
    let folder: BodyFolder
    let state: Locked<State>
    let redactionCache: Locked<RedactionCache>
    /// `nil` if repetitions are not recognized.
    let recent: Locked<RecentExchanges>?

    struct State {
        var phase = Phase.recording
        /// The recording log, which is open and locked until the recording is finished.
        var log: RecordingLog?
        /// The entries of finished exchanges that are not in the log yet.
        var held = BufferedLogLines()
        var timestamps = TimestampFormatter()
        var nextOrdinal: Int
        /// The number of exchanges that started and have not ended.
        var open = 0
        var summary = Summary()
        /// The requests that nothing could answer, by the reason: the first one, their number, and the note on them.
        var unanswered: [String: (note: Int, first: RecordedRequest, count: Int)] = [:]
        /// The number of stand-ins that are in the log or in the existing cassette.
        var loggedStandIns = 0
        /// The number of secrets that the process had forgotten when the recording began.
        var forgottenSecrets = 0
        /// The first disk error.
        var failure: FileError?
        /// When a loss was last reported, in microseconds since 1970.
        var lastReport: Int64?
        var isLogMissing = false
        var lastTime: Int64 = 0
        var written: WrittenText
        var longRunning = LongRunning()

        var isRecording: Bool { if case .recording = phase { true } else { false } }
    }

    enum Phase {
        case recording
        case finishing
        /// The new cassette is in place, but files that are no longer needed still exist.
        case written(CassetteFinishing)
        case finished
    }

    /// Creates a recorder and starts the recording.
    ///
    /// - Parameters:
    ///   - path: The path of the cassette. Its folder is created if it is missing.
    ///   - configuration: The configuration of the recorder.
    /// - Throws: ``RecordingError`` if recording is not possible: another recorder uses the cassette, the cassette to
    ///   keep is invalid, the folder is not writable, or the mode is ``RecordingMode/once`` and the cassette exists
    ///   (check ``RecordingMode/records(to:)`` first).
    public init(_ path: String, configuration: Configuration = Configuration()) throws(RecordingError) {
        // A link and its target are the same cassette, with one log and one bodies folder.
        let path = FilePlace(path).target.path
        self.path = path
        self.configuration = configuration
        let rules = try Self.redaction(for: path, configuration)
        folder = BodyFolder(cassette: path)
        let source = try Self.check(path, configuration)
        standIns = StandIns(configuration.memory, continuing: source, isItsText: configuration.redactsExisting)
        redaction = rules.replacing(with: standIns)
        redactionCache = Locked(RedactionCache(redaction))
        // With a selection or a redactor of the caller, equal exchanges can be recorded differently.
        let recognizesRepetitions =
            configuration.recognizesRepetitions && configuration.only == nil && configuration.bodyRedactor == nil
        recent = recognizesRepetitions ? Locked(RecentExchanges()) : nil
        do {
            try FilePlace(path).folder.makeFolder()
        } catch {
            throw RecordingError(cassette: path, error)
        }
        var log = try RecordingLog(cassette: path)
        do {
            // The body of an exchange that had not been written can contain what was named a moment later.
            let source = log.leftovers.count > 0 ? try? CassetteSource(path) : nil
            let needed = source?.cassette.exchanges.flatMap(\.bodyFiles) ?? []
            try folder.removeLeftovers(except: log.leftovers.files.union(needed), temporaryOnly: source == nil)
        } catch {
            throw RecordingError(cassette: path, error)
        }
        let nextOrdinal = log.nextOrdinal
        if configuration.replacesLeftovers { log.excludeLeftovers() }
        let recovered = try Self.recover(standIns, from: &log)
        let fingerprints = FingerprintSearch(log.leftovers.named, salt: log.salt)
        let written = WrittenText(fingerprints: fingerprints)
        var state = State(
            log: log,
            nextOrdinal: nextOrdinal,
            loggedStandIns: standIns.count,
            forgottenSecrets: configuration.memory.forgottenCount,
            written: written
        )
        state.summary.notes = log.leftovers.notes(cassette: path, isReplaced: configuration.replacesLeftovers)
        if let first = recovered.first {
            state.summary.notes.append(log.note(onRecovered: first, count: recovered.count))
        }
        self.state = Locked(state)
        try RecordingError.onDisk(path) { () throws(FileError) in
            for place in log.leftovers.unfinished {
                if let entry = try? log.entry(at: place) { try recognizeValues(in: entry) }
            }
        }
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

    /// Returns the existing cassette if entries of it can stay.
    private static func check(
        _ path: String,
        _ configuration: Configuration
    ) throws(RecordingError) -> CassetteSource? {
        if let item = FixtureFileReader.item(at: path), item != .file {
            let found = item == .folder ? "a folder" : "a pipe, socket, or device"
            throw RecordingError(
                "\(path): expected a cassette or nothing, found \(found); move it, or record to another path"
            )
        }
        if configuration.only != nil || configuration.mode == .append {
            return try CassetteSource(path)
        } else if !configuration.mode.records(to: path) {
            throw RecordingError(
                "\(path): expected no cassette in mode once, found one; replay it, or record in mode append or overwrite"
            )
        }
        return nil
    }

    /// Starts recording an exchange.
    ///
    /// - Parameters:
    ///   - request: The request as sent, with an absolute URL. Its body is added in pieces.
    ///   - time: The current time on a clock of the caller's choice. Only differences between the times of one
    ///     exchange matter.
    package func begin(_ request: RecordedRequest, at time: Duration) -> ExchangeRecording {
        begin(ReceivedRequest(request), at: time)
    }

    /// Starts recording an exchange; see ``begin(_:at:)-(RecordedRequest,_)``.
    package func begin(_ received: ReceivedRequest, at time: Duration) -> ExchangeRecording {
        if let only = configuration.only,
            !only.contains(method: received.request.method, url: received.request.url)
        {
            return ExchangeRecording(of: self, .init())
        }
        let started: (ordinal: Int, microseconds: Int64)? = state.withLock { state in
            guard state.isRecording else { return nil }
            defer { state.nextOrdinal += 1 }
            state.open += 1
            // Setting the clock back must not change the order.
            state.lastTime = max(state.lastTime, configuration.wallClock())
            return (state.nextOrdinal, state.lastTime)
        }
        guard let started else { return ExchangeRecording(of: self, .init()) }
        let start = ExchangeStart(
            files: ExchangeFiles(recorder: self, ordinal: started.ordinal),
            time: time,
            startedAt: started.microseconds,
            known: memory.total
        )
        if let recent = recentExchange(received, secretCount: start.known) {
            return ExchangeRecording(of: self, .init(repetition: ExchangeRepetition(of: recent, start)))
        }
        let recording = ExchangeRecording(of: self, .init(draft: ExchangeDraft(received, start)))
        if case .bytes(let bytes)? = received.request.body?.source { recording.requestBytes(bytes) }
        return recording
    }

    /// The recording log, or `nil` once the recording is finished.
    var log: RecordingLog? { state.withLock { $0.log } }

    /// A summary of the exchanges recorded so far.
    public var summary: Summary { state.withLock { $0.summary } }
}
