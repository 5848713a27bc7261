// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseConnections
internal import RepriseIO
internal import RepriseRecording
internal import RepriseText
internal import RepriseWire

/// One request that the upstream server answers: passes it on, and the response back, and has both recorded. Lives on
/// its loop's thread.
///
/// What waits for either side is bounded: then the other side is read from no more.
final class Forwarding {
    /// The client's session, until the response is complete or given up.
    private var session: HTTP1Session?
    /// The head of the request, as the client sent it.
    let requestHead: [UInt8]
    /// What waits for the client.
    var output = ForwardedOutput()

    private let link: UpstreamLink
    private let client: PlanSerializer.Client
    private let recording: ExchangeRecording?
    private var request: ForwardedRequest?
    private var exchange: LoopExchange?
    private var upload = Upload()
    private var response: Response?
    private var isReadingPaused = false

    /// What is known of the request's body.
    private struct Upload {
        var waiting: [UInt8] = []
        /// All that has come, while it may have to be sent again.
        var kept: [UInt8]? = []
        var awaitsContinue = false
        /// All of it has come.
        var isComplete = false
        /// The upstream server takes a piece.
        var isWanted = false
        var isUnwanted = false
        var isEnded = false
    }

    /// What is known of the response once its head is here.
    private struct Response {
        let framing: ClientFraming
        let closes: Bool
        /// How much of the chunk in hand is still to come.
        var leftOfChunk = 0
    }

    /// So much of a request's body may wait, in bytes, before the client is read from no more.
    private static let uploadLimit = 256 << 10
    /// So much of a request's body is kept to be sent again, in bytes.
    private static let keptLimit = 64 << 10

    init(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        to link: UpstreamLink,
        from session: HTTP1Session,
        recordedAt now: Duration
    ) {
        self.session = session
        self.link = link
        requestHead = [UInt8](copying: bytes)
        client = session.worker.client(bytes, head)
        recording = link.record(bytes, head, at: now)
    }

    /// Sends the request.
    ///
    /// - Parameters:
    ///   - content: the body, where it is here already; nil if it is to follow.
    ///   - awaitsContinue: whether the client waits for `100 Continue`.
    func start(_ bytes: Span<UInt8>, _ head: RequestHead, content: Span<UInt8>?, awaitsContinue: Bool) {
        upload.awaitsContinue = awaitsContinue
        let request: ForwardedRequest
        do throws(ConnectionError) {
            request = try ForwardedRequest(
                head: link.requests.head(bytes, head, awaitsContinue: awaitsContinue),
                at: link.address.origin
            )
        } catch {
            return responseFailed(error)
        }
        self.request = request
        if !request.isIdempotent { upload.kept = nil }
        let exchange = link.pool.exchange(request, for: self)
        self.exchange = exchange
        if let content {
            if !content.isEmpty { take([UInt8](copying: content)) }
            contentIsComplete()
        }
        exchange.start()
    }

    /// The client has gone away, or its time is over: what has come until then is what there is.
    func abandon() {
        session = nil
        exchange?.cancel()
        exchange = nil
        if !upload.isComplete {
            recording?.discard()
        } else if response == nil {
            recording?.fail(.timedOut, at: now)
        } else {
            recording?.end(.timeout, missing: response?.leftOfChunk ?? 0, at: now)
        }
    }

    private var now: Duration { MonotonicTime.now - MonotonicTime(nanoseconds: 0) }
}

// MARK: - The request's body

extension Forwarding {
    /// Whether the client is to be read from no more.
    var isUploadFull: Bool { upload.waiting.count > Self.uploadLimit }
    /// Whether the request has come in full.
    var isRequestComplete: Bool { upload.isComplete }
    /// Whether anything of the response has.
    var hasResponse: Bool { response != nil }

    /// More of the body has come.
    func take(_ content: [UInt8]) {
        recording?.requestBytes(content)
        keep(content)
        guard !upload.isUnwanted else { return }
        if upload.waiting.isEmpty { upload.waiting = content } else { upload.waiting += content }
        if upload.awaitsContinue {
            // It is sent without being asked for (RFC 9110 section 10.1.1).
            upload.awaitsContinue = false
            exchange?.releaseBody()
        } else {
            sendContent()
        }
    }

    private func keep(_ content: [UInt8]) {
        guard let count = upload.kept?.count else { return }
        if count + content.count <= Self.keptLimit { upload.kept? += content } else { upload.kept = nil }
    }

    /// Sends the request again, whose connection was closed before anything of a response had come (RFC 9110 section
    /// 9.2.2): a server may close one that was idle at any time, also while a request is on its way.
    ///
    /// - Returns: whether that may be done.
    private func sendAgain(after error: ConnectionError) -> Bool {
        guard error.wasReused, !error.hasResponseBegun, error.isEndOfConnection, session != nil,
            let request, let kept = upload.kept
        else { return false }
        upload.waiting = kept
        (upload.isWanted, upload.isUnwanted, upload.isEnded) = (false, false, false)
        let exchange = link.pool.exchange(request, for: self)
        self.exchange = exchange
        exchange.start()
        return true
    }

