// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RepriseConnections

@Suite struct IdleHistoryTests {
    @Test func nothingIsSafeWithoutProof() {
        var history = IdleHistory()
        #expect(!history.isSafe(after: .zero))
        history.sawOpen(after: .milliseconds(999))
        #expect(!history.isSafe(after: .zero))
    }

    @Test func halfOfProvenTimeIsSafe() {
        var history = IdleHistory()
        history.sawOpen(after: .seconds(4))
        history.sawOpen(after: .seconds(1))
        #expect(history.isSafe(after: .seconds(2)))
        #expect(!history.isSafe(after: .milliseconds(2001)))
    }

    @Test func earlierCloseLimitsSafeTime() {
        var history = IdleHistory()
        history.sawOpen(after: .seconds(10))
        history.sawClosed(after: .seconds(4))
        history.sawClosed(after: .seconds(6))
        #expect(history.isSafe(after: .seconds(2)))
        #expect(!history.isSafe(after: .seconds(3)))
        #expect(!history.closesSoon)
        history.sawClosed(after: .milliseconds(1))
        #expect(!history.isSafe(after: .milliseconds(1)))
        #expect(history.closesSoon)
    }
}
