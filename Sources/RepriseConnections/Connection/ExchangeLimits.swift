// SPDX-License-Identifier: Apache-2.0

struct ExchangeLimits: Sendable {
    /// The limit for resolving the host, connecting and the TLS handshake together.
    var connect: Duration
    /// The limit from the call until the response's head is complete.
    var head: Duration?
    /// The limit from the call until the response's body is complete.
    var total: Duration?

    /// Returns the limit that is reached next, measured from the call.
    func next(isHeadComplete: Bool) -> Duration? {
        guard let head, !isHeadComplete else { return total }
        return total.map { min($0, head) } ?? head
    }

    /// Returns the limit that has been exceeded after the given time since the call.
    func exceeded(after time: Duration, isHeadComplete: Bool) -> (ConnectionError.Kind, Duration)? {
        if let total, time >= total { return (.totalTimeout, total) }
        if let head, time >= head, !isHeadComplete { return (.headTimeout, head) }
        return nil
    }
}
