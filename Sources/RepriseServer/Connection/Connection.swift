// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// One client's connection: the socket, the state of the peer, and the session that speaks the protocol. Used only on
/// its loop's thread.
///
/// The session owns the bytes in both directions. To support another protocol, add another session type: the
/// connection uses only the session's deadline and the methods called here.
final class Connection {
    /// The connection's index in the loop's list of connections.
    var slot = 0
    var sweepPosition: Int?

    /// The state shared by all connections of the loop.
    let worker: LoopState
    /// The session that all requests belong to, because of the port.
    let door: SessionDoor?
    /// Nil once the connection is closed.
    private(set) var socket: Socket?
    /// Whether a TLS handshake is in progress.
    private var isHandshaking = false
    /// Whether the peer has finished sending.
    private(set) var hasPeerFinished = false
    /// Nil once the connection is closed, which breaks the reference cycle between the two.
    private(set) var session: HTTP1Session?

    init(
        _ descriptor: consuming SocketDescriptor,
        worker: LoopState,
        door: SessionDoor? = nil
    ) throws(SystemError) {
        self.worker = worker
        self.door = door
        socket = try Socket(descriptor, loop: worker.loop, handler: self, isReading: false)
        session = HTTP1Session(on: self)
    }

    /// The address of the client, without a port.
    private(set) lazy var peerHost = socket?.peerHost ?? "unknown"

    /// Starts reading requests.
    func start() {
        socket?.readFirst()
    }

    /// Starts a TLS handshake, which must succeed before any input is read.
    func secure(_ context: TLSContext) {
        do throws(TLSError) {
            try socket?.acceptTLS(context)
            socket?.startReading()
            isHandshaking = true
            session?.handshakeBegins()
        } catch {
            worker.reportHandshake(error)
            close()
        }
    }

    /// Prepares the connection for the server's shutdown.
    func stop() {
        session?.stop()
    }

    // MARK: Ending

    /// Closes immediately; data in flight is lost.
    func close() {
        end { $0.close() }
    }

    /// Closes with a reset.
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

    func socketIsSecured(_ socket: Socket) {
        isHandshaking = false
        session?.handshakeEnded()
    }

    func socket(_ socket: Socket, failed error: TLSError) {
        if !socket.isSecured { worker.reportHandshake(error) }
        isHandshaking = false
        guard let text = socket.continueWithoutTLS() else { return close() }
        session?.refusePlainHTTP(text)
    }
}

extension Connection: Sweepable {
    var deadline: MonotonicTime? { session?.deadline }

    func deadlinePassed() {
        if isHandshaking {
            worker.reportHandshake(TLSError(.handshake, "the client did not complete the TLS handshake in time"))
            return close()
        }
        session?.deadlinePassed()
    }
}
