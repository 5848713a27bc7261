// SPDX-License-Identifier: Apache-2.0

/// What a ``ServerSentEventSource`` is doing.
///
/// | from | to |
/// |---|---|
/// | `connecting` | `open`, `waiting` or `closed` |
/// | `open` | `waiting` or `closed` |
/// | `waiting` | `connecting` or `closed` |
public enum EventConnectionState: Sendable, Hashable {
    /// It waits for the head of a response.
    case connecting
    /// Events can come.
    case open
    /// It has no connection, and will connect again after that time.
    case waiting(Duration)
    /// Nothing will come any more: the server said so, an error was thrown, or nobody reads.
    case closed
}
