// SPDX-License-Identifier: Apache-2.0

public import RepriseIO

/// A request and its response, from the call to the end of the body. Loop thread only.
///
/// A task that waits for the response reaches it through a ``LoopBound``. Code on the loop gets one from a
/// ``LoopConnectionPool``, and the exchange keeps its receiver alive until it ends.
public final class ClientExchange {
    let request: EncodedRequest
    let route: Route
    let loop: EventLoop
    private let home: LoopBound<PoolShard>
    private let startTime: MonotonicTime
    let limits: ExchangeLimits
    /// The promise for the head, after the exchange has started.
    var answer: ResponsePromise?
    /// The values to start with, until the exchange is on its loop.
    private var submission: Submission?
    /// The source of the request's body, if a task provides it. Otherwise, the receiver does.
    private var upload: BodyUpload?
    /// Whether pieces of the body are still needed.
    private var isUploading: Bool
    /// The receiver of the response, or nil if the response is delivered to a waiting task.
    var receiver: (any ResponseReceiver)?
    /// Receives the open connection, or the reason that it cannot be opened; nil if a request is sent instead.
    var opened: ((Result<Socket, ConnectionError>) -> Void)?
    /// Why the exchange fails when it starts; nil if it can be sent.
    var refusal: ConnectionError?
    /// Whether to send the body without `100 Continue`, although the request expects it.
    var isBodyReleased = false
    /// The queue for the response's body, if it is delivered piece by piece.
    private(set) var body: BodyQueue?
    /// The received part of the response. Not checked for exclusive access, because only the loop's thread uses it, and
    /// its mutating methods do not reach this object again.
    @safe @exclusivity(unchecked) var arriving = ResponseInTransit()
    /// What the exchange is waiting for or using.
    var place = Place.nowhere
    /// The exchange's index in the shard's list, or -1.
    var slot = -1
    var stamps = Stamps()
    private var timer = TimerToken.none
    private(set) var isOver = false

    enum Place {
        case nowhere
        case waiting(OriginPool, ConnectionSlots<ClientConnection, ClientExchange>.Ticket)
        /// A connection that is being opened for the exchange.
        case opening(ClientConnection)
        case stream(any ExchangeStream)
    }

    /// The values that a task passes to the exchange's loop.
    struct Submission {
        let answer: ResponsePromise
        /// The request's body, if it is sent piece by piece.
        let upload: BodyUpload.Pending?
    }

    /// The times of the exchange's steps, or nil for steps not taken.
    struct Stamps {
        var isReused = false
        var resolved: MonotonicTime?
        var connected: MonotonicTime?
        var secured: MonotonicTime?
        var sent: MonotonicTime?
        var firstByte: MonotonicTime?
    }

    /// The response as the caller receives it.
    enum Delivery {
        case whole(IncomingHead, IncomingBody.WholeBody, ConnectionTimings)
        case stream(IncomingHead, BodyQueue, ConnectionTimings)
    }

    init(
        _ request: EncodedRequest,
        route: Route,
        shard: LoopBound<PoolShard>,
        start: MonotonicTime,
        limits: ExchangeLimits,
        submission: Submission? = nil
    ) {
        self.request = request
        isUploading = if case .stream = request.body { true } else { false }
        self.route = route
        home = shard
        loop = shard.loop
        startTime = start
        self.limits = limits
        self.submission = submission
    }

    /// The shard with the exchange's connections; loop thread only.
    var shard: PoolShard { home.value }

    // MARK: The response

    /// Delivers the response as far as it has arrived.
    func fulfill(_ delivery: Delivery) {
        let answer = answer
        self.answer = nil
        answer?.fulfill(.success(delivery))
    }

    /// Delivers the head, and makes the queue for the body.
    func deliver(_ head: IncomingHead) {
        let queue = BodyQueue(of: LoopBound(local: self, on: loop), on: route, length: head.length)
        body = queue
        fulfill(.stream(head, queue, timings))
    }

