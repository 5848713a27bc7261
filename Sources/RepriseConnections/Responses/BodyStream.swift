// SPDX-License-Identifier: Apache-2.0

/// A body that is received piece by piece. Only one task at a time may read it.
///
/// A slow reader slows the server down, because at most 256 KiB wait to be read. A stream that is released before its
/// end is canceled.
public final class BodyStream: Sendable {
    private let queue: BodyQueue
    // Keeps the pool alive while one of its bodies is being read.
    private let pool: ConnectionPool

    init(_ queue: BodyQueue, of pool: ConnectionPool) {
        self.queue = queue
        self.pool = pool
    }

    deinit {
        queue.cancel()
    }

    /// The length of the body in bytes, or nil if the head does not specify it.
    public var length: Int? { queue.length }

    /// Returns the next piece, or nil after the body is complete.
    ///
    /// - Throws: ``ConnectionError`` if the connection ended too early (``ConnectionError/Kind/truncated``,
    ///   ``ConnectionError/Kind/reset``), the time limit was exceeded, the framing is invalid, or the task or the
    ///   stream was canceled. Pieces received earlier are returned first, except to a canceled task.
    public func next() async throws(ConnectionError) -> IncomingBody.Piece? {
        try await queue.next()
    }

    /// Closes the connection immediately, unless the whole body has been received.
    public func cancel() {
        queue.cancel()
    }
}
