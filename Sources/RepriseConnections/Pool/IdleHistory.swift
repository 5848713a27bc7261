// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// How long a server keeps idle connections open, as far as it was observed. This value has no side effects.
///
/// A server may close an idle connection at any time, even while a request is on its way (RFC 9112 section 9.3.1). A
/// request that must not be sent twice then fails, although the server never saw it. Such a request therefore gets a
/// new connection, unless connections to this server have been seen to stay open for much longer while it was answering
/// others.
struct IdleHistory: Sendable {
    private var longestOpen = Duration.zero
    private var shortestClosed: Duration?

    /// How long a connection must have stayed open, to tell the server from one that closes connections soon after its
    /// responses.
    static let proof = Duration.seconds(1)

    /// Records that a connection that had become idle at a time was open after the server gave another answer.
    ///
    /// Time without an answer proves nothing: a server that was suspended, or waits for a processor, closes the
    /// connection only when it continues.
    mutating func sawOpen(since time: MonotonicTime, afterAnswerAt answer: MonotonicTime) {
        longestOpen = max(longestOpen, answer - time)
    }

    /// Records that the server closed a connection that had been idle for a time.
    mutating func sawClosed(after idle: Duration) {
        shortestClosed = min(shortestClosed ?? idle, idle)
    }

    /// Whether the server has closed a connection soon after a response.
    var closesSoon: Bool { shortestClosed.map { $0 < Self.proof } ?? false }

    /// Whether a connection that has been idle for a time will certainly stay open a little longer.
    func isSafe(after idle: Duration) -> Bool {
        guard longestOpen >= Self.proof, !closesSoon else { return false }
        return idle * 2 <= min(longestOpen, shortestClosed ?? longestOpen)
    }
}
