// SPDX-License-Identifier: Apache-2.0

extension Clock<Duration> {
    /// Returns a closure that returns the time since this call.
    func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
