// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseIO
internal import RepriseMatching
internal import RepriseRecording

/// Makes every change of a running server: what it serves, where its sequences are, what it records.
///
/// Changes are made one after the other, away from the loops and from whoever asks for them. A caller hears that a change
/// is done when every loop has seen it: no request that comes after is answered from before.
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
        // Without an await from here to the end of publishing: of two reloads the one that began later wins.
        let last = shared.current
        let next = ServingState(fixtures, after: last, configuration: configuration)
        former.append(last)
        shared.publish(next)
        await onAllLoops { $0.adoptChanges() }
        freeFormer()
    }

    /// Puts all sequences back to their first answer.
    func reset() async {
        shared.current.play.reset()
        await tell(.reset)
    }

    /// Begins to record, where there is a recorder.
    func startRecording() async {
        guard let recorder = configuration.upstream?.recorder else { return }
        await tell(.recordingStarted(path: recorder.path))
    }

    /// Ends the recording and writes the cassette.
    ///
    /// - Returns: what was recorded; nil if nothing is, or no longer.
    func finishRecording() async throws -> CassetteRecorder.Summary? {
        guard let recorder = configuration.upstream?.recorder, !hasFinishedRecording else { return nil }
        hasFinishedRecording = true
        let summary = try recorder.finish()
        await tell(.recordingFinished(path: recorder.path))
        return summary
    }

    // MARK: Parts

    private func tell(_ change: ServerChange) async {
        await onAllLoops { $0.events.changed(change) }
    }

    private func onAllLoops(_ body: @escaping @Sendable (LoopState) -> Void) async {
        for loop in loops { await loop.run(body) }
    }

    /// Frees the former fixtures that nobody answers from any more; of a request that is in progress, at the next change.
    private func freeFormer() {
        for place in former.indices.reversed() where isKnownUniquelyReferenced(&former[place]) {
            former.remove(at: place)
        }
    }
}
