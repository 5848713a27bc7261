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
        if let source = worker.adminSource(head, machine.head, request.route, { connection.peerHost }) {
            return startSource(source, head, content: content, awaitsContinue: false)
        }
        playback.clientCloses = !machine.head.isKeepAlive
        let isComplete = machine.phase == .head || machine.contentLength == content.count
        let answer = worker.answer(
            head,
            machine.head,
            content: content,
            isContentComplete: isComplete,
            from: request.contentState,
            route: request.route,
            at: arrival,
            peer: { connection.peerHost }
        )
        if case .unfinished(let turn) = answer {
            return answerInBackground(turn, head, isContentComplete: isComplete)
        }
        request.contentState = nil
        deliver(answer, head, content: content, isContentComplete: isComplete)
    }

    /// Plays an answer.
    func deliver(_ answer: Answer, _ head: Span<UInt8>, content: Span<UInt8>, isContentComplete: Bool) {
        orderWebhooks(of: answer, head, content: content)
        var answer = answer
        if case .forwarded(let forwarded) = answer {
            do throws(UpstreamError) {
                let source = try worker.source(of: forwarded)
                return startSource(source, head, content: content, awaitsContinue: false)
            } catch {
                let response = OwnResponse.noResponse("\(error)")
                let script = worker.own(response, head, machine.head, isLast: false)
                answer = .script(script, .none(status: response.status))
            }
        }
        if case .script(let script, _, _) = answer, !script.files.isEmpty, let response = openFiles(of: script) {
            let script = worker.own(response, head, machine.head, isLast: false)
            answer = .script(script, .none(status: response.status))
        }
        begin(head, content: content, isContentComplete: isContentComplete, answer: answer.journal, by: answer.server)
        switch answer {
        case .block(let range, let answers, _):
            send(range, of: answers)
        case .tailoredBlock(let client, let answers, let played):
            send(played.fixture, of: answers, to: client)
        case .script(let script, _, _):
            play(script)
        case .forwarded, .unfinished:
            break
        }
    }

    func begin(
        _ head: Span<UInt8>,
        content: Span<UInt8>,
        isContentComplete: Bool,
        answer: JournalRing.Answer,
        by server: String? = nil
    ) {
        request.answer(
            answer,
            to: head,
            content: content,
            isContentComplete: isContentComplete,
            by: server,
            from: connection.peerHost,
            in: worker
        )
    }

    /// The hot path: sends the whole response in one system call, without the machine's steps.
    private func send(_ range: Range<Int>, of answers: ServedAnswers) {
        guard let socket = connection.socket else { return }
        let block = answers.blocks[range]
        do throws(SystemError) {
            let sent = try socket.send(block.span)
            if sent == range.count {
                machine.didRespond()
                finishRequest()
            } else {
                playRest(WireScript(steps: [.bytes(block.dropFirst(sent))], end: .keepAlive))
            }
        } catch {
            connection.close()
        }
    }

    /// The hot path for a client that needs a head of its own, or for an answer with a date.
    private func send(_ fixture: Int, of answers: ServedAnswers, to client: PlanSerializer.Client) {
        guard let socket = connection.socket else { return }
        worker.scratch.removeAll(keepingCapacity: true)
        let (range, closes) = answers.appendHead(of: fixture, to: &worker.scratch, for: client) {
            worker.date.line(at: arrival)
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
                playRest(WireScript(steps: rest.map { .bytes($0) }, end: closes ? .close : .keepAlive))
            } else if closes {
                finishRequest()
                machine.drain()
                closeAfterDraining()
            } else {
                machine.didRespond()
                finishRequest()
            }
        } catch {
            connection.close()
        }
    }

    /// The maximum number of content bytes to copy behind a head.
    private static let copiedContent = 4 << 10

    /// Plays the rest of a response when the socket has room for it.
    private func playRest(_ script: WireScript) {
        machine.respond(with: script)
        request.limit(to: worker.timeouts.write, from: arrival)
    }

    /// Opens the files that a response reads, before its head is sent.
    ///
    /// - Returns: The answer to send instead if a file cannot be sent.
    private func openFiles(of script: WireScript) -> OwnResponse? {
        do throws(OpenFiles.Failure) {
            for file in script.files { playback.files[file.path] = try worker.files.open(file) }
            return nil
        } catch {
            playback.files = [:]
            let response = OwnResponse.noFile(error)
            worker.report(response)
            return response
        }
    }

    func refuse(_ error: ParsingError, input: Span<UInt8>) {
        refuse(with: .refusal(error), input: input)
    }

    func refuse(with response: OwnResponse, input: Span<UInt8>) {
        let answer = JournalRing.Answer.none(status: response.status)
        playback.clientCloses = false
        var isAdministrative = false
        if let sourced = takeSourcedResponse() {
            sourced.source.abandon()
            isAdministrative = sourced.source.isAdministrative
            // A part of the source's answer may have been sent already. Cut it off instead of sending a second answer.
            if sourced.framing != nil { return connection.reset() }
        }
        if machine.phase == .body || machine.phase == .sourced {
            // Of a body that is passed on, only what was not passed on yet is at hand, which is not its start.
            let (head, content) = (machine.pendingHead[...], machine.phase == .body ? machine.content[...] : [])
            if !isAdministrative {
                request.receive(head.span, at: arrival, in: worker)
                begin(head.span, content: content.span, isContentComplete: false, answer: answer)
            }
            play(worker.refusal(response, head.span, machine.head))
        } else {
            // The head that would name a session is not known, only that of the previous request.
            request.route = SessionRoute(door: connection.door)
            request.receive(input, at: arrival, in: worker)
            begin(input, content: Span(), isContentComplete: false, answer: answer)
            play(worker.refusal(response, input, nil))
        }
    }

    /// Finishes a request whose response was written in full.
    func finishRequest() {
        request.complete(at: worker.loop.now(), in: worker)
        if !playback.files.isEmpty { playback.files = [:] }
    }

    /// Ends a request whose response is cut off, by its fixture or by an error.
    func abandonRequest() {
        request.abandon(in: worker)
        if !playback.files.isEmpty { playback.files = [:] }
    }

    func play(_ script: WireScript) {
        playback.start = arrival
        machine.respond(with: script)
        continuePlayback()
    }
}
