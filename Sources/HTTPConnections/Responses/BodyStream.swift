// SPDX-License-Identifier: Apache-2.0

/// A body that comes piece by piece. One task at a time reads it.
///
/// A reader that is slow slows the server down: at most 256 KiB wait for it. A stream that is let go of before its end
/// is cancelled.
public final class BodyStream: Sendable {
    /// How long the body is, if the head says so.
    public let length: Int?

    init(length: Int?) {
        self.length = length
    }

    /// The next piece; nil at the end, which means that the body is complete, and from then on.
    ///
    /// - Throws: ``ConnectionError``: the connection ended too early (``ConnectionError/Kind/truncated``,
    ///   ``ConnectionError/Kind/reset``), the time is over, the framing is broken, or the task or the stream was
    ///   cancelled. Pieces that came before are returned first.
    public func next() async throws(ConnectionError) -> IncomingBody.Piece? {
        throw ConnectionError(.cancelled, "not yet")
    }

    /// Closes the connection at once unless the body has come in full.
    public func cancel() {
    }
}
