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
        var refusal: ConnectionError?
        var route = Route.direct(request.origin)
        do throws(ConnectionError) { route = try Route(to: request.origin, via: proxies) } catch { refusal = error }
        let exchange = ClientExchange(
            route.forwardingProxy.map { request.encoded.forwarded(by: $0, to: request.origin) } ?? request.encoded,
            route: route,
            shard: shard,
            start: shard.loop.now(),
            limits: ExchangeLimits(connect: connectTimeout)
        )
        exchange.receiver = receiver
        exchange.refusal = refusal
        return exchange
    }

    /// Opens a connection to an origin, in a tunnel if there is a proxy for it, and sends no request over it.
    ///
    /// - Parameters:
    ///   - secured: Whether to use TLS.
    ///   - completion: Receives the socket, whose handler it replaces, or the reason that there is none. May be called
    ///     before this method returns.
    /// - Returns: The exchange, with which the opening can be canceled.
    package func open(
        _ origin: Origin,
        secured: Bool,
        then completion: @escaping (Result<Socket, ConnectionError>) -> Void
    ) -> ClientExchange {
        var refusal: ConnectionError?
        var route = Route.direct(origin)
        do throws(ConnectionError) {
            route = try Route(connectingTo: origin, secured: secured, via: proxies)
        } catch {
            refusal = error
        }
        let nothing = OutgoingHead(capacity: 0, method: { _ in }, target: { _ in })
        let exchange = ClientExchange(
            EncodedRequest(head: nothing, body: .none, traits: RequestTraits(kind: .connect)),
            route: route,
            shard: shard,
            start: shard.loop.now(),
            limits: ExchangeLimits(connect: connectTimeout)
        )
        exchange.opened = completion
        exchange.refusal = refusal
        exchange.start()
        return exchange
    }
}
