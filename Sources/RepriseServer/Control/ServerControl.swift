// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseIO
internal import RepriseMatching
internal import RepriseRecording

/// Makes every change of a running server: what it serves, where its sequences are, what it records.
///
/// Changes are made one after the other, away from the loops and from whoever asks for them. A change
/// returns once every loop has seen it: no later request is answered from the previous state.
actor ServerControl {
    private let shared: SharedState
    private let loops: [LoopBound<LoopState>]
    private let configuration: MockServer.Configuration
    /// Former fixtures that loops may still answer from. They are freed here: a loop would be busy for long.
    private var former: [ServingState] = []
    private var hasFinishedRecording = false

    init(_ shared: SharedState, loops: [LoopBound<LoopState>], configuration: MockServer.Configuration) {
        self.shared = shared
        self.loops = loops
        self.configuration = configuration
    }

    /// Serves what is at `paths` from now on.
    ///
    /// - Throws: all that is wrong with it; then nothing changes.
    func reload(_ paths: [String]) async throws(FixtureProblems) -> FixtureSet {
        let set = try FixtureLoader.load(paths)
        await reload(set.fixtures)
        return set
    }

    /// Serves `fixtures` from now on.
    func reload(_ fixtures: [Fixture]) async {
        publish(fixtures)
        await onAllLoops { $0.adoptChanges() }
        freeFormer()
    }

    /// Puts `fixtures` in the place of the present ones.
    ///
    /// Not async, for two reasons: no other change comes between reading the present state and replacing it, and no
    /// reference to that state outlives the call. The actor runs one change at a time, but not in the order in which
    /// the changes were requested: of two concurrent reloads, either may be the last.
    private func publish(_ fixtures: [Fixture]) {
        let last = shared.current
        former.append(last)
        shared.publish(ServingState(fixtures, after: last, configuration: configuration))
    }

    /// Puts all sequences back to their first answer.
    func reset() async {
        shared.current.play.reset()
        await tell(.reset)
        freeFormer()
    }

    /// Tells the subscribers that traffic is recorded, if there is a recorder. It records from the first request on.
    func announceRecording() async {
        guard let recorder = configuration.upstream?.recorder else { return }
        await tell(.recordingStarted(path: recorder.path))
    }

    /// Ends the recording and writes the cassette.
    ///
    /// - Returns: what was recorded; nil without a recorder, or if the recording has ended before.
    /// - Throws: the recorder's error; then it can be called again.
    func finishRecording() async throws -> CassetteRecorder.Summary? {
        guard let recorder = configuration.upstream?.recorder, !hasFinishedRecording else { return nil }
        let summary = try recorder.finish()
        hasFinishedRecording = true
        await tell(.recordingFinished(path: recorder.path))
        freeFormer()
        return summary
    }

    // MARK: Parts

    private func tell(_ change: ServerChange) async {
        await onAllLoops { $0.events.changed(change) }
    }

    private func onAllLoops(_ body: @escaping @Sendable (LoopState) -> Void) async {
        for loop in loops { await loop.run(body) }
    }

    /// Frees previous fixtures that are no longer used; those of a request in progress wait for the next change.
    private func freeFormer() {
        for place in former.indices.reversed() where isKnownUniquelyReferenced(&former[place]) {
            former.remove(at: place)
        }
    }
}
