// SPDX-License-Identifier: Apache-2.0

/// Waits that grow by a factor.
struct Backoff: Sendable {
    /// The first wait, before the limits and jitter apply.
    var first: Duration
    /// The factor by which each wait grows. Values less than 1 and NaN count as 1.
    var factor = 1.0
    var minimum = Duration.zero
    /// The longest wait, including jitter.
    var maximum = Duration.longest
    var jitter = Jitter.none

    /// Returns the next wait after `count` earlier ones.
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
