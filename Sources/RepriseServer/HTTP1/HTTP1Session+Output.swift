// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseIO
internal import RepriseText
internal import RepriseWire

// Complete answers.
extension HTTP1Session: ResponseWriter {
    func write(_ reply: Reply, to request: IncomingRequest) {
        clientCloses = !request.head.isKeepAlive
        let isLast = worker.isStopping
        if case .fixture(let played, let answers, .own) = reply, worker.encoder.isCommon(request, isLast: isLast),
            let block = answers.block(of: played.fixture)
        {
            return send(block, of: answers)
        }
        let client = worker.encoder.client(request, isLast: isLast)
        var date: [UInt8] { worker.date.line(at: exchange.arrival) }
        switch reply {
        case .fixture(let played, let answers, .own) where answers.isBlock(played.fixture, for: client):
            send(played.fixture, of: answers, to: client)
        case .fixture(let played, let answers, let delay):
            play(worker.encoder.response(played, of: answers, delay, to: client, date: date))
        case .plan(let plan, _, let traits):
            play(worker.encoder.response(plan, traits, to: client, date: date))
        case .response(let response, isMiss: true) where client.isPlain:
            // Misses can be as frequent as hits.
            play(EncodedResponse(head: response.bytes(date: date), end: .keepAlive))
        case .response(let response, _):
            play(worker.encoder.response(response, to: client, date: date))
        case .forwarded, .unfinished:
            preconditionFailure("the exchange answers these with a source")
        }
    }

    /// The hot path: sends the whole response in one system call, without any steps.
    private func send(_ range: Range<Int>, of answers: EncodedAnswers) {
        guard let socket = connection.socket else { return }
        let block = answers.blocks[range]
        do throws(SystemError) {
            let sent = try socket.send(block.span)
            if sent == range.count {
                exchange.complete()
                finish(.keepAlive)
            } else {
                playRest(EncodedResponse(steps: [.bytes(block.dropFirst(sent))], end: .keepAlive))
            }
        } catch {
            connection.close()
        }
    }

    /// The hot path for a client that needs a head of its own, or for an answer with a date.
    private func send(_ fixture: Int, of answers: EncodedAnswers, to client: PlanSerializer.Client) {
        guard let socket = connection.socket else { return }
        worker.scratch.removeAll(keepingCapacity: true)
        let (range, closes) = answers.appendHead(of: fixture, to: &worker.scratch, for: client) {
            worker.date.line(at: exchange.arrival)
        }
        let headCount = worker.scratch.count
        let content = answers.blocks[range]
        // Copying a little content costs less than a system call with two pieces.
        let isCopied = content.count <= Self.copiedContent
        if isCopied { worker.scratch += content }
        let response = worker.scratch[...]
        do throws(SystemError) {
            let sent = isCopied ? try socket.send(response.span) : try socket.send(response.span, then: content.span)
            if sent < headCount + content.count {
                let ofHead = min(sent, headCount)
                let rest = [Array(response[ofHead..<headCount])[...], content.dropFirst(sent - ofHead)]
                playRest(EncodedResponse(steps: rest.map { .bytes($0) }, end: closes ? .close : .keepAlive))
            } else {
                exchange.complete()
                finish(closes ? .close : .keepAlive)
            }
        } catch {
            connection.close()
        }
    }

    /// The maximum number of content bytes to copy behind a head.
    private static let copiedContent = 4 << 10

    func play(_ response: EncodedResponse) {
        machine.respond()
        exchange.play(response)
    }

    private func playRest(_ response: EncodedResponse) {
        machine.respond()
        exchange.playRest(response)
    }

    func send(head: ArraySlice<UInt8>, then content: ArraySlice<UInt8>) throws -> Int {
        try connection.socket?.send(head.span, then: content.span) ?? 0
    }

    func send(_ content: ArraySlice<UInt8>) throws -> Int {
        try connection.socket?.send(content.span) ?? 0
    }

    func send(_ file: ReadOnlyFile, from offset: Int, count: Int) throws -> Int {
        try connection.socket?.send(file: file, offset: offset, count: count) ?? 0
    }

    func fail() {
        connection.reset()
    }

    func exchangeAdvanced() {
        exchange.arrival = worker.loop.now()
        readPending()
    }

    // MARK: Ending

    func finish(_ end: EncodedResponse.End) {
        switch end {
        case .keepAlive:
            guard worker.isStopping else { return machine.didRespond() }
            machine.end(.close)
            closeAfterDraining()
        case .close, .truncated:
            machine.end(.close)
            closeAfterDraining()
        case .handOver:
            // The input follows once reading has returned.
            machine.handOver()
        case .reset:
            machine.end(end)
            ignoreInput()
            exchange.request.limit(to: worker.timeouts.delivery, from: worker.loop.now())
            resetWhenDelivered()
        case .stall:
            machine.end(end)
            ignoreInput()
            exchange.request.removeLimit()
            if worker.isStopping || connection.hasPeerFinished { connection.close() }
        }
    }

