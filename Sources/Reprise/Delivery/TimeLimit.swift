// SPDX-License-Identifier: Apache-2.0

/// How long something may take, on a clock.
struct TimeLimit: Sendable {
    let limit: Duration
    /// Nil for the system's.
    let clock: (any Clock<Duration>)?

    /// Runs `work` as long as there is time, and no longer than the task is not cancelled.
    ///
    /// Both end when one does: nothing is left behind. For that, `work` has to end when it is cancelled.
    ///
    /// - Returns: what `work` returns; nil if the time was up first.
    func run<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) async -> Result? {
        let expiry = expiry()
        return await withTaskGroup(of: Outcome<Result>.self) { group in
            group.addTask { .done(await work()) }
            group.addTask {
                do {
                    try await expiry()
                    return .timeIsUp
                } catch {
                    return .stopped
                }
            }
            defer { group.cancelAll() }
            while let outcome = await group.next() {
                switch outcome {
                case .done(let result): return result
                case .timeIsUp: return nil
                // The task is cancelled, and `work` has to say so.
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

    /// Waits until the time is up, which runs from now on. Throws if it is cancelled.
    private func expiry() -> @Sendable () async throws -> Void {
        switch clock {
        case nil: { try await ContinuousClock().sleep(for: limit) }
        case let clock as ContinuousClock: { try await clock.sleep(for: limit) }
        case let clock as SuspendingClock: { try await clock.sleep(for: limit) }
        case let clock?: watch(clock)
        }
    }

    /// Looks now and then how late it is on a test's clock.
    ///
    /// It does not sleep on that clock: on one where a sleep takes no time, the limit would always be reached first, and
    /// on one that keeps what was slept, the limit would stand among the delays under test. The system's time counts
    /// too, so that the wait ends on a clock that stands still.
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
