// SPDX-License-Identifier: Apache-2.0

extension PollPolicy {
    /// Runs an operation repeatedly until its result satisfies a condition.
    ///
    /// ```swift
    /// let ready = try await PollPolicy(timeout: .seconds(30)).run(until: { $0.isReady }) {
    ///     try await readState()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - clock: The clock for the waits. If it is nil, ``Ambient/clock`` is used, or the system's clock if that is
    ///     nil too.
    ///   - isDone: Whether a value satisfies the condition.
    ///   - work: The operation. It must end when its task is canceled, because that is how the timeout ends it.
    /// - Returns: The first value that satisfies the condition.
    /// - Throws: ``ClientError/Code/pollTimeout``, `CancellationError`, or any error that `isDone` or `work` throws.
    public func run<Value: Sendable>(
        on clock: (any Clock<Duration>)? = nil,
        until isDone: (Value) async throws -> Bool,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let watch = PollWatch(policy: self, clock: clock ?? Ambient.clock)
        var count = 0
        while true {
            let value = try await watch.run(work)
            count += 1
            if try await isDone(value) { return value }
            try await watch.wait(after: count, nil)
        }
    }
}

/// Measures the time of a poll, starting when it is created.
struct PollWatch: Sendable {
    private let policy: PollPolicy
    private let clock: (any Clock<Duration>)?
    private let elapsed: @Sendable () -> Duration

    init(policy: PollPolicy, clock: (any Clock<Duration>)?) {
        self.policy = policy
        self.clock = clock
        elapsed = (clock ?? ContinuousClock()).stopwatch()
    }

    /// The remaining time, or nil if it is unlimited.
    private var rest: Duration? {
        policy.timeout.flatMap { $0 > .longest ? nil : max($0, .zero) - elapsed() }
    }

    /// Runs an operation and cancels it when the time is up.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        guard let rest else { return try await work() }
        let outcome = await TimeLimit(limit: max(rest, .zero), clock: clock).run { await Result(of: work) }
        guard let outcome else { throw timeout("the last poll did not finish", nil) }
        return try outcome.get()
    }

    func wait(after count: Int, _ last: BufferedResponse?) async throws {
        let delay = policy.delay(after: count - 1)
        if let rest, delay >= rest {
            if rest > .zero { try await RetryPolicy.sleep(for: rest, on: clock) }
            throw timeout("the condition was still false after \(count) \(count == 1 ? "poll" : "polls")", last)
        }
        try await RetryPolicy.sleep(for: delay, on: clock)
    }

    private func timeout(_ how: String, _ last: BufferedResponse?) -> ClientError {
        ClientError(
            .pollTimeout,
            "polling timed out after \(policy.timeout ?? .zero): \(how)",
            response: last
        )
    }
}
