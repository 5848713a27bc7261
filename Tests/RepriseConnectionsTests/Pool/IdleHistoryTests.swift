// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import Testing

@testable import RepriseConnections

@Suite struct IdleHistoryTests {
    @Test func nothingIsSafeWithoutProof() {
        var history = IdleHistory()
        #expect(!history.isSafe(after: .zero))
        history.sawOpen(for: .milliseconds(999))
        #expect(!history.isSafe(after: .zero))
    }

    /// The server and its client were suspended together, and the server closes the connection when it continues.
    @Test func timeWithoutAnswerProvesNothing() {
        var history = IdleHistory()
        let answer = MonotonicTime.now + .seconds(-10)
        history.sawOpen(since: answer, afterAnswerAt: answer)
        #expect(!history.isSafe(after: .zero))
    }

    @Test func halfOfProvenTimeIsSafe() {
        var history = IdleHistory()
        history.sawOpen(for: .seconds(4))
        history.sawOpen(for: .seconds(1))
        #expect(history.isSafe(after: .seconds(2)))
        #expect(!history.isSafe(after: .milliseconds(2001)))
    }

    @Test func earlierCloseLimitsSafeTime() {
        var history = IdleHistory()
        history.sawOpen(for: .seconds(10))
        history.sawClosed(after: .seconds(4))
        history.sawClosed(after: .seconds(6))
        #expect(history.isSafe(after: .seconds(2)))
        #expect(!history.isSafe(after: .seconds(3)))
        #expect(!history.closesSoon)
    }

    @Test func nothingIsSafeAfterCloseRightAfterAnswer() {
        var history = IdleHistory()
        history.sawOpen(for: .seconds(10))
        history.sawClosed(after: .milliseconds(900))
        #expect(history.closesSoon)
        #expect(!history.isSafe(after: .zero))
    }
}

extension IdleHistory {
    fileprivate mutating func sawOpen(for idle: Duration) {
        let time = MonotonicTime.now
        sawOpen(since: time, afterAnswerAt: time + idle)
    }
}
