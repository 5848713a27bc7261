// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// A request and its response, from the call to the end of the body.
///
/// It lives on its loop. The task that waits for the response reaches it through a ``LoopBound``.
final class ClientExchange {
    let request: EncodedRequest
    let route: Route
    let loop: EventLoop
    private let home: LoopBound<PoolShard>
    let start: MonotonicTime
    let limits: ExchangeLimits
    /// The promise for the head, after the exchange has started.
    var answer: ResponsePromise?
    /// The values to start with, until the exchange is on its loop.
    private var submission: Submission?
    /// The request's body, if it is sent piece by piece.
    var upload: (any UploadSource)?
    /// The receiver of the response, or nil if the response is delivered to a waiting task.
    var receiver: (any ResponseReceiver)?
    /// Whether to send the body without `100 Continue`, although the request expects it.
    private(set) var isBodyReleased = false
    /// The queue for the response's body, if it is delivered piece by piece.
    private(set) var body: BodyQueue?
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
        case connection(ClientConnection)
    }

    /// The values that a task passes to the exchange's loop.
    struct Submission {
        /// The promise for the head.
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
        self.route = route
        home = shard
        loop = shard.loop
        self.start = start
        self.limits = limits
        self.submission = submission
    }

    /// The shard with the exchange's connections; loop thread only.
    var shard: PoolShard { home.value }

    // MARK: The response

    /// Delivers a response that was received completely.
    func deliver(_ head: IncomingHead, _ body: IncomingBody.WholeBody) {
        let answer = answer
        self.answer = nil
        answer?.fulfill(.success(.whole(head, body, timings)))
        end()
    }

    /// Delivers the head and returns the queue for the body.
    func deliver(_ head: IncomingHead) -> BodyQueue {
        let queue = BodyQueue(of: LoopBound(local: self, on: loop), on: route, length: head.length)
        body = queue
        let answer = answer
        self.answer = nil
        answer?.fulfill(.success(.stream(head, queue, timings)))
        return queue
    }

    private var timings: ConnectionTimings {
        ConnectionTimings(
            isReused: stamps.isReused,
            resolved: stamps.resolved.map { $0 - start },
            connected: stamps.connected.map { $0 - start },
            secured: stamps.secured.map { $0 - start },
            sent: stamps.sent.map { $0 - start } ?? .zero,
            firstByte: stamps.firstByte.map { $0 - start } ?? .zero
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
        upload?.stop()
        upload = nil
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
        if let error { receiver?.responseFailed(error) }
    }

    /// Ends the exchange because the task was canceled, a time limit was exceeded, or the pool was shut down. Closes
    /// its connection.
    func abort(_ error: ConnectionError) {
        switch place {
        case .nowhere: end(with: error)
        case .waiting(let pool, let ticket):
            end(with: error)
            pool.leave(ticket)
        case .connection(let connection): connection.close(error)
        }
    }

    /// Sends the body without waiting any longer for `100 Continue`.
    func releaseBody() {
        isBodyReleased = true
        if case .connection(let connection) = place { connection.releaseBody() }
    }

    /// Pauses reading because the reader cannot keep up.
    func pauseReading() {
        if case .connection(let connection) = place { connection.pauseReading() }
    }

    /// Resumes reading after the reader has caught up.
    func resumeReading() {
        if case .connection(let connection) = place { connection.resumeReading() }
    }

    /// Stops delivering the body because the reader needs no more of it.
    func abandonBody() {
        if case .connection(let connection) = place { connection.abandonBody() }
    }
}

extension ClientExchange: LoopWork {
    /// Starts the submitted exchange.
    func run() {
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
        timer = loop.schedule(self, at: start + next)
    }

    func timerFired(_ token: TimerToken) {
        timer = .none
        checkDeadlines(at: loop.now())
        if !isOver { startTimer() }
    }

    /// Ends the exchange if it has exceeded a time limit.
    func checkDeadlines(at now: MonotonicTime) {
        guard let (kind, limit) = limits.exceeded(after: now - start, isHeadComplete: answer == nil) else { return }
        let isWaiting = if case .waiting = place { true } else { false }
        let connections = isWaiting ? shard.configuration.connectionsPerOrigin : nil
        abort(.timedOut(kind, route, after: limit, waitingFor: connections))
    }
}
