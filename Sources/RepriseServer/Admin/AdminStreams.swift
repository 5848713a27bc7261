// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// The answers of the admin API that take as long as their clients want: event streams, and requests that wait for
/// others. Their number is limited, so that clients which open many of them hold up neither memory nor the loops.
final class AdminStreams: Sendable {
    private let limit: Int
    private let count = Locked(0)

    /// - Parameter limit: The maximum number of answers at a time.
    init(limit: Int = 1000) {
        self.limit = limit
    }

    /// The place of one answer. It is free again when this object is released.
    final class Place: Sendable {
        private let streams: AdminStreams

        fileprivate init(_ streams: AdminStreams) {
            self.streams = streams
        }

        deinit { streams.count.withLock { $0 -= 1 } }
    }

    /// Takes a place for an answer.
    func take() throws(AdminFailure) -> Place {
        let isTaken = count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        guard isTaken else {
            throw .overloaded(
                "expected at most \(limit) event streams and waiting requests at a time, found more; close some of them"
            )
        }
        return Place(self)
    }
}
