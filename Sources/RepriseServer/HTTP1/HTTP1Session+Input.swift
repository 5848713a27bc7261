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
                let head = machine.pendingHead[...]
                route(head.span)
                prepareForContent(awaitsContinue: awaitsContinue)
            case .request(let head):
                offset = head.upperBound
                route(input.extracting(head))
                answer(input.extracting(head), content: Span())
            case .requestWithContent(let consumed):
                offset = consumed
                if machine.phase == .sourced { passContent(isComplete: true) } else { answerRequestWithContent() }
            case .refuse(let error):
                refuse(error, input: input.extracting(offset..<input.count))
                return input.count
            }
        }
        return machine.phase == .responding || machine.phase == .sourced ? offset : input.count
    }

    /// Reads the remaining input as far as the machine is ready for it.
    ///
    /// Does nothing if a source answers immediately, within ``read(_:)``: the waiting requests are then not in the
    /// buffer, and ``read(_:)`` continues with them itself.
    func readPending() {
        guard !isReading, machine.wantsInput else { return }
        if !input.isEmpty {
            let waiting = input.take()
            let consumed = read(waiting.span)
            input.putBack(waiting.dropFirst(consumed))
        }
        if connection.hasPeerFinished, machine.wantsInput {
            connection.close()
        } else if !input.isFull, sourced?.source.isContentFull != true {
            connection.socket?.startReading()
        }
    }

    private func awaitMore() {
        if machine.phase == .body {
            guard request.hold(machine.content.count, in: worker) else {
                return refuse(with: .overloaded(worker.bodies.limit), input: Span())
            }
            request.limitContent(after: machine.contentLength)
        } else if machine.hasStartedHead {
            request.headHasBegun(at: arrival)
        }
    }

    /// Finds the session of the request whose head is complete.
    private func route(_ head: Span<UInt8>) {
        request.route = worker.route(head, machine.head, door: connection.door)
        if request.route.prefixCount > 0 { machine.removePathPrefix(request.route.prefixCount) }
    }

    private func prepareForContent(awaitsContinue: Bool) {
        let head = machine.pendingHead[...]
        request.receive(head.span, at: arrival, in: worker)
        request.contentBegins(at: arrival)
        if let source = worker.sourceForAll(
            head.span,
            machine.head,
            request.route,
            peer: { connection.peerHost }
        ) {
            return startSource(source, head.span, content: nil, awaitsContinue: awaitsContinue)
        }
        guard machine.limitContent(to: worker.bodyLimit) else { return refuse(with: .tooLarge, input: Span()) }
        (machine.contentToKeep, request.contentState) = worker.contentToKeep(
            head.span,
            machine.head,
            request.route
        )
        request.limitContent(after: machine.contentLength)
        if awaitsContinue { sendContinue() }
    }
}
