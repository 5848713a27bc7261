// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseText
internal import RepriseWire

// The sessions that requests belong to, and their ports.
extension LoopState {
    /// Accepts connections whose requests all belong to a session.
    func listen(on socket: ListeningSocket, for door: SessionDoor) throws(SystemError) {
        guard !isStopping else { return }
        doors[door.id] = try Listener(socket, loop: loop, handler: DoorListener(door, self))
    }

    /// Closes the listener of a session that has ended, and its connections.
    func closeDoor(of session: SessionID) {
        guard let listener = doors.removeValue(forKey: session) else { return }
        listener.close()
        for connection in connections where connection.door?.id == session { connection.stop() }
    }

    /// Returns the route of a request whose head is complete.
    func route(_ bytes: Span<UInt8>, _ head: RequestHead, door: SessionDoor?) -> SessionRoute {
        var route = SessionRoute(bytes, head, door: door, hasSessions: state.hasHadSessions)
        if let id = route.id {
            adoptChanges()
            // A door knows its number also after the session has ended.
            if door == nil { route.number = state.sessions[id]?.number ?? SessionRoute.unknown }
        }
        return route
    }

    func isOpen(_ session: SessionID) -> Bool {
        adoptChanges()
        return state.sessions[session] != nil
    }

    /// Returns what answers a request; nil if its session has ended.
    func state(for route: SessionRoute) -> ServingState? {
        guard let id = route.id else { return state }
        guard let session = state.sessions[id] else { return nil }
        _ = session.uses.take()
        if let known = seen[id] { return known }
        let seen = state.seen(in: session)
        self.seen[id] = seen
        return seen
    }
}

/// Accepts the connections at the port of a session.
private final class DoorListener: ListenerHandler {
    private let door: SessionDoor
    private unowned let state: LoopState

    init(_ door: SessionDoor, _ state: LoopState) {
        self.door = door
        self.state = state
    }

    func listener(_ listener: Listener, accepted descriptor: consuming SocketDescriptor) {
        state.accept(descriptor, door: door)
    }

    func listener(_ listener: Listener, paused error: SystemError) {
        state.listener(listener, paused: error)
    }
}
