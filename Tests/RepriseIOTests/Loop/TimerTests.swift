// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport
import Testing

/// Records its calls, and resumes its waiter after the expected number of them.
final class TimerProbe: TimerTarget, @unchecked Sendable {
    // Used only on the loop's thread, except for `calls`.
    let calls = Locked<[(token: TimerToken, time: MonotonicTime)]>([])
    private let expected: Int
    private var waiter: CheckedContinuation<Void, Never>?
    var action: ((TimerToken) -> Void)?

    init(expecting expected: Int = 1) {
        self.expected = expected
    }

    func timerFired(_ token: TimerToken) {
        let count = calls.withLock { calls in
            calls.append((token, .now))
            return calls.count
        }
        action?(token)
        if count == expected { waiter?.resume() }
    }

    /// Runs `body` on the loop, then waits until the expected number of timers have fired.
    func wait(on loop: EventLoop, after body: @escaping @Sendable (TimerProbe) -> Void) async {
        await withCheckedContinuation { continuation in
            loop.execute {
                self.waiter = continuation
                body(self)
            }
        }
    }
}

@Suite struct TimerTests {
    @Test func neverFiresEarly() async throws {
        try await EventLoop.with { loop in
            let probe = TimerProbe(expecting: 50)
            let due = Locked<[TimerToken: MonotonicTime]>([:])
            await probe.wait(on: loop) { probe in
                let start = loop.now()
                for number in 0..<50 {
                    let time = start + .microseconds(1000 + 700 * number)
                    let token = loop.schedule(probe, at: time)
                    due.withLock { $0[token] = time }
                }
            }
            let delays = probe.calls.withLock { calls in
                calls.map { call in call.time - due.withLock { $0[call.token]! } }
            }
            #expect(delays.count == 50)
            // How late they fire depends on the machine. Benchmarks/serve.sh measures it.
            #expect(delays.allSatisfy { $0 >= .zero })
        }
    }

    @Test func firesPastTimerImmediately() async throws {
        try await EventLoop.with { loop in
            await TimerProbe().wait(on: loop) { loop.schedule($0, at: MonotonicTime(nanoseconds: 0)) }
        }
    }

    @Test func firesInOrderOfTime() async throws {
        try await EventLoop.with { loop in
            let probe = TimerProbe(expecting: 3)
            let tokens = Locked<[TimerToken]>([])
            await probe.wait(on: loop) { probe in
                let start = loop.now()
                for delay in [3, 1, 2] {
                    let token = loop.schedule(probe, at: start + .milliseconds(delay))
                    tokens.withLock { $0.append(token) }
                }
            }
            let scheduled = tokens.withLock { $0 }
            #expect(probe.calls.withLock { $0.map(\.token) } == [scheduled[1], scheduled[2], scheduled[0]])
        }
    }

    @Test func doesNotFireCanceledTimer() async throws {
        try await EventLoop.with { loop in
            let canceled = TimerProbe()
            await TimerProbe().wait(on: loop) { probe in
                let now = loop.now()
                let token = loop.schedule(canceled, at: now + .milliseconds(1))
                loop.schedule(probe, at: now + .milliseconds(2))
                loop.cancel(token)
                loop.cancel(token)
            }
            #expect(canceled.calls.withLock { $0.isEmpty })
        }
    }

    @Test func doesNotFireTimerCanceledInSameTurn() async throws {
        try await EventLoop.with { loop in
            let canceled = TimerProbe()
            let probe = TimerProbe(expecting: 2)
            await probe.wait(on: loop) { probe in
                let past = MonotonicTime(nanoseconds: 1)
                loop.schedule(probe, at: past)
                let token = loop.schedule(canceled, at: past)
                loop.schedule(probe, at: past)
                probe.action = { _ in loop.cancel(token) }
            }
            #expect(canceled.calls.withLock { $0.isEmpty })
        }
    }

    @Test func selfReschedulingTimerDoesNotStarveLoop() async throws {
        try await EventLoop.with { loop in
            let restless = TimerProbe(expecting: .max)
            try await loop.run {
                restless.action = { _ in loop.schedule(restless, at: MonotonicTime(nanoseconds: 1)) }
                loop.schedule(restless, at: loop.now())
            }
            for _ in 0..<10 { try await loop.run {} }
            #expect(restless.calls.withLock { $0.count } > 1)
            try await loop.run { restless.action = nil }
        }
    }

    @Test func firesAllUncanceledTimers() async throws {
        try await EventLoop.with { loop in
            let probe = TimerProbe(expecting: 50_000)
            await probe.wait(on: loop) { probe in
                let now = loop.now()
                var random = SeededGenerator(seed: 7)
                let tokens = (0..<100_000).map { _ in
                    loop.schedule(probe, at: now.advanced(byNanoseconds: random.next() % 100_000_000))
                }
                for number in stride(from: 0, to: 100_000, by: 2) { loop.cancel(tokens[number]) }
            }
            #expect(probe.calls.withLock { $0.count } == 50_000)
        }
    }
}
