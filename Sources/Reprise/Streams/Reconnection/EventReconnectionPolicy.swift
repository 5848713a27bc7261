// SPDX-License-Identifier: Apache-2.0

/// How long to wait before an event stream is connected again.
///
/// After a stream that ended or broke, and after the first attempt that fails: as long as the stream asked for with its
/// field `retry`, an hour at most, or ``delay`` if it never did. Each further attempt in a row that fails doubles that,
/// up to ``maximumDelay``. After a connection that brought no event it is a second at least, so that a server which
/// asks for no delay and hangs up is not called in a loop.
public struct EventReconnectionPolicy: Sendable, Hashable {
    /// How long to wait if the stream does not say.
    public var delay: Duration
    /// How long to wait at most because attempts fail; a longer time that the stream asks for counts.
    public var maximumDelay: Duration

    /// A policy.
    ///
    /// - Parameters:
    ///   - delay: how long to wait if the stream does not say.
    ///   - maximumDelay: how long to wait at most because attempts fail.
    public init(delay: Duration = .seconds(3), maximumDelay: Duration = .seconds(60)) {
        self.delay = max(delay, .zero)
        self.maximumDelay = max(maximumDelay, .zero)
    }

    /// Whether the way to the host is what failed, so that another connection may mend it.
    public static func isConnectivity(_ error: any Error) -> Bool {
        switch error {
        case let error as ClientError: error.isConnectivity
        case let error as TransportError: error.isConnectivity
        default: false
        }
    }

    /// How long to wait.
    ///
    /// - Parameters:
    ///   - wish: what the stream asked for last.
    ///   - failures: how many attempts in a row have failed.
    ///   - isFruitless: whether the last connection brought no event.
    func delay(wish: Duration?, failures: Int, isFruitless: Bool) -> Duration {
        let base = min(wish ?? delay, .seconds(3600))
        if failures == 0 { return isFruitless ? max(base, .seconds(1)) : base }
        if failures == 1 { return base }
        let cap = max(base, maximumDelay)
        var delay = max(base, .milliseconds(100))
        // An hour is the most that is doubled, and what is above the cap is not.
        for _ in 1..<failures where delay < cap { delay *= 2 }
        return min(delay, cap)
    }
}
