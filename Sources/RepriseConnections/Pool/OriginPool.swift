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

    /// Sends a request over an idle connection or a new one, or queues it until a connection is available.
    func start(_ exchange: ClientExchange) {
        while let connection = slots.takeIdle() {
            connection.closeIfUnusable()
            // The server has closed it, perhaps just now. Checking first avoids having to repeat the request.
            guard connection.isUsable else { continue }
            exchange.stamps.isReused = true
            return connection.begin(exchange)
        }
        // The shard has removed this pool if those were its last connections.
        shard.add(self)
        if slots.takeSlot() {
            open(for: exchange)
        } else {
            exchange.place = .waiting(self, slots.wait(exchange))
        }
    }

    /// Removes an exchange from the queue.
    func leave(_ ticket: ConnectionSlots<ClientConnection, ClientExchange>.Ticket) {
        slots.leave(ticket)
        removeIfEmpty()
    }

    /// Makes a connection available after its exchange has ended.
    func release(_ connection: ClientConnection) {
        guard slots.waitingCount > 0 else { return handOver(connection) }
        // Bytes that the server has sent after its response would be read as the response to the next request. Check
        // for them after the current input has been processed.
        shard.loop.executeLater {
            connection.closeIfUnusable()
            if connection.isUsable { self.handOver(connection) }
        }
    }

    private func handOver(_ connection: ClientConnection) {
        guard let next = slots.release(connection, at: shard.loop.now()) else { return }
        next.stamps.isReused = true
        connection.begin(next)
    }

    /// Removes a closed connection and passes its slot to the next waiting exchange.
    func remove(_ connection: ClientConnection) {
        if let next = slots.remove(connection) { open(for: next) }
        removeIfEmpty()
    }

    /// Sends a request again over a new connection, in the slot of one that turned out to be closed.
    func reopen(for exchange: ClientExchange) {
        open(for: exchange)
    }

    /// Closes the connections that have been idle since `time`.
    func closeIdle(since time: MonotonicTime) {
        for connection in slots.idle(since: time) { connection.close() }
    }

    // Never fails before it returns. Otherwise, a thousand waiting exchanges with failing connections would nest a
    // thousand calls deep.
    private func open(for exchange: ClientExchange) {
        ClientConnection(in: self).connect(for: exchange)
    }

    private func removeIfEmpty() {
        if slots.isEmpty { shard.remove(self) }
    }
}
