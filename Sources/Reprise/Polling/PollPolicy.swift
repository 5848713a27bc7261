// SPDX-License-Identifier: Apache-2.0

/// The waits between polls, and the time after which polling gives up.
///
/// ```swift
/// let done = try await api.get("/jobs/7").poll(until: { (job: Job) in job.isDone })
/// ```
///
/// The first poll is sent immediately and the second after ``delay``. Each further wait is ``factor`` times as long
/// as the previous one.
public struct PollPolicy: Sendable {
    /// The first wait. The default is 2 seconds. No wait is shorter than 0.1 seconds.
    public var delay: Duration
    /// The factor by which each further wait grows. The default is 1.5. Values less than 1 and NaN count as 1.
    public var factor: Double
    /// The longest wait. The default is 10 seconds.
    public var maximumDelay: Duration
    /// The random variation of the waits. The default is `Jitter(0.2)`.
    public var jitter: Jitter
    /// The overall time limit, or nil for none. The default is 120 seconds. A poll still in progress then is
    /// canceled.
    public var timeout: Duration?

    /// Creates a policy.
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

    /// Returns the next wait after `count` earlier ones.
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
