// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO

/// One request and its response, from the call to the end of the body.
///
/// It lives on its loop; the task that waits for the response reaches it through a ``LoopBound``.
final class ClientExchange {
    let request: EncodedRequest
    let route: Route
    let loop: EventLoop
    private let home: LoopBound<PoolShard>
    let start: MonotonicTime
    let limits: ExchangeLimits
    /// Who waits for the head, once it is started.
    var answer: ResponsePromise?
    /// What it begins with, until it is on its loop.
    private var submission: Submission?
    /// The request's body, if it comes piece by piece.
    var upload: (any UploadSource)?
    /// Who takes the response as it comes; nil if it is delivered to who waits for it.
    var receiver: (any ResponseReceiver)?
    /// Whether the body goes out without `100 Continue`, though the request asks for it.
    private(set) var isBodyReleased = false
    /// The response's body, if it goes piece by piece.
    private(set) var body: BodyQueue?
    /// Where it is.
    var place = Place.nowhere
    /// Its place in the shard's list; -1 for none.
    var slot = -1
    var stamps = Stamps()
    private var timer = TimerToken.none
    private(set) var isOver = false

    enum Place {
        case nowhere
        case waiting(OriginPool, ConnectionSlots<ClientConnection, ClientExchange>.Ticket)
        case connection(ClientConnection)
    }

    /// What a task gives an exchange on its way to the loop.
    struct Submission {
        /// Who waits for the head.
        let answer: ResponsePromise
        /// The request's body, if it comes piece by piece.
        let upload: BodyUpload.Pending?
    }

    /// When things happened; nil if they have not.
    struct Stamps {
        var isReused = false
        var resolved: MonotonicTime?
        var connected: MonotonicTime?
        var secured: MonotonicTime?
        var sent: MonotonicTime?
        var firstByte: MonotonicTime?
    }

    /// What the caller gets.
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

    /// Where its connections are; loop thread only.
    var shard: PoolShard { home.value }

    // MARK: The response

    /// The response came all at once.
    func deliver(_ head: IncomingHead, _ body: IncomingBody.WholeBody) {
        let answer = answer
        self.answer = nil
        answer?.give(.success(.whole(head, body, timings)))
        end()
    }

    /// The head is here, the body is to follow in the queue.
    func deliver(_ head: IncomingHead) -> BodyQueue {
        let queue = BodyQueue(of: LoopBound(local: self, on: loop), on: route, length: head.length)
        body = queue
        let answer = answer
        self.answer = nil
        answer?.give(.success(.stream(head, queue, timings)))
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

    /// It is to start anew on another connection.
    func prepareToBeSentAgain() {
        place = .nowhere
        stamps = Stamps()
    }

    /// It is over, well or with an error. The connection has been left, or is closed.
    func end(with error: ConnectionError? = nil) {
        guard !isOver else { return }
        isOver = true
        place = .nowhere
        loop.cancel(timer)
        shard.remove(self)
        upload?.stop()
        upload = nil
        if let error {
            answer?.give(.failure(error))
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

    /// Ends it from outside: the task is cancelled, the time is over, the pool is shut down. The connection is closed.
    func abort(_ error: ConnectionError) {
        switch place {
        case .nowhere: end(with: error)
        case .waiting(let pool, let ticket):
            end(with: error)
            pool.leave(ticket)
        case .connection(let connection): connection.close(error)
        }
    }

    /// The body waits for `100 Continue` no longer.
    func releaseBody() {
        isBodyReleased = true
        if case .connection(let connection) = place { connection.releaseBody() }
    }

    /// The reader cannot keep up.
    func pauseReading() {
        if case .connection(let connection) = place { connection.pauseReading() }
    }

    /// The reader has caught up.
    func resumeReading() {
        if case .connection(let connection) = place { connection.resumeReading() }
    }

    /// The reader wants no more of the body.
    func abandonBody() {
        if case .connection(let connection) = place { connection.abandonBody() }
    }
}

extension ClientExchange: LoopWork {
    /// Begins what was submitted.
    func run() {
        guard let submission else { return }
        self.submission = nil
        if let pending = submission.upload {
            let upload = pending.upload.value
            upload.begin(pending.task, for: self)
            // Cancelled before it got here, it has ended without its upload.
            if isOver { upload.stop() } else { self.upload = upload }
        }
        shard.start(self, answering: submission.answer)
    }
}

// MARK: - Deadlines

extension ClientExchange: TimerTarget {
    /// Deadlines that are near are kept to the millisecond; the others are left to the sweep.
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

    /// Ends the exchange if it has taken too long.
    func checkDeadlines(at now: MonotonicTime) {
        guard let (kind, limit) = limits.exceeded(after: now - start, isHeadComplete: answer == nil) else { return }
        abort(.timedOut(kind, route, after: limit))
    }
}
