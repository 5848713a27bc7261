// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// The connections of one route, and the exchanges that wait for one. Lives on its loop's thread.
final class OriginPool {
    let route: Route
    let shard: PoolShard
    private var slots: ConnectionSlots<ClientConnection, ClientExchange>

    init(_ route: Route, shard: PoolShard) {
        self.route = route
        self.shard = shard
        slots = ConnectionSlots(limit: shard.configuration.connectionsPerOrigin)
    }

    /// Sends a request: over an idle connection, a new one, or when it is its turn.
    func start(_ exchange: ClientExchange) {
        while let connection = slots.takeIdle() {
            connection.discover()
            // It was closed by the server, perhaps just now: not taken for granted, so nothing has to be repeated.
            guard connection.isUsable else { continue }
            exchange.stamps.isReused = true
            return connection.begin(exchange)
        }
        // It is gone from there if those were its last connections.
        shard.add(self)
        if slots.takeSlot() {
            open(for: exchange)
        } else {
            exchange.place = .waiting(self, slots.wait(exchange))
        }
    }

    /// An exchange does not want to wait any longer.
    func leave(_ ticket: ConnectionSlots<ClientConnection, ClientExchange>.Ticket) {
        slots.leave(ticket)
        removeIfEmpty()
    }

    /// A connection has done what it was used for and can be used again.
    func release(_ connection: ClientConnection) {
        guard slots.waitingCount > 0 else { return handOver(connection) }
        // What the server has sent behind its response would be taken for the answer to the next request: it is looked
        // for when what was read is dealt with.
        shard.loop.executeLater {
            connection.discover()
            if connection.isUsable { self.handOver(connection) }
        }
    }

    private func handOver(_ connection: ClientConnection) {
        guard let next = slots.release(connection, at: shard.loop.now()) else { return }
        next.stamps.isReused = true
        connection.begin(next)
    }

    /// A connection is closed; its slot goes to who waits.
    func remove(_ connection: ClientConnection) {
        if let next = slots.remove(connection) { open(for: next) }
        removeIfEmpty()
    }

    /// Sends a request again over a new connection, in the slot of one that turned out to be closed.
    func reopen(for exchange: ClientExchange) {
        open(for: exchange)
    }

    /// Closes the connections that nobody has used since `time`.
    func closeIdle(since time: MonotonicTime) {
        for connection in slots.idle(since: time) { connection.close() }
    }

    // It never fails before it returns, so that a thousand waiters whose connections fail are not a thousand calls
    // deep.
    private func open(for exchange: ClientExchange) {
        ClientConnection(in: self).connect(for: exchange)
    }

    private func removeIfEmpty() {
        if slots.isEmpty { shard.remove(self) }
    }
}
