// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseIO

private final class Item: Sweepable, @unchecked Sendable {
    // Used only on the loop's thread.
    var deadline: MonotonicTime?
    var sweepPosition: Int?
    var passed = 0
    var action: ((Item) -> Void)?

    init(deadline: MonotonicTime?) {
        self.deadline = deadline
    }

    func deadlinePassed() {
        passed += 1
        action?(self)
    }
}

@Suite struct DeadlineSweepTests {
    /// Runs `body` on the loop and waits until it calls `done`.
    private func untilDone(
        _ loop: EventLoop,
        _ body: @escaping @Sendable (_ done: @escaping @Sendable () -> Void) -> Void
    ) async {
        await withCheckedContinuation { continuation in
            loop.execute { body { continuation.resume() } }
        }
    }

    @Test func reportsOnlyPassedDeadlines() async throws {
        try await EventLoop.with { loop in
            await untilDone(loop) { done in
                let past = Item(deadline: loop.now())
                let future = Item(deadline: loop.now() + .seconds(3600))
                let without = Item(deadline: nil)
                let start = loop.now()
                past.action = { item in
                    #expect(loop.now() - start >= .milliseconds(249))
                    #expect(future.passed == 0 && without.passed == 0)
                    for item in [item, future, without] { loop.sweep.remove(item) }
                    done()
                }
                for item in [without, past, future] { loop.sweep.add(item) }
            }
        }
    }

    @Test func honorsMovedDeadline() async throws {
        try await EventLoop.with { loop in
            await untilDone(loop) { done in
                let moved = Item(deadline: loop.now())
                let last = Item(deadline: loop.now())
                loop.sweep.add(moved)
                loop.sweep.add(last)
                moved.deadline = loop.now() + .seconds(3600)
                last.action = { last in
                    #expect(moved.passed == 0)
                    loop.sweep.remove(last)
                    done()
                }
            }
        }
    }

    @Test func missesNoItemDespiteRemovals() async throws {
        try await EventLoop.with { loop in
            await untilDone(loop) { done in
                let items = (0..<100).map { _ in Item(deadline: loop.now()) }
                for (number, item) in items.enumerated() {
                    item.action = { item in
                        // Removes itself and another item, which may or may not have had its turn.
                        loop.sweep.remove(item)
                        loop.sweep.remove(items[number * 37 % 100])
                        if number == 0 {
                            loop.execute {
                                let left = items.enumerated().filter { number, item in
                                    item.passed == 0
                                        && !items.indices.contains { $0 * 37 % 100 == number && items[$0].passed > 0 }
                                }
                                #expect(left.isEmpty)
                                for item in items { item.action = nil }
                                done()
                            }
                        }
                    }
                    loop.sweep.add(item)
                }
            }
        }
    }

    @Test func restartsAfterBecomingEmpty() async throws {
        try await EventLoop.with { loop in
            for _ in 0..<2 {
                await untilDone(loop) { done in
                    let item = Item(deadline: loop.now())
                    item.action = {
                        loop.sweep.remove($0)
                        done()
                    }
                    loop.sweep.add(item)
                    loop.sweep.remove(item)
                    loop.sweep.add(item)
                    loop.sweep.add(item)
                }
            }
        }
    }

    @Test func ticksOnlyWithItems() async throws {
        try await EventLoop.with { loop in
            let timers = try await loop.run {
                let items = [Item(deadline: nil), Item(deadline: nil)]
                var timers = [loop.timers.count]
                for item in items {
                    loop.sweep.add(item)
                    timers.append(loop.timers.count)
                }
                for item in items {
                    loop.sweep.remove(item)
                    timers.append(loop.timers.count)
                }
                return timers
            }
            #expect(timers == [0, 1, 1, 1, 0])
        }
    }

    @Test func retainsNothingAfterLoopShutdown() async throws {
        let loop = try EventLoop(name: "test")
        await loop.shutDown()
        let isFreed = try await loop.run {
            weak var freed: Item?
            do {
                let item = Item(deadline: nil)
                freed = item
                loop.sweep.add(item)
            }
            return freed == nil
        }
        #expect(isFreed)
    }

    @Test func removeReleasesItem() async throws {
        try await EventLoop.with { loop in
            let isFreed = try await loop.run {
                weak var freed: Item?
                do {
                    let item = Item(deadline: nil)
                    freed = item
                    loop.sweep.add(item)
                    loop.sweep.remove(item)
                }
                return freed == nil
            }
            #expect(isFreed)
        }
    }
}
