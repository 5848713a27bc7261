// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseLocking
internal import RepriseRedaction
internal import RepriseStorage

extension CassetteRecorder {
    /// Ends the recording and writes the cassette. Exchanges that are not over are left out. To do it again, after it
    /// was done, does nothing; after it failed, it goes on where that was.
    ///
    /// It waits for the disk.
    ///
    /// - Throws: ``RecordingError`` if the cassette could not be written, or something was not recorded for want of
    ///   room: the cassette is as it was before then, and what was recorded stays in the log. It is also thrown if
    ///   the cassette was written and the log could not be removed; no exchange is taken in twice for it.
    public func finish() throws(RecordingError) -> Summary {
        guard let (phase, log) = try beginEnding() else { return summary }
        var reached = phase
        do throws(RecordingError) {
            let finishing: CassetteFinishing
            if case .written(let written) = phase {
                finishing = written
            } else {
                let markers = redaction.rules.markers
                finishing = try CassetteFinishing(
                    cassette: path,
                    log: log,
                    configuration: configuration,
                    removal: removed.table.map { CassetteFinishing.Removal(table: $0, markers: markers) }
                )
                try finishing.write()
                reached = .written(finishing)
            }
            try finishing.removeLeftovers()
        } catch {
            state.withLock { $0.phase = reached }
            throw error
        }
        return end()
    }

    /// Ends the recording and forgets what was recorded: the cassette stays as it is, or is still not there.
    ///
    /// What an earlier recording that was broken off has left is not forgotten; the next recorder takes it in.
    ///
    /// - Returns: what would have been written.
    /// - Throws: ``RecordingError`` if it could not be removed: the next recorder would take it in.
    @discardableResult
    public func abandon() throws(RecordingError) -> Summary {
        guard let (phase, log) = beginAbandoning() else { return summary }
        do {
            try log.forget()
            // Without a cassette that can be read, nobody knows which bodies are needed.
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
            guard let log = state.log, let phase = state.endablePhase else { return nil }
            if let failure = state.failure { throw RecordingError(cassette: path, lost: failure, log: log) }
            if state.open > 0 {
                state.summary.notes.append("\(state.open) exchanges were not over when the recording ended: left out")
                state.open = 0
            }
            if case .recording = phase, log.places.isEmpty, configuration.mode == .overwrite, FilePlace(path).exists {
                state.summary.notes.append("nothing was recorded: \(path) is as it was")
            }
            state.phase = .finishing
            return (phase, log)
        }
    }

    private func beginAbandoning() -> (Phase, RecordingLog)? {
        state.withLock { state in
            guard let log = state.log, state.isRecording else { return nil }
            defer { state.phase = .finishing }
            return (state.phase, log)
        }
    }

    private func end() -> Summary {
        state.withLock { state in
            state.phase = .finished
            state.log = nil
            return state.summary
        }
    }
}

extension CassetteRecorder.State {
    /// The phase, if it is one that somebody may end.
    fileprivate var endablePhase: CassetteRecorder.Phase? {
        switch phase {
        case .recording, .written: phase
        case .finishing, .finished: nil
        }
    }
}
