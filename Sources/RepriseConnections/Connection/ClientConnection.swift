// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseWire

/// A connection of a pool, which performs what its ``ClientConnectionStateMachine`` decides. Lives on its loop's
/// thread.
///
/// ```
/// resolving -> racing -> tunneling -> securing -> ready -> closed
///                 |----------------------|----------^
/// ```
///
/// The loop keeps it alive through its socket, and the pool keeps it alive while it is idle.
final class ClientConnection {
    enum Stage {
        /// The host's addresses are being looked up.
        case resolving
        /// Connections to the host's addresses are being attempted. The first to succeed is used.
        case racing
        /// The connection has asked a proxy for a tunnel.
        case tunneling
        /// The TLS handshake is in progress.
        case securing
        /// Requests can be sent.
        case ready
        case closed
    }

    let pool: OriginPool
    var loop: EventLoop { pool.shard.loop }
    var stage = Stage.resolving
    var socket: Socket?
    // The values below that are not checked for exclusive access are used only on the loop's thread. Neither their
    // mutating methods nor the closures passed to those reach this object again.
    @safe @exclusivity(unchecked) var machine: ClientConnectionStateMachine
    /// The exchange that the connection is being opened for or used by, or nil while it is idle.
    var exchange: ClientExchange?
    /// The state that is needed only until the connection is ready.
    @safe @exclusivity(unchecked) var pending: PendingConnection?
    /// When the connection became idle before its current request; nil if it was new.
    var idleSince: MonotonicTime?
    @safe @exclusivity(unchecked) var output = OutputQueue()
    @safe @exclusivity(unchecked) var sending = RequestInTransit()
    @safe @exclusivity(unchecked) var arriving = ResponseInTransit()

    init(in pool: OriginPool) {
        self.pool = pool
        machine = ClientConnectionStateMachine(configuration: pool.shard.configuration)
    }

    // MARK: Reuse

    /// Whether a request can be sent now.
    var isUsable: Bool { stage == .ready && exchange == nil && machine.phase == .idle }

    /// Closes the connection if the server has closed it or has sent unrequested bytes.
    func closeIfUnusable() {
        socket?.readAvailable()
    }

    // MARK: Ending

    /// Closes the connection immediately. Its exchange, if any, ends with the error.
    func close(_ error: ConnectionError? = nil) {
        guard stage != .closed else { return }
        let hasResponseBegun = stage == .ready && machine.hasResponseBegun
        if let exchange = leave() {
            var error = error ?? .cancelled(pool.route)
            error.hasResponseBegun = hasResponseBegun
            error.wasReused = exchange.stamps.isReused
            error.hasRequestBegun = sending.hasBegun
            exchange.end(with: error)
        }
        pool.remove(self)
    }

    /// Closes the connection and sends its request again over a new one.
    func closeAndSendAgain() {
        guard let exchange = leave() else { return }
        exchange.prepareToBeSentAgain()
        pool.reopen(for: exchange)
    }

    /// Closes an idle connection and keeps its slot in the pool for another one.
    func retire() {
        _ = leave()
    }

    /// Releases everything except the slot in the pool.
    private func leave() -> ClientExchange? {
        stage = .closed
        endPending()
        loop.cancel(sending.continueTimer)
        socket?.close()
        socket = nil
        output.removeAll()
        arriving = ResponseInTransit()
        defer { exchange = nil }
        return exchange
    }

    /// Closes the connection with an error because of a response that is invalid or missing.
    func fail(_ kind: ConnectionError.Kind, _ reason: String) {
        close(ConnectionError(kind, "\(pool.route): \(reason)"))
    }
}

// MARK: - Events

extension ClientConnection: SocketHandler {
    func socketIsConnected(_ socket: Socket) {
        raceIsWon(by: socket)
    }

    func socketIsSecured(_ socket: Socket) {
        exchange?.stamps.secured = loop.now()
        becameReady()
    }

    func socket(_ socket: Socket, received bytes: Span<UInt8>) {
        if stage == .tunneling { readTunnel(bytes) } else { read(bytes) }
    }

    func socketReachedEnd(_ socket: Socket) {
        peerEnded(nil)
    }

    func socketIsWritable(_ socket: Socket) {
        flush()
    }

    func socket(_ socket: Socket, failed error: SystemError) {
        if stage == .racing { candidateFailed(socket, error) } else { peerEnded(.system(error)) }
    }

    func socket(_ socket: Socket, failed error: TLSError) {
        guard stage == .securing else { return peerEnded(.tls(error)) }
        close(error.kind == .applicationProtocol ? .http2(pool.route, error) : .tls(error, pool.route))
    }
}

extension ClientConnection: TimerTarget {
    func timerFired(_ token: TimerToken) {
        if token == sending.continueTimer {
            sending.continueTimer = .none
            machine.releaseUpload()
            sendBody()
        } else {
            pendingTimerFired(token)
        }
    }
}
