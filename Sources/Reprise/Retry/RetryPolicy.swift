// SPDX-License-Identifier: Apache-2.0

/// When a call that failed is tried again, and how long is waited before.
///
/// ```swift
/// let report: Report = try await api.get("/reports/7").retry(.exponential(attempts: 3)).value()
/// ```
///
/// By default it is tried again if the way to the server failed (``ClientError/isConnectivity``) or the status is 408,
/// 429, 500, 502, 503 or 504, and only if the method is idempotent (RFC 9110 section 9.2.2): ``also(_:)`` adds POST, say.
/// Never after a 401, after an error that is ``NeverRetried``, when the task is cancelled, or with a body that can be
/// sent only once (``Body/isReplayable``).
///
/// What the server asks for with Retry-After is waited instead of the policy's own time, up to ``longestRetryAfter``.
public struct RetryPolicy: Sendable {
    /// How many attempts there are at most, the first one included. 1 to 100; 3 by default.
    public var attempts: Int {
        didSet { attempts = min(max(attempts, 1), Self.mostAttempts) }
    }

    /// The statuses after which a call is tried again.
    public var statusCodes: Set<Int>

    /// The methods with which it is.
    public var methods: Set<HTTPRequest.Method>

    /// The most that is waited because Retry-After says so; a longer time is cut. 60 seconds by default.
    public var longestRetryAfter: Duration

    private let wait: Wait
    /// Takes the place of the rule about statuses and connectivity.
    private var condition: (@concurrent @Sendable (FailedAttempt) async -> Bool)?

    private enum Wait: Sendable {
        case backoff(Backoff)
        case asked(@concurrent @Sendable (FailedAttempt) async -> Duration?)
    }

    private static let mostAttempts = 100

    /// The statuses after which a call is tried again by default: 408, 429, 500, 502, 503 and 504.
    public static let defaultStatusCodes: Set<Int> = [408, 429, 500, 502, 503, 504]

    /// The methods with which it is by default: GET, HEAD, PUT, DELETE, OPTIONS and TRACE.
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

    /// A policy of one's own.
    ///
    /// - Parameters:
    ///   - attempts: how many there are at most, the first one included.
    ///   - methods: the methods with which a call is tried again.
    ///   - delay: says how long to wait before the next attempt; nil for no further one. It decides about errors and
    ///     statuses, and about ``FailedAttempt/retryAfter``, alone; it is not asked where there can be no further one.
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

    /// One attempt: takes back what the client or the endpoint says.
    public static let none = RetryPolicy.fixed(attempts: 1, delay: .zero)

    /// The same wait before each attempt but the first.
    ///
    /// - Parameters:
    ///   - attempts: how many there are at most, the first one included.
    ///   - delay: how long to wait.
    ///   - jitter: how far the waits stray.
    ///   - statusCodes: the statuses after which a call is tried again.
    ///   - methods: the methods with which it is.
    ///   - longestRetryAfter: the most that is waited because Retry-After says so.
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

    /// Each wait some times as long as the one before it.
    ///
    /// - Parameters:
    ///   - attempts: how many there are at most, the first one included.
    ///   - delay: the first wait.
    ///   - factor: how many times as long each further one is; less than 1, or no number, is 1.
    ///   - maximumDelay: no wait is longer.
    ///   - jitter: how far the waits stray.
    ///   - statusCodes: the statuses after which a call is tried again.
    ///   - methods: the methods with which it is.
    ///   - longestRetryAfter: the most that is waited because Retry-After says so.
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

    /// The same waits, and a condition of one's own in place of the rule about statuses and connectivity. A policy whose
    /// own closure says when asks this condition first.
    public consuming func when(
        _ condition: @escaping @concurrent @Sendable (FailedAttempt) async -> Bool
    ) -> RetryPolicy {
        self.condition = condition
        return self
    }

    /// The same, with these methods too: `.retry(.fixed().also(.post))`. What they do may then be done twice.
    public consuming func also(_ methods: HTTPRequest.Method...) -> RetryPolicy {
        self.methods.formUnion(methods)
        return self
    }

    /// How long to wait before the next attempt; nil if there is to be none.
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

/// An error after which a call is not tried again, whatever its ``RetryPolicy`` says: one that another attempt would only
/// repeat.
///
/// ```swift
/// struct OutOfStock: NeverRetried {}
/// ```
public protocol NeverRetried: Error {}
