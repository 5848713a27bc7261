// SPDX-License-Identifier: Apache-2.0

internal import EventIO
internal import HTTPWire
internal import RepriseFixtures

/// One client's connection: performs what its ``ConnectionStateMachine`` decides. Lives on its loop's thread.
final class Connection {
    /// The absolute time by which the present phase must be over; swept, not timed.
    var deadline: MonotonicTime?
    /// The place in the loop's list of connections.
    var slot = 0

    let worker: LoopState
    /// `nil` once the connection is closed.
    private(set) var socket: Socket?
    var machine: ConnectionStateMachine
    /// When the input that is being read came.
    private(set) var arrival = MonotonicTime(nanoseconds: 0)
    /// Input that is not used up: a part of a request, or requests that wait for the one being answered.
    private(set) var pending: [UInt8] = []
    private(set) var hasPeerFinished = false
    /// Whether the deadline of the head being read is set: it is absolute, later bytes do not move it.
    var isHeadTimed = false
    var contentStart = MonotonicTime(nanoseconds: 0)
    /// The fixtures that a request must be answered from whose content is not kept.
    private var contentState: ServingState?
    var request = RequestInProgress()
    var playback = PlaybackInProgress()
    /// The request that another server answers.
    var forwarding: Forwarding?

    /// The request that is being answered, for the journal and the log.
    struct RequestInProgress {
        var journalNumber = 0
        var received = MonotonicTime(nanoseconds: 0)
        var logLine: RequestLog.Line?
    }

    /// The response that is being written.
    struct PlaybackInProgress {
        /// When the response's first step was due.
        var start = MonotonicTime(nanoseconds: 0)
        var timer: TimerToken?
        /// How much the peer had not got when that was last looked at, and how long until the next look.
        var undelivered = Int.max
        var deliveryPoll = Connection.firstDeliveryPoll
        /// The body file that is open.
        var file: (path: String, content: ReadOnlyFile)?
    }

    /// How many bytes of requests may wait while one is answered.
    static let pendingLimit = 256 << 10
    private static let continueResponse = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    init(_ descriptor: consuming SocketDescriptor, worker: LoopState) throws(SystemError) {
        self.worker = worker
        machine = ConnectionStateMachine(limits: worker.limits)
        deadline = worker.loop.now().advanced(byNanoseconds: worker.timeouts.idle)
        socket = try Socket(descriptor, loop: worker.loop, handler: self)
    }

    /// Has the client prove that it speaks TLS, before anything is read.
    func secure(_ context: TLSContext) {
        do throws(TLSError) {
            try socket?.acceptTLS(context)
        } catch {
            worker.reportHandshake(error)
            close()
        }
    }

    // MARK: Input

    /// Reads and answers requests until the input or the connection's readiness ends; returns the bytes used up.
    private func read(_ input: Span<UInt8>) -> Int {
        var offset = 0
        while machine.wantsInput {
            switch machine.advance(input, from: offset) {
            case .needsMore(let consumed):
                if machine.phase == .forwarding { passContent(isComplete: false) } else { awaitMore() }
                return consumed
            case .contentFollows(let consumed, let awaitsContinue):
                offset = consumed
                prepareForContent(awaitsContinue: awaitsContinue)
            case .request(let head):
                offset = head.upperBound
                answer(input.extracting(head), content: Span())
            case .requestWithContent(let consumed):
                offset = consumed
                if machine.phase == .forwarding { passContent(isComplete: true) } else { answerRequestWithContent() }
            case .refuse(let error):
                refuse(error, input: input.extracting(offset..<input.count))
                return input.count
            }
        }
        return machine.phase == .responding || machine.phase == .forwarding ? offset : input.count
    }

    /// Reads what was left over, as far as the machine is ready for it.
    private func readPending() {
        guard machine.wantsInput else { return }
        if !pending.isEmpty {
            // Taken out, because answering may add to what is pending while these bytes are looked at.
            let input = pending[...]
            pending = []
            let consumed = read(input.span)
            if consumed == 0, pending.isEmpty {
                pending = Array(input)
            } else {
                pending += input[consumed...]
            }
        }
        if hasPeerFinished, machine.wantsInput {
            close()
        } else if pending.count <= Self.pendingLimit, forwarding?.isUploadFull != true {
            socket?.startReading()
        }
    }

    private func awaitMore() {
        if machine.phase == .body {
            extendContentDeadline()
        } else if machine.hasStartedHead, !isHeadTimed {
            isHeadTimed = true
            deadline = arrival.advanced(byNanoseconds: worker.timeouts.head)
        }
    }

