// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseWire

// Starting and finishing responses.
extension HTTP1Session {
    func answerRequestWithContent() {
        let head = machine.pendingHead[...]
        let content = machine.content[...]
        answer(head.span, content: content.span)
    }

    func answer(_ head: Span<UInt8>, content: Span<UInt8>) {
        request.receive(head, at: arrival, in: worker)
        let isComplete = machine.phase == .head || machine.contentLength == content.count
        let answer = worker.answer(
            head,
            machine.parser.head,
            content: content,
            isContentComplete: isComplete,
            from: request.contentState
        )
        request.contentState = nil
        if case .source(let source) = answer {
            return startSource(source, head, content: content, awaitsContinue: false)
        }
        begin(head, content: content, isContentComplete: isComplete, answer: answer.journal)
        switch answer {
        case .block(let range, let state, _):
            send(range, of: state)
        case .script(let script, _):
            play(script)
        case .source:
            break
        }
    }

    func begin(
        _ head: Span<UInt8>,
        content: Span<UInt8>,
        isContentComplete: Bool,
        answer: JournalRing.Answer
    ) {
        request.answer(answer, to: head, content: content, isContentComplete: isContentComplete, in: worker)
    }

    /// The hot path: sends the whole response in one system call, without the machine's steps.
    private func send(_ range: Range<Int>, of state: ServingState) {
        guard let socket = connection.socket else { return }
        let block = state.blocks[range]
        do throws(SystemError) {
            let sent = try socket.send(block.span)
            if sent == range.count {
                machine.didRespond()
                finishRequest()
            } else {
                machine.respond(with: WireScript(steps: [.bytes(Array(block))], end: .keepAlive))
                machine.didSend(sent)
                request.limit(to: worker.timeouts.write, from: arrival)
            }
        } catch {
            connection.close()
        }
    }

    func refuse(_ error: ParsingError, input: Span<UInt8>) {
        refuse(with: .refusal(error), input: input)
    }

    func refuse(with response: OwnResponse, input: Span<UInt8>) {
        let answer = JournalRing.Answer.none(status: response.status)
        if let sourced = takeSourcedResponse() {
            sourced.source.abandon()
            // A part of the source's answer may have been sent already. Cut it off instead of sending a second answer.
            if sourced.framing != nil { return connection.reset() }
        }
        if machine.phase == .body || machine.phase == .sourced {
            let head = machine.pendingHead[...]
            request.receive(head.span, at: arrival, in: worker)
            begin(head.span, content: Span(), isContentComplete: false, answer: answer)
            play(worker.refusal(response, head.span, machine.parser.head))
        } else {
            request.receive(input, at: arrival, in: worker)
            begin(input, content: Span(), isContentComplete: false, answer: answer)
            play(worker.refusal(response, input, nil))
        }
    }

    /// Finishes a request whose response was written in full.
    func finishRequest() {
        request.complete(at: worker.loop.now(), in: worker)
        playback.file = nil
    }

    /// Ends a request whose response is cut off, by its fixture or by an error.
    func abandonRequest() {
        request.abandon(in: worker)
        playback.file = nil
    }

    func play(_ script: WireScript) {
        playback.start = arrival
        machine.respond(with: script)
        continuePlayback()
    }
}
