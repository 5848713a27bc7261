// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseWire

/// One connection of a pool: performs what its ``ClientConnectionStateMachine`` decides. Lives on its loop's thread.
///
/// ```
/// resolving -> racing -> tunnelling -> securing -> ready -> closed
///                 |-----------------------|----------^
/// ```
///
/// Its loop keeps it alive by its socket, and the pool while it is idle.
final class ClientConnection {
    enum Stage {
        /// The host's addresses are looked up.
        case resolving
        /// Connections to its addresses are being made; the first that stands is taken.
        case racing
        /// A proxy is asked for a tunnel.
        case tunnelling
        /// The TLS handshake is going on.
        case securing
        /// Requests can be sent.
        case ready
        case closed
    }

    let pool: OriginPool
    var loop: EventLoop { pool.shard.loop }
    var stage = Stage.resolving
    var socket: Socket?
    var machine: ClientConnectionStateMachine
    /// What the connection is made for or used by; nil while it is idle.
    var exchange: ClientExchange?
    /// What only matters until the connection stands.
    var making: ConnectionInTheMaking?
    var output = OutputQueue()
    var sending = RequestInTransit()
    var arriving = ResponseInTransit()

    init(in pool: OriginPool) {
        self.pool = pool
        machine = ClientConnectionStateMachine(configuration: pool.shard.configuration)
    }

    // MARK: Reuse

    /// Whether a request can be sent now.
    var isUsable: Bool { stage == .ready && exchange == nil && machine.phase == .idle }

    /// Looks whether the server has closed the connection or sent what nobody asked for; it is closed then.
    func discover() {
        socket?.readAvailable()
    }

    // MARK: Ending

    /// Closes the connection at once; what uses it gets the error.
    func close(_ error: ConnectionError? = nil) {
        guard stage != .closed else { return }
        let hasResponseBegun = stage == .ready && machine.hasResponseBegun
        if let exchange = leave() {
            var error = error ?? .cancelled(pool.route)
            error.hasResponseBegun = hasResponseBegun
            error.wasReused = exchange.stamps.isReused
            exchange.end(with: error)
        }
        pool.remove(self)
    }

    /// Closes the connection and has its request sent again over a new one.
    func closeAndSendAgain() {
        guard let exchange = leave() else { return }
        exchange.prepareToBeSentAgain()
        pool.reopen(for: exchange)
    }

    /// Lets go of everything but the slot in the pool.
    private func leave() -> ClientExchange? {
        stage = .closed
        endMaking()
        loop.cancel(sending.continueTimer)
        socket?.close()
        socket = nil
        output.removeAll()
        arriving = ResponseInTransit()
        defer { exchange = nil }
        return exchange
    }

    /// Closes the connection because of what came, or did not come.
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
        isMade()
    }

    func socket(_ socket: Socket, received bytes: Span<UInt8>) {
        if stage == .tunnelling { readTunnel(bytes) } else { read(bytes) }
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
        if stage == .securing { close(.tls(error, pool.route)) } else { peerEnded(.tls(error)) }
    }
}

extension ClientConnection: TimerTarget {
    func timerFired(_ token: TimerToken) {
        if token == sending.continueTimer {
            sending.continueTimer = .none
            machine.releaseUpload()
            sendBody()
        } else {
            makingTimerFired(token)
        }
    }
}