    /// Closes the write side and discards further input. Closing immediately with unread input would make the system
    /// send a reset that can overtake the response (RFC 9112 section 9.6).
    private func closeAfterDraining() {
        // The system sends a reset only if there is unread input, and a reset does no harm after the response has been
        // delivered. A client that asked to close rarely sends more, and a server that is stopping need not wait for
        // it.
        let isInputComplete =
            clientCloses && connection.socket?.hasUnreadInput == false && connection.socket?.undeliveredCount == 0
        if connection.hasPeerFinished || isInputComplete || (worker.isStopping && input.isEmpty) {
            return connection.close()
        }
        input.removeAll()
        connection.socket?.finishWriting()
        connection.socket?.startReading()
        exchange.request.limit(to: worker.timeouts.draining, from: worker.loop.now())
    }

    /// Discards input, but keeps reading to notice when the peer closes.
    private func ignoreInput() {
        input.removeAll()
        if !connection.hasPeerFinished { connection.socket?.startReading() }
    }
}

// Answers of sources.
extension HTTP1Session {
    func awaitSource() {
        machine.awaitSource()
        clientCloses = false
        output = SourceOutput()
    }

    var backlog: Int { output.buffer.count }

    func inform(_ head: ResponseHead) {
        output.inform(head)
    }

    func begin(
        _ head: ResponseHead,
        template: HeadTemplate?,
        framing: ResponsePlan.Framing,
        to request: IncomingRequest,
        isCrossOrigin: Bool
    ) {
        var client = worker.encoder.client(request, isLast: worker.isStopping)
        // The connection goes on as a tunnel.
        if request.head.form == .authority, 200..<300 ~= head.status { client.isKeepAlive = true }
        output.begin(
            head,
            template,
            ClientFraming(client: isCrossOrigin ? client : client.withoutOrigin, framing: framing)
        )
    }

    func append(_ content: Span<UInt8>, leftOfChunk: Int) {
        output.append(content, leftOfChunk: leftOfChunk)
    }

    func flush() -> Int {
        let rest = output.buffer.rest
        do throws(SystemError) {
            let sent = try connection.socket?.send(rest.span) ?? 0
            output.buffer.didSend(sent)
            return sent
        } catch {
            connection.close()
            return 0
        }
    }

    func rest(_ response: ServerResponse, to request: IncomingRequest) -> EncodedResponse {
        let client = worker.encoder.client(request, isLast: machine.wantsInput || worker.isStopping)
        var rest = worker.encoder.response(response, to: client, date: worker.date.line(at: worker.loop.now()))
        rest.head = takeUnsent() + rest.head
        machine.respond()
        return rest
    }

    /// Returns what is written of a source's answer and not sent yet, such as an informational response.
    func takeUnsent() -> ArraySlice<UInt8> {
        defer { output = SourceOutput() }
        return output.buffer.rest
    }

    func rest(switchingTo makeSession: @escaping (Connection) -> any ConnectionSession) -> EncodedResponse {
        successor = makeSession
        return rest(.handOver)
    }

    func rest(trailers: [[UInt8]]) -> EncodedResponse {
        rest(output.end(trailers: trailers))
    }

    func rest(cutOff ending: Ending) -> EncodedResponse {
        rest(output.end(cutOff: ending))
    }

    private func rest(_ end: EncodedResponse.End) -> EncodedResponse {
        // The unread rest of this request could be mistaken for another request.
        let hasUnreadContent = end == .keepAlive && machine.wantsInput
        let bytes = takeUnsent()
        machine.respond()
        return EncodedResponse(steps: bytes.isEmpty ? [] : [.bytes(bytes)], end: hasUnreadContent ? .close : end)
    }

    // MARK: The request's content

    func takeContent() -> [UInt8] {
        machine.phase == .head ? [] : machine.takeContent()
    }

    func pauseReading() {
        connection.socket?.stopReading()
    }

    func resumeReading() {
        if !input.isFull, !exchange.isContentFull { connection.socket?.startReading() }
    }

    func sendContinue() {
        if machine.phase == .sourced {
            // Another informational response may be waiting.
            output.buffer.edit { $0 += Self.continueResponse }
            exchange.sourced?.flush()
            return
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

extension PlanSerializer.Client {
    /// Whether the client supports HTTP/1.1, keeps its connection open, and requests nothing else.
    fileprivate var isPlain: Bool {
        minorVersion == 1 && isKeepAlive && !isCrossOrigin && !wantsHeadOnly
    }
}
