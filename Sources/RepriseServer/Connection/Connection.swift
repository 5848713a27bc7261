// SPDX-License-Identifier: Apache-2.0

internal import RepriseConnections
internal import RepriseIO

/// One client's connection: the socket, the state of the peer, and the session that speaks the protocol. Used only on
/// its loop's thread.
final class Connection {
    /// The connection's index in the loop's list of connections.
    var slot = 0
    var sweepPosition: Int?

    /// The state shared by all connections of the loop.
    let worker: LoopState
    /// The session of the server that the connection's port belongs to.
    private let portListener: SessionListener?
    /// The session of the server that requests belong to, because of the port or the proxy's user.
    private(set) var listener: SessionListener?
    /// The origin that all requests go to, because the client asked the proxy for a tunnel to it.
    var tunnel: Origin?
    /// Nil once the connection is closed.
    private(set) var socket: Socket?
    /// The time by which a TLS handshake that is in progress must be complete; nil if none is.
    private var handshakeDeadline: MonotonicTime?
    /// Whether the peer has finished sending.
    private(set) var hasPeerFinished = false
    /// Nil before the end of a TLS handshake, and once the connection is closed, which breaks the reference cycle
    /// between the two.
    private(set) var session: (any ConnectionSession)?
    /// The number of bytes of the contents of requests that are held for all streams.
    var heldCount = 0
    /// The answers that are found on other threads.
    var background = BackgroundAnswers()

    init(
        _ descriptor: consuming SocketDescriptor,
        worker: LoopState,
        listener: SessionListener? = nil
    ) throws(SystemError) {
        self.worker = worker
        portListener = listener
        self.listener = listener
        socket = try Socket(descriptor, loop: worker.loop, handler: self, isReading: false)
    }

    /// The address of the client, without a port.
    private(set) lazy var peerHost = socket?.peerHost ?? Socket.unknownPeer

    /// Starts reading requests.
    func start() {
        // The proxy is only for some peers, and once the client has closed the connection, its address is unknown. A
        // client that has reset it already gets no answer.
        if worker.proxy != nil, peerHost == Socket.unknownPeer { return close() }
        begin(worker.makeSession(self, nil))
        socket?.readFirst()
    }

    private func begin(_ session: any ConnectionSession) {
        self.session = session
        session.start()
    }

    /// Starts a TLS handshake, which must succeed before any input is read. It takes the place of the session, if there
    /// is one.
    ///
    /// - Parameter early: What has arrived of the handshake already.
    func secure(_ context: TLSContext, received early: [UInt8] = []) {
        session.take()?.end()
        do throws(TLSError) {
            try socket?.acceptTLS(context, received: early)
            socket?.startReading()
            handshakeDeadline = worker.loop.now().advanced(byNanoseconds: worker.timeouts.head)
        } catch {
            worker.reportHandshake(error, in: tunnel)
            close()
        }
    }

    /// Prepares the connection for the server's shutdown.
    func stop() {
        // What has arrived is answered, also if it completes a TLS handshake.
        if session == nil { socket?.readAvailable() }
        if let session { session.stop() } else { close() }
    }

    /// Lets another session continue.
    ///
    /// - Parameter input: What has arrived for that session.
    func handOver(to next: any ConnectionSession, unread input: Span<UInt8>) {
        session?.end()
        guard let socket else { return next.end() }
        begin(next)
        if !hasPeerFinished { socket.startReading() }
        if !input.isEmpty, session === next { next.receive(input) }
        if hasPeerFinished, session === next { next.peerFinished() }
        if worker.isStopping, session === next { next.stop() }
    }

    /// Assigns the next requests to the session of a user of the proxy. If `id` is nil, they belong to the session of the
    /// port, or else to the server itself.
    func adoptUser(_ id: SessionID?) {
        listener = id.map { worker.listener(ofUser: $0) } ?? portListener
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
        guard let socket else { return }
        self.socket = nil
        let session = session.take()
        session?.end()
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
        handshakeDeadline = nil
        if let tunnel { worker.tunnels.opened(tunnel) }
        begin(worker.makeSession(self, socket.negotiatedProtocol))
    }

    func socket(_ socket: Socket, failed error: TLSError) {
        if !socket.isSecured { worker.reportHandshake(error, in: tunnel) }
        handshakeDeadline = nil
        guard let text = socket.continueWithoutTLS() else { return close() }
        let session = HTTP1Session(on: self)
        begin(session)
        session.refusePlainHTTP(text)
    }
}

extension Connection: Sweepable {
    var deadline: MonotonicTime? { handshakeDeadline ?? session?.deadline }

    func deadlinePassed() {
        if handshakeDeadline != nil {
            let error = TLSError(.handshake, "the client did not complete the TLS handshake in time")
            worker.reportHandshake(error, in: tunnel)
            return close()
        }
        session?.deadlinePassed()
    }
}
