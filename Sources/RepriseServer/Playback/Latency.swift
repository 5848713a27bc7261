// SPDX-License-Identifier: Apache-2.0

/// The time between a request and the head of its response. It applies to the answers of fixtures, not to misses and
/// not to forwarded requests.
public enum Latency: Sendable, Hashable {
    /// The head is sent immediately.
    case none
    /// The head is sent after the recorded time.
    case recorded
    /// The head is sent after the given time, instead of the recorded one.
    case fixed(Duration)
    /// The head is sent after a random time in the given range, instead of the recorded one. All times are equally
    /// likely. ``MockServer/Configuration/seed`` makes them the same in each run.
    case uniform(ClosedRange<Duration>)
}
