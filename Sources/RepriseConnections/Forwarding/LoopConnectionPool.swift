// SPDX-License-Identifier: Apache-2.0

public import RepriseIO

/// Connections to origins for code that itself runs on a loop, without tasks and without crossing threads. Loop
/// thread only.
///
/// It manages its connections like a ``ConnectionPool``, which all other code should use. It does not use proxies.
public final class LoopConnectionPool {
    private let shard: LoopBound<PoolShard>
    private let connectTimeout: Duration

    /// Creates a pool without connections.
    public init(loop: EventLoop, configuration: ConnectionPool.Configuration = ConnectionPool.Configuration()) {
        shard = LoopBound(PoolShard(loop: loop, resolver: HostResolver(), configuration: configuration), on: loop)
        connectTimeout = configuration.connectTimeout
    }

    /// Creates an exchange for a request, to be sent with ``ClientExchange/start()``.
    public func exchange(_ request: ForwardedRequest, for receiver: any ResponseReceiver) -> ClientExchange {
        let exchange = ClientExchange(
            request.encoded,
            route: .direct(request.origin),
            shard: shard,
            start: shard.loop.now(),
            limits: ExchangeLimits(connect: connectTimeout)
        )
        exchange.receiver = receiver
        return exchange
    }
}
