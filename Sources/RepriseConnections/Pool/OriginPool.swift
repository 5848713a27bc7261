// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// The connections of one route, and the exchanges that wait for one. Lives on its loop's thread.
final class OriginPool {
    let route: Route
    let shard: PoolShard
    // Exclusive access is not checked: only the loop's thread uses these values, and their mutating methods never reach
    // this object again.
    @safe @exclusivity(unchecked) private var slots: ConnectionSlots<ClientConnection, ClientExchange>
    @safe @exclusivity(unchecked) private var history = IdleHistory()

    /// How many connections stay idle while requests get new ones, to observe how long the server keeps them open.
    private static let observedConnections = 2

    init(_ route: Route, shard: PoolShard) {
        self.route = route
        self.shard = shard
        slots = ConnectionSlots(limit: shard.configuration.connectionsPerOrigin)
    }

    /// Sends a request over an idle connection or a new one, or queues it until a connection is available.
    func start(_ exchange: ClientExchange) {
        if exchange.opened == nil, let connection = usableConnection(for: exchange) {
            return begin(exchange, over: connection)
        }
        // The shard has removed this pool if those were its last connections.
        shard.add(self)
        if slots.takeSlot() {
            open(for: exchange)
        } else {
            exchange.place = .waiting(self, slots.wait(exchange))
        }
    }

    /// Begins an exchange on a connection that has already carried others.
    private func begin(_ exchange: ClientExchange, over connection: ClientConnection) {
        exchange.stamps.isReused = true
        connection.begin(exchange)
        if connection.isUsable { slots.share(connection) }
    }

    /// Takes a connection for an exchange; nil if it needs a new one.
    private func usableConnection(for exchange: ClientExchange) -> ClientConnection? {
        while let connection = slots.takeShared() {
            // Its server is responding, so there is no need to check whether it is still open.
            guard connection.isUsable else { continue }
            connection.idleSince = nil
            return connection
        }
        while let (connection, since) = changeIdle({ $0.takeIdle() }) {
            connection.idleSince = since
            connection.closeIfUnusable()
            // The server has closed it, perhaps just now. Checking first avoids having to repeat the request.
            guard connection.isUsable else { continue }
            if exchange.request.traits.isRepeatable { return connection }
            let now = shard.loop.now()
            if history.isSafe(after: now - since) { return connection }
            // The most recent answer came over this connection.
            if let oldest = oldestUsable() { history.sawOpen(since: oldest, afterAnswerAt: since) }
            if history.isSafe(after: now - since) { return connection }
            if slots.idleCount < Self.observedConnections, slots.hasSlot {
                changeIdle { $0.putBack(connection, idleSince: since) }
            } else {
                connection.close()
            }
            return nil
        }
        return nil
    }

    /// Changes the slots, and counts the idle connections.
    private func changeIdle<Result>(_ change: (inout ConnectionSlots<ClientConnection, ClientExchange>) -> Result)
        -> Result
    {
        let count = slots.idleCount
        let result = change(&slots)
        shard.idleCount += slots.idleCount - count
        return result
    }

    var oldestIdle: (connection: ClientConnection, since: MonotonicTime)? { slots.oldestIdle }

    /// Returns when the idle connection that the server has kept open the longest became idle.
    private func oldestUsable() -> MonotonicTime? {
        while let (connection, since) = slots.oldestIdle {
            // Its end may have arrived without having been read.
            connection.closeIfUnusable()
            if connection.isUsable { return since }
            connection.close()
        }
        return nil
    }

    /// Called when the server ended a connection that was idle, or that was idle before its current request.
    func serverEnded(_ connection: ClientConnection) {
        guard let since = slots.idleSince(connection) ?? connection.idleSince else { return }
        history.sawClosed(after: shard.loop.now() - since)
    }

    /// Removes an exchange from the queue.
    func leave(_ ticket: ConnectionSlots<ClientConnection, ClientExchange>.Ticket) {
        slots.leave(ticket)
        removeIfEmpty()
    }

    /// Begins the exchange that a connection was opened for, and those that wait, as far as the connection takes them.
    func opened(_ connection: ClientConnection, for exchange: ClientExchange) {
        connection.begin(exchange)
        while connection.isUsable {
            guard let next = slots.nextWaiter() else { return slots.share(connection) }
            begin(next, over: connection)
        }
    }

    /// Makes a connection available after an exchange has ended. The connection must be usable.
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
        let now = shard.loop.now()
        let isIdle = connection.isIdle
        guard let next = changeIdle({ $0.release(connection, isIdle: isIdle, at: now) }) else {
            return shard.closeExcessIdle()
        }
        if isIdle, !next.request.traits.isRepeatable, history.closesSoon {
            connection.retire()
            return open(for: next)
        }
        connection.idleSince = isIdle ? now : nil
        begin(next, over: connection)
    }

    /// Gives no more exchanges to a connection whose server refuses them. Those in progress go on; after the last one,
    /// the channel closes the connection.
    func withdraw(_ connection: ClientConnection) {
        guard !connection.isWithdrawn else { return }
        connection.isWithdrawn = true
        remove(connection)
    }

    /// Removes a connection that is closed or withdrawn, and passes its slot to the next waiting exchange.
    func remove(_ connection: ClientConnection) {
        if let next = changeIdle({ $0.remove(connection) }) { open(for: next) }
        removeIfEmpty()
    }

    /// Sends a request again over a new connection, in the slot of one that turned out to be closed.
    func reopen(for exchange: ClientExchange) {
        open(for: exchange)
    }

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
