// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseIO
internal import RepriseText
internal import RepriseWire

extension HTTP1Session {
    /// Starts a source that answers the request whose head is complete.
    ///
    /// - Parameter content: The content if it has already arrived; nil if it follows.
    func startSource(_ source: any ResponseSource, _ head: Span<UInt8>, content: Span<UInt8>?, awaitsContinue: Bool) {
        if source.isAdministrative { request.withdraw(in: worker) }
        machine.awaitSource()
        playback.clientCloses = false
        request.contentBegins(at: arrival)
        let sink = SourceSink(self)
        sourced = SourcedResponse(source: source, sink: sink, head: [UInt8](bytes: head))
        let parsed = machine.head
        if content != nil, !machine.trailers.isEmpty { source.take(trailers: machine.trailers) }
        source.start(head, parsed, content: content, awaitsContinue: awaitsContinue, for: sink)
        timeSource()
    }

    /// Ends the source's part in the answer. Later calls from the source have no effect.
    ///
    /// - Returns: The state of its response.
    @discardableResult
    func takeSourcedResponse() -> SourcedResponse? {
        reportAnswer()
        let taken = sourced.take()
        taken?.sink.invalidate()
        return taken
    }

    // MARK: The request's body

    /// Passes the content that the machine has read to the source.
    func passContent(isComplete: Bool) {
        guard let source = sourced?.source else { return }
        let content = machine.takeContent()
        if !content.isEmpty { source.take(content) }
        if isComplete {
            if !machine.trailers.isEmpty { source.take(trailers: machine.trailers) }
            source.contentIsComplete()
        }
        // The answer may have ended during these calls.
        guard sourced?.source === source else { return }
        if isContentKept { reportAnswer() }
        if source.isContentFull { connection.socket?.stopReading() }
        timeSource()
    }

    /// Sets the time limit for the client to read waiting output or to send the rest of its content. The source itself
    /// has no limit, because the client decides how long to wait.
    private func timeSource() {
        guard sourced != nil else { return }
        let now = worker.loop.now()
        if backlog > 0 {
            request.limit(to: worker.timeouts.write, from: now)
        } else if machine.wantsInput, sourced?.source.isContentFull == false {
            request.limitContent(after: machine.contentLength)
        } else if connection.hasPeerFinished {
            request.limit(to: worker.timeouts.idle, from: now)
        } else {
            request.removeLimit()
        }
    }

    /// Handles the end of the client's input while a source answers.
    func peerFinishedBeforeSource() {
        if machine.wantsInput || sourced?.source.endsWithClient == true { connection.close() } else { timeSource() }
    }

    // MARK: The response

    /// Reports the answer once the journal can have all that is kept of the request.
    private func noteAnswer(status: Int) {
        sourced?.status = status
        if isContentKept { reportAnswer() }
    }

    /// Whether content that follows, if any, is not kept.
    private var isContentKept: Bool {
        machine.decoder == nil || sourced.map { $0.source.requestStart.count < machine.contentLength } == true
    }

    /// Reports an answer that has begun, unless it was reported before.
    private func reportAnswer() {
        guard let status = sourced?.status.take(), let source = sourced?.source, let head = sourced?.head[...] else {
            return
        }
        var answer = source.played ?? .none(status: 0)
        answer.status = status
        let start = source.requestStart[...]
        request.answer(
            answer,
            to: head.span,
            content: start.span,
            isContentComplete: machine.head.body == .none
                || machine.decoder == nil && start.count == machine.contentLength,
            by: source.name,
            from: connection.peerHost,
            in: worker
        )
    }

    /// Keeps the answer in the journal, if another server sent it.
    private func keepAnswer(isComplete: Bool) {
        reportAnswer()
        guard let kept = sourced?.kept.take() else { return }
        request.keep(kept.kept(isComplete: isComplete), in: worker)
    }

    /// Writes the remaining output, then continues with the waiting requests. If the response is recorded, this happens
    /// at the end of the loop's turn, after the exchange has been written to the recording log.
    private func conclude(_ script: WireScript) {
        let isRecorded = takeSourcedResponse()?.source.isRecorded == true
        machine.respond(with: script)
        guard isRecorded else { return resumePlayback() }
        request.limit(to: worker.timeouts.write, from: worker.loop.now())
        playback.awaitsEndOfTurn = true
        worker.loop.atEndOfTurn(self)
    }

    private func conclude(_ end: WireScript.End) {
        guard let rest = sourced?.output.rest else { return }
        // The unread rest of this request could be mistaken for another request.
        let hasUnreadContent = end == .keepAlive && machine.wantsInput
        conclude(WireScript(steps: rest.isEmpty ? [] : [.bytes(rest)], end: hasUnreadContent ? .close : end))
    }
}

