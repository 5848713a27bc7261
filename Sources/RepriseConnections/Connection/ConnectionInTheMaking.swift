// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// What a connection has to do with until it stands.
struct ConnectionInTheMaking {
    /// The question for the host's addresses.
    var resolution: ResolutionToken?
    var race = ConnectRace([])
    /// The attempts that are neither won nor lost.
    var candidates: [(socket: Socket, address: SocketAddress)] = []
    /// When the next attempt starts.
    var nextAttempt = TimerToken.none
    /// When all of it must be over.
    var limit = TimerToken.none
}
