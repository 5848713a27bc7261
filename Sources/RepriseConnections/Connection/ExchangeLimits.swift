// SPDX-License-Identifier: Apache-2.0

/// How long the parts of an exchange may take.
struct ExchangeLimits: Sendable {
    /// Finding the host, connecting and securing the connection, together.
    var connect: Duration
    /// From the call until the response's head is complete.
    var head: Duration?
    /// From the call until the response's body is complete.
    var total: Duration?

    /// The limit that comes next, counted from the call.
    func next(isHeadComplete: Bool) -> Duration? {
        guard let head, !isHeadComplete else { return total }
        return total.map { min($0, head) } ?? head
    }

    /// The limit that is exceeded when so much time has passed since the call.
    func exceeded(after time: Duration, isHeadComplete: Bool) -> (ConnectionError.Kind, Duration)? {
        if let total, time >= total { return (.totalTimeout, total) }
        if let head, time >= head, !isHeadComplete { return (.headTimeout, head) }
        return nil
    }
}
