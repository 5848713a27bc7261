// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseIO
internal import RepriseText
internal import RepriseWire

extension RequestExchange {
    /// Starts a source that answers the request.
    ///
    /// - Parameter contentFollows: Whether the content follows. Otherwise, it has already arrived.
    func start(
        _ source: any ResponseSource,
        for incoming: IncomingRequest,
        contentFollows: Bool,
        awaitsContinue: Bool
    ) {
        if source.isAdministrative { request.withdraw(in: worker) }
        writer?.awaitSource()
        request.contentBegins(at: arrival)
        let sink = SourceSink(self)
        sourced = SourcedResponse(
            source: source,
            sink: sink,
            head: [UInt8](bytes: incoming.bytes),
            parsedHead: incoming.head,
            contentCount: contentFollows ? 0 : incoming.content.count,
            isContentComplete: !contentFollows,
            hasContentStart: contentFollows || incoming.isContentComplete
        )
        if !incoming.trailers.isEmpty { source.take(trailers: incoming.trailers) }
        source.start(
            incoming.bytes,
            incoming.head,
            content: contentFollows ? nil : incoming.content,
            awaitsContinue: awaitsContinue,
            for: sink
        )
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

    /// Passes content to the source.
    func pass(_ content: [UInt8], isComplete: Bool, trailers: [[UInt8]]) {
        guard let source = sourced?.source else { return }
        sourced?.contentCount += content.count
        sourced?.isContentComplete = isComplete
        if !content.isEmpty { source.take(content) }
        if isComplete {
            if !trailers.isEmpty { source.take(trailers: trailers) }
            source.contentIsComplete()
        }
        // The answer may have ended during these calls.
        guard sourced?.source === source else { return }
        if isContentKept { reportAnswer() }
        if source.isContentFull { writer?.pauseReading() }
        timeSource()
    }

    /// Sets the time limit for the client to read waiting output or to send the rest of its content. The source itself
    /// has no limit, because the client decides how long to wait.
    func timeSource() {
        guard let sourced else { return }
        let now = worker.loop.now()
        if backlog > 0 {
            request.limit(to: worker.timeouts.write, from: now)
        } else if writer?.wantsContent == true, !sourced.source.isContentFull {
            request.limitContent(after: sourced.contentCount)
        } else if connection.hasPeerFinished {
            request.limit(to: worker.timeouts.idle, from: now)
        } else {
            request.removeLimit()
        }
    }

    // MARK: The response

    /// Reports the answer once the journal can have all that is kept of the request.
    private func noteAnswer(status: Int) {
        sourced?.status = status
        if isContentKept { reportAnswer() }
    }

    /// Whether content that follows, if any, is not kept.
    private var isContentKept: Bool {
        guard let sourced else { return true }
        return sourced.isContentComplete || sourced.source.requestStart.count < sourced.contentCount
    }

    /// Reports an answer that has begun, unless it was reported before.
    private func reportAnswer() {
        guard let status = sourced?.status.take(), let sourced else { return }
        var answer = sourced.source.played ?? .none(status: 0)
        answer.status = status
        let (head, start) = (sourced.head[...], sourced.source.requestStart[...])
        let incoming = IncomingRequest(
            head.span,
            sourced.parsedHead,
            content: start.span,
            isContentComplete: sourced.isContentComplete && sourced.hasContentStart
                && start.count == sourced.contentCount,
            peer: connection.peerHost
        )
        report(answer, to: incoming, by: sourced.source.name)
    }

    /// Keeps the answer in the journal, if another server sent it.
    private func keepAnswer(isComplete: Bool) {
        reportAnswer()
        guard let kept = sourced?.kept.take() else { return }
        request.keep(kept.kept(isComplete: isComplete), in: worker)
    }

    /// Writes the remaining output, then continues with the waiting requests. If the response is recorded, this happens
    /// at the end of the loop's turn, after the exchange has been written to the recording log.
    private func conclude(_ rest: EncodedResponse?) {
        let isRecorded = takeSourcedResponse()?.source.isRecorded == true
        guard let rest else { return }
        playback.response = ResponsePlayback(rest)
        guard isRecorded else { return resumePlayback() }
        request.limit(to: worker.timeouts.write, from: worker.loop.now())
        playback.awaitsEndOfTurn = true
        worker.loop.atEndOfTurn(self)
    }
}

// Calls from a source, through its ``SourceSink``.
extension RequestExchange {
    var backlog: Int { writer?.backlog ?? 0 }

    func inform(_ head: ResponseHead) {
        guard let sourced, !sourced.hasBegun, sourced.parsedHead.minorVersion >= 1 else { return }
        writer?.inform(head)
        flush()
    }

    func begin(_ head: ResponseHead, template: HeadTemplate?, framing: ResponsePlan.Framing) {
        guard let sourced else { return }
        let bytes = sourced.head[...]
        let isAdministrative = sourced.source.isAdministrative
        writer?.begin(
            head,
            template: template,
            framing: framing,
            to: IncomingRequest(bytes.span, sourced.parsedHead, peer: connection.peerHost),
            // As in the admin API's short answers: no page from elsewhere may read it.
            isCrossOrigin: !isAdministrative
        )
        self.sourced?.hasBegun = true
        noteAnswer(status: head.status)
        if !isAdministrative { self.sourced?.kept = SourcedAnswer(head) }
    }

    func append(_ content: Span<UInt8>, leftOfChunk: Int) {
        guard sourced?.hasBegun == true else { return }
        sourced?.kept?.append(content, limit: worker.events.journal.answerLimit)
        writer?.append(content, leftOfChunk: leftOfChunk)
    }

    func flush() {
        guard let source = sourced?.source, backlog > 0, let sent = writer?.flush() else { return }
        timeSource()
        if sent > 0, sourced?.source === source { source.outputHasRoom() }
    }

    func end(trailers: [[UInt8]]) {
        guard sourced?.hasBegun == true else { return }
        keepAnswer(isComplete: true)
        conclude(writer?.rest(trailers: trailers))
    }

    func cutOff(_ ending: Ending) {
        guard let sourced else { return }
        if sourced.hasBegun { keepAnswer(isComplete: false) } else { noteAnswer(status: 0) }
        conclude(writer?.rest(cutOff: ending))
    }

    func respond(with response: OwnResponse) {
        guard let sourced else { return }
        noteAnswer(status: response.status)
        if response.status == 502 { worker.reportUnforwarded(response) }
        let head = sourced.head[...]
        conclude(
            writer?.rest(response, to: IncomingRequest(head.span, sourced.parsedHead, peer: connection.peerHost))
        )
    }

    func contentHasRoom() {
        guard let source = sourced?.source else { return }
        request.contentBegins(at: worker.loop.now())
        timeSource()
        if !source.isContentFull { writer?.resumeReading() }
    }

    func sendContinue() {
        writer?.sendContinue()
    }
}
