// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

extension ClientConnection {
    /// Connects and sends the request of `exchange` over the connection. Reports no failure before this method
    /// returns.
    func connect(for exchange: ClientExchange) {
        exchange.place = .opening(self)
        var pending = PendingConnection(for: exchange)
        pending.limit = loop.schedule(self, at: loop.now() + exchange.limits.connect)
        let peer = pool.shard.configuration.destination(of: pool.route.peer)
        if let known = pool.shard.configuration.addresses[peer.host] {
            let addresses = known.compactMap { SocketAddress.literal($0, port: peer.port) }
            loop.executeLater { self.resolved(.success(addresses)) }
        } else {
            let connection = LoopBound(local: self, on: loop)
            pending.resolution = pool.shard.resolver.resolve(peer.host, port: peer.port, on: loop) {
                connection.value.resolved($0)
            }
        }
        self.pending = pending
    }

    /// Releases everything that is needed only until the connection is ready.
    func endPending() {
        guard let pending else { return }
        self.pending = nil
        pending.resolution?.cancel()
        loop.cancel(pending.nextAttempt)
        loop.cancel(pending.limit)
        for candidate in pending.candidates { candidate.socket.close() }
    }

    /// Called when the connection ended before it was ready.
    func pendingEnded(_ breakage: Breakage?) {
        switch stage {
        case .tunneling: fail(.proxy(status: nil), "the proxy closed the connection instead of opening a tunnel")
        case .resolving, .racing, .securing, .ready, .closed:
            close(.ended(breakage, nil, pool.route, hasBegun: false))
        }
    }
}

extension ClientConnection: TimerTarget {
    func timerFired(_ token: TimerToken) {
        guard let pending else { return }
        if token == pending.nextAttempt {
            startAttempt()
        } else if token == pending.limit {
            let limit = pending.exchange.limits.connect
            close(.connectTimedOut(pool.route, after: limit, stage, pending.race.addresses))
        }
    }
}

// MARK: - Addresses

extension ClientConnection {
    private func resolved(_ result: Result<[SocketAddress], ResolutionError>) {
        guard stage == .resolving else { return }
        switch result {
        case .failure(let error): close(.notResolved(error, pool.route))
        case .success(var addresses):
            let found = addresses
            let (configuration, host) = (pool.shard.configuration, pool.route.peer.host)
            // A destination is chosen by the user, and not by a name or a request.
            let allowed = configuration.destinations[host] == nil ? configuration.allowedAddresses : .all
            addresses.removeAll { !allowed.contains($0, of: host) }
            if addresses.isEmpty, !found.isEmpty { return close(.addressesRefused(found, allowed, pool.route)) }
            let permitted = addresses
            addresses.removeAll { configuration.isOwn?($0) == true }
            if addresses.isEmpty, !permitted.isEmpty { return close(.addressesRefused(permitted, .all, pool.route)) }
            pending?.exchange.stamps.resolved = loop.now()
            stage = .racing
            pending?.race = ConnectRace(addresses)
            startAttempt()
        }
    }

    /// Starts the next attempt. If none are left and none are in progress, closes the connection with an error.
    private func startAttempt() {
        guard var pending else { return }
        loop.cancel(pending.nextAttempt)
        pending.nextAttempt = .none
        while let address = pending.race.next() {
            do throws(SystemError) {
                pending.candidates.append((try Socket.connect(to: address, loop: loop, handler: self), address))
                if pending.race.hasMore {
                    pending.nextAttempt = loop.schedule(self, at: loop.now() + ConnectRace.headStart)
                }
                break
            } catch {
                pending.race.attemptFailed(error)
            }
        }
        self.pending = pending
        if pending.race.isLost { close(.unreachable(pool.route, pending.race)) }
    }

    func candidateFailed(_ candidate: Socket, _ error: SystemError) {
        candidate.close()
        guard let index = pending?.candidates.firstIndex(where: { $0.socket === candidate }),
            let address = pending?.candidates.remove(at: index).address
        else { return }
        pending?.race.attemptFailed(SystemError(code: error.code, call: "connect \(address)"))
        startAttempt()
    }

    func raceIsWon(by winner: Socket) {
        guard stage == .racing, var pending else { return }
        pending.exchange.stamps.connected = loop.now()
        socket = winner
        for loser in pending.candidates where loser.socket !== winner { loser.socket.close() }
        loop.cancel(pending.nextAttempt)
        pending.candidates = []
        self.pending = pending
        if case .tunnel(let proxy, let origin) = pool.route {
            openTunnel(to: origin, through: proxy)
        } else {
            secure()
        }
    }
}

// MARK: - TLS

extension ClientConnection {
    /// Starts TLS if the route requires it.
    func secure() {
        guard let origin = pool.route.secureOrigin else { return becameReady() }
        stage = .securing
        do throws(TLSError) {
            try socket?.startTLS(pool.shard.tls(), serverName: origin.host)
        } catch {
            close(.tls(error, pool.route))
        }
    }
}
