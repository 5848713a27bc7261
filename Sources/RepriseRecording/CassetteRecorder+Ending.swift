// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseLocking
internal import RepriseRedaction
internal import RepriseStorage

extension CassetteRecorder {
    /// Ends the recording and writes the cassette. Exchanges that have not ended are left out. Calling it again does
    /// nothing if it succeeded, and continues where it stopped if it failed.
    ///
    /// This call blocks until the files are on the disk.
    ///
    /// - Throws: ``RecordingError`` if the cassette could not be written or the disk was too full to record something.
    ///   The cassette is unchanged in that case, and the recorded exchanges stay in the log. The error is also thrown
    ///   if the cassette was written but the log could not be deleted. Even then, no exchange is added twice.
    public func finish() throws(RecordingError) -> Summary {
        guard let (phase, log) = try beginEnding() else { return summary }
        var reached = phase
        do throws(RecordingError) {
            let finishing: CassetteFinishing
            if case .written(let written) = phase {
                finishing = written
            } else {
                finishing = try CassetteFinishing(
                    cassette: path,
                    log: log,
                    configuration: configuration,
                    standIns: standIns,
                    removal: removal
                )
                try finishing.write()
                reached = .written(finishing)
            }
            try finishing.removeLeftovers()
            state.withLock { $0.summary.notes += finishing.notes }
        } catch {
            state.withLock { $0.phase = reached }
            throw error
        }
        return end()
    }

    /// Ends the recording and discards the recorded exchanges. The cassette is unchanged, or is not created.
    ///
    /// Exchanges left over from an earlier, interrupted recording are kept. The next recorder adds them to the
    /// cassette.
    ///
    /// - Returns: A summary of the discarded recording.
    /// - Throws: ``RecordingError`` if the recorded exchanges could not be deleted. The next recorder would add them
    ///   to the cassette.
    @discardableResult
    public func abandon() throws(RecordingError) -> Summary {
        guard let (phase, log) = beginAbandoning() else { return summary }
        do {
            try log.forget()
            // If the cassette cannot be read, it is unknown which bodies it needs.
            let source = try? CassetteSource(path)
            let needed = source?.cassette.exchanges.flatMap(\.bodyFiles) ?? []
            try folder.removeLeftovers(
                except: log.leftovers.files.union(needed),
                temporaryOnly: source == nil
            )
        } catch {
            state.withLock { $0.phase = phase }
            throw RecordingError(cassette: path, error)
        }
        return end()
    }

    private func beginEnding() throws(RecordingError) -> (Phase, RecordingLog)? {
        try state.withLock { state throws(RecordingError) in
            writeBufferedLines(&state)
            guard let log = state.log, let phase = state.endablePhase else { return nil }
            if let failure = state.failure {
                throw RecordingError(cassette: path, lost: failure, count: state.summary.lost, log: log)
            }
            if state.open > 0 {
                state.summary.notes.append(
                    state.open == 1
                        ? "1 exchange had not ended when the recording ended, and was left out"
                        : "\(state.open) exchanges had not ended when the recording ended, and were left out"
                )
                state.open = 0
            }
            let forgotten = memory.forgottenCount - state.forgottenSecrets
            if case .recording = phase, forgotten > 0 {
                state.summary.notes.append(
                    "the recording contains more secrets than the recorder can remember; copies of \(forgotten) of them "
                        + "may be left in the cassette; to prevent this, record fewer exchanges in each cassette"
                )
                state.forgottenSecrets += forgotten
            }
            if case .recording = phase, log.places.isEmpty {
                state.summary.isEmpty = true
                let result = FilePlace(path).exists ? "is unchanged" : "was not created"
                state.summary.notes.append("nothing was recorded; \(path) \(result)")
            }
            guard case .recording = phase, let removal else {
                state.phase = .finishing
                return (phase, log)
            }
            // Everything is searched once more for all values.
            try RecordingError.onDisk(path) { () throws(FileError) in try state.clean(removal, standIns, folder) }
            state.phase = .finishing
            return state.log.map { (phase, $0) }
        }
    }

    /// Notes that a server ends the exchanges in progress by force. Each of its loops may call this.
    package func noteCutOff() { state.withLock { $0.summary.cutOff = max($0.summary.cutOff, $0.open) } }

    private func beginAbandoning() -> (Phase, RecordingLog)? {
        state.withLock { state in
            guard let log = state.log, state.isRecording else { return nil }
            writeBufferedLines(&state)
            defer { state.phase = .finishing }
            return (state.phase, log)
        }
    }

    private func end() -> Summary {
        recent?.withLock { $0 = RecentExchanges() }
        return state.withLock { state in
            state.phase = .finished
            state.log = nil
            return state.summary
        }
    }
}

extension CassetteRecorder.State {
    /// The phase, if the recording can be ended from it.
    fileprivate var endablePhase: CassetteRecorder.Phase? {
        switch phase {
        case .recording, .written: phase
        case .finishing, .finished: nil
        }
    }
}