    /// All of the body has come.
    func contentIsComplete() {
        upload.isComplete = true
        recording?.requestEnd(at: now)
        sendContent()
    }

    private func sendContent() {
        guard upload.isWanted, !upload.isUnwanted else { return }
        if !upload.waiting.isEmpty {
            let piece = upload.waiting
            upload.waiting = []
            upload.isWanted = false
            exchange?.send(piece)
        } else if upload.isComplete, !upload.isEnded {
            upload.isEnded = true
            exchange?.endBody()
        }
    }
}

extension Forwarding: ResponseReceiver {
    func bodyIsWanted() {
        upload.isWanted = true
        if upload.awaitsContinue {
            upload.awaitsContinue = false
            session?.sendContinue()
        }
        let wasFull = isUploadFull
        sendContent()
        if wasFull { session?.uploadHasRoom() }
    }

    func bodyIsUnwanted() {
        upload.isUnwanted = true
        upload.waiting = []
        session?.uploadHasRoom()
    }

    // MARK: The response

    func received(_ head: RepriseConnections.ResponseHead, framing: ResponseBodyFraming) {
        guard let session else { return }
        let lines = link.lines(head.fields)
        let reason = Array(head.statusText.dropFirst(4))
        recording?.head(
            status: head.status,
            reasonBytes: reason,
            httpVersion: head.statusLine.starts(with: "HTTP/1.1".utf8) ? nil : "1.0",
            headers: lines,
            at: now
        )
        let translated = link.responses.translated(lines)
        if translated != nil { recording?.stands(for: link.address.url) }
        let clientFraming = ClientFraming(client: client, framing: ResponsePlan.Framing(framing))
        let (bytes, closes) = clientFraming.head(
            RepriseAnswers.ResponseHead(status: head.status, reasonBytes: reason, headers: translated ?? lines)
        )
        response = Response(framing: clientFraming, closes: closes)
        output.append(bytes)
        session.forwardingHasHead(status: head.status)
    }

    func received(_ content: Span<UInt8>, leftOfChunk: Int) {
        recording?.bytes([UInt8](copying: content), endsChunk: leftOfChunk == 0, at: now)
        let isWithinChunk = (response?.leftOfChunk ?? 0) > 0
        response?.leftOfChunk = leftOfChunk
        guard let framing = response?.framing, framing.hasBody else { return }
        guard framing.isChunked else { return output.append(content) }
        if !isWithinChunk {
            output.edit { ChunkEncoder.appendChunkStart(size: content.count + leftOfChunk, to: &$0) }
        }
        output.append(content)
        if leftOfChunk == 0 { output.edit { ChunkEncoder.appendChunkEnd(to: &$0) } }
    }

    func receivedAllAvailable() {
        session?.flushForwarded()
        if output.count > ForwardedOutput.limit, !isReadingPaused {
            isReadingPaused = true
            exchange?.pauseReading()
        }
    }

    /// The client has taken something.
    func outputHasRoom() {
        guard isReadingPaused, output.count <= ForwardedOutput.limit / 2 else { return }
        isReadingPaused = false
        exchange?.resumeReading()
    }

    func responseEnded(trailers: [[UInt8]]) {
        let lines = trailers.compactMap { HeaderLine(bytes: $0) }
        if !lines.isEmpty { recording?.trailers(lines) }
        recording?.end(.complete, at: now)
        guard let response else { return }
        if response.framing.hasBody, response.framing.isChunked {
            output.edit { ChunkEncoder.appendLastChunk(trailers: trailers, to: &$0) }
        }
        end(response.closes ? .close : .keepAlive)
    }

    func responseFailed(_ error: ConnectionError) {
        guard let response else {
            if !sendAgain(after: error) { endWithoutResponse(error) }
            return
        }
        // Whatever else went wrong, the client sees it as the end of the connection.
        if case .reset = error.kind {
            recording?.end(.reset, missing: response.leftOfChunk, at: now)
            end(.reset)
        } else {
            recording?.end(.truncated, missing: response.leftOfChunk, at: now)
            end(response.framing.endOfTruncated)
        }
    }

    /// A server that ends the connection instead of answering is passed on as what it is, and recorded. Where there was
    /// no server to answer, or one had closed an idle connection in passing, nothing was said that could be replayed.
    private func endWithoutResponse(_ error: ConnectionError) {
        let session = session
        self.session = nil
        exchange = nil
        if error.isEndOfConnection, error.hasResponseBegun || !error.wasReused {
            recording?.fail(.connectionLost, at: now)
            session?.forwardingBrokeOff(self)
        } else {
            recording?.discard(because: error.message)
            session?.forwardingFailed(self, error)
        }
    }

    private func end(_ end: WireScript.End) {
        let session = session
        self.session = nil
        exchange = nil
        session?.forwardingEnded(self, end)
    }
}

extension ConnectionError {
    /// Whether it was the other side that ended the connection.
    fileprivate var isEndOfConnection: Bool {
        switch kind {
        case .reset, .truncated: true
        default: false
        }
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
