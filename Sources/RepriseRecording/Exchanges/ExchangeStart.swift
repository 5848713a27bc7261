// SPDX-License-Identifier: Apache-2.0

/// What is known about an exchange when it begins.
struct ExchangeStart {
    let files: ExchangeFiles
    /// When the exchange started, on the caller's clock.
    let time: Duration
    /// When the exchange started, on the system clock, in microseconds since 1970.
    let startedAt: Int64
    /// The number of secrets known when the exchange began.
    let known: Int

    /// Returns the duration of an exchange that ends at `time`. It is never negative, even if the caller's clock was set
    /// back.
    func length(until time: Duration) -> Duration { max(.zero, time - self.time) }
}
