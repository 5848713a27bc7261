// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport
import Testing

/// Remembers when it was called, and tells when that has happened often enough.
final class Appointment: TimerTarget, @unchecked Sendable {
    // Touched on the loop's thread only, but for `calls`.
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
    func wait(on loop: EventLoop, after body: @escaping @Sendable (Appointment) -> Void) async {
        await withCheckedContinuation { continuation in
            loop.execute {
                self.waiter = continuation
                body(self)
            }
        }
    }
}

@Suite struct TimerTests {
    @Test func firesNeverTooEarly() async throws {
        try await EventLoop.with { loop in
            let appointment = Appointment(expecting: 50)
            let due = Locked<[TimerToken: MonotonicTime]>([:])
            await appointment.wait(on: loop) { appointment in
                let start = loop.now()
                for number in 0..<50 {
                    let time = start + .microseconds(1000 + 700 * number)
                    let token = loop.schedule(appointment, at: time)
                    due.withLock { $0[token] = time }
                }
            }
            let delays = appointment.calls.withLock { calls in
                calls.map { call in call.time - due.withLock { $0[call.token]! } }
            }
            #expect(delays.count == 50)
            // How late they are is the machine's, and measured by Benchmarks/serve.sh.
            #expect(delays.allSatisfy { $0 >= .zero })
        }
    }

    @Test func firesAtOnceWhatIsPast() async throws {
        try await EventLoop.with { loop in
            await Appointment().wait(on: loop) { loop.schedule($0, at: MonotonicTime(nanoseconds: 0)) }
        }
    }

    @Test func firesInOrderWhateverTheOrderOfScheduling() async throws {
        try await EventLoop.with { loop in
            let appointment = Appointment(expecting: 3)
            let tokens = Locked<[TimerToken]>([])
            await appointment.wait(on: loop) { appointment in
                let start = loop.now()
                for delay in [3, 1, 2] {
                    let token = loop.schedule(appointment, at: start + .milliseconds(delay))
                    tokens.withLock { $0.append(token) }
                }
            }
            let scheduled = tokens.withLock { $0 }
            #expect(appointment.calls.withLock { $0.map(\.token) } == [scheduled[1], scheduled[2], scheduled[0]])
        }
    }

    @Test func doesNotFireWhatIsCancelled() async throws {
        try await EventLoop.with { loop in
            let cancelled = Appointment()
            await Appointment().wait(on: loop) { appointment in
                let now = loop.now()
                let token = loop.schedule(cancelled, at: now + .milliseconds(1))
                loop.schedule(appointment, at: now + .milliseconds(2))
                loop.cancel(token)
                loop.cancel(token)
            }
            #expect(cancelled.calls.withLock { $0.isEmpty })
        }
    }

    @Test func doesNotFireWhatAnotherTimerCancelsInTheSameTurn() async throws {
        try await EventLoop.with { loop in
            let cancelled = Appointment()
            let appointment = Appointment(expecting: 2)
            await appointment.wait(on: loop) { appointment in
                let past = MonotonicTime(nanoseconds: 1)
                loop.schedule(appointment, at: past)
                let token = loop.schedule(cancelled, at: past)
                loop.schedule(appointment, at: past)
                appointment.action = { _ in loop.cancel(token) }
            }
            #expect(cancelled.calls.withLock { $0.isEmpty })
        }
    }

    @Test func aTimerThatSchedulesItselfAtOnceStarvesNobody() async throws {
        try await EventLoop.with { loop in
            let restless = Appointment(expecting: .max)
            try await loop.run {
                restless.action = { _ in loop.schedule(restless, at: MonotonicTime(nanoseconds: 1)) }
                loop.schedule(restless, at: loop.now())
            }
            for _ in 0..<10 { try await loop.run {} }
            #expect(restless.calls.withLock { $0.count } > 1)
            try await loop.run { restless.action = nil }
        }
    }

    @Test func firesAHundredThousand() async throws {
        try await EventLoop.with { loop in
            let appointment = Appointment(expecting: 50_000)
            await appointment.wait(on: loop) { appointment in
                let now = loop.now()
                var random = SeededGenerator(seed: 7)
                let tokens = (0..<100_000).map { _ in
                    loop.schedule(appointment, at: now.advanced(byNanoseconds: random.next() % 100_000_000))
                }
                for number in stride(from: 0, to: 100_000, by: 2) { loop.cancel(tokens[number]) }
            }
            #expect(appointment.calls.withLock { $0.count } == 50_000)
        }
    }
}
