// SPDX-License-Identifier: Apache-2.0

/// An object that is called when a timer is due.
public protocol TimerTarget: AnyObject {
    /// Called on the loop's thread when the timer is due. `token` is the value that `schedule` returned.
    func timerFired(_ token: TimerToken)
}

/// Identifies one scheduled timer. Tokens are never reused.
public struct TimerToken: Hashable, Sendable {
    let slot: Int32
    let generation: UInt32

    /// A token that refers to no timer. It may be canceled like any other.
    public static let none = TimerToken(slot: -1, generation: 0)
}

/// The timers of one loop, in a binary heap ordered by due time, then by order of scheduling.
///
/// Each timer has a slot with its position in the heap, so canceling removes it without a search. The heap does not
/// read a clock.
struct TimerHeap {
    private struct Entry {
        let due: MonotonicTime
        let sequence: UInt64
        let slot: Int32

        func isBefore(_ other: Entry) -> Bool {
            due == other.due ? sequence < other.sequence : due < other.due
        }
    }

    private struct Slot {
        var target: (any TimerTarget)?
        var generation: UInt32
        var position: Int32
    }

    private var entries: [Entry] = []
    private var slots: [Slot] = []
    private var freeSlots: [Int32] = []

    private(set) var nextSequence: UInt64 = 0

    var count: Int { entries.count }
    var earliest: MonotonicTime? { entries.first?.due }

    mutating func insert(_ target: any TimerTarget, at due: MonotonicTime) -> TimerToken {
        let slot = takeSlot(for: target)
        entries.append(Entry(due: due, sequence: nextSequence, slot: slot))
        nextSequence += 1
        siftUp(entries.count - 1)
        return TimerToken(slot: slot, generation: slots[Int(slot)].generation)
    }

    /// Removes a timer, or returns false if it has already fired or been removed.
    @discardableResult
    mutating func remove(_ token: TimerToken) -> Bool {
        let slot = Int(token.slot)
        guard slots.indices.contains(slot), slots[slot].generation == token.generation, slots[slot].target != nil
        else { return false }
        removeEntry(at: Int(slots[slot].position))
        freeSlot(token.slot)
        return true
    }

    /// Removes and returns the first timer if it is due by `now` and its sequence number is below `limit`.
    mutating func removeFirst(
        dueBy now: MonotonicTime,
        scheduledBefore limit: UInt64
    ) -> (token: TimerToken, target: any TimerTarget)? {
        guard let first = entries.first, first.due <= now, first.sequence < limit,
            let target = slots[Int(first.slot)].target
        else { return nil }
        let token = TimerToken(slot: first.slot, generation: slots[Int(first.slot)].generation)
        removeEntry(at: 0)
        freeSlot(first.slot)
        return (token, target)
    }

    private mutating func takeSlot(for target: any TimerTarget) -> Int32 {
        if let free = freeSlots.popLast() {
            slots[Int(free)].target = target
            return free
        }
        slots.append(Slot(target: target, generation: 0, position: 0))
        return Int32(slots.count - 1)
    }

    private mutating func freeSlot(_ slot: Int32) {
        slots[Int(slot)].target = nil
        slots[Int(slot)].generation &+= 1
        freeSlots.append(slot)
    }

    private mutating func removeEntry(at position: Int) {
        let last = entries.removeLast()
        guard position < entries.count else { return }
        place(last, at: position)
        // The last entry may belong above or below the gap that it fills.
        siftUp(position)
        siftDown(Int(slots[Int(last.slot)].position))
    }

    private mutating func place(_ entry: Entry, at position: Int) {
        entries[position] = entry
        slots[Int(entry.slot)].position = Int32(position)
    }

    private mutating func siftUp(_ start: Int) {
        let entry = entries[start]
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard entry.isBefore(entries[parent]) else { break }
            place(entries[parent], at: position)
            position = parent
        }
        place(entry, at: position)
    }

    private mutating func siftDown(_ start: Int) {
        let entry = entries[start]
        var position = start
        while true {
            var child = 2 * position + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].isBefore(entries[child]) { child += 1 }
            guard entries[child].isBefore(entry) else { break }
            place(entries[child], at: position)
            position = child
        }
        place(entry, at: position)
    }
}
