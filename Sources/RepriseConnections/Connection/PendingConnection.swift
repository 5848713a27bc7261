// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// The state of a connection that is being opened.
struct PendingConnection {
    /// The exchange that the connection is being opened for.
    let exchange: ClientExchange
    /// The lookup of the host's addresses.
    var resolution: ResolutionToken?
    var race = ConnectRace([])
    /// The attempts in progress.
    var candidates: [(socket: Socket, address: SocketAddress)] = []
    var nextAttempt = TimerToken.none
    /// The timer that ends all attempts.
    var limit = TimerToken.none
    /// The request to a proxy for a tunnel, and the proxy's response.
    var tunnel: Tunnel?

    init(for exchange: ClientExchange) {
        self.exchange = exchange
    }
}
