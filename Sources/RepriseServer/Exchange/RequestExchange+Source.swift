// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText

extension RequestExchange {
    /// Starts a source that answers the request.
    func start(_ source: any ResponseSource, for incoming: IncomingRequest) {
        if source.isAdministrative { request.withdraw(in: worker) }
        writer?.awaitSource()
        request.contentBegins(at: arrival)
        let sourced = SourcedResponse(source, to: incoming, in: self)
        self.sourced = sourced
        source.start(incoming, for: sourced)
        timeSource()
    }

    /// Ends the source's part in the answer.
    ///
    /// - Returns: What is left of it.
    @discardableResult
    func takeSourcedResponse() -> SourcedResponse? {
        sourced?.leave()
        return sourced.take()
    }

    /// Passes content of the request to the source.
    func pass(_ content: [UInt8], isComplete: Bool, trailers: [[UInt8]]) {
        guard let sourced else { return }
        let source = sourced.source
        sourced.contentArrived(content.count, isComplete: isComplete)
        if !content.isEmpty { source.take(content) }
        if isComplete {
            if !trailers.isEmpty { source.take(trailers: trailers) }
            source.contentIsComplete()
        }
        // The answer may have ended during these calls.
        guard self.sourced === sourced else { return }
        sourced.reportAnswerIfContentIsKept()
        if source.isContentFull { writer?.pauseReading() }
        timeSource()
    }

    /// Sets the time limit for the client to read waiting output or to send the rest of its content. The source itself
    /// has no limit, because the client decides how long to wait.
    func timeSource() {
        guard let sourced else { return }
        let now = worker.loop.now()
        if sourced.backlog > 0 {
            request.limit(to: worker.timeouts.write, from: now)
        } else if !sourced.isContentComplete, !sourced.source.isContentFull {
            request.limitContent(after: sourced.contentCount)
        } else if connection.hasPeerFinished {
            request.limit(to: worker.timeouts.idle, from: now)
        } else {
            request.removeLimit()
        }
    }

    /// Writes the remaining output, then continues with the waiting requests. If the response is recorded, this happens
    /// at the end of the loop's turn, after the exchange has been written to the recording log.
    func conclude(_ rest: EncodedResponse?) {
        let isRecorded = takeSourcedResponse()?.source.isRecorded == true
        guard let rest else { return }
        playback.response = ResponsePlayback(rest)
        guard isRecorded else { return resumePlayback() }
        request.limit(to: worker.timeouts.write, from: worker.loop.now())
        playback.awaitsEndOfTurn = true
        worker.loop.atEndOfTurn(self)
    }
}
