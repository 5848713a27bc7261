// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseDocuments
internal import RepriseLocking
internal import RepriseRedaction
internal import RepriseStorage
internal import RepriseText

// The operations that the recordings of single exchanges use.
extension CassetteRecorder {
    func pieces(of part: BodyFolder.Part, headers: [HeaderLine], url: String) -> RedactedPieces {
        let allowsUnscanned = configuration.allowsUnscanned
        if let redactor = configuration.bodyRedactor?(headers) {
            return RedactedPieces(part, redactor, allowsUnscanned: allowsUnscanned)
        }
        let isRequest = part == .request
        var redactor = redactionCache.withLock { $0.bodyRedactor(for: headers, at: url, isRequest: isRequest) }
        // Two clients seldom compress the same content to the same bytes, so requests are compared decoded.
        redactor.keepsDecoded = isRequest
        return RedactedPieces(part, redactor, allowsUnscanned: allowsUnscanned)
    }

    func redacted(_ lines: [HeaderLine]) -> [HeaderLine] {
        redactionCache.withLock { $0.lines.redacted(lines) }
    }

    func redacted(url: String) -> String {
        redactionCache.withLock { $0.redacted(url: url) }
    }

    /// Runs an operation on the files of the recording. The recording cannot end until the operation is complete.
    func whileRecording<Value: Sendable>(
        _ body: () throws(FileError) -> Value
    ) throws(RecordingFault) -> Value {
        try state.withLock { state throws(RecordingFault) in
            guard state.isRecording else { throw .over }
            return try RecordingFault.onDisk(body)
        }
    }

    /// - Parameter holdsLine: Whether ``writeBufferedLines()`` will be called soon.
    func add(_ exchange: FinishedExchange, holdsLine: Bool) throws(RecordingFault) {
        // Another exchange can name a secret at any time. What it named before this exchange is written is removed
        // from it.
        while try !add(exchange, with: memory.total, holdsLine: holdsLine) {}
    }

    /// Records an exchange that ended, unless there are more secrets than `known`.
    private func add(
        _ exchange: FinishedExchange,
        with known: Int,
        holdsLine: Bool
    ) throws(RecordingFault) -> Bool {
        var entry = exchange.entry
        // The stand-ins of the existing cassette have other numbers.
        entry.replaces = configuration.only?.redacted(by: redaction.withoutStandIns)
        try RecordingFault.onDisk { () throws(FileError) in try recognizeValues(in: entry) }
        let removal = removal
        let request = entry.exchange.request
        let cleaning = try clean(&entry, of: exchange, removal)
        entry.exchange.noteDigests(
            original: exchange.entry.exchange,
            request: exchange.isRequestBodyRedacted,
            response: exchange.isResponseBodyRedacted
        )
        let isRequestRedacted = exchange.isRequestRedacted || entry.exchange.request != request
        let original = isRequestRedacted ? exchange.original : nil
        if let fault = CassetteRules.fault(ofMessages: entry.exchange) { throw .invalid(fault) }
        let text = try text(of: entry)
        let line = LogLine.sealed(text.builder.text)
        let words = words
        words?.insert(entry, folder)
        let mismatch = original?.mismatch(with: entry.exchange.request.replacingStandIns(standIns))
        let isAdded = try state.withLock { state throws(RecordingFault) in
            guard state.isRecording else { throw .over }
            guard memory.total == known else { return false }
            // Named values are removed from the disk, so the held lines are written first.
            if known > state.written.known { writeBufferedLines(&state) }
            try RecordingFault.onDisk { () throws(FileError) in
                try state.removeNamedValues(standIns, removal, known: known, folder)
            }
            // Once a value was identified as a secret, an entry is written only if its words are in the filter.
            guard state.written.words === words else { return false }
            // The files that an entry replaces are removed only after it is written.
            let isHeld = holdsLine && !exchange.isSaved && cleaning == nil
            try write(ordinal: entry.ordinal, isHeld: isHeld, &state) { text, _ in text += line }
            if exchange.isSaved { try? folder.removeParts(of: entry.ordinal, except: entry.files) }
            // The replaced files are also removed when the recording ends.
            try? state.finish(cleaning, folder)
            state.open = max(0, state.open - 1)
            state.summary.exchanges += 1
            if exchange.isRequestCutOff {
                state.summary.notes.append(Self.note(onCutOff: entry.exchange.request))
            }
            if let mismatch {
                state.summary.notes.append(Self.note(on: entry.exchange.request, mismatch: mismatch))
            }
            return true
        }
        if isAdded, let recent, mismatch == nil,
            recent.withLock({ $0.isRepeated(exchange.original.received) }),
            let new = RecentExchange(exchange, entry, text, secretCount: known)
        {
            recent.withLock { $0.insert(new) }
        }
        return isAdded
    }

    /// Returns an exchange with this request, during which `secretCount` secrets were known.
    func recentExchange(_ received: ReceivedRequest, secretCount: Int) -> RecentExchange? {
        guard received.request.body == nil else { return nil }
        return recent?.withLock { $0.exchange(received, secretCount: secretCount) }
    }

    /// Records an exchange that is identical to a recent one. It needs no search, and its words are already in the
    /// filter.
    ///
    /// - Parameter holdsLine: Whether ``writeBufferedLines()`` will be called soon.
    /// - Returns: `false` if a value was named after the recent exchange. Nothing is recorded then.
    func add(_ exchange: RepeatedExchange, holdsLine: Bool) throws(RecordingFault) -> Bool {
        try state.withLock { state throws(RecordingFault) in
            guard state.isRecording else { throw .over }
            guard memory.total == exchange.recent.secretCount else { return false }
            try write(ordinal: exchange.ordinal, isHeld: holdsLine, &state) { lines, timestamps in
                exchange.recent.appendLine(exchange.times, ordinal: exchange.ordinal, to: &lines, &timestamps)
            }
            state.open = max(0, state.open - 1)
            state.summary.exchanges += 1
            return true
        }
    }

