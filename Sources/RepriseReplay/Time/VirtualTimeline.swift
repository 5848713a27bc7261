// SPDX-License-Identifier: Apache-2.0

/// The order of virtual time, without a clock and without tasks: which tasks wait for which moment, and which one may
/// continue.
///
/// An exchange participates from its request to its end. It either waits for a moment or is busy, which means that
/// its reader has received something and has not asked for more. Time stands still while an exchange is busy, and
/// while a request recorded before the next moment has not been sent. Otherwise, the first waiter continues.
struct VirtualTimeline {
    /// The current time, measured from the start.
    private(set) var now = Duration.zero
    /// The waiters in the order in which they continue.
    private var waiters: [Waiter] = []
    /// The exchanges whose readers have not asked for more.
    private var busy: Set<Int> = []
    /// The requests that have not been sent, in the order in which they were recorded.
    private var expected: [Expected] = []
    private var lastNumber = 0

    private struct Waiter {
        let number: Int
        let exchange: Int?
        let deadline: Duration
        /// Determines the order of waiters with the same deadline; the lower rank continues first.
        let rank: Int
    }

    private struct Expected {
        let start: Duration
        let request: Int
    }

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// - Returns: The number of the first request. The others have the numbers that follow.
    mutating func expect(_ starts: [Duration?]) -> Int {
        let first = lastNumber + 1
        lastNumber += starts.count
        for (index, start) in starts.enumerated() {
            guard let start else { continue }
            expected.append(Expected(start: start, request: first + index))
        }
        expected.sort { ($0.start, $0.request) < ($1.start, $1.request) }
        return first
    }

    /// Begins an exchange, which is then busy. Its request is no longer expected.
    mutating func begin(_ exchange: Int, request: Int?) {
        if let request { expected.removeAll { $0.request == request } }
        busy.insert(exchange)
    }

    mutating func end(_ exchange: Int) {
        busy.remove(exchange)
    }

    /// - Parameter exchange: The exchange that waits; nil for a task that only sleeps.
    mutating func wait(_ number: Int, _ exchange: Int?, until deadline: Duration, rank: Int) {
        if let exchange { busy.remove(exchange) }
        let waiter = Waiter(number: number, exchange: exchange, deadline: deadline, rank: rank)
        let place = waiters.firstIndex { ($0.deadline, $0.rank) > (deadline, rank) } ?? waiters.endIndex
        waiters.insert(waiter, at: place)
    }

    /// Removes a waiter. Its exchange is then busy.
    mutating func giveUp(_ number: Int) {
        guard let place = waiters.firstIndex(where: { $0.number == number }) else { return }
        if let exchange = waiters.remove(at: place).exchange { busy.insert(exchange) }
    }

    var hasWaiters: Bool { !waiters.isEmpty }

    /// Releases the first waiter, unless the clock must wait for a participant.
    ///
    /// - Returns: The number of the released wait.
    mutating func release() -> Int? {
        guard let first = waiters.first, busy.isEmpty else { return nil }
        // A task that sleeps may be the one that sends the expected request.
        if first.exchange != nil, let next = expected.first, next.start < first.deadline { return nil }
        waiters.removeFirst()
        now = max(now, first.deadline)
        if let exchange = first.exchange { busy.insert(exchange) }
        return first.number
    }

    /// Stops waiting for busy exchanges, and for requests that are missing before the next moment.
    mutating func losePatience() {
        busy.removeAll()
        guard let first = waiters.first else { return }
        expected.removeAll { $0.start < first.deadline }
    }
}
