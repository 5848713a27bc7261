// SPDX-License-Identifier: Apache-2.0

/// Who waits for which moment, and who may go next: the order of virtual time, without a clock and without tasks.
///
/// An exchange takes part from its request to its end. It either waits for a moment or is busy: its reader has something
/// and has not asked for more. Time stands still as long as somebody is busy, and as long as a request that was recorded
/// before the next moment has not come. Then the first of those who wait goes.
struct VirtualTimeline {
    /// How late it is, from the start.
    private(set) var now = Duration.zero
    /// Those who wait, the first to go first.
    private var waiters: [Waiter] = []
    /// The exchanges whose readers have not asked for more.
    private var busy: Set<Int> = []
    /// When requests that have not come were recorded, the first first.
    private var expected: [Expected] = []
    private var lastNumber = 0

    private struct Waiter {
        let number: Int
        let exchange: Int?
        let deadline: Duration
        /// Of two with the same deadline, which goes first.
        let rank: Int
    }

    private struct Expected {
        let start: Duration
        let request: Int
    }

    /// A number of one's own for a wait, an exchange or a request.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Expects requests.
    ///
    /// - Parameter starts: when they were recorded.
    /// - Returns: the number of the first; the others follow it.
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

    /// A request has come: it is expected no longer, and its exchange is busy.
    mutating func begin(_ exchange: Int, request: Int?) {
        if let request { expected.removeAll { $0.request == request } }
        busy.insert(exchange)
    }

    /// An exchange is over.
    mutating func end(_ exchange: Int) {
        busy.remove(exchange)
    }

    /// Somebody waits.
    ///
    /// - Parameters:
    ///   - number: the wait's.
    ///   - exchange: who waits; nil for somebody who only sleeps.
    ///   - deadline: the moment.
    ///   - rank: of two with the same deadline, which goes first.
    mutating func wait(_ number: Int, _ exchange: Int?, until deadline: Duration, rank: Int) {
        if let exchange { busy.remove(exchange) }
        let waiter = Waiter(number: number, exchange: exchange, deadline: deadline, rank: rank)
        let place = waiters.firstIndex { ($0.deadline, $0.rank) > (deadline, rank) } ?? waiters.endIndex
        waiters.insert(waiter, at: place)
    }

    /// Somebody waits no longer, and its exchange is busy.
    mutating func giveUp(_ number: Int) {
        guard let place = waiters.firstIndex(where: { $0.number == number }) else { return }
        if let exchange = waiters.remove(at: place).exchange { busy.insert(exchange) }
    }

    /// Whether anybody waits.
    var hasWaiters: Bool { !waiters.isEmpty }

    /// Lets the first go, if nobody has to be waited for.
    ///
    /// - Returns: the number of the wait that is over.
    mutating func release() -> Int? {
        guard let first = waiters.first, busy.isEmpty else { return nil }
        // Who sleeps may be the one who will send what is expected.
        if first.exchange != nil, let next = expected.first, next.start < first.deadline { return nil }
        waiters.removeFirst()
        now = max(now, first.deadline)
        if let exchange = first.exchange { busy.insert(exchange) }
        return first.number
    }

    /// Waits no longer for those who did not ask, nor for requests that did not come in time for the next moment.
    mutating func losePatience() {
        busy.removeAll()
        guard let first = waiters.first else { return }
        expected.removeAll { $0.start < first.deadline }
    }
}
