// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseLocking
internal import RepriseRedaction
internal import RepriseStorage
internal import RepriseText

// The operations that the recordings of single exchanges use.
extension CassetteRecorder {
    /// Creates the pieces of a body with a redactor for it.
    func pieces(of part: BodyFolder.Part, headers: [HeaderLine]) -> RedactedPieces {
        let redactor = configuration.bodyRedactor?(headers) ?? redactionCache.withLock { $0.bodyRedactor(for: headers) }
        return RedactedPieces(part, redactor, allowsUnscanned: configuration.allowsUnscanned)
    }

    /// Returns the header or trailer lines with their secrets redacted.
    func redacted(_ lines: [HeaderLine]) -> [HeaderLine] {
        let redacted = redactionCache.withLock { $0.lines.redacted(lines) }
        for (line, kept) in zip(lines, redacted) where line.bytes != kept.bytes {
            let isCookie = line.hasName("Cookie") || line.hasName("Set-Cookie")
            removed.add(from: line.bytes, to: kept.bytes, markers: redaction.rules.markers, isCookie: isCookie)
        }
        return redacted
    }

    /// Returns the URL with its secrets redacted.
    func redacted(url: String) -> String {
        let redacted = redactionCache.withLock { $0.redacted(url: url) }
        if redacted != url {
            removed.add(from: Array(url.utf8), to: Array(redacted.utf8), markers: redaction.rules.markers)
        }
        return redacted
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

    /// Records an exchange that ended.
    func add(_ exchange: FinishedExchange) throws(RecordingFault) {
        var entry = exchange.entry
        entry.replaces = configuration.only?.redacted(by: redaction)
        // Parts that were redacted earlier can still contain a value that was identified as a secret only later, in
        // this exchange or in a concurrent one.
        var isRequestRedacted = exchange.isRequestRedacted
        if let table = removed.table {
            let request = entry.exchange.request
            entry.exchange.remove(table, markers: redaction.rules.markers)
            isRequestRedacted = isRequestRedacted || entry.exchange.request != request
        }
        let original = isRequestRedacted ? exchange.original : nil
        if let fault = CassetteRules.fault(ofMessages: entry.exchange) { throw .invalid(fault) }
        let line: [UInt8]
        do {
            line = try entry.line(cassette: path)
        } catch {
            throw .invalid(error.description)
        }
        let pattern = original?.pattern(of: entry.exchange)
        let mismatch = pattern.flatMap { original?.mismatch($0) }
        try state.withLock { state throws(RecordingFault) in
            guard state.isRecording else { throw .over }
            try RecordingFault.onDisk { () throws(FileError) in
                try state.log?.append(line, ordinal: entry.ordinal)
            }
            state.open = max(0, state.open - 1)
            state.summary.exchanges += 1
            if exchange.isRequestCutOff {
                state.summary.notes.append(Self.note(onCutOff: entry.exchange.request))
            }
            guard let original, let pattern else { return }
            if let mismatch {
                state.summary.notes.append(Self.note(on: entry.exchange.request, mismatch: mismatch))
            }
            if state.redacted.isFirstWithOtherSecret(entry.exchange, pattern, fingerprint: original.fingerprint) {
                state.summary.notes.append(Self.note(onSecretsOf: entry.exchange.request))
            }
        }
    }

    /// Drops an exchange that got no response.
    func drop(_ draft: ExchangeDraft, unanswered reason: String) {
        drop(draft, because: nil)
        let note = Self.note(on: draft.request, unanswered: reason)
        state.withLock { state in
            // Repeated requests add the note only once.
            if state.summary.notes.last != note { state.summary.notes.append(note) }
        }
    }

    /// Drops an exchange and adds a note for the user if there was a fault.
    func drop(_ draft: ExchangeDraft, because fault: RecordingFault?) {
        draft.files.removeAll()
        state.withLock { state in
            guard state.isRecording else { return }
            state.open = max(0, state.open - 1)
            guard let fault, fault != .over else { return }
            state.summary.refused += 1
            var request = draft.request
            if let table = removed.table { request.remove(table, markers: redaction.rules.markers) }
            state.summary.notes.append(Self.note(on: request, fault))
            if case .disk(let error) = fault, state.failure == nil { state.failure = error }
        }
    }
}
