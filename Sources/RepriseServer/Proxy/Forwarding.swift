// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseConnections
internal import RepriseIO
internal import RepriseRecording
internal import RepriseText
internal import RepriseWire

/// One request that is forwarded to the upstream. Passes on the request and the response, and records both if there is
/// a recorder. Used only on its loop's thread.
///
/// The data that waits for either side is bounded. When the limit is reached, reading from the other side pauses.
final class Forwarding {
    let link: UpstreamLink
    /// The sink for the response; nil once the response is complete or abandoned.
    var sink: (any ResponseSink)?
    var recording: ExchangeRecording?
    /// The translations of the request's head; nil before the request is sent.
    private(set) var translation: CachedRequestTranslation?
    var exchange: ClientExchange?
    var upload = Upload()
    private var hasResponse = false
    /// The number of bytes missing from the response's current chunk.
    private var leftOfChunk = 0
    private var isReadingPaused = false
    /// What a stub changes; nil if no stub forwards the request.
    private let changes: ProxyChanges?
    let isPassed: Bool
    private var repairs: ResponseRepairs = []
    /// The timer of the stub's delay.
    private var timer = TimerToken.none
    /// Whether the client waited for `100 Continue` when the request began.
    private var expectsContinue = false

    /// The state of the request's content.
    struct Upload {
        var waiting: [UInt8] = []
        /// The start of the content received so far, which can be sent again if it is all.
        var kept: [UInt8] = []
        var receivedCount = 0
        /// The trailer lines, as received.
        var trailers: [[UInt8]] = []
        var awaitsContinue = false
        /// Whether all content has been received.
        var isComplete = false
        /// Whether the upstream is ready for more content.
        var isWanted = false
        var isUnwanted = false
        var isEnded = false
    }

    init(to link: UpstreamLink, changes: ProxyChanges? = nil, isPassed: Bool = false) {
        self.link = link
        self.changes = changes
        self.isPassed = isPassed
    }
}

extension Forwarding: ResponseSource {
    var name: String { link.address.base }
    var played: JournalRing.Answer? { changes?.played }
    var isRecorded: Bool { recording != nil }
    var requestStart: [UInt8] { upload.kept }
    /// The upstream works for nobody if the client has left.
    var endsWithClient: Bool { true }

    func start(_ request: IncomingRequest, for sink: any ResponseSink) {
        let (bytes, head, awaitsContinue) = (request.bytes, request.head, request.awaitsContinue)
        let received = [UInt8](bytes: request.content)
        keep(received)
        let hops = ForwardingHops.count(in: bytes, head)
        guard hops < ForwardingHops.limit else {
            return sink.respond(with: .forwardingLoop(to: link.address.url))
        }
        self.sink = sink
        // The translations can be cached only if they depend on nothing but the bytes of the client's head.
        let isCacheable = changes == nil && !head.isPathCut && !awaitsContinue
        let translation =
            isCacheable ? link.translation(of: bytes.extracting(..<head.length)) : CachedRequestTranslation()
        recording = link.record(bytes, head, translation, at: now)
        if !request.trailers.isEmpty { take(trailers: request.trailers) }
        if head.asksForWebSocket(bytes) { return refuseWebSocket() }
        upload.awaitsContinue = awaitsContinue
        if translation.forwarded == nil {
            translation.forwarded = ForwardedRequest(
                link.requests.head(bytes, head, awaitsContinue: awaitsContinue, changes: changes, hops: hops + 1),
                at: link.address.origin
            )
        }
        self.translation = translation
        expectsContinue = awaitsContinue
        let delay = changes?.delay ?? 0
        let exchange = delay == 0 ? translation.exchange(over: link.pool, for: self) : nil
        self.exchange = exchange
        if !request.contentFollows {
            if !received.isEmpty { pass(received) }
            contentIsComplete()
        }
        if let exchange { return exchange.start() }
        timer = link.loop.schedule(self, at: link.loop.now().advanced(byNanoseconds: delay))
    }

    func abandon() {
        link.loop.cancel(timer)
        sink = nil
        exchange?.cancel()
        exchange = nil
        if hasResponse {
            noteRepairs()
            recording?.end(.cancelled, missing: leftOfChunk, at: now)
        } else if upload.isComplete {
            recording?.fail(.cancelled, at: now)
        } else {
            recording?.discard()
        }
    }

    private func refuseWebSocket() {
        let reason =
            "mockserver does not forward WebSocket connections; connect the client to \(link.address.base) directly"
        recording?.discard(because: reason)
        takeSink()?.respond(with: .notForwarded(reason))
    }

    private func noteRepairs() {
        if !repairs.isEmpty { recording?.note(onResponse: "repaired: \(repairs)") }
    }

    func outputHasRoom() {
        guard isReadingPaused, let sink, sink.backlog <= OutputBuffer.limit / 2 else { return }
        isReadingPaused = false
        exchange?.resumeReading()
    }

