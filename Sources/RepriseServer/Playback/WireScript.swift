// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A response plan as bytes for one kind of client: what to write when, and what becomes of the connection.
struct WireScript: Sendable, Equatable {
    /// What to do, in order. Neighbouring bytes are merged, so that each step is one system call where it can be.
    var steps: [Step]
    /// What happens after the last step.
    var end: End

    enum Step: Sendable, Equatable {
        case bytes([UInt8])
        case file(FileSource)
        /// Nanoseconds since the step before was due, not since it was done: lateness must not add up.
        case wait(nanoseconds: UInt64)
    }

    enum End: Sendable, Equatable {
        /// The next request of the connection may follow.
        case keepAlive
        /// The write side is closed, the rest of the input drained.
        case close
        /// The peer sees a reset.
        case reset
        /// Silence until the peer closes or the server stops.
        case stall
    }

    /// The whole script's bytes, where it has neither pauses nor files.
    var block: [UInt8]? {
        switch (steps.count, steps.first) {
        case (0, _): []
        case (1, .bytes(let bytes)): bytes
        default: nil
        }
    }

    /// Appends bytes, to the step before if that holds bytes too.
    mutating func append(_ bytes: [UInt8]) {
        if bytes.isEmpty { return }
        if case .bytes(var last) = steps.last {
            steps.removeLast()
            last += bytes
            steps.append(.bytes(last))
        } else {
            steps.append(.bytes(bytes))
        }
    }
}
