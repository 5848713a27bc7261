// SPDX-License-Identifier: Apache-2.0

internal import RepriseCassettes
internal import RepriseRedaction
internal import RepriseStorage
internal import RepriseText

/// An exchange during its recording, with its secrets redacted.
///
/// A class, because its many fields are moved several times during an exchange.
final class ExchangeDraft {
    /// The request as sent, with its secrets redacted and without its body.
    private(set) var request: RecordedRequest
    var files: ExchangeFiles { start.files }
    private var recorder: CassetteRecorder { start.files.recorder }
    private let start: ExchangeStart
    /// Created with the first piece, since most requests have no body.
    private var requestPieces: RedactedPieces?
    private var requestBody = SpillBuffer(isHashed: true)
    private var isRequestBodyRedacted = false
    private var requestEnd: Duration?
    private var response: ResponseDraft?
    private var informational: [(head: RecordedResponse.Informational, time: Duration)] = []
    private var original: OriginalRequest
    /// The response as received, if it can be compared with a later one.
    private var received: ReceivedResponse?
    /// Whether there were events that are not compared.
    private var hasOtherEvents = false

    init(_ received: ReceivedRequest, _ start: ExchangeStart) {
        self.start = start
        let recorder = start.files.recorder
        let request = received.request
        var redacted = request
        redacted.url = recorder.redacted(url: request.url)
        redacted.base = request.base.map { recorder.redacted(url: $0) }
        redacted.headers = recorder.redacted(request.headers)
        redacted.body = nil
        original = OriginalRequest(received, redacted: redacted)
        self.request = redacted
    }

    /// Creates a draft that reuses the redacted request of a recent exchange. No secret had become known between the
    /// recent exchange and the start of this one.
    init(repeating recent: RecentExchange, _ start: ExchangeStart) {
        self.start = start
        original = recent.original
        request = recent.request
    }

    /// Sets the start of the URL that the proxy added to the request's target.
    func setBase(_ base: String) throws(RecordingFault) {
        hasOtherEvents = true
        request.base = recorder.redacted(url: base)
    }

    func append(request bytes: [UInt8]) throws(RecordingFault) {
        guard requestEnd == nil else { return }
        hasOtherEvents = true
        original.append(bytes)
        var pieces =
            requestPieces
            ?? recorder.pieces(
                of: .request,
                headers: original.headers,
                url: request.url
            )
        requestPieces = nil
        defer { requestPieces = pieces }
        // The arrival times of request pieces are not used.
        try keep(try pieces.append(RedactedPieces.Piece(bytes: bytes, time: start.time, endsChunk: false)))
    }

    func append(requestTrailers lines: [HeaderLine]) throws(RecordingFault) {
        guard requestEnd == nil else { return }
        request.trailers = recorder.redacted(lines)
    }

    /// Completes the request.
    ///
    /// After this call, the secrets in the request are known, so they are also found in the response.
    func endRequest(at time: Duration) throws(RecordingFault) {
        guard requestEnd == nil else { return }
        requestEnd = time
        try finishPieces()
    }

    func append(informational head: RecordedResponse.Informational, at time: Duration) throws(RecordingFault) {
        guard response == nil else { return }
        hasOtherEvents = true
        var redacted = head
        redacted.headers = recorder.redacted(head.headers)
        redacted.reasonBytes = recorder.redaction.redacted(text: head.reasonBytes)
        informational.append((redacted, time))
    }

    func note(onResponse text: String) throws(RecordingFault) {
        hasOtherEvents = true
        response?.note(text)
    }

    func begin(_ received: ReceivedHead, at time: Duration) {
        self.received = ReceivedResponse(received)
        let head = received.response
        var redacted = head
        redacted.headers = recorder.redacted(head.headers)
        redacted.reasonBytes = recorder.redaction.redacted(text: head.reasonBytes)
        response = ResponseDraft(
            redacted,
            method: request.method,
            pieces: recorder.pieces(of: .response, headers: head.headers, url: request.url),
            at: time
        )
    }

    func append(response bytes: [UInt8], endsChunk: Bool, at time: Duration) throws(RecordingFault) {
        let piece = RedactedPieces.Piece(bytes: bytes, time: time, endsChunk: endsChunk)
        if pieceCount == 0, piece.bytes.count <= RecentExchange.limit {
            received?.content = piece.bytes
            received?.endsChunk = piece.endsChunk
        } else {
            received = nil
        }
        pieceCount += 1
        try response?.append(piece, to: files)
    }

    func append(trailers lines: [HeaderLine]) throws(RecordingFault) {
        hasOtherEvents = true
        let redacted = recorder.redacted(lines)
        response?.append(trailers: redacted)
    }

    private var pieceCount = 0
    /// Whether the exchange is in the log although it has not ended.
    private(set) var isSaved = false

    private var wasLong = false

    /// Returns `true` once, when the response may be long: after the first piece of a stream, or the second piece of
    /// another response.
    func becomesLong() -> Bool {
        guard let response, !wasLong, pieceCount >= (response.isStream ? 1 : 2) else { return false }
        wasLong = true
        return true
    }

