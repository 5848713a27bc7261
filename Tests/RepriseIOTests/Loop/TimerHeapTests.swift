// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseIO

@Suite struct TimerHeapTests {
    private final class Target: TimerTarget {
        func timerFired(_ token: TimerToken) {}
    }

    private let target = Target()
    private let end = MonotonicTime(nanoseconds: .max)

    @Test func firesInOrderOfTimeThenScheduling() {
        var heap = TimerHeap()
        let tokens = [30, 10, 20, 10, 0].map { heap.insert(target, at: MonotonicTime(nanoseconds: $0)) }
        var fired: [TimerToken] = []
        while let next = heap.removeFirst(dueBy: end, scheduledBefore: .max) { fired.append(next.token) }
        #expect(fired == [4, 1, 3, 2, 0].map { tokens[$0] })
    }

    @Test func firesOnlyDueTimers() {
        var heap = TimerHeap()
        _ = heap.insert(target, at: MonotonicTime(nanoseconds: 10))
        let early = heap.removeFirst(dueBy: MonotonicTime(nanoseconds: 9), scheduledBefore: .max)
        let punctual = heap.removeFirst(dueBy: MonotonicTime(nanoseconds: 10), scheduledBefore: .max)
        #expect(early == nil)
        #expect(punctual != nil)
    }

    @Test func skipsTimersScheduledAfterLimit() {
        var heap = TimerHeap()
        _ = heap.insert(target, at: MonotonicTime(nanoseconds: 10))
        let limit = heap.nextSequence
        _ = heap.insert(target, at: MonotonicTime(nanoseconds: 5))
        let before = heap.removeFirst(dueBy: end, scheduledBefore: limit)
        let after = heap.removeFirst(dueBy: end, scheduledBefore: heap.nextSequence)
        #expect(before == nil)
        #expect(after != nil)
    }

    @Test func oldTokenDoesNotRemoveNewTimer() {
        var heap = TimerHeap()
        let old = heap.insert(target, at: end)
        var isRemoved = [heap.remove(old)]
        let new = heap.insert(target, at: end)
        isRemoved += [heap.remove(old), heap.remove(.none), heap.remove(new)]
        #expect(isRemoved == [true, false, false, true])
        #expect(heap.count == 0)
    }

    @Test func releasesTargets() {
        var heap = TimerHeap()
        weak var fired: Target?
        weak var canceled: Target?
        do {
            let first = Target()
            let second = Target()
            (fired, canceled) = (first, second)
            _ = heap.insert(first, at: MonotonicTime(nanoseconds: 1))
            heap.remove(heap.insert(second, at: MonotonicTime(nanoseconds: 2)))
            _ = heap.removeFirst(dueBy: end, scheduledBefore: .max)
        }
        #expect(fired == nil)
        #expect(canceled == nil)
    }

    /// Random insertions, removals, and firings have the same results as on a sorted array.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func behavesLikeSortedArray(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var heap = TimerHeap()
        var model: [(due: UInt64, order: Int, token: TimerToken)] = []
        for order in 0..<5000 {
            switch random.next() % 4 {
            case 0, 1:
                let due = random.next() % 500
                model.append((due, order, heap.insert(target, at: MonotonicTime(nanoseconds: due))))
            case 2 where !model.isEmpty:
                let entry = model.remove(at: Int(random.next() % UInt64(model.count)))
                let isRemoved = heap.remove(entry.token)
                #expect(isRemoved)
            default:
                let now = random.next() % 600
                let first = model.indices.min { (model[$0].due, model[$0].order) < (model[$1].due, model[$1].order) }
                let fired = heap.removeFirst(dueBy: MonotonicTime(nanoseconds: now), scheduledBefore: .max)
                if let first, model[first].due <= now {
                    let expected = model.remove(at: first)
                    #expect(fired?.token == expected.token)
                } else {
                    #expect(fired == nil)
                }
            }
            #expect(heap.count == model.count)
            #expect(heap.earliest?.nanoseconds == model.map(\.due).min())
        }
    }
}
