// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// One client's connection: the socket, what is known of the peer, and the session that speaks the protocol on it.
/// Lives on its loop's thread.
///
/// The session owns the bytes in both directions. Another protocol is another session: what the connection needs of
/// one is its deadline and the calls that it makes here.
final class Connection {
    /// The place in the loop's list of connections.
    var slot = 0

    /// What the connections of the loop share.
    let worker: LoopState
    /// Nil once the connection is closed.
    private(set) var socket: Socket?
    /// Whether the peer will send no more.
    private(set) var hasPeerFinished = false
    /// Nil once the connection is closed, because each keeps the other alive.
    private(set) var session: HTTP1Session?

    init(_ descriptor: consuming SocketDescriptor, worker: LoopState) throws(SystemError) {
        self.worker = worker
        socket = try Socket(descriptor, loop: worker.loop, handler: self)
        session = HTTP1Session(on: self)
    }

    /// Has the client prove that it speaks TLS, before anything is read.
    func secure(_ context: TLSContext) {
        do throws(TLSError) {
            try socket?.acceptTLS(context)
        } catch {
            worker.reportHandshake(error)
            close()
        }
    }

    /// The server stops.
    func stop() {
        session?.stop()
    }

    // MARK: Ending

    /// Closes at once; what is in flight is lost.
    func close() {
        end { $0.close() }
    }

    /// Closes so that the peer sees a reset.
    func reset() {
        end { $0.reset() }
    }

    private func end(_ how: (Socket) -> Void) {
        guard let socket, let session else { return }
        self.socket = nil
        self.session = nil
        session.end()
        how(socket)
        worker.remove(self)
    }
}

extension Connection: SocketHandler {
    func socket(_ socket: Socket, received bytes: Span<UInt8>) {
        session?.receive(bytes)
    }

    func socketReachedEnd(_ socket: Socket) {
        hasPeerFinished = true
        session?.peerFinished()
    }

    func socketIsWritable(_ socket: Socket) {
        session?.becameWritable()
    }

    func socket(_ socket: Socket, failed error: SystemError) {
        close()
    }

    func socket(_ socket: Socket, failed error: TLSError) {
        if !socket.isSecured { worker.reportHandshake(error) }
        close()
    }
}

extension Connection: Sweepable {
    var deadline: MonotonicTime? { session?.deadline }

    func deadlinePassed() {
        session?.deadlinePassed()
    }
}
