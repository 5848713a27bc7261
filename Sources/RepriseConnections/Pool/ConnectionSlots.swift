// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseLocking

/// The idle connections of a route, the number of connections allowed, and the waiters for a connection. This value has
/// no side effects.
///
/// The most recently used connection is used first, so that connections that are not needed stay idle and can be
/// closed.
struct ConnectionSlots<Connection: AnyObject, Waiter> {
    typealias Ticket = TicketQueue<Waiter>.Ticket

    /// The number of connections that are idle, in use or being opened.
    private(set) var count = 0
    private let limit: Int
    private var idle: [(connection: Connection, since: MonotonicTime)] = []
    private var line = TicketQueue<Waiter>()

    init(limit: Int) {
        self.limit = max(limit, 1)
    }

    /// Whether there are no connections and no waiters.
    var isEmpty: Bool { count == 0 && line.count == 0 }

    var idleCount: Int { idle.count }
    var waitingCount: Int { line.count }

    /// Takes the most recently used idle connection, with the time since which it has been idle.
    mutating func takeIdle() -> (connection: Connection, since: MonotonicTime)? {
        idle.popLast()
    }

    /// Puts back the connection that ``takeIdle()`` returned.
    mutating func putBack(_ connection: Connection, idleSince time: MonotonicTime) {
        idle.append((connection, time))
    }

    /// The connection that has been idle for the longest time; nil if none is idle.
    var oldestIdle: (connection: Connection, since: MonotonicTime)? { idle.first }

    /// Whether there is a slot for a new connection.
    var hasSlot: Bool { count < limit }

    /// Returns the time since which a connection has been idle; nil if it is not.
    func idleSince(_ connection: Connection) -> MonotonicTime? {
        idle.last { $0.connection === connection }?.since
    }

    /// Takes a slot for a new connection. Returns false if all are taken.
    mutating func takeSlot() -> Bool {
        guard hasSlot else { return false }
        count += 1
        return true
    }

    mutating func wait(_ waiter: Waiter) -> Ticket {
        line.join(waiter)
    }

    mutating func leave(_ ticket: Ticket) {
        line.leave(ticket)
    }

    /// Releases a connection. If there is a waiter, returns it, and it then uses the connection. Otherwise, the
    /// connection becomes idle.
    mutating func release(_ connection: Connection, at time: MonotonicTime) -> Waiter? {
        if let waiter = line.next() { return waiter }
        idle.append((connection, time))
        return nil
    }

    /// Removes a closed connection. Returns the next waiter, which then owns the slot for a new connection.
    mutating func remove(_ connection: Connection) -> Waiter? {
        if let position = idle.lastIndex(where: { $0.connection === connection }) { idle.remove(at: position) }
        if let waiter = line.next() { return waiter }
        count -= 1
        return nil
    }

    /// Returns the connections that have been idle since `time`. They stay in the list until they are removed.
    func idle(since time: MonotonicTime) -> [Connection] {
        // They are in the order in which they became idle, because only the last ones are reused.
        idle.prefix { $0.since <= time }.map(\.connection)
    }
}
