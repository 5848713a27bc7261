// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A response in the bytes of its protocol: what to write for one client, when to write it, and what happens after it.
///
/// Only the head is written for the client. The steps are shared by all clients that receive the same content.
struct EncodedResponse: Sendable, Equatable {
    /// The nanoseconds to wait before the head.
    var latency: UInt64 = 0
    /// The head for this client.
    var head: [UInt8] = []
    /// The steps after the head. Adjacent bytes are merged, so that each step is one system call where possible. If
    /// there are informational responses, `head` is the first of them, and the others and the final head are steps.
    var steps: [Step] = []
    /// What happens after the last step.
    var end: End

    enum Step: Sendable, Equatable {
        case head([UInt8])
        case bytes(ArraySlice<UInt8>)
        case file(FileSource)
        /// The nanoseconds since the previous step was due, not since it was done: delays must not add up.
        case wait(nanoseconds: UInt64)
    }

    enum End: Sendable, Equatable {
        /// The connection's next request may follow.
        case keepAlive
        /// The connection closes: the write side is closed, and the remaining input is drained.
        case close
        /// The content is incomplete. The connection closes in the same way.
        case truncated
        /// The connection is reset.
        case reset
        /// Nothing is sent until the peer closes or the server stops.
        case stall
        /// Another session continues; see ``ResponseWriter/rest(switchingTo:)``.
        case handOver
    }
}
