// SPDX-License-Identifier: Apache-2.0

/// The speed at which the recorded pauses of a response are played.
///
/// In a replay, the pace also applies to the time before the response head. On a server, `Latency` decides whether
/// that time is played, at its recorded length.
public enum Pace: Sendable, Hashable {
    /// Plays pauses at their recorded length.
    case recorded
    /// Skips all pauses.
    case instant
    /// Multiplies pauses by this factor: `0.1` plays ten times as fast.
    ///
    /// A negative factor skips all pauses. An infinite factor or NaN plays pauses at their recorded length.
    case factor(Double)
    /// Skips pauses but preserves the exact recorded order across all open streams.
    ///
    /// This requires an in-process replay on a `VirtualClock`. A server cannot observe when clients read, and treats
    /// this case like ``instant``.
    case virtual

    /// The factor by which recorded pauses are multiplied. Always finite and nonnegative.
    package var multiplier: Double {
        switch self {
        case .recorded: 1
        case .instant, .virtual: 0
        case .factor(let factor): factor.isFinite ? max(factor, 0) : 1
        }
    }
}
