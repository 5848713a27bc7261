// SPDX-License-Identifier: Apache-2.0

import RepriseLocking
import RepriseTestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ManualClockTests {
    private let clock = ManualClock()

    @Test func advancesBySleepingWhenConfigured() async throws {
        let clock = ManualClock(passesBySleeping: true)
        for seconds in [5, 2] { try await clock.sleep(for: .seconds(seconds)) }
        #expect(clock.elapsed == .seconds(7))
        #expect(clock.sleeps == [.seconds(5), .seconds(2)])
    }

    @Test func passesTimeOnlyWhenAdvanced() async throws {
        #expect(clock.elapsed == .zero)
        let sleeping = Task { try await clock.sleep(for: .seconds(3)) }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        #expect(clock.pendingSleeps == [.seconds(1)])
        clock.advance(by: .seconds(1))
        #expect(clock.pendingSleeps.isEmpty)
        try await sleeping.value
        #expect(clock.elapsed == .seconds(3))
    }

    @Test func skipsSleepsWhoseDeadlineHasPassed() async throws {
        try await clock.sleep(for: .zero)
        try await clock.sleep(for: .seconds(-1))
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: ManualClock.Instant(offset: .seconds(4)))
    }

    @Test func endsSleepsInOrderOfDeadlines() async throws {
        await withTaskGroup(of: Void.self) { group in
            for seconds in [5, 1, 3] { group.addTask { try? await clock.sleep(for: .seconds(seconds)) } }
            await clock.waitForSleepers(3)
            #expect(clock.pendingSleeps == [.seconds(1), .seconds(3), .seconds(5)])
            var passed: [Duration] = []
            for _ in 0..<3 { passed.append(await clock.passNextSleep()) }
            #expect(passed == [.seconds(1), .seconds(3), .seconds(5)])
        }
        #expect(clock.elapsed == .seconds(5))
    }

    @Test func endsSleepWhenTaskIsCanceled() async throws {
        let sleeping = Task { try await clock.sleep(for: .seconds(1)) }
        let other = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers(2)
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await sleeping.value }
        #expect(clock.pendingSleeps.count == 1)
        clock.advance(by: .seconds(1))
        try await other.value
    }

    @Test func startsNoSleepInCanceledTask() async throws {
        await #expect(throws: CancellationError.self) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.cancelAll()
                group.addTask { try await clock.sleep(for: .seconds(1)) }
                try await group.next()
            }
        }
        #expect(clock.pendingSleeps.isEmpty)
    }

    @Test func waitsForRequestedNumberOfSleepers() async throws {
        let waiting = Task { await clock.waitForSleepers(2) }
        let isOver = Locked(false)
        let following = Task {
            await waiting.value
            isOver.withLock { $0 = true }
        }
        let first = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.waitForSleepers(1)
        #expect(!isOver.withLock { $0 })
        let second = Task { try await clock.sleep(for: .seconds(1)) }
        await following.value
        clock.advance(by: .seconds(1))
        try await first.value
        try await second.value
    }

    @Test func stopsWaitingForSleepersWhenTaskIsCanceled() async {
        let waiting = Task { await clock.waitForSleepers() }
        waiting.cancel()
        await waiting.value
    }
}
