// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseWire

// Reading requests.
extension HTTP1Session {
    /// Reads and answers requests until the input is used up or the connection is not ready for more. Returns the
    /// number of bytes consumed.
    func read(_ input: Span<UInt8>) -> Int {
        isReading = true
        defer { isReading = false }
        var offset = 0
        while machine.wantsInput {
            switch machine.advance(input, from: offset) {
            case .needsMore(let consumed):
                if machine.phase == .sourced { passContent(isComplete: false) } else { awaitMore() }
                return machine.wantsInput ? consumed : input.count
            case .contentFollows(let consumed, let awaitsContinue):
                offset = consumed
                let received = machine.pendingHead[...]
                if worker.proxy != nil, adoptOrigin(received.span) == nil { return input.count }
                let head = machine.pendingHead[...]
                route(head.span)
                prepareForContent(awaitsContinue: awaitsContinue)
            case .request(let head):
                offset = head.upperBound
                let bytes = input.extracting(head)
                if worker.proxy != nil {
                    guard let isReplaced = adoptOrigin(bytes) else { return input.count }
                    if isReplaced {
                        answerProxied()
                        continue
                    }
                }
                route(bytes)
                exchange.answer(IncomingRequest(bytes, machine.head, peer: connection.peerHost))
            case .requestWithContent(let consumed):
                offset = consumed
                if machine.phase == .sourced { passContent(isComplete: true) } else { answerRequestWithContent() }
            case .refuse(let error):
                refuse(with: .refusal(error), input: input.extracting(offset..<input.count))
                return input.count
            }
        }
        switch machine.phase {
        case .responding, .sourced, .handedOver: return offset
        default: return input.count
        }
    }

    /// Reads the remaining input as far as the machine is ready for it.
    ///
    /// Does nothing if a source answers immediately, within ``read(_:)``: the waiting requests are then not in the
    /// buffer, and ``read(_:)`` continues with them itself.
    func readPending() {
        guard !isReading else { return }
        if machine.phase == .handedOver { return giveWay() }
        guard machine.wantsInput else { return }
        if !input.isEmpty {
            let waiting = input.take()
            let consumed = read(waiting.span)
            input.putBack(waiting.dropFirst(consumed))
            if machine.phase == .handedOver { return giveWay() }
        }
        if connection.hasPeerFinished, machine.wantsInput { connection.close() } else { resumeReading() }
    }

    private func awaitMore() {
        if machine.phase == .body {
            guard exchange.hold(machine.content.count) else {
                return refuse(with: .overloaded(worker.bodies.limit), input: Span())
            }
            exchange.request.limitContent(after: machine.contentLength)
        } else if machine.hasStartedHead {
            exchange.request.headHasBegun(at: exchange.arrival)
        }
    }

    /// Finds the session of the request whose head is complete.
    private func route(_ head: Span<UInt8>) {
        let prefixCount = exchange.route(head, machine.head)
        if prefixCount > 0 { machine.removePathPrefix(prefixCount) }
    }

    /// Gives a request through the proxy the head that the other parts of the server see.
    ///
    /// - Returns: Whether the head was replaced; nil if the request was refused.
    private func adoptOrigin(_ bytes: Span<UInt8>) -> Bool? {
        guard let proxy = worker.proxy else { return false }
        let decision = proxy.decision(bytes, machine.head, in: connection.tunnel, from: connection.peerHost)
        // Requests in a tunnel belong to the user who asked for it, and requests without the proxy to none.
        if connection.tunnel == nil {
            connection.adoptUser(decision.usesProxy ? proxy.user(of: bytes, machine.head) : nil)
        }
        switch decision {
        case .own(nil): return false
        case .own(let head?), .proxied(let head):
            machine.replaceHead(head.bytes, head.head)
            return true
        case .refused(let response, let head):
            if let head {
                machine.replaceHead(head.bytes, head.head)
                let shown = head.bytes[...]
                refuse(with: response, input: shown.span)
            } else {
                refuse(with: response, input: bytes)
            }
            return nil
        }
    }

    /// Answers a request without content whose head was replaced.
    private func answerProxied() {
        let head = machine.pendingHead[...]
        route(head.span)
        exchange.answer(IncomingRequest(head.span, machine.head, peer: connection.peerHost))
    }

    private func prepareForContent(awaitsContinue: Bool) {
        let head = machine.pendingHead[...]
        let request = IncomingRequest(
            head.span,
            machine.head,
            isContentComplete: false,
            contentFollows: true,
            awaitsContinue: awaitsContinue,
            peer: connection.peerHost
        )
        guard let count = exchange.beginContent(of: request) else { return }
        guard machine.limitContent(to: worker.bodyLimit) else { return refuse(with: .tooLarge, input: Span()) }
        machine.contentToKeep = count
        exchange.request.limitContent(after: machine.contentLength)
        if awaitsContinue { sendContinue() }
    }

    private func answerRequestWithContent() {
        let (head, content) = (machine.pendingHead[...], machine.content[...])
        exchange.answer(
            IncomingRequest(
                head.span,
                machine.head,
                content: content.span,
                isContentComplete: machine.contentLength == content.count,
                trailers: machine.trailers,
                peer: connection.peerHost
            )
        )
    }

    /// Passes the content that the machine has read to the source.
    private func passContent(isComplete: Bool) {
        exchange.pass(machine.takeContent(), isComplete: isComplete, trailers: machine.trailers)
    }

    // MARK: Refusing

    /// Refuses the request that is being read, and closes the connection.
    ///
    /// - Parameter input: What has arrived of the head, if it is not complete.
    func refuse(with response: ServerResponse, input: Span<UInt8>) {
        guard machine.phase == .body || machine.phase == .sourced else {
            // The head that would name a session is not known, only that of the previous request.
            exchange.request.route = SessionRoute(listener: connection.listener)
            // The journal must not show the credentials for the proxy.
            let shown = worker.proxy == nil ? [UInt8](bytes: input)[...] : ProxiedHead.withoutProxyLines(input)[...]
            let client = PlanSerializer.Client(isKeepAlive: false)
            return refuse(shown.span, content: Span(), with: response, to: client)
        }
        // Of a body that is passed on, only what was not passed on yet is at hand, which is not its start.
        let (head, content) = (machine.pendingHead[...], machine.phase == .body ? machine.content[...] : [])
        let request = IncomingRequest(head.span, machine.head, peer: connection.peerHost)
        let client = worker.encoder.client(request, isLast: true)
        refuse(head.span, content: content.span, with: response, to: client)
    }

    private func refuse(
        _ head: Span<UInt8>,
        content: Span<UInt8>,
        with response: ServerResponse,
        to client: PlanSerializer.Client
    ) {
        clientCloses = false
        // A part of the source's answer may have been sent already. Cut it off instead of sending a second answer.
        guard exchange.refuse(head, content: content, with: response) else { return connection.reset() }
        let date = worker.date.line(at: worker.loop.now())
        var refusal = worker.encoder.response(response, to: client, date: date)
        refusal.head = takeUnsent() + refusal.head
        play(refusal)
    }
}
