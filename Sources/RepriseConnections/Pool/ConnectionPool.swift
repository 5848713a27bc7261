// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// Connections to origins, shared by requests.
///
/// ```swift
/// let pool = ConnectionPool()
/// let response = try await pool.send(OutgoingRequest("GET", "/status", at: origin))
/// ```
///
/// Its loops start with the first request. A pool that is let go of closes its connections, but not before the last
/// body that it gave out is.
public final class ConnectionPool: Sendable {
    /// How the pool was set up.
    public let configuration: Configuration

    private let resolver = HostResolver()
    private let state: Locked<State>

    private struct State {
        var shards: [LoopBound<PoolShard>?]
        var isShutDown = false
    }

    /// A pool without connections.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        state = Locked(State(shards: Array(repeating: nil, count: max(configuration.loops, 1))))
    }

    deinit {
        let shards = state.withLock { $0.isShutDown ? [] : $0.shards.compactMap { $0 } }
        guard !shards.isEmpty else { return }
        // The loops' threads are waited for, which must not be done here: this may be one of them.
        Task.detached { await Self.end(shards) }
    }

    /// Sends a request and waits for the head of the final response.
    ///
    /// An idle connection is used where there is one. If that turns out to be closed before a byte of the response has
    /// come, the request is sent once more on a fresh one, provided that it may be repeated: the body can be sent again
    /// and the method is idempotent, or nothing had been sent (RFC 9110 section 9.2.2). Cancelling the task closes the
    /// connection at once.
    public func send(_ request: OutgoingRequest) async throws(ConnectionError) -> IncomingResponse {
        let start = MonotonicTime.now
        let route = try Route(to: request.origin, via: configuration.proxies)
        let encoded = try EncodedRequest(request, forwardedBy: route.forwardingProxy)
        let shard = try shard(for: route)
        let limits = ExchangeLimits(
            connect: request.connectTimeout ?? configuration.connectTimeout,
            head: request.headTimeout,
            total: request.totalTimeout
        )
        var upload: BodyUpload.Pending?
        if case .stream(_, let next) = request.body { upload = BodyUpload.start(on: shard.loop, pulling: next) }
        let answer = ResponsePromise()
        let exchange = ClientExchange(
            encoded,
            route: route,
            shard: shard,
            start: start,
            limits: limits,
            submission: ClientExchange.Submission(answer: answer, upload: upload)
        )
        return try await response(to: LoopBound(exchange, on: shard.loop), on: route, answer)
    }

    private func response(
        to exchange: LoopBound<ClientExchange>,
        on route: Route,
        _ answer: ResponsePromise
    ) async throws(ConnectionError) -> IncomingResponse {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                answer.wake(waiter)
                exchange.execute()
            }
        } onCancel: {
            exchange.loop.execute { exchange.value.abort(.cancelled(route)) }
        }
        switch try answer.take().get() {
        case .whole(let head, let body, let timings):
            return IncomingResponse(head: head, body: .whole(body), timings: timings)
        case .stream(let head, let queue, let timings):
            return IncomingResponse(head: head, body: .stream(BodyStream(queue, of: self)), timings: timings)
        }
    }

    /// Closes all connections. Requests and bodies in progress fail with ``ConnectionError/Kind/shutDown``.
    ///
    /// Returns when the loops' threads are over.
    public func shutDown() async {
        let shards = state.withLock { state in
            state.isShutDown = true
            return state.shards.compactMap { $0 }
        }
        await Self.end(shards)
    }

    private static func end(_ shards: [LoopBound<PoolShard>]) async {
        for shard in shards {
            shard.loop.execute { shard.value.shutDown() }
            await shard.loop.shutDown()
        }
    }

    /// Where the connections of a route live: always in the same place, so that its limit holds.
    private func shard(for route: Route) throws(ConnectionError) -> LoopBound<PoolShard> {
        try state.withLock { state throws(ConnectionError) in
            guard !state.isShutDown else { throw .shutDown(route) }
            let place = state.shards.count == 1 ? 0 : Int(UInt(bitPattern: route.hashValue) % UInt(state.shards.count))
            if let shard = state.shards[place] { return shard }
            do throws(SystemError) {
                let loop = try EventLoop(name: "connections")
                let shard = LoopBound(
                    PoolShard(loop: loop, resolver: resolver, configuration: configuration),
                    on: loop
                )
                state.shards[place] = shard
                return shard
            } catch {
                throw ConnectionError(.system(error), "\(route): no thread for connections: \(error)")
            }
        }
    }
}
