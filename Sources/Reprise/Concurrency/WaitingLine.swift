// SPDX-License-Identifier: Apache-2.0

/// Slots, and who waits for one, in order.
struct WaitingLine<Waiter> {
    private var free: Int
    private var lastID = 0
    private var waiters: [Int: Waiter] = [:]
    /// Everyone in order, also those who have left. From `head` on.
    private var order: [Int] = []
    private var head = 0

    init(slots: Int) {
        free = max(slots, 1)
    }

    /// How many slots nobody has.
    var freeSlots: Int { free }

    /// How many wait.
    var waiting: Int { waiters.count }

    /// A place in the line.
    mutating func newID() -> Int {
        lastID += 1
        return lastID
    }

    /// Takes a slot if one is free; then nobody waits.
    mutating func take() -> Bool {
        guard free > 0 else { return false }
        free -= 1
        return true
    }

    /// Lines up.
    mutating func wait(_ id: Int, _ waiter: Waiter) {
        waiters[id] = waiter
        order.append(id)
    }

    /// Leaves the line; nil for who is not in it.
    mutating func leave(_ id: Int) -> Waiter? {
        guard let waiter = waiters.removeValue(forKey: id) else { return nil }
        // Else a line in which all give up, behind a slot that is never given back, would grow without end.
        if order.count - head > 2 * waiters.count + 32 { compact() }
        return waiter
    }

    /// Gives a slot back.
    ///
    /// - Returns: who has it now; nil if nobody waited.
    mutating func give() -> Waiter? {
        while head < order.count {
            let id = order[head]
            head += 1
            guard let waiter = waiters.removeValue(forKey: id) else { continue }
            if head > 32, head > order.count / 2 { compact() }
            return waiter
        }
        order.removeAll(keepingCapacity: true)
        head = 0
        free += 1
        return nil
    }

    private mutating func compact() {
        order = order[head...].filter { waiters[$0] != nil }
        head = 0
    }
}
