// SPDX-License-Identifier: Apache-2.0

internal import RepriseAdmin
internal import RepriseFixtures
internal import RepriseIO
internal import RepriseMatching
internal import RepriseRecording
internal import RepriseStubAnswers
internal import RepriseStubs
internal import RepriseText

#if canImport(FoundationEssentials)
    private import FoundationEssentials
#else
    private import Foundation
#endif

/// Performs every change to a running server: the fixtures it serves, the positions of its sequences, and its
/// recording.
///
/// Changes run one at a time, off the loops and off the caller's thread. A change returns once every loop has seen
/// it: no later request is answered from the previous state.
actor ServerControl {
    let shared: SharedState
    let loops: [LoopBound<LoopState>]
    let configuration: MockServer.Configuration
    let stubFiles: StubFiles?
    /// Previous fixtures that loops may still use for answers. They are freed here because freeing them would block a
    /// loop for a long time.
    private var previous: [ServingState] = []
    private var hasFinishedRecording = false
    /// The recording that was started over the admin API; nil if there is none.
    var startedRecording: StartedRecording?
    var hasRecorded = false
    var journalMarks = JournalMarks()
    /// Wakes the tasks that wait for requests.
    let requestSignal = RequestSignal()
    var waitingTasks = 0
    var eventChannel: EventChannel?
    var eventReaders = 0
    var settings = ServerSettings()
    let savedFiles = Locked(SavedFiles())
    /// The thread that writes and removes saved files.
    nonisolated let savingThread = WorkerThreads(name: "mockserver-save", limit: 1)
    /// The sessions that are open, with what clients need to reach them.
    var openSessions: [SessionID: OpenSession] = [:]
    var sessionCount = 0
    /// Ends idle sessions; nil if there are none.
    var sessionWatch: Task<Void, Never>?
    let url: String
    /// When the server started, in seconds since 1970.
    let start: Double = Date.now.timeIntervalSince1970
    private(set) var reloads = (succeeded: 0, failed: 0)
    /// The number of loads that began, and the number of the latest one that is served.
    private(set) var loads = (begun: 0, served: 0)

    init(
        _ shared: SharedState,
        loops: [LoopBound<LoopState>],
        url: String = "http://127.0.0.1",
        configuration: MockServer.Configuration
    ) {
        self.url = url
        self.shared = shared
        self.loops = loops
        self.configuration = configuration
        stubFiles = StubFiles(fixturesAt: configuration.tool.paths)
    }

    /// Serves the fixtures at `paths` from now on. While they are loaded, other changes go on.
    ///
    /// - Parameter isWanted: Whether the fixtures are still wanted when they are loaded; if not, they are not served.
    /// - Throws: All problems found in the fixtures. The current fixtures then stay in use.
    func reload(
        _ paths: [String],
        ifStill isWanted: @Sendable () -> Bool = { true }
    ) async throws(FixtureProblems) -> FixtureSet {
        loads.begun += 1
        let load = loads.begun
        let loaded = await loaded(paths)
        guard isWanted() else { return try loaded.get() }
        do throws(FixtureProblems) {
            let set = try loaded.get()
            // A later load has read newer files.
            guard load > loads.served else { return set }
            let bent = try configuration.bend(set.fixtures)
            loads.served = load
            await serve(bent, set.stubs)
            return set
        } catch {
            reloads.failed += 1
            await notify(.reloadFailed(error))
            throw error
        }
    }

    private func loaded(_ paths: [String]) async -> Result<FixtureSet, FixtureProblems> {
        await shared.threads.run { [configuration] in
            Result { () throws(FixtureProblems) in try configuration.load(paths) }
        }
    }

    /// Serves the fixtures and stubs of `set` from now on.
    ///
    /// - Throws: The reasons that the edits of the configuration cannot apply.
    func reload(_ set: FixtureSet) async throws(FixtureProblems) {
        await serve(try configuration.bend(set.fixtures), set.stubs)
    }

    private func serve(_ fixtures: [Fixture], _ stubs: [StubFixture]) async {
        publish(ServingState(fixtures, stubs: stubs, after: shared.current, configuration: configuration))
        reloads.succeeded += 1
        await onAllLoops { $0.adoptChanges() }
        for loop in loops { await releaseStates(of: loop) }
        freePrevious()
        for session in shared.current.allSessions.values { session.positions.removeUnused() }
    }

    // MARK: Stubs

    /// Returns the stubs that are served in a session; nil if it has ended.
    func view(of session: SessionID?) -> StubStack? {
        guard let session else { return shared.current.stubs }
        return shared.current.session(session).map { shared.current.seen(in: $0).stubs }
    }

    /// Returns the state of a session's stubs, which requests change; nil if the session has ended.
    func play(of session: SessionID?) -> StubState? {
        guard let session else { return shared.current.stubPlay }
        return shared.current.session(session)?.stubPlay
    }

    func resetPlay(in session: SessionID?) {
        guard let session else { return shared.current.resetPlay() }
        if let served = shared.current.session(session) { shared.current.seen(in: served).resetPlay() }
    }

    /// Changes the stubs of the next state, without waiting until the loops see it.
    func change(_ change: StubChange, in session: SessionID?) {
        let last = shared.current
        if let session {
            guard let served = last.session(session) else { return }
            _ = served.uses.take()
            var sessions = last.sessions
            sessions[session] = served.applying(change, over: last.stubs)
            publish(ServingState(last, sessions: sessions))
        } else {
            var stubs = last.stubs
            stubs.apply(change)
            publish(ServingState(last, stubs: stubs))
        }
    }

    /// Replaces the current state. Not async, for two reasons: no other change comes between reading the current state
    /// and replacing it, and no reference to that state outlives the call. The actor runs one change at a time, but not
    /// in the order in which the changes were requested: of two concurrent reloads, either may be the last.
    func publish(_ next: ServingState) {
        previous.append(shared.current)
        shared.publish(next)
    }

    /// Changes the delay of all answers in the next state. Not async, for the same reasons as ``publish(_:)``.
    func changeGeneralDelay(_ delay: StubDelay?) {
        publish(ServingState(shared.current, generalDelay: delay))
    }

    /// Returns once every loop answers from the current state, and has reported the change to its subscribers.
    func changesAreVisible(_ change: ServerChange? = nil) async {
        await onAllLoops { state in
            state.adoptChanges()
            if let change { state.events.changed(change) }
        }
        freePrevious()
    }

    /// Notifies the subscribers that traffic is recorded, if there is a recorder. The recorder needs no start: it
    /// records from the first request.
    func announceRecording() async {
        guard let recorder = configuration.recorder else { return }
        await notify(.recordingStarted(path: recorder.path))
    }

    /// Ends the recording and writes the cassette.
    ///
    /// - Returns: What was recorded; nil without a recorder, or if the recording has already ended.
    /// - Throws: The recorder's error. The method can then be called again.
    func finishRecording() async throws -> CassetteRecorder.Summary? {
        guard let recorder = configuration.recorder, !hasFinishedRecording else { return nil }
        let summary = try recorder.finish()
        hasFinishedRecording = true
        await notify(.recordingFinished(path: recorder.path))
        freePrevious()
        return summary
    }

    var isRecordingSinceStart: Bool { configuration.recorder != nil && !hasFinishedRecording }

    // MARK: Parts

    private func notify(_ change: ServerChange) async {
        await onAllLoops { $0.events.changed(change) }
    }

    private func onAllLoops(_ body: @escaping @Sendable (LoopState) -> Void) async {
        for loop in loops { await loop.run(body) }
    }

    /// Takes the previous states from a loop, and gives it the sources that its journal still refers to. Finding those
    /// and freeing what is replaced happens here, because either would delay the loop's requests.
    private func releaseStates(of loop: LoopBound<LoopState>) async {
        let journal = await loop.run { $0.journal }
        let sources = journal.previousSources.reduced(to: journal.requests)
        _ = await loop.run { $0.previousSources.replaceStates(with: sources) }
    }

    /// Frees previous fixtures that are no longer used. Those used by a request in progress are freed at a later
    /// change.
    private func freePrevious() {
        for place in previous.indices.reversed() where isKnownUniquelyReferenced(&previous[place]) {
            previous.remove(at: place)
        }
    }
}
