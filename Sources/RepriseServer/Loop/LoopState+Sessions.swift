// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText
internal import RepriseWire

// The sessions that requests belong to, and their ports.
extension LoopState {
    /// Accepts connections whose requests all belong to a session.
    func listen(on socket: ListeningSocket, for listener: SessionListener) throws(SystemError) {
        guard !isStopping else { return }
        listens(at: socket.port)
        sessionListeners[listener.id] = try Listener(
            socket,
            loop: loop,
            handler: SessionListenerHandler(listener, self)
        )
    }

    /// Closes the listener of a session that has ended, and its connections.
    func closeListener(of session: SessionID) {
        guard let listener = sessionListeners.removeValue(forKey: session) else { return }
        if let port = listener.port { proxy?.settings.ports.withLock { _ = $0.remove(port) } }
        listener.close()
        for connection in connections where connection.listener?.id == session { connection.stop() }
    }

    private var hasHadSessions: Bool { state.hasHadSessions || proxy != nil && !state.users.isEmpty }

    /// Returns the route of a request whose head is complete.
    func route(_ bytes: Span<UInt8>, _ head: RequestHead, listener: SessionListener?) -> SessionRoute {
        var route = SessionRoute(bytes, head, listener: listener, hasSessions: hasHadSessions)
        if let id = route.id {
            adoptChanges()
            // A listener knows its number also after the session has ended.
            if listener == nil { route.number = state.session(id)?.number ?? SessionRoute.unknown }
        }
        return route
    }

    /// Returns the session of a user of the proxy, which begins with its first request.
    func listener(ofUser id: SessionID) -> SessionListener {
        adoptChanges()
        let session = state.session(id) ?? state.users.open(id, encoder)
        return SessionListener(id: id, number: session?.number ?? SessionRoute.unknown)
    }

    func isOpen(_ session: SessionID) -> Bool {
        adoptChanges()
        return state.session(session) != nil
    }

    /// Returns what answers a request; nil if its session has ended.
    func state(for route: SessionRoute) -> ServingState? {
        guard let id = route.id else { return state }
        guard let session = state.session(id) else { return nil }
        _ = session.uses.take()
        if let known = seen[id] { return known }
        let seen = state.seen(in: session)
        self.seen[id] = seen
        return seen
    }
}

/// Accepts the connections at the port of a session.
private final class SessionListenerHandler: ListenerHandler {
    private let session: SessionListener
    private unowned let state: LoopState

    init(_ session: SessionListener, _ state: LoopState) {
        self.session = session
        self.state = state
    }

    func listener(_ listener: Listener, accepted descriptor: consuming SocketDescriptor) {
        state.accept(descriptor, listener: session)
    }

    func listener(_ listener: Listener, paused error: SystemError) {
        state.listener(listener, paused: error)
    }
}
