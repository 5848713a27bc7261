// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// A connection of a pool. It opens the connection, and its channel then carries exchanges. Lives on its loop's thread.
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

    /// The reason why a connection broke.
    enum Breakage {
        case system(SystemError)
        case tls(TLSError)
    }

    let pool: OriginPool
    let loop: EventLoop
    var stage = Stage.resolving
    var socket: Socket?
    /// The state that is needed only until the connection is ready. Not checked for exclusive access, because only the
    /// loop's thread uses it, and its mutating methods do not reach this object again.
    @safe @exclusivity(unchecked) var pending: PendingConnection?
    /// Carries exchanges after the connection is ready.
    private(set) var channel: (any ClientChannel)?
    /// When the connection became idle before its current exchange; nil if it was new or in use.
    var idleSince: MonotonicTime?
    /// Whether the pool gives it no more exchanges, and no longer counts it.
    var isWithdrawn = false

    init(in pool: OriginPool) {
        self.pool = pool
        loop = pool.shard.loop
    }

    // MARK: Exchanges

    /// Whether no exchange is in progress.
    var isIdle: Bool { channel?.isIdle ?? false }

    /// Whether another exchange can begin now.
    var isUsable: Bool { !isWithdrawn && channel?.isUsable == true }

    /// Sends the request of an exchange. The connection must be usable.
    func begin(_ exchange: ClientExchange) {
        channel?.begin(exchange)
    }

    /// Called when the connection is ready for exchanges.
    func becameReady() {
        guard let exchange = pending?.exchange else { return }
        if let opened = exchange.opened.take() { return handOver(of: exchange, to: opened) }
        stage = .ready
        endPending()
        channel = pool.shard.configuration.channel(self)
        pool.opened(self, for: exchange)
    }

    /// Hands the socket over instead of sending a request.
    private func handOver(of exchange: ClientExchange, to opened: (Result<Socket, ConnectionError>) -> Void) {
        let socket = socket.take()
        retire()
        pool.remove(self)
        exchange.end()
        if let socket { opened(.success(socket)) }
    }

    /// Closes the connection if the server has closed it or has sent unrequested bytes.
    func closeIfUnusable() {
        socket?.readAvailable()
    }

    // MARK: Ending

    /// Closes the connection immediately. Its exchanges, if any, end with the error.
    func close(_ error: ConnectionError? = nil) {
        guard stage != .closed else { return }
        let (waiting, channel) = (pending?.exchange, channel)
        retire()
        waiting?.end(with: error ?? .cancelled(pool.route))
        channel?.connectionIsClosed(error)
        if !isWithdrawn { pool.remove(self) }
    }

    /// Closes a connection without exchanges and keeps its slot in the pool for another one.
    func retire() {
        stage = .closed
        endPending()
        socket?.close()
        socket = nil
        channel = nil
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
        pending?.exchange.stamps.secured = loop.now()
        becameReady()
    }

    func socket(_ socket: Socket, received bytes: Span<UInt8>) {
        if let channel { channel.received(bytes) } else { readTunnel(bytes) }
    }

    func socketReachedEnd(_ socket: Socket) {
        peerEnded(nil)
    }

    func socketIsWritable(_ socket: Socket) {
        if let channel { channel.hasRoom() } else { sendTunnelRequest() }
    }

    func socket(_ socket: Socket, failed error: SystemError) {
        if stage == .racing { candidateFailed(socket, error) } else { peerEnded(.system(error)) }
    }

    func socket(_ socket: Socket, failed error: TLSError) {
        guard stage == .securing else { return peerEnded(.tls(error)) }
        close(error.kind == .applicationProtocol ? .http2(pool.route, error) : .tls(error, pool.route))
    }

    private func peerEnded(_ breakage: Breakage?) {
        if let channel { channel.peerEnded(breakage) } else { pendingEnded(breakage) }
    }
}
