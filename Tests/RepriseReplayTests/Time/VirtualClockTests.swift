// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseReplay
import Testing

@Suite struct VirtualClockTests {
    @Test func advancesToEndOfSleep() async throws {
        let clock = VirtualClock()
        try await clock.sleep(for: .seconds(3600))
        #expect(clock.now.offset == .seconds(3600))
        try await clock.sleep(for: .seconds(-1))
        #expect(clock.now.offset == .seconds(3600))
    }

    @Test func endsAllConcurrentSleeps() async throws {
        let clock = VirtualClock(patience: .seconds(180))
        let order = Locked<[Int]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seconds in [5, 3, 8, 1] {
                group.addTask {
                    try await clock.sleep(until: .init(offset: .seconds(seconds)))
                    order.withLock { $0.append(seconds) }
                }
            }
            try await group.waitForAll()
        }
        #expect(order.withLock { Set($0) } == [1, 3, 5, 8])
        #expect(clock.now.offset == .seconds(8))
    }

    @Test func endsSleepOfCanceledTask() async throws {
        let clock = VirtualClock()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await clock.sleep(for: .seconds(5))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.now.offset == .zero)
    }
}