    /// Writes the held entries. Call this after exchanges whose lines are held, before a client can see that its
    /// exchange has ended.
    package func writeBufferedLines() {
        state.withLock { writeBufferedLines(&$0) }
    }

    func writeBufferedLines(_ state: inout State) {
        guard !state.held.isEmpty else { return }
        defer { state.held.removeAll() }
        checkLog(&state)
        guard (try? state.log?.append(state.held)) == nil else { return }
        // The disk may still have room for some of the entries, so they are written one by one.
        for (ordinal, line) in state.held.each {
            do throws(FileError) {
                try state.log?.append(line, ordinal: ordinal)
            } catch {
                lose(line, error, &state)
            }
        }
    }

    /// - Parameter append: Appends the line to the given bytes.
    private func write(
        ordinal: Int,
        isHeld: Bool,
        _ state: inout State,
        _ append: (_ text: inout [UInt8], _ timestamps: inout TimestampFormatter) -> Void
    ) throws(RecordingFault) {
        if isHeld {
            state.held.append(ordinal: ordinal) { append(&$0, &state.timestamps) }
            if state.held.isFull { writeBufferedLines(&state) }
        } else {
            var line: [UInt8] = []
            append(&line, &state.timestamps)
            checkLog(&state)
            try RecordingFault.onDisk { () throws(FileError) in
                try state.log?.append(line, ordinal: ordinal)
            }
        }
    }

    /// Reports, once, that the log was removed. Its lines are still in the open file, but a crash would lose them.
    private func checkLog(_ state: inout State) {
        guard !state.isLogMissing, let log = state.log, !log.file.isInPlace else { return }
        state.isLogMissing = true
        let note = Self.note(onMissing: log)
        state.summary.notes.append(note)
        configuration.reportLoss?(note)
    }

    /// Counts an exchange as lost, because its held entry could not be written.
    private func lose(_ line: [UInt8], _ error: FileError, _ state: inout State) {
        state.summary.exchanges -= 1
        state.summary.refused += 1
        let json = LogLine.json(of: line[...]).map { Array($0) } ?? []
        if let request = RecordingLog.Entry(json: json, cassette: path)?.exchange.request {
            state.summary.notes.append(Self.note(on: withoutNamedValues(request), .disk(error)))
        }
        report(error, &state)
    }

    /// Removes values from parts of an exchange that were redacted before the values were identified as secrets, in
    /// this exchange or in a concurrent one.
    private func clean(
        _ entry: inout RecordingLog.Entry,
        of exchange: FinishedExchange,
        _ removal: SecretRemoval?
    ) throws(RecordingFault) -> EntryCleaning? {
        guard let removal else { return nil }
        guard !entry.files.isEmpty, exchange.known != memory.total else {
            entry.exchange.remove(removal.table, removal.replacement)
            return nil
        }
        let replacements = state.withLock { $0.written.replacements }
        var cleaning = EntryCleaning(removal, folder, replacements: replacements)
        _ = try RecordingFault.onDisk { () throws(FileError) in try cleaning.clean(&entry) }
        return cleaning
    }

    /// Returns the line of an entry for the log, without its checksum.
    private func text(of entry: RecordingLog.Entry) throws(RecordingFault) -> CassetteText {
        do {
            return try entry.text(cassette: path)
        } catch {
            throw .invalid(error.description)
        }
    }

    /// - Parameter isUnanswered: Whether nothing answered the request, so that the recording is not complete.
    func drop(_ draft: ExchangeDraft, because reason: String, isUnanswered: Bool) {
        drop(draft, because: nil)
        let request = withoutNamedValues(draft.request)
        state.withLock { state in
            if isUnanswered { state.summary.unanswered += 1 }
            // Many requests can fail for the same reason, such as an untrusted certificate.
            var failed = state.unanswered[reason] ?? (state.summary.notes.count, request, 0)
            failed.count += 1
            state.unanswered[reason] = failed
            let note = Self.note(on: failed.first, and: failed.count - 1, unanswered: reason)
            if failed.count == 1 { state.summary.notes.append(note) } else { state.summary.notes[failed.note] = note }
        }
    }

    func drop(_ draft: ExchangeDraft, because fault: RecordingFault?) {
        if draft.isSaved { state.withLock { $0.log?.drop(open: draft.files.ordinal) } }
        draft.files.removeAll()
        state.withLock { state in
            guard state.isRecording else { return }
            state.open = max(0, state.open - 1)
            guard let fault, fault != .over else { return }
            state.summary.refused += 1
            state.summary.notes.append(Self.note(on: withoutNamedValues(draft.request), fault))
            if case .disk(let error) = fault { report(error, &state) }
        }
    }

    /// Returns a request for a note, without the values that were named after it was redacted.
    private func withoutNamedValues(_ request: RecordedRequest) -> RecordedRequest {
        guard let table = memory.table else { return request }
        var request = request
        request.remove(table, redaction.replacement)
        return request
    }

    /// Counts a lost exchange, and reports it unless a loss was reported a moment ago.
    private func report(_ error: FileError, _ state: inout State) {
        if state.failure == nil { state.failure = error }
        state.summary.lost += 1
        guard let report = configuration.reportLoss else { return }
        let now = configuration.wallClock()
        if let last = state.lastReport, (0..<Self.reportInterval).contains(now - last) { return }
        state.lastReport = now
        report(RecordingError(cassette: path, losing: state.summary.lost, error).description)
    }

    /// The time between two reports of losses, in microseconds.
    private static let reportInterval: Int64 = 10_000_000
}
