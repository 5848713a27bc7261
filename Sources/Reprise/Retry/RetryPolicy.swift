// SPDX-License-Identifier: Apache-2.0

/// The rules for when a failed call is retried and how long to wait before each retry.
///
/// ```swift
/// let report: Report = try await api.get("/reports/7").retry(.exponential(attempts: 3)).value()
/// ```
///
/// By default, a call with an idempotent method (RFC 9110 section 9.2.2) is retried if the connection to the server
/// fails (``ClientError/isConnectivity``) or the status is 408, 429, 500, 502, 503, or 504. To add other methods, such
/// as POST, use ``also(_:)``. A call is never retried after a 401, after an error that conforms to ``NeverRetried``,
/// if the task is canceled, or if its body can be sent only once (``Body/isReplayable``).
///
/// If the server sends Retry-After, that wait replaces the policy's own, up to ``longestRetryAfter``.
public struct RetryPolicy: Sendable {
    /// The maximum number of attempts including the first one, from 1 to 100. The default is 3.
    public var attempts: Int {
        didSet { attempts = min(max(attempts, 1), Self.mostAttempts) }
    }

    /// The statuses after which a call is retried.
    public var statusCodes: Set<Int>

    /// The methods for which a call is retried.
    public var methods: Set<HTTPRequest.Method>

    /// The longest wait accepted from Retry-After. Longer values are shortened to it. The default is 60 seconds.
    public var longestRetryAfter: Duration

    private let wait: Wait
    /// Replaces the rule about statuses and connectivity.
    private var condition: (@concurrent @Sendable (FailedAttempt) async -> Bool)?

    private enum Wait: Sendable {
        case backoff(Backoff)
        case asked(@concurrent @Sendable (FailedAttempt) async -> Duration?)
    }

    private static let mostAttempts = 100

    /// The statuses after which a call is retried by default: 408, 429, 500, 502, 503, and 504.
    public static let defaultStatusCodes: Set<Int> = [408, 429, 500, 502, 503, 504]

    /// The methods for which a call is retried by default: GET, HEAD, PUT, DELETE, OPTIONS, and TRACE.
    public static let defaultMethods: Set<HTTPRequest.Method> = [.get, .head, .put, .delete, .options, .trace]

    private init(
        _ wait: Wait,
        attempts: Int,
        statusCodes: Set<Int>,
        methods: Set<HTTPRequest.Method>,
        longestRetryAfter: Duration
    ) {
        self.wait = wait
        self.attempts = min(max(attempts, 1), Self.mostAttempts)
        self.statusCodes = statusCodes
        self.methods = methods
        self.longestRetryAfter = longestRetryAfter
    }

    /// Creates a policy that determines the waits with a closure.
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of attempts, including the first one.
    ///   - methods: The methods for which a call is retried.
    ///   - delay: A closure that returns the wait before the next attempt, or nil to stop. It decides after which
    ///     errors and statuses a call is retried, and whether to follow ``FailedAttempt/retryAfter``. It is not called
    ///     if no further attempt is possible.
    public init(
        attempts: Int = 3,
        methods: Set<HTTPRequest.Method> = defaultMethods,
        delay: @escaping @concurrent @Sendable (FailedAttempt) async -> Duration?
    ) {
        self.init(
            .asked(delay),
            attempts: attempts,
            statusCodes: Self.defaultStatusCodes,
            methods: methods,
            longestRetryAfter: .seconds(60)
        )
    }

    /// A policy of a single attempt, which overrides the client's and the endpoint's policy.
    public static let never = RetryPolicy.fixed(attempts: 1, delay: .zero)

    /// Returns a policy with the same wait before each retry.
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of attempts, including the first one.
    ///   - delay: The wait.
    ///   - jitter: The random variation of the waits.
    ///   - statusCodes: The statuses after which a call is retried.
    ///   - methods: The methods for which a call is retried.
    ///   - longestRetryAfter: The longest wait accepted from Retry-After.
    public static func fixed(
        attempts: Int = 3,
        delay: Duration = .seconds(1),
        jitter: Jitter = .none,
        statusCodes: Set<Int> = defaultStatusCodes,
        methods: Set<HTTPRequest.Method> = defaultMethods,
        longestRetryAfter: Duration = .seconds(60)
    ) -> RetryPolicy {
        RetryPolicy(
            .backoff(Backoff(first: delay, jitter: jitter)),
            attempts: attempts,
            statusCodes: statusCodes,
            methods: methods,
            longestRetryAfter: longestRetryAfter
        )
    }

    /// Returns a policy whose waits grow by a factor.
    ///
    /// - Parameters:
    ///   - attempts: The maximum number of attempts, including the first one.
    ///   - delay: The first wait.
    ///   - factor: The factor by which each further wait grows. Values less than 1 and NaN count as 1.
    ///   - maximumDelay: The longest wait.
    ///   - jitter: The random variation of the waits.
    ///   - statusCodes: The statuses after which a call is retried.
    ///   - methods: The methods for which a call is retried.
    ///   - longestRetryAfter: The longest wait accepted from Retry-After.
    public static func exponential(
        attempts: Int = 3,
        delay: Duration = .seconds(1),
        factor: Double = 2,
        maximumDelay: Duration = .seconds(30),
        jitter: Jitter = Jitter(0.2),
        statusCodes: Set<Int> = defaultStatusCodes,
        methods: Set<HTTPRequest.Method> = defaultMethods,
        longestRetryAfter: Duration = .seconds(60)
    ) -> RetryPolicy {
        RetryPolicy(
            .backoff(Backoff(first: delay, factor: factor, maximum: maximumDelay, jitter: jitter)),
            attempts: attempts,
            statusCodes: statusCodes,
            methods: methods,
            longestRetryAfter: longestRetryAfter
        )
    }

    /// Returns the policy with a custom condition in place of the rule about statuses and connectivity.
    ///
    /// If the policy determines its waits with a closure, the condition is checked before the closure.
    public consuming func when(
        _ condition: @escaping @concurrent @Sendable (FailedAttempt) async -> Bool
    ) -> RetryPolicy {
        self.condition = condition
        return self
    }

    /// Returns the policy with additional methods: `.retry(.fixed().also(.post))`. Requests with these methods may
    /// then take effect twice.
    public consuming func also(_ methods: HTTPRequest.Method...) -> RetryPolicy {
        self.methods.formUnion(methods)
        return self
    }

    /// Returns the wait before the next attempt, or nil if there is none.
    func delay(after failure: FailedAttempt) async -> Duration? {
        guard failure.number < attempts, !failure.isFinal, failure.request.map({ methods.contains($0.method) }) ?? true
        else { return nil }
        switch wait {
        case .asked(let delay):
            if let condition, await !condition(failure) { return nil }
            return await delay(failure).map { min(max($0, .zero), .longest) }
        case .backoff(let backoff):
            guard await isWorthwhile(after: failure) else { return nil }
            return failure.retryAfter.map { min($0, max(longestRetryAfter, .zero)) }
                ?? backoff.delay(after: failure.number - 1)
        }
    }

    private func isWorthwhile(after failure: FailedAttempt) async -> Bool {
        if let condition { return await condition(failure) }
        return failure.isConnectivity || failure.response.map { statusCodes.contains($0.status.code) } ?? false
    }
}

/// An error after which a call is never retried, whatever its ``RetryPolicy``, because another attempt would fail the
/// same way.
///
/// ```swift
/// struct OutOfStock: NeverRetried {}
/// ```
public protocol NeverRetried: Error {}
