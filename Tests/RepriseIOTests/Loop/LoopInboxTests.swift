// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RepriseIO

@Suite struct LoopInboxTests {
    @Test func wakesOnlySleepingLoopAndOnlyOnce() {
        var inbox = LoopInbox()
        #expect(add(to: &inbox) == .none)
        #expect(!sleep(&inbox))
        #expect(add(to: &inbox) == .none)
        #expect(take(from: &inbox) == 2)
        #expect(sleep(&inbox))
        #expect(add(to: &inbox) == .wakeLoop)
        #expect(add(to: &inbox) == .none)
        #expect(take(from: &inbox) == 2)
        #expect(add(to: &inbox) == .none)
    }

    @Test func doesNotWakeLoopThatEventHasWoken() {
        var inbox = LoopInbox()
        #expect(sleep(&inbox))
        inbox.endSleep()
        #expect(add(to: &inbox) == .none)
    }

    private func add(to inbox: inout LoopInbox) -> LoopInbox.Duty { inbox.add(.closure {}) }
    private func sleep(_ inbox: inout LoopInbox) -> Bool { inbox.sleepIfEmpty() }

    /// Takes the jobs and returns their number.
    private func take(from inbox: inout LoopInbox) -> Int {
        var batch: [LoopInbox.Job] = []
        inbox.take(into: &batch)
        return batch.count
    }
}
