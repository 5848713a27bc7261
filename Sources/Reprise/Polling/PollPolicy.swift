// SPDX-License-Identifier: Apache-2.0

/// How often something is asked for until it is as it should be, and for how long.
///
/// ```swift
/// let done = try await api.get("/jobs/7").poll(until: { (job: Job) in job.isDone })
/// ```
///
/// It is asked for at once, then after ``delay``, then each time after a ``factor`` times longer wait.
public struct PollPolicy: Sendable {
    /// The first wait; 2 seconds by default. No wait is shorter than 0.1 seconds.
    public var delay: Duration
    /// How many times as long each further wait is; 1.5 by default. Less than 1, or no number, is 1.
    public var factor: Double
    /// No wait is longer; 10 seconds by default.
    public var maximumDelay: Duration
    /// How far the waits stray; 20 % by default.
    public var jitter: Jitter
    /// How long it may take altogether; nil for any time, 120 seconds by default. What is under way then is ended.
    public var timeout: Duration?

    /// A policy, each part of which may be left at its default.
    public init(
        delay: Duration = .seconds(2),
        factor: Double = 1.5,
        maximumDelay: Duration = .seconds(10),
        jitter: Jitter = Jitter(0.2),
        timeout: Duration? = .seconds(120)
    ) {
        self.delay = delay
        self.factor = factor
        self.maximumDelay = maximumDelay
        self.jitter = jitter
        self.timeout = timeout
    }

    /// How long to wait after `count` waits.
    func delay(after count: Int) -> Duration {
        let longest = max(maximumDelay, Self.shortestDelay)
        return Backoff(
            first: delay,
            factor: factor,
            minimum: Self.shortestDelay,
            maximum: longest,
            jitter: jitter
        ).delay(after: count)
    }

    private static let shortestDelay = Duration.milliseconds(100)
}
