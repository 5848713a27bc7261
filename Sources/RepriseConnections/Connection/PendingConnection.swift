// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// The state of a connection that is being opened.
struct PendingConnection {
    /// The lookup of the host's addresses.
    var resolution: ResolutionToken?
    var race = ConnectRace([])
    /// The attempts in progress.
    var candidates: [(socket: Socket, address: SocketAddress)] = []
    var nextAttempt = TimerToken.none
    /// The timer that ends all attempts.
    var limit = TimerToken.none
}