    private func prepareForContent(awaitsContinue: Bool) {
        let head = machine.pendingHead[...]
        contentStart = arrival
        if let upstream = worker.upstreamForAll(machine.parser.head) {
            return forward(head.span, content: nil, awaitsContinue: awaitsContinue, to: upstream)
        }
        (machine.contentToKeep, contentState) = worker.contentToKeep(head.span, machine.parser.head)
        extendContentDeadline()
        if awaitsContinue { sendContinue() }
    }

    /// Tells the client to send the content (RFC 9110 section 15.2.1).
    func sendContinue() {
        // Where 25 bytes do not fit, because the client has not read the responses before, its own time-out sends the
        // content; a part of them would garble what follows.
        do throws(SystemError) {
            let response = Self.continueResponse[...]
            let sent = try socket?.send(response.span) ?? 0
            if sent != 0, sent != response.count { close() }
        } catch {
            close()
        }
    }

    /// Content must come at 1 KiB a second on average after a grace period: a limit that a sender of one byte at a time
    /// cannot push ahead of itself.
    func extendContentDeadline() {
        deadline = contentStart.advanced(
            byNanoseconds: worker.timeouts.content + UInt64(machine.contentLength) * 1_000_000
        )
    }

    // MARK: Answering

    private func answerRequestWithContent() {
        let head = machine.pendingHead[...]
        let content = machine.content[...]
        answer(head.span, content: content.span)
    }

    private func answer(_ head: Span<UInt8>, content: Span<UInt8>) {
        let isComplete = machine.phase == .head || machine.contentLength == content.count
        let answer = worker.answer(
            head,
            machine.parser.head,
            content: content,
            isContentComplete: isComplete,
            from: contentState
        )
        contentState = nil
        if case .forward(let upstream) = answer {
            return forward(head, content: content, awaitsContinue: false, to: upstream)
        }
        begin(head, content: content, isContentComplete: isComplete, answer: answer.journal)
        switch answer {
        case .block(let range, let state, _):
            send(range, of: state)
        case .script(let script, _):
            play(script)
        case .forward:
            break
        }
    }

    private func begin(
        _ head: Span<UInt8>,
        content: Span<UInt8>,
        isContentComplete: Bool,
        answer: JournalRing.Answer
    ) {
        isHeadTimed = false
        request.received = arrival
        request.journalNumber = worker.journal.append(
            head: head,
            content: content,
            isContentComplete: isContentComplete,
            answer: answer,
            received: arrival.nanoseconds
        )
        request.logLine = worker.logLine(head, answer: answer)
    }

    /// As ``begin(_:content:isContentComplete:answer:)`` for a request that `server` answers, now that its head is here.
    func beginForwarded(_ head: Span<UInt8>, answer: JournalRing.Answer, by server: String) {
        request.journalNumber = worker.journal.append(
            head: head,
            content: Span(),
            isContentComplete: machine.parser.head.body == .none,
            answer: answer,
            received: request.received.nanoseconds
        )
        request.logLine = worker.logLine(head, answer: answer, by: server)
    }

    /// The hot path: the whole response in one system call, without the machine's steps.
    private func send(_ range: Range<Int>, of state: ServingState) {
        guard let socket else { return }
        let block = state.blocks[range]
        do throws(SystemError) {
            let sent = try socket.send(block.span)
            if sent == range.count {
                machine.didRespond()
                finishRequest()
            } else {
                machine.respond(with: WireScript(steps: [.bytes(Array(block))], end: .keepAlive))
                machine.didSend(sent)
                deadline = arrival.advanced(byNanoseconds: worker.timeouts.write)
            }
        } catch {
            close()
        }
    }

    private func refuse(_ error: ParsingError, input: Span<UInt8>) {
        refuse(with: .refusal(error), input: input)
    }

    private func refuse(with response: OwnResponse, input: Span<UInt8>) {
        let answer = JournalRing.Answer.none(status: response.status)
        if let forwarding {
            self.forwarding = nil
            forwarding.abandon()
            // Two answers to one request would be worse than half of one.
            if forwarding.hasResponse { return reset() }
        }
        if machine.phase == .body || machine.phase == .forwarding {
            let head = machine.pendingHead[...]
            begin(head.span, content: Span(), isContentComplete: false, answer: answer)
            play(worker.refusal(response, head.span, machine.parser.head))
        } else {
            begin(input, content: Span(), isContentComplete: false, answer: answer)
            play(worker.refusal(response, input, nil))
        }
    }

    /// The response is written in full.
    func finishRequest() {
        let now = worker.loop.now()
        worker.journal.complete(request.journalNumber, duration: now.nanoseconds - request.received.nanoseconds)
        if let line = request.logLine { worker.log(line, duration: now - request.received) }
        request.logLine = nil
        playback.file = nil
        deadline = now.advanced(byNanoseconds: worker.timeouts.idle)
    }

