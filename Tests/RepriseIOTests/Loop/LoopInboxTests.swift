// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseIO

@Suite struct LoopInboxTests {
    @Test func wakesOnlySleepingLoopAndOnlyOnce() {
        var inbox = LoopInbox()
        #expect(add(to: &inbox) == .none)
        #expect(take(from: &inbox) == 1)
        #expect(add(to: &inbox) == .none)
        #expect(take(from: &inbox) == 1)
        // Nothing is left, so the loop falls asleep.
        #expect(take(from: &inbox) == nil)
        #expect(add(to: &inbox) == .wakeLoop)
        #expect(add(to: &inbox) == .none)
        #expect(take(from: &inbox) == 2)
    }

    @Test func doesNotWakeLoopThatEventHasWoken() {
        var inbox = LoopInbox()
        #expect(take(from: &inbox) == nil)
        inbox.endSleep()
        #expect(add(to: &inbox) == .none)
    }

    private func add(to inbox: inout LoopInbox) -> LoopInbox.Duty { inbox.add(.closure {}) }

    /// Takes the jobs and returns their number; nil if there are none.
    private func take(from inbox: inout LoopInbox) -> Int? {
        var batch: [LoopInbox.Job] = []
        return inbox.takeOrSleep(into: &batch) ? batch.count : nil
    }
}