// Calls from a source, through its ``SourceSink``.
extension HTTP1Session {
    var backlog: Int { sourced?.output.count ?? 0 }

    func inform(_ head: ResponseHead) {
        guard let sourced, sourced.framing == nil, machine.head.minorVersion >= 1 else { return }
        self.sourced?.output.edit { output in
            ResponseHeadEncoder.appendStatusLine(status: head.status, reason: head.reasonBytes, to: &output)
            for line in head.headers { ResponseHeadEncoder.appendFieldLine(line.bytes, to: &output) }
            ResponseHeadEncoder.appendEndOfHead(to: &output)
        }
        flush()
    }

    func begin(_ head: ResponseHead, template: HeadTemplate?, framing: ResponsePlan.Framing) {
        guard let requestHead = sourced?.head[...], let source = sourced?.source else { return }
        var client = worker.client(requestHead.span, machine.head)
        if source.isAdministrative {
            // As in the admin API's short answers: no page from elsewhere may read it.
            client.isCrossOrigin = false
            client.origin = nil
        }
        let clientFraming = ClientFraming(client: client, framing: framing)
        let (bytes, closes) = clientFraming.head(head, template)
        sourced?.framing = (clientFraming, closes)
        // Leaves room for short content, so that appending it does not copy the head.
        sourced?.output.edit {
            $0.reserveCapacity($0.count + bytes.count + 512)
            $0 += bytes
        }
        noteAnswer(status: head.status)
        if !source.isAdministrative { sourced?.kept = SourcedAnswer(head) }
    }

    func append(_ content: Span<UInt8>, leftOfChunk: Int) {
        guard let framing = sourced?.framing?.framing, framing.hasBody else { return }
        let limit = worker.events.journal.answerLimit
        sourced?.kept?.append(content, limit: limit)
        guard framing.isChunked else {
            sourced?.output.append(content)
            return
        }
        if sourced?.isWithinChunk == false {
            let size = content.count + leftOfChunk
            sourced?.output.edit { ChunkEncoder.appendChunkStart(size: size, to: &$0) }
        }
        sourced?.output.append(content)
        sourced?.isWithinChunk = leftOfChunk > 0
        if leftOfChunk == 0 { sourced?.output.edit { ChunkEncoder.appendChunkEnd(to: &$0) } }
    }

    func flush() {
        guard let rest = sourced?.output.rest, !rest.isEmpty, let socket = connection.socket else { return }
        do throws(SystemError) {
            let sent = try socket.send(rest.span)
            sourced?.output.didSend(sent)
            timeSource()
            if sent > 0 { sourced?.source.outputHasRoom() }
        } catch {
            connection.close()
        }
    }

    func end(trailers: [[UInt8]]) {
        guard let (framing, closes) = sourced?.framing else { return }
        keepAnswer(isComplete: true)
        if framing.hasBody, framing.isChunked {
            sourced?.output.edit { ChunkEncoder.appendLastChunk(trailers: trailers, to: &$0) }
        }
        conclude(closes ? .close : .keepAlive)
    }

    func cutOff(_ ending: Ending) {
        guard let sourced else { return }
        guard let (framing, closes) = sourced.framing else {
            noteAnswer(status: 0)
            return conclude(ending == .timedOut ? .stall : .reset)
        }
        keepAnswer(isComplete: false)
        conclude(framing.end(after: ending, closes: closes))
    }

    func respond(with response: OwnResponse) {
        guard let sourced else { return }
        noteAnswer(status: response.status)
        if response.status == 502 { worker.reportUnforwarded(response) }
        let head = sourced.head[...]
        conclude(worker.own(response, head.span, machine.head, isLast: machine.wantsInput))
    }

    func contentHasRoom() {
        guard let source = sourced?.source else { return }
        request.contentBegins(at: worker.loop.now())
        timeSource()
        if !source.isContentFull, !input.isFull { connection.socket?.startReading() }
    }

    /// Sends `100 Continue`, after which the client sends the content (RFC 9110 section 15.2.1).
    func sendContinue() {
        if sourced != nil {
            // Another informational response may be waiting.
            sourced?.output.edit { $0 += Self.continueResponse }
            return flush()
        }
        // If the client has not read previous responses, these 25 bytes may not fit. The client's own timeout then
        // makes it send the content. Sending only part of them would corrupt what follows.
        do throws(SystemError) {
            let response = Self.continueResponse[...]
            let sent = try connection.socket?.send(response.span) ?? 0
            if sent != 0, sent != response.count { connection.close() }
        } catch {
            connection.close()
        }
    }

    private static let continueResponse = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
}
