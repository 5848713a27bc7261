// SPDX-License-Identifier: Apache-2.0

extension Clock<Duration> {
    /// How much time has passed since this was called.
    func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
