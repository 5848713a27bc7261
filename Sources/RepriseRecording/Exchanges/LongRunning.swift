// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseLocking
internal import RepriseRedaction
internal import RepriseStorage

/// The exchanges whose responses may go on for long. What they received is saved twice a second, from the first time
/// after they began.
struct LongRunning {
    private struct Member {
        weak var recording: ExchangeRecording?
        var isNew = true
    }

    private var members: [ObjectIdentifier: Member] = [:]
    var isSaving = false

    var isEmpty: Bool { members.isEmpty }

    mutating func insert(_ recording: ExchangeRecording) {
        members[ObjectIdentifier(recording)] = Member(recording: recording)
    }

    /// Returns all exchanges, and whether each was new. They must be released outside of the recorder's lock, because
    /// one whose last reference is released is discarded.
    mutating func all() -> [(recording: ExchangeRecording, isNew: Bool)] {
        return Array(members.keys).compactMap { identity in
            guard let member = members[identity], let recording = member.recording else {
                members[identity] = nil
                return nil
            }
            members[identity]?.isNew = false
            return (recording, member.isNew)
        }
    }

    mutating func remove(_ recordings: [ExchangeRecording]) {
        for recording in recordings { members[ObjectIdentifier(recording)] = nil }
    }
}

extension CassetteRecorder {
    private static let interval = Duration.milliseconds(500)

    func saveRepeatedly(_ recording: ExchangeRecording) {
        let isFirst = state.withLock { state in
            state.longRunning.insert(recording)
            defer { state.longRunning.isSaving = true }
            return !state.longRunning.isSaving
        }
        guard isFirst else { return }
        Task.detached(priority: .utility) { [weak self] in
            repeat { try? await Task.sleep(for: Self.interval) } while self?.saveLongRunning() ?? false
        }
    }

    /// Saves the exchanges whose responses have not ended.
    ///
    /// - Parameter includingNew: Whether to save also those that began since the last time.
    /// - Returns: Whether there may be more to save later.
    @discardableResult
    func saveLongRunning(includingNew: Bool = false) -> Bool {
        let all = state.withLock { $0.longRunning.all() }
        // Outside of the lock, which each of them needs.
        var ended: [ExchangeRecording] = []
        for (recording, isNew) in all {
            if !recording.isRunning {
                ended.append(recording)
            } else if includingNew || !isNew {
                recording.save()
            }
        }
        return state.withLock { [ended] state in
            state.longRunning.remove(ended)
            state.longRunning.isSaving = !state.longRunning.isEmpty && state.isRecording
            return state.longRunning.isSaving
        }
    }

    /// Writes the entry of an exchange that has not ended.
    func add(open entry: RecordingLog.Entry) throws(RecordingFault) {
        while try !add(open: entry, with: memory.total) {}
    }

    private func add(open entry: RecordingLog.Entry, with known: Int) throws(RecordingFault) -> Bool {
        var entry = entry
        entry.replaces = configuration.only?.redacted(by: redaction.withoutStandIns)
        try RecordingFault.onDisk { () throws(FileError) in try recognizeValues(in: entry) }
        let removal = removal
        if let removal { entry.exchange.remove(removal.table, removal.replacement) }
        // It is reported when it ends.
        guard CassetteRules.fault(ofMessages: entry.exchange) == nil, let line = try? entry.line(cassette: path) else {
            return true
        }
        let words = words
        // The files of an exchange that goes on are cleaned at its end.
        words?.insert(entry.exchange)
        return try state.withLock { state throws(RecordingFault) in
            guard state.isRecording else { return true }
            guard memory.total == known else { return false }
            if known > state.written.known { writeBufferedLines(&state) }
            try RecordingFault.onDisk { () throws(FileError) in
                try state.removeNamedValues(standIns, removal, known: known, folder)
            }
            guard state.written.words === words else { return false }
            try RecordingFault.onDisk { () throws(FileError) in
                try state.log?.append(open: line, ordinal: entry.ordinal)
            }
            return true
        }
    }
}

extension BodyFolder {
    /// Makes the files of a stream fit together, if the process ended between writing the one and the other.
    func repair(_ steps: RecordingLog.Entry.SpilledSteps) throws(FileError) {
        guard var rest = try? StorageFile(place(of: steps.bytes).path, for: .reading).size else { return }
        var chunks: [ChunkLog.Chunk] = []
        if let pace = try? StorageFile(place(of: steps.pace).path, for: .reading) {
            var reader = ChunkLogReader(ByteInput(pace))
            while rest > 0, var chunk = try reader.next() {
                chunk.size = min(chunk.size, rest)
                rest -= chunk.size
                chunks.append(chunk)
            }
        }
        // The last chunk is written when it ends.
        if rest > 0 { chunks.append(ChunkLog.Chunk(after: 0, size: rest)) }
        let new = FilePlace(place(of: steps.pace).path + ".new")
        let encoded = ChunkLog.encoded(chunks)[...]
        try StorageFile(new.path, for: .replacing).append(encoded.span)
        try new.move(to: place(of: steps.pace))
    }
}
