// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// A protocol on one connection. Used only on the loop's thread.
///
/// A session reads requests from the bytes of its connection, and gives each to a ``RequestExchange``, whose answer it
/// writes as a ``ResponseWriter``. A protocol with streams has an exchange for each of them.
protocol ConnectionSession: AnyObject {
    /// The time by which the session must make progress, the earliest of all its exchanges; nil for no limit.
    var deadline: MonotonicTime? { get }

    /// Starts waiting for the first request.
    func start()

    /// Handles received bytes, which are valid only during the call. If ``LoopState/readsWhileAnswering`` is true, an
    /// exchange that is answered may overwrite them.
    func receive(_ bytes: Span<UInt8>)

    /// Handles the end of the peer's output. A client may still read the answers to what it sent before.
    func peerFinished()

    /// Continues writing when the socket has room again.
    func becameWritable()

    /// Handles a ``deadline`` that has passed.
    func deadlinePassed()

    /// Prepares for the server's shutdown: closes a connection that is idle, and finishes the answers to requests that
    /// have already arrived.
    func stop()

    /// Releases everything, because the connection is closed, or another session continues on it.
    func end()
}
