// SPDX-License-Identifier: Apache-2.0

/// The waits before an event stream reconnects.
///
/// After a stream ends or breaks, and after the first failed attempt to connect, the wait is the time that the stream
/// asked for with its `retry` field, up to an hour. If the stream asked for none, the wait is ``delay``. Each further
/// failed attempt in a row doubles the wait, up to ``maximumDelay``. After a connection without any events, the wait
/// is at least a second, so that the client does not reconnect in a tight loop to a server that asks for no delay and
/// closes the connection.
public struct EventReconnectionPolicy: Sendable, Hashable {
    /// The wait if the stream does not specify one. The default is 3 seconds.
    public var delay: Duration
    /// The longest wait after failed attempts. The default is 60 seconds. A longer time that the stream asks for is
    /// respected.
    public var maximumDelay: Duration

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - delay: The wait if the stream does not specify one.
    ///   - maximumDelay: The longest wait after failed attempts.
    public init(delay: Duration = .seconds(3), maximumDelay: Duration = .seconds(60)) {
        self.delay = max(delay, .zero)
        self.maximumDelay = max(maximumDelay, .zero)
    }

    /// Whether the connection to the host failed, so that reconnecting may succeed.
    public static func isConnectivity(_ error: any Error) -> Bool {
        switch error {
        case let error as ClientError: error.isConnectivity
        case let error as TransportError: error.isConnectivity
        default: false
        }
    }

    /// Returns the wait before the next attempt.
    ///
    /// - Parameters:
    ///   - wish: The time that the stream asked for last.
    ///   - failures: The number of failed attempts in a row.
    ///   - isFruitless: Whether the last connection had no events.
    func delay(wish: Duration?, failures: Int, isFruitless: Bool) -> Duration {
        let base = min(wish ?? delay, .seconds(3600))
        if failures == 0 { return isFruitless ? max(base, .seconds(1)) : base }
        if failures == 1 { return base }
        let cap = max(base, maximumDelay)
        var delay = max(base, .milliseconds(100))
        // The wait starts at no more than an hour, and doubles only while it is below the cap.
        for _ in 1..<failures where delay < cap { delay *= 2 }
        return min(delay, cap)
    }
}
