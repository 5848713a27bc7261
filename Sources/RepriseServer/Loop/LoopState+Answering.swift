// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseIO
internal import RepriseStubAnswers
internal import RepriseText
internal import RepriseWire

// Answering requests: which state, and which part of the server, answers one.
extension LoopState {
    /// Returns the reply to a complete request.
    func reply(to request: IncomingRequest, from previous: ServingState?, route: SessionRoute) -> Reply {
        adoptChanges()
        guard let served = previous ?? state(for: route) else {
            return .response(.noSession(route.id ?? SessionID("")))
        }
        let reply = responder.reply(to: request, from: served, limit: workLimit)
        if let previous { keepSource(of: reply, from: previous) }
        return reply
    }

    /// Keeps the source of a fixture for the journal if the reply comes from previous fixtures.
    private func keepSource(of reply: Reply, from state: ServingState) {
        guard state.generation != self.state.generation else { return }
        let journal = reply.played
        guard journal.fixture >= 0, journal.stub == nil else { return }
        previousSources.append(journal.fixture, of: state)
    }

    /// Adopts a reply that was found on another thread.
    func adopt(_ reply: Reply, to request: BackgroundRequest) {
        adoptChanges()
        keepSource(of: reply, from: request.state)
    }

    /// Returns the source that forwards a request.
    ///
    /// - Throws: If the URL that a stub gives is invalid, or if the recording has ended.
    func source(
        of forwarded: AnsweringServer,
        for request: IncomingRequest
    ) throws(UpstreamError) -> any ResponseSource {
        switch forwarded {
        case .upstream:
            // An answer that was found on another thread may come after the end of a recording.
            guard let upstream else { throw UpstreamError("The recording has ended.") }
            return Forwarding(to: upstream)
        case .origin:
            guard let proxy else { throw UpstreamError("The server is not a forward proxy.") }
            return try proxy.originSource(for: request)
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
    func contentToKeep(_ request: IncomingRequest, _ route: SessionRoute) -> (count: Int, state: ServingState?) {
        adoptChanges()
        if upstream != nil || request.head.isProxied { return (.max, nil) }
        guard let served = state(for: route) else { return (64 << 10, nil) }
        return responder.comparesContent(request, state: served) ? (.max, nil) : (64 << 10, served)
    }

    /// Returns the source that answers a request regardless of its content: that of ``reservedSource(_:_:)``, or the
    /// upstream if neither fixtures nor static files can answer instead.
    func sourceForAll(_ request: IncomingRequest, _ route: SessionRoute) -> (any ResponseSource)? {
        if let source = reservedSource(request, route) { return source }
        adoptChanges()
        if request.head.isProxied {
            guard let proxy, proxy.settings.origins != nil, state(for: route)?.count == 0 else { return nil }
            return try? proxy.originSource(for: request)
        }
        guard let upstream, let served = state(for: route), served.count == 0,
            request.head.form != .authority,
            !hasStaticFolder || !(request.isHead || request.head.isGet(in: request.bytes))
        else {
            return nil
        }
        return Forwarding(to: upstream)
    }

    /// Returns the source that answers a request instead of fixtures and stubs: the admin API, or the proxy; nil for
    /// other requests.
    func reservedSource(_ request: IncomingRequest, _ route: SessionRoute) -> (any ResponseSource)? {
        if let proxy {
            if let source = proxy.source(for: request) { return source }
            // The admin API is not reached through the proxy, not even at this server's own URL.
            guard request.head.form == .origin else { return nil }
        }
        guard let admin, AdminGate.isTarget(request.bytes, request.head) else { return nil }
        if let id = route.id {
            adoptChanges()
            guard let session = state.session(id) else { return nil }
            _ = session.uses.take()
        }
        return AdminSource(admin, on: self, peer: request.peer, session: route.id)
    }

    /// Whether answering reads from other sockets, and therefore into the loop's buffer, which may hold the request.
    var readsWhileAnswering: Bool {
        upstream != nil || proxy != nil || state.stubs.hasProxies || state.hasHadSessions
    }
}
