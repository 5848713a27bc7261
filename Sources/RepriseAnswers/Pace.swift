// SPDX-License-Identifier: Apache-2.0

/// How fast the recorded pauses of a response are played.
///
/// In a replay, the pace applies to the time before the response's head too. On a server, `Latency` decides whether that
/// time is played, at its recorded length.
public enum Pace: Sendable, Hashable {
    /// As fast as it was recorded.
    case recorded
    /// Without pauses.
    case instant
    /// Pauses take this many times as long: `0.1` plays ten times as fast.
    ///
    /// A negative factor means no pauses; one that is infinite or not a number plays as recorded.
    case factor(Double)
    /// Without pauses, but in exactly the recorded order over all open streams.
    ///
    /// This needs a replay in process, on a `VirtualClock`. A server cannot see its clients' readers and plays it like
    /// ``instant``.
    case virtual

    /// What the length of a recorded pause is multiplied by; finite and not negative.
    package var multiplier: Double {
        switch self {
        case .recorded: 1
        case .instant, .virtual: 0
        case .factor(let factor): factor.isFinite ? max(factor, 0) : 1
        }
    }
}
