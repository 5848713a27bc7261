// SPDX-License-Identifier: Apache-2.0

import RepriseIO

/// The part of a ``ScriptedServer`` that runs on the loop.
final class ScriptedAcceptor: @unchecked Sendable {
    // Everything except constants and locked values is accessed on the loop's thread only.

    let loop: EventLoop
    let accepted = Locked(0)
    private let tls: TLSContext?
    private let readsAtOnce: Bool
    private let script: ScriptedServer.Script?
    private var listener: Listener?
    private var address: (host: String, port: Int)?
    private var heldPort: HeldPort?
    private var connections: [RawConnection] = []
    /// Accepted connections that the test has not asked for yet.
    private var waitingClients: [RawClient] = []
    private var expectations: [Expectation] = []

    /// A condition that a test is waiting for.
    private struct Expectation {
        enum Kind {
            case connection(Handover<RawClient>)
            case open(Int, Handover<RawClient?>)
        }

        let kind: Kind
        let limit: TimerToken
    }

    init(loop: EventLoop, tls: TLSContext?, readsAtOnce: Bool, script: ScriptedServer.Script?) {
        self.loop = loop
        self.tls = tls
        self.readsAtOnce = readsAtOnce
        self.script = script
    }

    func listen(_ socket: ListeningSocket) throws {
        listener = try Listener(socket, loop: loop, handler: self)
        address = (socket.host, socket.port)
    }

    func stopListening() {
        guard listener != nil else { return }
        listener?.close()
        listener = nil
        heldPort = address.flatMap { HeldPort(host: $0.host, port: $0.port) }
    }

    func close() {
        listener?.close()
        listener = nil
        heldPort = nil
        for connection in connections { connection.close() }
        waitingClients = []
    }

    var openCount: Int {
        connections.removeAll { !$0.isOpen }
        return connections.count
    }

    func accept(_ continuation: Handover<RawClient>, within limit: Duration) {
        add(.connection(continuation), within: limit)
    }

    func await(_ count: Int, _ continuation: Handover<RawClient?>, within limit: Duration) {
        add(.open(count, continuation), within: limit)
    }

    private func add(_ kind: Expectation.Kind, within limit: Duration) {
        expectations.append(Expectation(kind: kind, limit: loop.schedule(self, at: loop.now() + limit)))
        fulfill()
    }

    /// Resumes the tests whose conditions are met.
    private func fulfill() {
        let open = openCount
        expectations.removeAll { expectation in
            switch expectation.kind {
            case .connection(let continuation):
                guard !waitingClients.isEmpty else { return false }
                continuation.resume(returning: waitingClients.removeFirst())
            case .open(let count, let continuation):
                guard count == open else { return false }
                continuation.resume(returning: nil)
            }
            loop.cancel(expectation.limit)
            return true
        }
    }

    private func play(_ script: @escaping ScriptedServer.Script, on client: RawClient) {
        Task {
            // The script may fail. The client reports how the connection ended, and the test checks that.
            try? await script(client)
            await client.close()
        }
    }
}

extension ScriptedAcceptor: ListenerHandler {
    func listener(_ listener: Listener, accepted descriptor: consuming SocketDescriptor) {
        accepted.withLock { $0 += 1 }
        let connection = RawConnection(loop: loop, protection: nil, readsAtOnce: readsAtOnce)
        connection.adopt(descriptor, tls)
        connections.append(connection)
        connection.onEnd = { [weak self] in self?.fulfill() }
        let client = RawClient(connection: connection)
        if let script { play(script, on: client) } else { waitingClients.append(client) }
        fulfill()
    }

    func listener(_ listener: Listener, paused error: SystemError) {}
}

extension ScriptedAcceptor: TimerTarget {
    func timerFired(_ token: TimerToken) {
        guard let index = expectations.firstIndex(where: { $0.limit == token }) else { return }
        switch expectations.remove(at: index).kind {
        case .connection(let continuation):
            continuation.resume(throwing: ScriptedServer.Unexpected.noConnection)
        case .open(_, let continuation):
            continuation.resume(throwing: ScriptedServer.Unexpected.openConnections(openCount))
        }
    }
}