    /// The response is cut off, by the fixture or by the world.
    func abandonRequest() {
        if let line = request.logLine { worker.log(line, duration: nil) }
        request.logLine = nil
        playback.file = nil
    }

    private func play(_ script: WireScript) {
        playback.start = arrival
        machine.respond(with: script)
        continuePlayback()
    }

    // MARK: Ending

    /// Closes at once; what is in flight is lost.
    func close() {
        end { $0.close() }
    }

    /// Closes so that the peer sees a reset.
    func reset() {
        end { $0.reset() }
    }

    private func end(_ how: (Socket) -> Void) {
        guard let socket else { return }
        abandonRequest()
        self.socket = nil
        let abandoned = forwarding
        forwarding = nil
        abandoned?.abandon()
        if let timer = playback.timer { worker.loop.cancel(timer) }
        playback = PlaybackInProgress()
        pending = []
        deadline = nil
        machine.close()
        how(socket)
        worker.remove(self)
    }

    /// Closes the write side and throws the rest of the input away: closed at once, unread input would make the system
    /// send a reset that can overtake the response (RFC 9112 section 9.6).
    func closeAfterDraining() {
        // With nothing unread there is no reset to fear, and a server that stops need not wait for the peer.
        if hasPeerFinished || (worker.isStopping && pending.isEmpty) { return close() }
        pending = []
        socket?.finishWriting()
        socket?.startReading()
        deadline = worker.loop.now().advanced(byNanoseconds: worker.timeouts.draining)
    }

    /// Input has no meaning any more, but the peer's end is to be noticed.
    func ignoreInput() {
        pending = []
        if !hasPeerFinished { socket?.startReading() }
    }

    /// The server stops: idle connections close now, a response in progress is finished, a silence is over.
    func stop() {
        switch machine.phase {
        case .head where pending.isEmpty: close()
        case .silent, .lingering: close()
        case .resetting: reset()
        case .head, .body, .forwarding, .responding, .closed: break
        }
    }
}

extension Connection: SocketHandler {
    func socket(_ socket: Socket, received bytes: Span<UInt8>) {
        switch machine.phase {
        case .head, .body:
            arrival = worker.loop.now()
            // Whether a connection to another server still stands is found by reading from it, into the same buffer.
            if pending.isEmpty, worker.upstream == nil {
                let consumed = read(bytes)
                if consumed < bytes.count { pending.append(copying: bytes.extracting(consumed..<bytes.count)) }
            } else {
                pending.append(copying: bytes)
                readPending()
            }
        case .forwarding where machine.wantsInput:
            pending.append(copying: bytes)
            readPending()
        case .responding, .forwarding:
            pending.append(copying: bytes)
            if pending.count > Self.pendingLimit { socket.stopReading() }
        case .lingering, .silent, .resetting, .closed:
            break
        }
    }

    func socketReachedEnd(_ socket: Socket) {
        hasPeerFinished = true
        // A client may close its side after its last request and still read the answer.
        switch machine.phase {
        case .responding:
            if playback.timer != nil { deadline = worker.loop.now().advanced(byNanoseconds: worker.timeouts.idle) }
        case .forwarding: peerFinishedWhileForwarding()
        case .resetting: break
        case .head, .body, .lingering, .silent, .closed: close()
        }
    }

    func socketIsWritable(_ socket: Socket) {
        if machine.phase == .forwarding { return flushForwarded() }
        // Within a pause there is nothing to write.
        if playback.timer == nil { resumePlayback() }
    }

    func socket(_ socket: Socket, failed error: SystemError) {
        close()
    }

    func socket(_ socket: Socket, failed error: TLSError) {
        if !socket.isSecured { worker.reportHandshake(error) }
        close()
    }
}

extension Connection: TimerTarget {
    func timerFired(_ token: TimerToken) {
        playback.timer = nil
        if machine.phase == .resetting { resetWhenDelivered() } else { resumePlayback() }
    }

    /// Goes on with the response, and with the requests that waited for its end.
    func resumePlayback() {
        guard machine.phase == .responding else { return }
        continuePlayback()
        arrival = worker.loop.now()
        readPending()
    }
}

extension Connection: Sweepable {
    func deadlinePassed() {
        switch machine.phase {
        case .head where !machine.hasStartedHead:
            close()
        case .head, .body:
            arrival = worker.loop.now()
            let input = pending[...]
            refuse(with: .tooSlow, input: input.span)
        case .forwarding where machine.wantsInput && forwarding?.hasResponse == false:
            refuse(with: .tooSlow, input: Span())
        case .resetting:
            reset()
        case .forwarding, .responding, .lingering, .silent, .closed:
            close()
        }
    }
}
