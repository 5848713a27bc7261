// SPDX-License-Identifier: Apache-2.0

/// Who waits, first come, first served; whoever does not want to wait any longer may leave.
struct TicketQueue<Waiter> {
    /// A place in the line.
    struct Ticket: Hashable {
        fileprivate let number: Int
    }

    private var waiters: [Waiter?] = []
    /// The place in `waiters` of the first who may still be there.
    private var first = 0
    /// The number of the first place in `waiters`.
    private var firstNumber = 0
    private(set) var count = 0

    /// Joins at the end.
    mutating func join(_ waiter: Waiter) -> Ticket {
        waiters.append(waiter)
        count += 1
        return Ticket(number: firstNumber + waiters.count - 1)
    }

    /// Leaves before it is one's turn; nothing happens after it.
    mutating func leave(_ ticket: Ticket) {
        let place = ticket.number - firstNumber
        guard place >= first, place < waiters.count, waiters[place] != nil else { return }
        waiters[place] = nil
        count -= 1
        if count == 0 { removeEmptyPlaces(upTo: waiters.count) }
    }

    /// Takes the first one out of the line.
    mutating func next() -> Waiter? {
        while first < waiters.count {
            let place = first
            first += 1
            guard let waiter = waiters[place] else { continue }
            waiters[place] = nil
            count -= 1
            // Not each time: the rest has to be moved.
            if first >= 32, first >= waiters.count / 2 { removeEmptyPlaces(upTo: first) }
            return waiter
        }
        return nil
    }

    private mutating func removeEmptyPlaces(upTo end: Int) {
        waiters.removeFirst(end)
        firstNumber += end
        first = 0
    }
}