    /// Writes what was received so far to files.
    ///
    /// - Returns: The entry for the log, in which the response ends here; `nil` if it is in the log, or if no response
    ///   has started.
    func save() throws(RecordingFault) -> RecordingLog.Entry? {
        guard let requestEnd, response != nil else { return nil }
        try finishRequest()
        guard let (response, steps) = try response?.save(requestEnd: requestEnd, in: files), !isSaved else {
            return nil
        }
        isSaved = true
        let recorded = RecordingTime(at: RecordingTime.text(microsecondsSince1970: start.startedAt))
        let exchange = Exchange(request: request, outcome: .response(response), recorded: recorded)
        var entry = RecordingLog.Entry(ordinal: files.ordinal, steps: steps, exchange: exchange)
        entry.isOpen = true
        return entry
    }

    /// Returns the exchange as written to the cassette after the response ended, or `nil` if no response had started.
    func finish(
        _ ending: Ending,
        missing: Int,
        at time: Duration
    ) throws(RecordingFault) -> FinishedExchange? {
        if ending != .complete { received = nil }
        try finishRequest()
        let requestEnd = requestEnd ?? start.time
        let ended = try response?.finish(ending, missing: missing, at: time, requestEnd: requestEnd, in: files)
        guard case (var response, let steps)? = ended else { return nil }
        response.informational = informational.map { head, time in
            var head = head
            head.delay = (time - requestEnd).pause
            return head
        }
        return finished(.response(response), steps, at: time)
    }

    /// Returns the exchange as written to the cassette if no response was received.
    func finish(_ failure: Failure, at time: Duration) throws(RecordingFault) -> FinishedExchange {
        try finishRequest()
        return finished(.failure(failure), nil, at: time)
    }

    private func finished(
        _ outcome: Exchange.Outcome,
        _ steps: RecordingLog.Entry.SpilledSteps?,
        at time: Duration
    ) -> FinishedExchange {
        let milliseconds = Double(start.length(until: time).microseconds) / 1000
        let startText = RecordingTime.text(microsecondsSince1970: start.startedAt)
        let recorded = RecordingTime(at: startText, milliseconds: milliseconds)
        let exchange = Exchange(request: request, outcome: outcome, recorded: recorded)
        return FinishedExchange(
            entry: RecordingLog.Entry(ordinal: files.ordinal, steps: steps, exchange: exchange),
            original: original,
            received: hasOtherEvents ? nil : received,
            known: start.known,
            isSaved: isSaved,
            isRequestRedacted: original.isHeadRedacted || isRequestBodyRedacted,
            isRequestBodyRedacted: isRequestBodyRedacted,
            isResponseBodyRedacted: response?.isBodyRedacted == true,
            isRequestCutOff: isRequestCutOff
        )
    }

    /// Whether the response ended before the request's body was received completely.
    private var isRequestCutOff: Bool { requestEnd == nil }

    private func finishRequest() throws(RecordingFault) {
        // A secret that starts in the base and ends after it makes the base invalid.
        if let base = request.base, CassetteRules.fault(base: base, url: request.url) != nil { request.base = nil }
        if isRequestCutOff {
            request.note = "answered before the complete body was received; this is the received part, any body matches"
            // The same request can have a longer body the next time.
            request.comparesBody = false
        }
        // A complete body was already ended by ``endRequest(at:)``.
        if isRequestCutOff { try finishPieces() }
        guard let pieces = requestPieces else { return }
        if pieces.isDecoded {
            let reason = "requests are compared decoded"
            request.note = request.headers.dropContentEncoding(because: reason) ?? request.note
        }
        request.note.append(pieces.note)
        guard requestBody.count > 0 else { return }
        let type = request.headers.firstValue(named: "Content-Type")
        request.body = RecordedBody(try files.keep(&requestBody, .request, contentType: type))
    }

    private func finishPieces() throws(RecordingFault) {
        guard var pieces = requestPieces else { return }
        requestPieces = nil
        defer { requestPieces = pieces }
        try keep(try pieces.finish())
        isRequestBodyRedacted = pieces.isRedacted
    }

    private func keep(_ pieces: [RedactedPieces.Piece]) throws(RecordingFault) {
        for piece in pieces {
            try requestBody.append(piece.bytes) { () throws(RecordingFault) in try files.make(.request) }
        }
    }
}

/// An exchange that ended.
struct FinishedExchange {
    var entry: RecordingLog.Entry
    let original: OriginalRequest
    /// The response as received, if it is one that can come again.
    let received: ReceivedResponse?
    /// The number of secrets known when the exchange began.
    let known: Int
    /// Whether the exchange was in the log before it ended.
    let isSaved: Bool
    let isRequestRedacted: Bool
    let isRequestBodyRedacted: Bool
    let isResponseBodyRedacted: Bool
    /// Whether the request's body is incomplete because the response ended first.
    let isRequestCutOff: Bool
}
