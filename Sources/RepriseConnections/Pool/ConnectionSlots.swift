// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseLocking

/// Which connections of a route are idle, how many there may be, and who waits for one. No effects.
///
/// The connection that was used last is used next, so that those that are not needed grow old and can be closed.
struct ConnectionSlots<Connection: AnyObject, Waiter> {
    typealias Ticket = TicketQueue<Waiter>.Ticket

    /// How many there are: idle, in use, or being made.
    private(set) var count = 0
    private let limit: Int
    private var idle: [(connection: Connection, since: MonotonicTime)] = []
    private var line = TicketQueue<Waiter>()

    init(limit: Int) {
        self.limit = max(limit, 1)
    }

    /// Whether there is nothing to keep.
    var isEmpty: Bool { count == 0 && line.count == 0 }

    var idleCount: Int { idle.count }
    var waitingCount: Int { line.count }

    /// Takes the idle connection that was used last.
    mutating func takeIdle() -> Connection? {
        idle.popLast()?.connection
    }

    /// Takes a slot for a new connection; false if all are taken.
    mutating func takeSlot() -> Bool {
        guard count < limit else { return false }
        count += 1
        return true
    }

    /// Waits for a connection or a slot.
    mutating func wait(_ waiter: Waiter) -> Ticket {
        line.join(waiter)
    }

    mutating func leave(_ ticket: Ticket) {
        line.leave(ticket)
    }

    /// A connection is free: for who waits, who is returned, or for later.
    mutating func release(_ connection: Connection, at time: MonotonicTime) -> Waiter? {
        if let waiter = line.next() { return waiter }
        idle.append((connection, time))
        return nil
    }

    /// A connection is gone. If somebody waits, the slot is that one's now, for a new connection.
    mutating func remove(_ connection: Connection) -> Waiter? {
        if let position = idle.lastIndex(where: { $0.connection === connection }) { idle.remove(at: position) }
        if let waiter = line.next() { return waiter }
        count -= 1
        return nil
    }

    /// The connections that nobody has used since `time`. They stay here until they are removed.
    func idle(since time: MonotonicTime) -> [Connection] {
        // In the order in which they became idle, for only the last ones are taken.
        idle.prefix { $0.since <= time }.map(\.connection)
    }
}
