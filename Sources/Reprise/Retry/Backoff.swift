// SPDX-License-Identifier: Apache-2.0

/// Waits that grow from one to the next.
struct Backoff: Sendable {
    /// The first wait, as it is.
    var first: Duration
    /// How many times as long each wait is as the one before it. Less than 1, or no number, is 1.
    var factor = 1.0
    var minimum = Duration.zero
    /// No wait is longer, jitter included.
    var maximum = Duration.longest
    var jitter = Jitter.none

    /// How long to wait after `count` waits.
    func delay(after count: Int) -> Duration {
        let (shortest, longest) = (max(minimum, .zero) / .seconds(1), max(maximum, .zero) / .seconds(1))
        var seconds = max(first, .zero) / .seconds(1)
        if factor > 1, seconds > 0 {
            var rest = count
            while rest > 0, seconds < longest {
                seconds *= factor
                rest -= 1
            }
        }
        return Duration(waiting: min(max(jitter.stray(from: seconds), shortest), longest))
    }
}
