// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseIO
internal import RepriseText
internal import RepriseWire

/// The answer of a source while it comes.
struct SourcedResponse {
    let source: any ResponseSource
    /// What the source speaks to.
    let sink: SourceSink
    /// The head of the request.
    let head: [UInt8]
    /// What the client has not taken yet.
    var output = OutputBuffer()
    /// How the response is written; nil before it has begun.
    var framing: (framing: ClientFraming, closes: Bool)?
    /// Whether the chunk that was said last is still to be completed.
    var isWithinChunk = false
}

extension HTTP1Session {
    /// Has a source answer the request whose head is complete.
    ///
    /// - Parameter content: the body, where it is here already; nil if it is to follow.
    func ask(_ source: any ResponseSource, _ head: Span<UInt8>, content: Span<UInt8>?, awaitsContinue: Bool) {
        machine.awaitSource()
        request.contentBegins(at: arrival)
        let sink = SourceSink(self)
        sourced = SourcedResponse(source: source, sink: sink, head: [UInt8](bytes: head))
        let parsed = machine.parser.head
        source.start(head, parsed, content: content, awaitsContinue: awaitsContinue, for: sink)
        timeSource()
    }

    /// Ends the source's part in the answer: nothing that it says from now on is heard.
    ///
    /// - Returns: what there is of its response.
    @discardableResult
    func takeSourced() -> SourcedResponse? {
        let taken = sourced
        sourced = nil
        taken?.sink.invalidate()
        return taken
    }

    // MARK: The request's body

    /// Passes on what the machine has read of the content.
    func passContent(isComplete: Bool) {
        guard let source = sourced?.source else { return }
        let content = machine.takeContent()
        if !content.isEmpty { source.take(content) }
        if isComplete { source.contentIsComplete() }
        // It may be over by now.
        guard sourced?.source === source else { return }
        if source.isContentFull { connection.socket?.stopReading() }
        timeSource()
    }

    /// A client that owes content has a time limit; the source has none: the client decides how long to wait.
    private func timeSource() {
        guard let sourced else { return }
        let now = worker.loop.now()
        if sourced.output.count > 0 {
            request.limit(to: worker.timeouts.write, from: now)
        } else if machine.wantsInput, !sourced.source.isContentFull {
            request.limitContent(after: machine.contentLength)
        } else if connection.hasPeerFinished {
            request.limit(to: worker.timeouts.idle, from: now)
        } else {
            request.removeLimit()
        }
    }

    /// The client has sent all it will send.
    func peerFinishedBeforeSource() {
        if machine.wantsInput { connection.close() } else { timeSource() }
    }

    // MARK: The response

    private func noteAnswer(status: Int) {
        guard let sourced else { return }
        let head = sourced.head[...]
        request.answer(
            .none(status: status),
            to: head.span,
            content: Span(),
            isContentComplete: machine.parser.head.body == .none,
            by: sourced.source.name,
            in: worker
        )
    }

    /// Writes what is left, and goes on with the requests that waited.
    private func conclude(_ script: WireScript) {
        takeSourced()
        machine.respond(with: script)
        resumePlayback()
    }

    private func conclude(_ end: WireScript.End) {
        guard let sourced else { return }
        let rest = sourced.output.rest
        // What is still to come of the request could be taken for another one.
        let isReadOn = end == .keepAlive && machine.wantsInput
        conclude(WireScript(steps: rest.isEmpty ? [] : [.bytes(Array(rest))], end: isReadOn ? .close : end))
    }
}

// What a source says, by way of its ``SourceSink``.
extension HTTP1Session {
    var backlog: Int { sourced?.output.count ?? 0 }

    func begin(_ head: ResponseHead, framing: ResponsePlan.Framing) {
        guard let sourced else { return }
        let requestHead = sourced.head[...]
        let client = worker.client(requestHead.span, machine.parser.head)
        let clientFraming = ClientFraming(client: client, framing: framing)
        let (bytes, closes) = clientFraming.head(head)
        self.sourced?.framing = (clientFraming, closes)
        self.sourced?.output.edit { $0 += bytes }
        noteAnswer(status: head.status)
    }

    func append(_ content: Span<UInt8>, leftOfChunk: Int) {
        guard let framing = sourced?.framing?.framing, framing.hasBody else { return }
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
        conclude(framing.end(after: ending, closes: closes))
    }

    func respond(with response: OwnResponse) {
        guard let sourced else { return }
        noteAnswer(status: response.status)
        let head = sourced.head[...]
        conclude(worker.own(response, head.span, machine.parser.head, isLast: machine.wantsInput))
    }

    func contentHasRoom() {
        guard let source = sourced?.source else { return }
        request.contentBegins(at: worker.loop.now())
        timeSource()
        if !source.isContentFull, !input.isFull { connection.socket?.startReading() }
    }

    /// Tells the client to send the content (RFC 9110 section 15.2.1).
    func sendContinue() {
        // Where 25 bytes do not fit, because the client has not read the responses before, its own time-out sends the
        // content; a part of them would garble what follows.
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
