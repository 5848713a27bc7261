// SPDX-License-Identifier: Apache-2.0

public import RepriseIO
internal import RepriseWire

/// Connections to origins for code that itself runs on a loop, without tasks and without crossing threads. Loop
/// thread only.
///
/// It manages its connections like a ``ConnectionPool``, which all other code should use.
public final class LoopConnectionPool {
    private let shard: LoopBound<PoolShard>
    private let connectTimeout: Duration
    private let proxies: Proxies

    /// Creates a pool without connections.
    public init(loop: EventLoop, configuration: ConnectionPool.Configuration = ConnectionPool.Configuration()) {
        shard = LoopBound(PoolShard(loop: loop, resolver: HostResolver(), configuration: configuration), on: loop)
        connectTimeout = configuration.connectTimeout
        proxies = configuration.proxies
    }

    /// Creates an exchange for a request, to be sent with ``ClientExchange/start()``. It fails there if the proxy for
    /// the origin cannot be used.
    public func exchange(_ request: ForwardedRequest, for receiver: any ResponseReceiver) -> ClientExchange {
        let exchange = exchange(to: request.origin) { () throws(ConnectionError) in
            try Route(to: request.origin, via: proxies)
        } sending: { route in
            route.forwardingProxy.map { request.encoded.forwarded(by: $0, to: request.origin) } ?? request.encoded
        }
        exchange.receiver = receiver
        return exchange
    }

    /// Opens a connection to an origin, in a tunnel if there is a proxy for it, and sends no request over it.
    ///
    /// - Parameters:
    ///   - secured: Whether to use TLS.
    ///   - completion: Receives the socket, whose handler it replaces, or the reason that there is none. May be called
    ///     before this method returns.
    /// - Returns: The exchange, to cancel the opening.
    package func open(
        _ origin: Origin,
        secured: Bool,
        then completion: @escaping (Result<Socket, ConnectionError>) -> Void
    ) -> ClientExchange {
        let exchange = exchange(to: origin) { () throws(ConnectionError) in
            try Route(connectingTo: origin, secured: secured, via: proxies)
        } sending: { _ in
            let nothing = OutgoingHead(capacity: 0, method: { _ in }, target: { _ in })
            return EncodedRequest(head: nothing, body: .none, traits: RequestTraits(kind: .connect))
        }
        exchange.opened = completion
        exchange.start()
        return exchange
    }

    @inline(__always)
    private func exchange(
        to origin: Origin,
        by makeRoute: () throws(ConnectionError) -> Route,
        sending request: (Route) -> EncodedRequest
    ) -> ClientExchange {
        var refusal: ConnectionError?
        var route = Route.direct(origin)
        do throws(ConnectionError) { route = try makeRoute() } catch { refusal = error }
        let exchange = ClientExchange(
            request(route),
            route: route,
            shard: shard,
            start: shard.loop.now(),
            limits: ExchangeLimits(connect: connectTimeout)
        )
        exchange.refusal = refusal
        return exchange
    }
}
