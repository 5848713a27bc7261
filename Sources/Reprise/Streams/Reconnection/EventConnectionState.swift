// SPDX-License-Identifier: Apache-2.0

/// The state of a ``ServerSentEventSource``.
///
/// | from | to |
/// |---|---|
/// | `connecting` | `open`, `waiting` or `closed` |
/// | `open` | `waiting` or `closed` |
/// | `waiting` | `connecting` or `closed` |
public enum EventConnectionState: Sendable, Hashable {
    /// Waiting for the head of a response.
    case connecting
    /// Connected and ready to receive events.
    case open
    /// Not connected. The source reconnects after the given time.
    case waiting(Duration)
    /// Ended, because the server ended the stream, an error was thrown, or the reader stopped.
    case closed
}
