// SPDX-License-Identifier: Apache-2.0

extension RetryPolicy {
    /// Does something that may fail, and does it again as the policy says.
    ///
    /// ```swift
    /// let profile = try await RetryPolicy.exponential(attempts: 3).run { attempt in
    ///     try await loadProfile()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - clock: what waits are measured with; nil for ``Ambient/clock``, or else the system's.
    ///   - work: what to do; it is told which attempt it is, from 1 on. What it throws at last is thrown. Errors that are
    ///     no ``ClientError`` are not tried again unless the policy has a condition of its own.
    /// - Throws: what `work` throws, and `CancellationError` if the task is cancelled while it waits.
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

    /// Waits on a clock; nil for the system's.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
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
