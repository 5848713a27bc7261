// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

extension ClientConnection {
    /// Makes the connection and sends the request of `exchange` over it. Nothing fails before this returns.
    func connect(for exchange: ClientExchange) {
        self.exchange = exchange
        exchange.place = .connection(self)
        var making = ConnectionInTheMaking()
        making.limit = loop.schedule(self, at: loop.now() + exchange.limits.connect)
        let peer = pool.route.peer
        if let known = pool.shard.configuration.addresses[peer.host] {
            let addresses = known.compactMap { SocketAddress.literal($0, port: peer.port) }
            loop.executeLater { self.resolved(.success(addresses)) }
        } else {
            let connection = LoopBound(local: self, on: loop)
            making.resolution = pool.shard.resolver.resolve(peer.host, port: peer.port, on: loop) {
                connection.value.resolved($0)
            }
        }
        self.making = making
    }

    /// Lets go of all that is only needed until the connection stands.
    func endMaking() {
        guard let making else { return }
        self.making = nil
        making.resolution?.cancel()
        loop.cancel(making.nextAttempt)
        loop.cancel(making.limit)
        for candidate in making.candidates { candidate.socket.close() }
    }

    /// The connection stands.
    func isMade() {
        stage = .ready
        endMaking()
        if let exchange { begin(exchange) }
    }

    func makingTimerFired(_ token: TimerToken) {
        if token == making?.nextAttempt {
            startAttempt()
        } else if token == making?.limit, let exchange {
            close(.connectTimedOut(pool.route, after: exchange.limits.connect, stage, making?.race.addresses ?? []))
        }
    }

    /// The connection ended before it stood.
    func makingEnded(_ breakage: Breakage?) {
        switch stage {
        case .tunnelling: fail(.proxy(status: nil), "the proxy closed the connection instead of opening a tunnel")
        case .resolving, .racing, .securing, .ready, .closed:
            close(.ended(breakage, nil, pool.route, hasBegun: false))
        }
    }
}

// MARK: - Addresses

extension ClientConnection {
    private func resolved(_ result: Result<[SocketAddress], ResolutionError>) {
        guard stage == .resolving else { return }
        switch result {
        case .failure(let error): close(.notResolved(error, pool.route))
        case .success(let addresses):
            exchange?.stamps.resolved = loop.now()
            stage = .racing
            making?.race = ConnectRace(addresses)
            startAttempt()
        }
    }

    /// Starts the next attempt; if there is none left and none going on, the connection cannot be made.
    private func startAttempt() {
        guard var making else { return }
        loop.cancel(making.nextAttempt)
        making.nextAttempt = .none
        while let address = making.race.next() {
            do throws(SystemError) {
                making.candidates.append((try Socket.connect(to: address, loop: loop, handler: self), address))
                if making.race.hasMore {
                    making.nextAttempt = loop.schedule(self, at: loop.now() + ConnectRace.headStart)
                }
                break
            } catch {
                making.race.attemptFailed(error)
            }
        }
        self.making = making
        if making.race.isLost { close(.unreachable(pool.route, making.race)) }
    }

    func candidateFailed(_ candidate: Socket, _ error: SystemError) {
        candidate.close()
        guard let index = making?.candidates.firstIndex(where: { $0.socket === candidate }),
            let address = making?.candidates.remove(at: index).address
        else { return }
        making?.race.attemptFailed(SystemError(code: error.code, call: "connect \(address)"))
        startAttempt()
    }

    func raceIsWon(by winner: Socket) {
        guard stage == .racing, var making else { return }
        exchange?.stamps.connected = loop.now()
        socket = winner
        for loser in making.candidates where loser.socket !== winner { loser.socket.close() }
        loop.cancel(making.nextAttempt)
        making.candidates = []
        self.making = making
        if case .tunnel(let proxy, let origin) = pool.route {
            openTunnel(to: origin, through: proxy)
        } else {
            secure()
        }
    }
}

// MARK: - TLS

extension ClientConnection {
    /// Starts TLS if the route wants it.
    func secure() {
        guard let origin = pool.route.secureOrigin else { return isMade() }
        stage = .securing
        do throws(TLSError) {
            try socket?.startTLS(pool.shard.tls(), serverName: origin.host)
        } catch {
            close(.tls(error, pool.route))
        }
    }
}
