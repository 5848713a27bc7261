// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// Carries one exchange after another over a connection, in HTTP/1.1. Performs what its
/// ``ClientConnectionStateMachine`` decides.
final class HTTP1Channel: ClientChannel {
    let connection: ClientConnection
    var pool: OriginPool { connection.pool }
    var loop: EventLoop { connection.loop }
    var socket: Socket? { connection.socket }
    // The values below that are not checked for exclusive access are used only on the loop's thread. Neither their
    // mutating methods nor the closures passed to those reach this object again.
    @safe @exclusivity(unchecked) var machine: ClientConnectionStateMachine
    /// The exchange in progress, or nil while the channel is idle.
    var exchange: ClientExchange?
    @safe @exclusivity(unchecked) var output = OutputQueue()
    @safe @exclusivity(unchecked) var sending = RequestInTransit()
    /// The trailer lines, if the response is complete before its request.
    var trailers: [[UInt8]] = []

    init(on connection: ClientConnection) {
        self.connection = connection
        machine = ClientConnectionStateMachine(configuration: connection.pool.shard.configuration)
    }

    var isIdle: Bool { exchange == nil }
    var isUsable: Bool { exchange == nil && machine.phase == .idle }

    func hasRoom() {
        flush()
    }

    func connectionIsClosed(_ error: ConnectionError?) {
        guard let exchange = leaveExchange() else { return }
        var error = error ?? .cancelled(exchange.route)
        error.hasResponseBegun = machine.hasResponseBegun
        error.wasReused = exchange.stamps.isReused
        error.hasRequestBegun = sending.hasBegun
        exchange.end(with: error)
    }

    /// Detaches the exchange from the channel and returns it.
    func leaveExchange() -> ClientExchange? {
        loop.cancel(sending.continueTimer)
        output.removeAll()
        defer { exchange = nil }
        return exchange
    }
}

extension HTTP1Channel: ExchangeStream {
    /// Closes the connection, because HTTP/1.1 cannot end an exchange in another way.
    func cancel(_ error: ConnectionError) {
        connection.close(error)
    }
}

extension HTTP1Channel: TimerTarget {
    /// Sends the body although the server has not sent `100 Continue`.
    func timerFired(_ token: TimerToken) {
        sending.continueTimer = .none
        releaseBody()
    }
}
