// SPDX-License-Identifier: Apache-2.0

/// A FIFO queue of waiters, each of which can leave before its turn.
public struct TicketQueue<Waiter> {
    /// A place in the queue.
    public struct Ticket: Hashable, Sendable {
        @usableFromInline let number: Int

        @usableFromInline
        init(number: Int) {
            self.number = number
        }
    }

    /// The places in order, valid from `first`. The waiter is nil if it has left.
    @usableFromInline var places: [(number: Int, waiter: Waiter?)] = []
    @usableFromInline var first = 0
    @usableFromInline var lastNumber = 0
    /// The number of waiters in `places` that have left.
    @usableFromInline var left = 0

    /// The number of waiters.
    @inlinable
    public var count: Int { places.count - first - left }

    /// Creates an empty queue.
    @inlinable
    public init() {}

    /// Adds a waiter at the end.
    @inlinable
    public mutating func join(_ waiter: Waiter) -> Ticket {
        lastNumber += 1
        places.append((lastNumber, waiter))
        return Ticket(number: lastNumber)
    }

    /// Removes a waiter before its turn.
    ///
    /// - Returns: The waiter, or nil if it has already left or had its turn.
    @inlinable
    @discardableResult
    public mutating func leave(_ ticket: Ticket) -> Waiter? {
        var (low, high) = (first, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].number < ticket.number { low = middle + 1 } else { high = middle }
        }
        guard low < places.count, places[low].number == ticket.number, let waiter = places[low].waiter else {
            return nil
        }
        places[low].waiter = nil
        left += 1
        // Without this, the queue would grow without limit behind a waiter that never gets its turn.
        if left > count + 32 { removeEmptyPlaces() }
        return waiter
    }

    /// Removes and returns the first waiter, or returns nil if there is none.
    @inlinable
    public mutating func next() -> Waiter? {
        while first < places.count {
            let waiter = places[first].waiter
            places[first].waiter = nil
            first += 1
            guard let waiter else {
                left -= 1
                continue
            }
            // Do this only now and then, because it moves the remaining places.
            if first >= 32, first >= places.count / 2 { removeEmptyPlaces() }
            return waiter
        }
        return nil
    }

    @inlinable
    mutating func removeEmptyPlaces() {
        places.removeFirst(first)
        if left > 0 { places.removeAll { $0.waiter == nil } }
        first = 0
        left = 0
    }
}