    var timings: ConnectionTimings {
        ConnectionTimings(
            isReused: stamps.isReused,
            resolved: stamps.resolved.map { $0 - startTime },
            connected: stamps.connected.map { $0 - startTime },
            secured: stamps.secured.map { $0 - startTime },
            sent: stamps.sent.map { $0 - startTime } ?? .zero,
            firstByte: stamps.firstByte.map { $0 - startTime } ?? .zero
        )
    }

    // MARK: Ending

    /// Resets the exchange so that it can start again on another connection.
    func prepareToBeSentAgain() {
        place = .nowhere
        stamps = Stamps()
    }

    /// Ends the exchange, successfully or with an error. The exchange must have left its connection, or the
    /// connection must be closed.
    func end(with error: ConnectionError? = nil) {
        guard !isOver else { return }
        isOver = true
        place = .nowhere
        loop.cancel(timer)
        shard.remove(self)
        stopUpload()
        if let error {
            answer?.fulfill(.failure(error))
            answer = nil
            body?.end(with: error)
        } else {
            body?.end()
        }
        body = nil
        let receiver = receiver
        self.receiver = nil
        if let error {
            receiver?.responseFailed(error)
            opened.take()?(.failure(error))
        }
    }

    /// Ends the exchange because the task was canceled, a time limit was exceeded, or the pool was shut down. Closes
    /// its connection.
    func abort(_ error: ConnectionError) {
        switch place {
        case .nowhere: end(with: error)
        case .waiting(let pool, let ticket):
            end(with: error)
            pool.leave(ticket)
        case .opening(let connection): connection.close(error)
        case .stream(let stream): stream.cancel(error)
        }
    }

    /// The exchange in its channel, or nil if it has not begun or has ended.
    var stream: (any ExchangeStream)? {
        if case .stream(let stream) = place { stream } else { nil }
    }

    // MARK: The request's body

    /// Asks for the next piece of the body.
    func proceedWithUpload() {
        guard isUploading else { return }
        if let upload { upload.proceed() } else { receiver?.bodyIsWanted() }
    }

    /// Asks for no more of the body.
    func stopUpload() {
        guard isUploading else { return }
        isUploading = false
        if let upload { upload.stop() } else { receiver?.bodyIsUnwanted() }
        upload = nil
    }

    func uploadFailed(_ error: any Error) {
        stream?.uploadFailed(error)
    }
}

extension ClientExchange: LoopWork {
    /// Starts the submitted exchange.
    public func run() {
        guard let submission else { return }
        self.submission = nil
        if let pending = submission.upload {
            let upload = pending.upload.value
            upload.begin(pending.task, for: self)
            // If the exchange was canceled before this point, it has ended without stopping its upload.
            if isOver { upload.stop() } else { self.upload = upload }
        }
        shard.start(self, answering: submission.answer)
    }
}

// MARK: - Deadlines

extension ClientExchange: TimerTarget {
    /// Deadlines closer than this get a timer and are met to the millisecond. The loop's sweep checks all others.
    private static let nearness = Duration.seconds(2)

    func startTimer() {
        guard let next = limits.next(isHeadComplete: answer == nil), next < Self.nearness else { return }
        timer = loop.schedule(self, at: startTime + next)
    }

    /// Checks the deadlines.
    public func timerFired(_ token: TimerToken) {
        timer = .none
        checkDeadlines(at: loop.now())
        if !isOver { startTimer() }
    }

    /// Ends the exchange if it has exceeded a time limit.
    func checkDeadlines(at now: MonotonicTime) {
        guard let (kind, limit) = limits.exceeded(after: now - startTime, isHeadComplete: answer == nil) else { return }
        let isWaiting = if case .waiting = place { true } else { false }
        let connections = isWaiting ? shard.configuration.connectionsPerOrigin : nil
        abort(.timedOut(kind, route, after: limit, waitingFor: connections))
    }
}
