// SPDX-License-Identifier: Apache-2.0

/// How fast recorded time passes: the pauses of a stream and, where it is played, the time before a response's head.
public enum Pace: Sendable, Hashable {
    /// As fast as it was recorded.
    case recorded
    /// Without pauses.
    case instant
    /// Pauses take this many times as long: `0.1` plays ten times as fast. A negative factor means no pauses.
    case factor(Double)
    /// Without pauses, but in exactly the recorded order over all open streams.
    ///
    /// This needs a replay in process, on a `VirtualClock`. A server cannot see its clients' readers and plays it like
    /// ``instant``.
    case virtual
}
