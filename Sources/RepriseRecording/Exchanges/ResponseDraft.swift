// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseCassettes
internal import RepriseRedaction
internal import RepriseStorage
internal import RepriseText

/// A response during its recording: the head, and the redacted content received so far.
struct ResponseDraft {
    private var head: RecordedResponse
    private let time: Duration
    private var pieces: RedactedPieces
    private var body: SpillBuffer
    private var log: ChunkLog
    /// Whether the last chunk on the wire is complete.
    private var endsChunk = true
    let isStream: Bool
    private let framing: ResponsePlan.Framing

    var isBodyRedacted: Bool { pieces.isRedacted }

    init(_ head: RecordedResponse, method: String, pieces: RedactedPieces, at time: Duration) {
        self.head = head
        self.time = time
        self.pieces = pieces
        framing = ResponsePlan.Framing(method: method, status: head.status, headers: head.headers)
        let type = head.headers.firstValue(named: "Content-Type").map { Array($0.utf8) }
        isStream = framing != .none && MediaType(type ?? []).isStream
        // The cassette contains streams directly, so no file needs a hash for its name.
        body = SpillBuffer(isHashed: !isStream)
        log = ChunkLog(head: time, isChunked: framing == .chunked)
    }

    mutating func append(_ piece: RedactedPieces.Piece, to files: ExchangeFiles) throws(RecordingFault) {
        endsChunk = piece.endsChunk
        try keep(try pieces.append(piece), in: files)
    }

    mutating func note(_ text: String) {
        head.note = text
    }

    mutating func append(trailers lines: [HeaderLine]) {
        head.trailers = lines
    }

    /// - Parameters:
    ///   - ending: How the response ended.
    ///   - missing: The number of missing bytes in the last chunk, if known.
    ///   - time: When the response ended.
    ///   - requestEnd: When the request was complete.
    mutating func finish(
        _ ending: Ending,
        missing: Int,
        at time: Duration,
        requestEnd: Duration,
        in files: ExchangeFiles
    ) throws(RecordingFault) -> (response: RecordedResponse, steps: RecordingLog.Entry.SpilledSteps?) {
        try keep(try pieces.finish(), in: files)
        // What was saved while the response was arriving does not change how it is recorded.
        try body.recall()
        try log.recall()
        // A response that arrived before the end of the request has no delay.
        head.delay = (self.time - requestEnd).pause
        if pieces.isDecoded { head.note.append(head.headers.dropContentEncoding()) }
        head.note.append(pieces.note)
        guard isStream || ending != .complete else {
            head.content = try content(in: files)
            return (head, nil)
        }
        try log.close { () throws(RecordingFault) in try files.make(.pace) }
        // If the number of missing bytes is unknown, at least one is missing.
        let isBroken = framing == .chunked && ending != .complete && (missing > 0 || !endsChunk)
        let end = StreamStep(after: (time - log.last).pause, .end(ending), missing: isBroken ? max(missing, 1) : 0)
        guard body.file == nil, log.encoded.file == nil else {
            head.content = .stream([end])
            return (head, try spilledSteps(in: files))
        }
        head.content = .stream(try steps() + [end])
        return (head, nil)
    }

    /// Writes the content received so far to files, except what is not redacted yet.
    ///
    /// - Returns: The response as written to the cassette if nothing more is received.
    mutating func save(
        requestEnd: Duration,
        in files: ExchangeFiles
    ) throws(RecordingFault) -> (response: RecordedResponse, steps: RecordingLog.Entry.SpilledSteps) {
        try keep(try pieces.decideFirst(), in: files)
        var saved = head
        saved.delay = (time - requestEnd).pause
        saved.content = .stream([StreamStep(after: .zero, .end(.reset))])
        return (saved, try spilledSteps(in: files))
    }

    private mutating func keep(_ pieces: [RedactedPieces.Piece], in files: ExchangeFiles) throws(RecordingFault) {
        for piece in pieces {
            try body.append(piece.bytes) { () throws(RecordingFault) in try files.make(.response) }
            try log.append(piece) { () throws(RecordingFault) in try files.make(.pace) }
        }
    }

    private mutating func content(in files: ExchangeFiles) throws(RecordingFault) -> RecordedResponse.Content {
        guard body.count > 0, framing != .none else { return .none }
        var kept = RecordedBody(
            try files.keep(&body, .response, contentType: head.headers.firstValue(named: "Content-Type"))
        )
        if framing == .chunked, log.count > 1 {
            try log.close { () throws(RecordingFault) in try files.make(.pace) }
            // A chunk that consisted only of a secret is empty now and is left out.
            let sizes = try RecordingFault.onDisk { () throws(FileError) in try log.chunks() }.map(\.size)
            kept.chunks = sizes.filter { $0 > 0 }
        }
        return .body(kept)
    }

    private func steps() throws(RecordingFault) -> [StreamStep] {
        var start = 0
        return try RecordingFault.onDisk { () throws(FileError) in try log.chunks() }.map { chunk in
            defer { start += chunk.size }
            return StreamStep(after: chunk.pause, .bytes(Array(body.memory[start..<start + chunk.size])))
        }
    }

    private mutating func spilledSteps(in files: ExchangeFiles) throws(RecordingFault)
        -> RecordingLog.Entry.SpilledSteps
    {
        try body.spill { () throws(RecordingFault) in try files.make(.response) }
        try log.spill { () throws(RecordingFault) in try files.make(.pace) }
        return RecordingLog.Entry.SpilledSteps(bytes: files.name(.response), pace: files.name(.pace))
    }
}

extension String? {
    mutating func append(_ sentence: String?) {
        guard let sentence else { return }
        self = map { "\($0); \(sentence)" } ?? sentence
    }
}
