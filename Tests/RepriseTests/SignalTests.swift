// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

/// No test waits without a limit.
@Suite(.timeLimit(.minutes(1))) struct SignalTests {
    @Test func cancellationEndsWait() async {
        await withKnownIssue {
            let waiting = Task { await Signal().wait() }
            waiting.cancel()
            await waiting.value
        } matching: { issue in
            issue.comments.contains("expected the signal to be set, found that the task was canceled")
        }
    }

    @Test func limitEndsWaitAtItsLine() async {
        let line = #line + 2
        await withKnownIssue {
            await Signal().wait(upTo: .milliseconds(1))
        } matching: { issue in
            issue.sourceLocation?.line == line
                && issue.comments.contains("expected the signal to be set within 0.001 seconds, found that it was not")
        }
    }

    @Test func signalEndsWait() async {
        let signal = Signal()
        let waiting = Task { await signal.wait() }
        signal.set()
        await waiting.value
        await signal.wait(upTo: .zero)
    }

    @Test func limitEndsWaitForSleepers() async {
        let clock = ManualClock()
        let line = #line + 2
        await withKnownIssue {
            await clock.waitForSleepers(2, upTo: .milliseconds(1))
        } matching: { issue in
            issue.sourceLocation?.line == line
                && issue.comments.contains("expected 2 tasks to sleep on the clock within 0.001 seconds, found 0")
        }
    }
}
