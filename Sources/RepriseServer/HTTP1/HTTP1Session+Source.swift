// SPDX-License-Identifier: Apache-2.0

internal import RepriseConnections
internal import RepriseFixtures
internal import RepriseIO
internal import RepriseWire

extension HTTP1Session {
    /// Has the upstream server answer the request whose head is complete.
    ///
    /// - Parameter content: the body, where it is here already; nil if it is to follow.
    func forward(_ bytes: Span<UInt8>, content: Span<UInt8>?, awaitsContinue: Bool, to link: UpstreamLink) {
        machine.forward()
        request.receive(at: arrival)
        let head = machine.parser.head
        let now = arrival - MonotonicTime(nanoseconds: 0)
        let forwarding = Forwarding(bytes, head, to: link, from: self, recordedAt: now)
        self.forwarding = forwarding
        request.contentBegins(at: arrival)
        forwarding.start(bytes, head, content: content, awaitsContinue: awaitsContinue)
        timeForwarding()
    }

    // MARK: The request's body

    /// Passes on what the machine has read of the content.
    func passContent(isComplete: Bool) {
        guard let forwarding else { return }
        let content = machine.takeContent()
        if !content.isEmpty { forwarding.take(content) }
        if isComplete { forwarding.contentIsComplete() }
        // It may be over by now.
        guard self.forwarding === forwarding else { return }
        if forwarding.isUploadFull { connection.socket?.stopReading() }
        timeForwarding()
    }

    /// The upstream server has taken something of the content.
    func uploadHasRoom() {
        guard let forwarding else { return }
        request.contentBegins(at: worker.loop.now())
        timeForwarding()
        if !forwarding.isUploadFull, !input.isFull { connection.socket?.startReading() }
    }

    /// Who is waited for has a time limit; the upstream server has none, for the client knows better how long it waits.
    private func timeForwarding() {
        guard let forwarding else { return }
        let now = worker.loop.now()
        if forwarding.output.count > 0 {
            request.limit(to: worker.timeouts.write, from: now)
        } else if !forwarding.isRequestComplete, !forwarding.isUploadFull {
            request.limitContent(after: machine.contentLength)
        } else {
            if connection.hasPeerFinished { request.limit(to: worker.timeouts.idle, from: now) } else { request.removeLimit() }
        }
    }

    /// The client has sent all it will send.
    func peerFinishedWhileForwarding() {
        guard forwarding?.isRequestComplete == true else { return connection.close() }
        timeForwarding()
    }

    // MARK: The response

    /// The response has begun.
    func forwardingHasHead(status: Int) {
        guard let forwarding, let upstream = worker.upstream else { return }
        let head = forwarding.requestHead[...]
        let answer = JournalRing.Answer.none(status: status)
        request.answer(
            answer,
            to: head.span,
            content: Span(),
            isContentComplete: machine.parser.head.body == .none,
            by: upstream.address.base,
            in: worker
        )
    }

    /// Sends what has come, as far as the client takes it.
    func flushForwarded() {
        guard let forwarding, let socket = connection.socket, forwarding.output.count > 0 else { return }
        do throws(SystemError) {
            let rest = forwarding.output.rest
            let sent = try socket.send(rest.span)
            forwarding.output.didSend(sent)
        } catch {
            return connection.close()
        }
        timeForwarding()
        forwarding.outputHasRoom()
    }

    /// The response is complete or cut off, but what waits for the client.
    func forwardingEnded(_ forwarding: Forwarding, _ end: WireScript.End) {
        guard self.forwarding === forwarding else { return }
        let isReadOn = end == .keepAlive && !forwarding.isRequestComplete
        let rest = forwarding.output.rest
        let steps: [WireScript.Step] = rest.isEmpty ? [] : [.bytes(Array(rest))]
        // What is still to come of the request could be taken for another one.
        conclude(WireScript(steps: steps, end: isReadOn ? .close : end))
    }

    /// The upstream server has ended the connection instead of answering.
    func forwardingBrokeOff(_ forwarding: Forwarding) {
        guard self.forwarding === forwarding else { return }
        forwardingHasHead(status: 0)
        conclude(WireScript(steps: [], end: .reset))
    }

    /// There is no response.
    func forwardingFailed(_ forwarding: Forwarding, _ error: ConnectionError) {
        guard self.forwarding === forwarding else { return }
        forwardingHasHead(status: 502)
        let response = OwnResponse(
            status: 502,
            reason: "Bad Gateway",
            content: Array("502 Bad Gateway: mockserver got no response. \(error.message)\n".utf8)
        )
        let head = forwarding.requestHead[...]
        let isLast = !forwarding.isRequestComplete
        conclude(worker.own(response, head.span, machine.parser.head, isLast: isLast))
    }

    /// Writes what is left, and goes on with the requests that waited.
    private func conclude(_ script: WireScript) {
        forwarding = nil
        machine.respond(with: script)
        resumePlayback()
    }
}
