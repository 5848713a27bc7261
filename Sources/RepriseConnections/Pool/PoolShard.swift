// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// The part of a pool that lives on one loop's thread.
final class PoolShard {
    let loop: EventLoop
    let configuration: ConnectionPool.Configuration
    let resolver: HostResolver
    // Exclusive access is not checked: only the loop's thread uses these values, and their mutating methods never reach
    // this object again.
    @safe @exclusivity(unchecked) private var origins: [Route: OriginPool] = [:]
    @safe @exclusivity(unchecked) private var active: [ClientExchange] = []
    /// The number of idle connections of all origins.
    var idleCount = 0
    private var isShutDown = false
    var sweepPosition: Int?
    private var tlsContext: Result<TLSContext, TLSError>?

    init(loop: EventLoop, resolver: HostResolver, configuration: ConnectionPool.Configuration) {
        self.loop = loop
        self.resolver = resolver
        self.configuration = configuration
    }

    /// Returns the TLS context that all connections share, created on first use.
    func tls() throws(TLSError) -> TLSContext {
        if let tlsContext { return try tlsContext.get() }
        let made: Result<TLSContext, TLSError>
        do throws(TLSError) {
            made = .success(try TLSContext(client: configuration.tls))
        } catch {
            made = .failure(error)
        }
        tlsContext = made
        return try made.get()
    }

    /// Starts an exchange and tracks it until it ends.
    func start(_ exchange: ClientExchange, answering answer: ResponsePromise) {
        // The task was canceled before the exchange reached its loop.
        guard !exchange.isOver else { return answer.fulfill(.failure(.cancelled(exchange.route))) }
        exchange.answer = answer
        start(exchange)
    }

    /// Starts an exchange that reports its response to a receiver, and tracks it until it ends.
    func start(_ exchange: ClientExchange) {
        guard !isShutDown else { return exchange.end(with: .shutDown(exchange.route)) }
        if active.isEmpty { loop.sweep.add(self) }
        exchange.slot = active.count
        active.append(exchange)
        exchange.startTimer()
        let pool = origins[exchange.route] ?? OriginPool(exchange.route, shard: self)
        pool.start(exchange)
    }

    /// Adds the pool of a route that has connections or waiters.
    func add(_ pool: OriginPool) {
        origins[pool.route] = pool
    }

    func remove(_ exchange: ClientExchange) {
        guard exchange.slot >= 0 else { return }
        let last = active.removeLast()
        if last !== exchange {
            active[exchange.slot] = last
            last.slot = exchange.slot
        }
        exchange.slot = -1
    }

    /// Removes the pool of a route that has neither connections nor waiters.
    func remove(_ pool: OriginPool) {
        origins[pool.route] = nil
    }

    /// Closes the connection that has been idle for the longest time, if there are too many.
    func closeExcessIdle() {
        guard idleCount > max(configuration.idleConnections, 1) else { return }
        origins.values.compactMap(\.oldestIdle).min { $0.since < $1.since }?.connection.close()
    }

    /// Ends all exchanges and closes all connections. Nothing can be started afterward.
    func shutDown() {
        isShutDown = true
        while let exchange = active.last { exchange.abort(.shutDown(exchange.route)) }
        for pool in Array(origins.values) { pool.closeIdle(since: loop.now()) }
        loop.sweep.remove(self)
    }
}

extension PoolShard: Sweepable {
    /// Always in the past, because the shard needs every tick while it has exchanges or connections.
    var deadline: MonotonicTime? { MonotonicTime(nanoseconds: 0) }

    /// Ends exchanges that exceeded a time limit and closes idle connections.
    func deadlinePassed() {
        let now = loop.now()
        // Iterate from the end, because an exchange that ends is replaced by the last one.
        var position = active.count - 1
        while position >= 0 {
            if position < active.count { active[position].checkDeadlines(at: now) }
            position -= 1
        }
        let limit = now + (.zero - configuration.idleTimeout)
        for pool in Array(origins.values) { pool.closeIdle(since: limit) }
        if active.isEmpty, origins.isEmpty { loop.sweep.remove(self) }
    }
}
