// SPDX-License-Identifier: Apache-2.0

internal import RepriseLocking

package struct TimeLimit: Sendable {
    let limit: Duration
    /// Nil for the system's clock.
    let clock: (any Clock<Duration>)?

    package init(limit: Duration, clock: (any Clock<Duration>)? = nil) {
        self.limit = limit
        self.clock = clock
    }

    /// Whether the limit is measured in real time, not on a test clock.
    var isRealTime: Bool { clock == nil || clock is ContinuousClock || clock is SuspendingClock }

    /// Runs `work` until it returns or the time limit is reached.
    ///
    /// No task remains after this method returns. `work` therefore has to end soon after it is canceled.
    ///
    /// - Parameters:
    ///   - idle: The time that the limit applies to, if it begins again during the work.
    ///   - onExpiry: Called if the time limit is reached, before `work` is canceled.
    ///   - work: The work.
    /// - Returns: The result of `work`, or nil if the time limit was reached first.
    package func run<Result: Sendable>(
        since idle: IdleTime? = nil,
        onExpiry: () -> Void = {},
        _ work: @escaping @Sendable () async -> Result
    ) async -> Result? {
        let expiry = expiry()
        return await withTaskGroup(of: Outcome<Result>.self) { group in
            group.addTask { .done(await work()) }
            group.addTask {
                do {
                    try await expiry()
                    while let idle, idle.elapsed < limit {
                        try await TimeLimit(limit: limit - idle.elapsed, clock: clock).expiry()()
                    }
                    return .timeIsUp
                } catch {
                    return .stopped
                }
            }
            defer { group.cancelAll() }
            while let outcome = await group.next() {
                switch outcome {
                case .done(let result): return result
                case .timeIsUp:
                    onExpiry()
                    return nil
                // The task was canceled, so wait for the result of `work`, which is canceled too.
                case .stopped: continue
                }
            }
            return nil
        }
    }

    private enum Outcome<Result: Sendable>: Sendable {
        case done(Result)
        case timeIsUp
        case stopped
    }

    /// Returns a closure that waits until the time limit, counted from now, is reached. The closure throws if its task
    /// is canceled.
    private func expiry() -> @Sendable () async throws -> Void {
        switch clock {
        case nil: { try await ContinuousClock().sleep(for: limit) }
        case let clock as ContinuousClock: { try await clock.sleep(for: limit) }
        case let clock as SuspendingClock: { try await clock.sleep(for: limit) }
        case let clock?: watch(clock)
        }
    }

    /// Returns a closure that polls a test clock.
    ///
    /// The closure does not sleep on that clock. On a clock where sleeping takes no time, the limit would always be
    /// reached first. On a clock that records sleeps, the limit would appear among the delays under test. The closure
    /// also checks the system's clock, so that the wait ends even if the test clock stands still.
    private func watch<C: Clock<Duration>>(_ clock: C) -> @Sendable () async throws -> Void {
        let start = clock.now
        let end = ContinuousClock.now + limit
        return {
            while start.duration(to: clock.now) < limit, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }
}

/// The time since data was last sent, on a clock or in real time, whichever is longer.
package final class IdleTime: Sendable {
    private struct State {
        var stopwatches: [@Sendable () -> Duration] = []
        var longest = Duration.zero

        var elapsed: Duration { stopwatches.map { $0() }.max() ?? .zero }
    }

    private let clock: any Clock<Duration>
    private let state = Locked(State())

    init(on clock: (any Clock<Duration>)?) {
        self.clock = clock ?? ContinuousClock()
        restart()
    }

    func restart() {
        let started = [clock.stopwatch(), ContinuousClock().stopwatch()]
        state.withLock { state in
            state.longest = max(state.longest, state.elapsed)
            state.stopwatches = started
        }
    }

    var elapsed: Duration { state.withLock { $0.elapsed } }

    var longest: Duration { state.withLock { max($0.longest, $0.elapsed) } }
}

/// Whether a time limit of a request has passed. If a transport does not enforce it, the client cancels its request, and
/// the transport then sees only the cancellation.
package final class RequestExpiry: Sendable {
    /// The expiry of the request that this task sends, or nil if the transport enforces its timeout.
    @TaskLocal package static var current: RequestExpiry?

    /// The expiry of a limit around this one.
    private let outer = RequestExpiry.current
    private let state = Locked(false)

    /// Whether the limit has passed, or one around it.
    package var isReached: Bool { state.withLock { $0 } || outer?.isReached == true }

    func note() {
        state.withLock { $0 = true }
    }
}
