// SPDX-License-Identifier: Apache-2.0

extension PollPolicy {
    /// Does something until what it gives is as it should be.
    ///
    /// ```swift
    /// let ready = try await PollPolicy(timeout: .seconds(30)).run(until: { $0.isReady }) {
    ///     try await readState()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - clock: what waits are measured with; nil for ``Ambient/clock``, or else the system's.
    ///   - isDone: whether a value is as it should be.
    ///   - work: what to do. It has to end when it is cancelled: that is how the timeout ends it.
    /// - Returns: the first value for which `isDone` says so.
    /// - Throws: ``ClientError/Code/pollTimeout``, what `isDone` and `work` throw, and `CancellationError`.
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

/// The time of a poll, which runs from its making on.
struct PollWatch: Sendable {
    private let policy: PollPolicy
    private let clock: (any Clock<Duration>)?
    private let elapsed: @Sendable () -> Duration

    init(policy: PollPolicy, clock: (any Clock<Duration>)?) {
        self.policy = policy
        self.clock = clock
        elapsed = (clock ?? ContinuousClock()).stopwatch()
    }

    /// Nil if there is no end to it.
    private var rest: Duration? {
        policy.timeout.flatMap { $0 > .longest ? nil : max($0, .zero) - elapsed() }
    }

    /// Does something as long as there is time.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        guard let rest else { return try await work() }
        let outcome = await TimeLimit(limit: max(rest, .zero), clock: clock).run { () -> Result<Value, any Error> in
            do {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        guard let outcome else { throw timeout("the last of them was not answered", nil) }
        return try outcome.get()
    }

    /// Waits before it is done once more.
    func wait(after count: Int, _ last: BufferedResponse?) async throws {
        let delay = policy.delay(after: count - 1)
        if let rest, delay >= rest {
            if rest > .zero { try await RetryPolicy.sleep(for: rest, on: clock) }
            throw timeout("it was asked for \(count) times", last)
        }
        try await RetryPolicy.sleep(for: delay, on: clock)
    }

    private func timeout(_ how: String, _ last: BufferedResponse?) -> ClientError {
        ClientError(
            .pollTimeout,
            "what was polled for did not come within \(policy.timeout ?? .zero): \(how)",
            response: last
        )
    }
}
