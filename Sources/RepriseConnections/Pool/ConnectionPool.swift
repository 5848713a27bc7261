// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// A pool of connections to origins, shared by requests.
///
/// ```swift
/// let pool = ConnectionPool()
/// let response = try await pool.send(OutgoingRequest("GET", "/status", at: origin))
/// ```
///
/// The pool's loops start with the first request. A pool closes its connections when it and all bodies that it returned
/// are released.
public final class ConnectionPool: Sendable {
    /// The pool's settings.
    public let configuration: Configuration

    private let resolver = HostResolver()
    private let state: Locked<State>

    private struct State {
        var shards: [LoopBound<PoolShard>?]
        var isShutDown = false
    }

    /// Creates a pool without connections.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        state = Locked(State(shards: Array(repeating: nil, count: max(configuration.loops, 1))))
    }

    deinit {
        let shards = state.withLock { $0.isShutDown ? [] : $0.shards.compactMap { $0 } }
        guard !shards.isEmpty else { return }
        // This waits for the loops' threads and so must not run here, because this may be one of them.
        Task.detached { await Self.end(shards) }
    }

    /// Sends a request and waits for the head of the final response.
    ///
    /// The pool uses an idle connection if there is one. If that connection turns out to be closed before any byte of
    /// the response arrives, the pool sends the request once more over a new connection, provided that the request
    /// may be repeated: its body can be sent again and its method is idempotent, or nothing had been sent (RFC 9110
    /// section 9.2.2). Canceling the task closes the connection immediately.
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
    /// Returns after the loops' threads have ended.
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

    /// Returns the shard with a route's connections. It is always the same one, so that the limit on connections
    /// applies.
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
                throw ConnectionError(.system(error), "\(route): cannot start a thread for connections: \(error)")
            }
        }
    }
}
