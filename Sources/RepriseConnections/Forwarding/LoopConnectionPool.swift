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

    /// Creates an exchange for a request, to be sent with ``LoopExchange/start()``.
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
}

/// A request and its response on a ``LoopConnectionPool``. Loop thread only.
///
/// It keeps its receiver alive until the exchange ends.
public final class LoopExchange {
    private let exchange: ClientExchange

    init(_ exchange: ClientExchange) {
        self.exchange = exchange
    }

    /// Sends the request. The receiver is not called about the response until this method has returned, but it may be
    /// asked for the body before then.
    public func start() {
        exchange.shard.start(exchange)
    }

    /// Requests the body from the receiver without waiting for `100 Continue`, because the client is not waiting for it
    /// either.
    public func releaseBody() {
        exchange.releaseBody()
    }

    /// Sends a piece of the body. Call this once for each ``ResponseReceiver/bodyIsWanted()``, with a non-empty
    /// piece.
    public func send(_ piece: [UInt8]) {
        exchange.upload(piece)
    }

    /// Ends the body. Call this only when a piece has been requested.
    ///
    /// - Parameter trailers: The trailer lines. They are left out unless the body is chunked.
    public func endBody(trailers: [[UInt8]] = []) {
        exchange.uploadEnded(trailers: trailers)
    }

    /// Stops reading the response from the network until ``resumeReading()``.
    public func pauseReading() {
        exchange.pauseReading()
    }

    /// Resumes reading after ``pauseReading()``.
    public func resumeReading() {
        exchange.resumeReading()
    }

    /// Ends the exchange and closes its connection. The receiver is not called anymore.
    public func cancel() {
        exchange.receiver = nil
        exchange.abort(.cancelled(exchange.route))
    }
}

/// Requests the body from the receiver of the response.
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
