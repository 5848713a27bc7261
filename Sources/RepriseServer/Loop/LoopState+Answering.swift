// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseIO
internal import RepriseStubAnswers
internal import RepriseText
internal import RepriseWire

// Answering requests: which state, and which part of the server, answers one.
extension LoopState {
    /// Returns the answer to a complete request, which was received at `now`.
    func answer(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        content: Span<UInt8>,
        isContentComplete: Bool,
        from previous: ServingState?,
        route: SessionRoute,
        at now: MonotonicTime,
        peer: () -> String
    ) -> Answer {
        adoptChanges()
        guard let served = previous ?? state(for: route) else {
            let response = OwnResponse.noSession(route.id ?? SessionID(""))
            return .script(own(response, bytes, head, isLast: false), .none(status: response.status))
        }
        let answer = responder.answer(
            bytes,
            head,
            content: content,
            isContentComplete: isContentComplete,
            state: served,
            isLast: isStopping,
            date: { date.line(at: now) },
            peer: peer,
            limit: workLimit
        )
        if let previous { keepSource(of: answer, from: previous) }
        return answer
    }

    /// Keeps the source of a fixture for the journal if the answer comes from previous fixtures.
    private func keepSource(of answer: Answer, from state: ServingState) {
        let journal = answer.journal
        guard state.generation != self.state.generation, journal.fixture >= 0, journal.stub == nil else { return }
        previousSources.append(journal.fixture, of: state)
    }

    /// Returns an answer that was found on another thread, for this loop as it is now.
    func adopt(_ answer: Answer, to request: BackgroundRequest) -> Answer {
        adoptChanges()
        keepSource(of: answer, from: request.state)
        guard isStopping, !request.isLast else { return answer }
        let head = request.head[...]
        let client = client(head.span, request.parsedHead)
        switch answer {
        case .block(_, let answers, let played), .tailoredBlock(_, let answers, let played):
            let date = date.line(at: loop.now())
            return .script(answers.script(of: played.fixture, to: client, date: date), played)
        case .script, .forwarded, .unfinished: return answer
        }
    }

    /// Returns the source that forwards a request.
    ///
    /// - Throws: If the URL that a stub gives is invalid, or if the recording has ended.
    func source(of forwarded: AnsweringServer) throws(UpstreamError) -> any ResponseSource {
        switch forwarded {
        case .upstream:
            // An answer that was found on another thread may come after the end of a recording.
            guard let upstream else { throw UpstreamError("The recording has ended.") }
            return Forwarding(to: upstream)
        case .stub(let target, let delay, let played):
            return try stubProxies.source(for: target, delay: delay, played: played)
        }
    }

    /// Sends webhooks, whose request is answered.
    func send(_ order: WebhookOrder) {
        webhooks?.send(order)
    }

    /// Returns how much of a request's content to keep: all of it if it is compared, otherwise the start of it for
    /// the journal. In the second case, the request must be answered from the returned `state`, because other
    /// fixtures might compare the discarded content.
    func contentToKeep(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        _ route: SessionRoute
    ) -> (count: Int, state: ServingState?) {
        adoptChanges()
        if upstream != nil { return (.max, nil) }
        guard let served = state(for: route) else { return (64 << 10, nil) }
        return responder.comparesContent(bytes, head, state: served) ? (.max, nil) : (64 << 10, served)
    }

    /// Returns the source that answers a request regardless of its content: the admin API, or the upstream if neither
    /// fixtures nor static files can answer instead.
    func sourceForAll(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        _ route: SessionRoute,
        peer: () -> String
    ) -> (any ResponseSource)? {
        if let source = adminSource(bytes, head, route, peer) { return source }
        adoptChanges()
        guard let upstream, let served = state(for: route), served.count == 0,
            head.form != .authority,
            !hasStaticFolder || !(head.isHead(in: bytes) || bytes.text(head.method) == "GET")
        else {
            return nil
        }
        return Forwarding(to: upstream)
    }

    /// Returns the source that answers a request to the admin API; nil for other requests.
    func adminSource(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        _ route: SessionRoute,
        _ peer: () -> String
    ) -> AdminSource? {
        guard let admin, AdminDoor.isTarget(bytes, head) else { return nil }
        if let id = route.id {
            adoptChanges()
            guard let session = state.sessions[id] else { return nil }
            _ = session.uses.take()
        }
        return AdminSource(admin, on: self, peer: peer(), session: route.id)
    }

    /// Whether answering reads from other sockets, and therefore into the loop's buffer, which may hold the request.
    var readsWhileAnswering: Bool { upstream != nil || state.stubs.hasProxies || state.hasHadSessions }

    /// Returns how the response to a request must be written, according to the request.
    func client(_ bytes: Span<UInt8>, _ head: RequestHead) -> PlanSerializer.Client {
        responder.client(bytes, head, isLast: isStopping)
    }

    /// Returns the script for one of the server's own answers.
    func own(_ response: OwnResponse, _ bytes: Span<UInt8>, _ head: RequestHead, isLast: Bool) -> WireScript {
        let client = responder.client(bytes, head, isLast: isLast || isStopping)
        return responder.script(response, to: client, date: date.line(at: loop.now()))
    }

    /// Returns the script for a refusal, after which the connection closes.
    ///
    /// - Parameter head: The request's head; nil if it could not be parsed. Its ranges refer to `bytes`.
    func refusal(_ response: OwnResponse, _ bytes: Span<UInt8>, _ head: RequestHead?) -> WireScript {
        if let head { return own(response, bytes, head, isLast: true) }
        let client = PlanSerializer.Client(isKeepAlive: false)
        return responder.script(response, to: client, date: date.line(at: loop.now()))
    }
}
