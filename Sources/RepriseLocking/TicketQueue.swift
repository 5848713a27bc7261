// SPDX-License-Identifier: Apache-2.0

/// A FIFO queue of those that wait for something; each can leave it before its turn.
public struct TicketQueue<Waiter> {
    /// A place in the queue.
    public struct Ticket: Hashable, Sendable {
        @usableFromInline let number: Int

        @usableFromInline
        init(number: Int) {
            self.number = number
        }
    }

    /// In order; `nil` for a waiter that has left. From `first` on.
    @usableFromInline var places: [(number: Int, waiter: Waiter?)] = []
    @usableFromInline var first = 0
    @usableFromInline var lastNumber = 0
    /// How many of these have left.
    @usableFromInline var left = 0

    /// How many wait.
    @inlinable
    public var count: Int { places.count - first - left }

    /// An empty queue.
    @inlinable
    public init() {}

    /// Joins at the end.
    @inlinable
    public mutating func join(_ waiter: Waiter) -> Ticket {
        lastNumber += 1
        places.append((lastNumber, waiter))
        return Ticket(number: lastNumber)
    }

    /// Leaves before its turn.
    ///
    /// - Returns: the waiter; `nil` if it had left, or had its turn.
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
        // Otherwise the queue would grow without end behind a waiter that never gets its turn.
        if left > count + 32 { removeEmptyPlaces() }
        return waiter
    }

    /// Takes the first waiter out of the queue.
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
            // Not each time: the rest has to be moved.
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
