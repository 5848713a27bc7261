// SPDX-License-Identifier: Apache-2.0

/// A body that comes piece by piece. One task at a time reads it.
///
/// A reader that is slow slows the server down: at most 256 KiB wait for it. A stream that is let go of before its end
/// is cancelled.
public final class BodyStream: Sendable {
    private let queue: BodyQueue
    // The pool lives as long as a body of it is read.
    private let pool: ConnectionPool

    init(_ queue: BodyQueue, of pool: ConnectionPool) {
        self.queue = queue
        self.pool = pool
    }

    deinit {
        queue.cancel()
    }

    /// How long the body is, if the head says so.
    public var length: Int? { queue.length }

    /// The next piece; nil at the end, which means that the body is complete, and from then on.
    ///
    /// - Throws: ``ConnectionError``: the connection ended too early (``ConnectionError/Kind/truncated``,
    ///   ``ConnectionError/Kind/reset``), the time is over, the framing is broken, or the task or the stream was
    ///   cancelled. Pieces that came before are returned first, but not to a task that is cancelled.
    public func next() async throws(ConnectionError) -> IncomingBody.Piece? {
        try await queue.next()
    }

    /// Closes the connection at once unless the body has come in full.
    public func cancel() {
        queue.cancel()
    }
}
