// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A response plan as bytes for one kind of client: what to write, when to write it, and what happens to the
/// connection.
struct WireScript: Sendable, Equatable {
    /// The steps in order. Adjacent bytes are merged, so that each step is one system call where possible.
    var steps: [Step]
    /// What happens after the last step.
    var end: End

    enum Step: Sendable, Equatable {
        case bytes([UInt8])
        case file(FileSource)
        /// The nanoseconds since the previous step was due, not since it was done: delays must not add up.
        case wait(nanoseconds: UInt64)
    }

    enum End: Sendable, Equatable {
        /// The connection's next request may follow.
        case keepAlive
        /// The write side is closed, and the remaining input is drained.
        case close
        /// The connection is reset.
        case reset
        /// Nothing is sent until the peer closes or the server stops.
        case stall
    }

    /// All bytes of the script; nil if it contains pauses or files.
    var block: [UInt8]? {
        switch (steps.count, steps.first) {
        case (0, _): []
        case (1, .bytes(let bytes)): bytes
        default: nil
        }
    }

    /// Appends bytes, merging them with the last step if that also contains bytes.
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
