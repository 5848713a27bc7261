// SPDX-License-Identifier: Apache-2.0

extension RetryPolicy {
    /// Runs an operation and retries it according to the policy.
    ///
    /// ```swift
    /// let profile = try await RetryPolicy.exponential(attempts: 3).run { attempt in
    ///     try await loadProfile()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - clock: The clock for the waits. If it is nil, ``Ambient/clock`` is used, or the system's clock if that is
    ///     nil too.
    ///   - work: The operation. It receives the number of the attempt, starting at 1. An error other than
    ///     ``ClientError`` is not retried unless the policy has its own condition.
    /// - Throws: The last error that `work` throws, or `CancellationError` if the task is canceled during a wait.
    @discardableResult
    public func run<Value>(
        on clock: (any Clock<Duration>)? = nil,
        _ work: (_ attempt: Int) async throws -> Value
    ) async throws -> Value {
        var number = 1
        while true {
            do {
                return try await work(number)
            } catch {
                guard let delay = await delay(after: FailedAttempt(number: number, error: error)) else { throw error }
                try await Self.sleep(for: delay, on: clock ?? Ambient.clock)
                number += 1
            }
        }
    }

    /// Waits on the given clock, or on the system's clock if it is nil.
    ///
    /// - Throws: `CancellationError` as soon as the task is canceled.
    static func sleep(for delay: Duration, on clock: (any Clock<Duration>)?) async throws {
        try Task.checkCancellation()
        guard delay > .zero else { return }
        do {
            try await (clock ?? ContinuousClock()).sleep(for: min(delay, .longest))
        } catch {
            throw CancellationError()
        }
    }
}