    var now: Duration { MonotonicTime.now - MonotonicTime(nanoseconds: 0) }
}

extension Forwarding: TimerTarget {
    /// Forwards the request after the stub's delay.
    func timerFired(_ token: TimerToken) {
        guard sink != nil, let exchange = translation?.exchange(over: link.pool, for: self) else { return }
        self.exchange = exchange
        if expectsContinue, !upload.awaitsContinue { exchange.releaseBody() }
        exchange.start()
    }
}

extension Forwarding: ResponseReceiver {
    func received(interim head: IncomingHead) {
        guard let sink else { return }
        let lines = link.lines(head.fields)
        let reason = Array(head.reason)
        repairs.formUnion(head.repairs)
        recording?.informational(status: head.status, reasonBytes: reason, headers: lines, at: now)
        // The client gets this one, so it needs no other.
        if head.status == 100 { upload.awaitsContinue = false }
        sink.inform(ResponseHead(status: head.status, reasonBytes: reason, headers: lines))
    }

    func received(_ head: IncomingHead, framing: ResponseBodyFraming) {
        guard let sink else { return }
        let response: CachedResponseTranslation
        if let changes {
            // As in WireMock, the URLs in the header fields of a stub's answer stay those of the other server.
            let recorded = link.recorded(head)
            response = CachedResponseTranslation(recorded, translated: recorded.headers + changes.addedToResponse)
        } else {
            response = link.translation(of: head)
        }
        recording?.head(response.recorded, at: now)
        if response.isTranslated { recording?.setBase(link.address.url) }
        hasResponse = true
        repairs.formUnion(head.repairs)
        sink.begin(response.head, template: response.template, framing: ResponsePlan.Framing(framing))
    }

    func received(_ content: Span<UInt8>, leftOfChunk: Int) {
        recording?.bytes(content, endsChunk: leftOfChunk == 0, at: now)
        self.leftOfChunk = leftOfChunk
        sink?.append(content, leftOfChunk: leftOfChunk)
    }

    func receivedAllAvailable() {
        sink?.flush()
        if let sink, sink.backlog > OutputBuffer.limit, !isReadingPaused {
            isReadingPaused = true
            exchange?.pauseReading()
        }
    }

    func responseEnded(trailers: [[UInt8]], repairs: ResponseRepairs) {
        self.repairs.formUnion(repairs)
        noteRepairs()
        let lines = trailers.compactMap { HeaderLine(bytes: $0) }
        if !lines.isEmpty { recording?.trailers(lines) }
        if let recording {
            recording.end(.complete, at: now, holdsLine: true)
            // This happens before the client gets the end of the response.
            link.writeRecordedAtEndOfTurn()
        }
        takeSink()?.end(trailers: trailers)
    }

    func responseFailed(_ error: ConnectionError) {
        guard hasResponse else {
            if !sendAgain(after: error) { endWithoutResponse(error) }
            return
        }
        // The client sees every other error as the end of the connection.
        if case .malformedResponse = error.kind {
            recording?.note(onResponse: "cut off: \(error.message)")
        } else {
            noteRepairs()
        }
        let ending = if case .reset = error.kind { Ending.reset } else { Ending.truncated }
        recording?.end(ending, missing: leftOfChunk, at: now)
        takeSink()?.cutOff(ending)
    }

    /// Ends a request that got no response. If the upstream closed the connection instead of answering, the client
    /// sees the same, and it is recorded. If there was no connection, or the upstream had just closed an idle one,
    /// there is nothing to replay.
    private func endWithoutResponse(_ error: ConnectionError) {
        let sink = takeSink()
        if error.isEndOfConnection, error.hasResponseBegun || !error.wasReused {
            recording?.fail(.connectionLost, at: now)
            sink?.cutOff(.reset)
        } else {
            // The options for the upstream don't apply to the servers of stubs.
            let reason = error.message + (changes == nil ? error.remedy : "")
            recording?.discard(because: reason)
            sink?.respond(with: .noResponse(reason))
        }
    }

    /// Returns the sink for its last call and clears it.
    private func takeSink() -> (any ResponseSink)? {
        defer {
            sink = nil
            exchange = nil
        }
        return sink
    }
}

extension ResponsePlan.Framing {
    fileprivate init(_ framing: ResponseBodyFraming) {
        self =
            switch framing {
            case .none: .none
            case .length: .contentLength
            case .chunked: .chunked
            case .untilClose, .tunnel: .untilClose
            }
    }
}

extension ConnectionError {
    /// What to do about a certificate that is not accepted; empty for other errors.
    var remedy: String {
        guard case .tls(let error) = kind, error.isAboutCertificate else { return "" }
        return
            "; --upstream-ca FILE (trust in code) adds trusted certificates, and --insecure (.anyCertificate) accepts "
            + "any certificate"
    }
}
