// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseLocking

/// The connections of a route that take another stream, the number of connections allowed, and the waiters for a
/// stream. This value has no side effects.
///
/// An exchange occupies a stream. A connection has one with HTTP/1.1, and is then either idle or in use; with other
/// protocols it can be in use and take further streams.
///
/// The most recently used connection is used first, so that connections that are not needed stay idle and can be
/// closed.
struct ConnectionSlots<Connection: AnyObject, Waiter> {
    typealias Ticket = TicketQueue<Waiter>.Ticket

    /// The number of connections that are idle, in use or being opened.
    private(set) var count = 0
    private let limit: Int
    private var idle: [(connection: Connection, since: MonotonicTime)] = []
    /// The connections in use that take further streams.
    private var shared: [Connection] = []
    private var line = TicketQueue<Waiter>()

    init(limit: Int) {
        self.limit = max(limit, 1)
    }

    /// Whether there are no connections and no waiters.
    var isEmpty: Bool { count == 0 && line.count == 0 }

    var idleCount: Int { idle.count }
    var waitingCount: Int { line.count }

    /// Takes the connection in use that most recently offered a stream.
    mutating func takeShared() -> Connection? {
        shared.popLast()
    }

    /// Offers the streams of a connection in use.
    mutating func share(_ connection: Connection) {
        if !shared.contains(where: { $0 === connection }) { shared.append(connection) }
    }

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

    /// Releases a stream of a connection. If there is a waiter, returns it, and it then uses the stream. Otherwise, the
    /// connection becomes idle, or offers the stream if others are in use.
    mutating func release(_ connection: Connection, isIdle: Bool = true, at time: MonotonicTime) -> Waiter? {
        if let waiter = line.next() { return waiter }
        if isIdle {
            unshare(connection)
            idle.append((connection, time))
        } else {
            share(connection)
        }
        return nil
    }

    /// Returns the next waiter, which then uses a stream of a connection in use.
    mutating func nextWaiter() -> Waiter? { line.next() }

    /// Removes a connection that is closed or takes no more streams. Returns the next waiter, which then owns the slot
    /// for a new connection.
    mutating func remove(_ connection: Connection) -> Waiter? {
        unshare(connection)
        if let position = idle.lastIndex(where: { $0.connection === connection }) { idle.remove(at: position) }
        if let waiter = line.next() { return waiter }
        count -= 1
        return nil
    }

    private mutating func unshare(_ connection: Connection) {
        if let position = shared.firstIndex(where: { $0 === connection }) { shared.remove(at: position) }
    }

    /// Returns the connections that have been idle since `time`. They stay in the list until they are removed.
    func idle(since time: MonotonicTime) -> [Connection] {
        // They are in the order in which they became idle, because only the last ones are reused.
        idle.prefix { $0.since <= time }.map(\.connection)
    }
}
