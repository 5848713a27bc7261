// SPDX-License-Identifier: Apache-2.0

internal import RepriseAnswers
internal import RepriseIO
internal import RepriseText
internal import RepriseWire

/// An endless answer with the server's events, at `/__admin/reprise/events`. Used only on its loop's thread.
///
/// A task takes the events from the reader's queue, writes them as text, and passes them on when the reader has read
/// what was sent before. The loops only append to the queue.
final class EventStream {
    private let control: ServerControl
    private let loop: EventLoop
    private let queue: EventQueue
    private let filter: EventFilter
    private var sink: (any ResponseSink)?
    /// The task that waits until the reader has read enough.
    private var waiter: CheckedContinuation<Bool, Never>?
    private var keepAlive = TimerToken.none

    /// How often a comment is sent, so that a lost connection is noticed.
    private static let keepAliveInterval = Duration.seconds(15)

    init(
        _ control: ServerControl,
        on loop: EventLoop,
        queue: EventQueue = EventQueue(),
        filter: EventFilter = EventFilter()
    ) {
        self.filter = filter
        self.control = control
        self.loop = loop
        self.queue = queue
    }

    /// Whether a request to the admin API asks for events.
    static func isTarget(_ bytes: Span<UInt8>, _ head: RequestHead) -> Bool {
        head.path.count == path.utf8.count && bytes.text(head.path) == path && bytes.text(head.method) == "GET"
    }

    private static let path = "/__admin/reprise/events"

    /// Begins the answer.
    func begin(_ sink: any ResponseSink, _ head: ResponseHead) {
        self.sink = sink
        sink.begin(head, framing: .chunked)
        sink.flush()
        keepAlive = loop.schedule(self, at: loop.now() + Self.keepAliveInterval)
        let stream = LoopBound(local: self, on: loop)
        let (control, queue, filter) = (control, queue, filter)
        Task { await EventStream.feed(stream, from: queue, of: control, filter) }
    }

    @concurrent
    private static func feed(
        _ stream: LoopBound<EventStream>,
        from queue: EventQueue,
        of control: ServerControl,
        _ filter: EventFilter
    ) async {
        await control.addFeed(of: queue, filter)
        var text = EventStreamText(filter)
        var next = EventStreamText.start
        while await send(next, to: stream) {
            guard let batch = await queue.next() else { break }
            next = text.text(batch)
            // The filter may leave out all of it.
            while next.isEmpty, let batch = await queue.next() { next = text.text(batch) }
        }
        await control.removeFeed(of: queue)
    }

    /// Passes text on. Returns once the reader has read most of it; `false` if the reader is gone.
    private static func send(_ text: [UInt8], to stream: LoopBound<EventStream>) async -> Bool {
        await withCheckedContinuation { waiter in
            stream.loop.execute { stream.value.append(text, waiter) }
        }
    }

    private func append(_ text: [UInt8], _ waiter: CheckedContinuation<Bool, Never>) {
        guard let sink else { return waiter.resume(returning: false) }
        self.waiter = waiter
        sink.append(text.span, leftOfChunk: 0)
        sink.flush()
        outputHasRoom()
    }

    private func finish() {
        sink = nil
        queue.finish()
        loop.cancel(keepAlive)
        waiter?.resume(returning: false)
        waiter = nil
    }
}

// Calls from the source of the answer.
extension EventStream {
    func outputHasRoom() {
        guard let waiter, let sink, sink.backlog < OutputBuffer.limit else { return }
        self.waiter = nil
        waiter.resume(returning: true)
    }

    func abandon() {
        finish()
    }

    /// Ends the answer, so that stopping the server does not wait for the reader.
    func serverIsStopping() {
        let sink = sink
        finish()
        sink?.end(trailers: [])
    }
}

extension EventStream: TimerTarget {
    func timerFired(_ token: TimerToken) {
        guard let sink else { return }
        keepAlive = loop.schedule(self, at: loop.now() + Self.keepAliveInterval)
        // A reader that has not read everything yet needs no comment.
        guard sink.backlog == 0 else { return }
        let comment = EventStreamText.keepAlive
        sink.append(comment.span, leftOfChunk: 0)
        sink.flush()
    }
}

// The queues of event streams.
extension ServerControl {
    /// Appends the events of all loops to `queue` from now on.
    func addFeed(of queue: EventQueue, _ filter: EventFilter = EventFilter()) async {
        for (number, loop) in loops.enumerated() {
            await loop.run { $0.events.add(EventFeed(queue, loop: number, filter: filter)) }
        }
    }

    /// Stops appending events to `queue`.
    func removeFeed(of queue: EventQueue) async {
        for loop in loops {
            await loop.run { state in state.events.removeSubscribers { ($0 as? EventFeed)?.queue === queue } }
        }
    }
}
