// SPDX-License-Identifier: Apache-2.0

public import RepriseIO

/// Connections to origins for what lives on a loop itself: no task, and no way between threads. Loop thread only.
///
/// It keeps its connections as a ``ConnectionPool`` does, which is the one for everybody else. Proxies are not used.
public final class LoopConnectionPool {
    private let shard: LoopBound<PoolShard>
    private let connectTimeout: Duration

    /// A pool without connections.
    public init(loop: EventLoop, configuration: ConnectionPool.Configuration = ConnectionPool.Configuration()) {
        shard = LoopBound(PoolShard(loop: loop, resolver: HostResolver(), configuration: configuration), on: loop)
        connectTimeout = configuration.connectTimeout
    }

    /// A request that is about to be sent, by ``LoopExchange/start()``.
    public func exchange(_ request: ForwardedRequest, for receiver: any ResponseReceiver) -> LoopExchange {
        let exchange = ClientExchange(
            request.encoded,
            route: .direct(request.origin),
            shard: shard,
            start: shard.loop.now(),
            limits: ExchangeLimits(connect: connectTimeout)
        )
        exchange.receiver = receiver
        if request.hasBody { exchange.upload = ReceiverUpload(receiver) }
        return LoopExchange(exchange)
    }

    /// Closes all connections; exchanges in progress fail with ``ConnectionError/Kind/shutDown``.
    public func shutDown() {
        shard.value.shutDown()
    }
}

/// One request and its response on a ``LoopConnectionPool``. Loop thread only.
///
/// It keeps its receiver alive until it is over.
public final class LoopExchange {
    private let exchange: ClientExchange

    init(_ exchange: ClientExchange) {
        self.exchange = exchange
    }

    /// Sends the request. The receiver hears of the response when this has returned, but may be asked for the body
    /// before.
    public func start() {
        exchange.shard.start(exchange)
    }

    /// Asks for the body even if `100 Continue` has not come: the client did not wait for it either.
    public func releaseBody() {
        exchange.releaseBody()
    }

    /// Sends a piece of the body, not empty, once for each ``ResponseReceiver/bodyIsWanted()``.
    public func send(_ piece: [UInt8]) {
        exchange.upload(piece)
    }

    /// The body is complete; only when a piece was wanted.
    public func endBody() {
        exchange.uploadEnded()
    }

    /// Takes no more of the response from the network until ``resumeReading()``.
    public func pauseReading() {
        exchange.pauseReading()
    }

    /// Goes on after ``pauseReading()``.
    public func resumeReading() {
        exchange.resumeReading()
    }

    /// Ends it, and closes its connection; the receiver hears nothing any more.
    public func cancel() {
        exchange.receiver = nil
        exchange.abort(.cancelled(exchange.route))
    }
}

/// Asks the receiver of the response for the body of the request.
private final class ReceiverUpload: UploadSource {
    private weak var receiver: (any ResponseReceiver)?

    init(_ receiver: any ResponseReceiver) {
        self.receiver = receiver
    }

    func proceed() {
        receiver?.bodyIsWanted()
    }

    func stop() {
        receiver?.bodyIsUnwanted()
        receiver = nil
    }
}
