// SPDX-License-Identifier: Apache-2.0

internal import RepriseFixtures
internal import RepriseIO
internal import RepriseStubAnswers
internal import RepriseWire

/// One request, from waiting for its first byte to the last byte of its answer. Tracks the time limit of the current
/// step, and reports the request to the journal and to event subscribers.
struct ServedRequest {
    /// The absolute time by which the current step must be done; nil for no limit. Checked by the loop's sweep,
    /// without a timer.
    private(set) var deadline: MonotonicTime?
    /// The fixtures that must answer this request if its content is not kept. Other fixtures might compare the
    /// discarded content.
    var contentState: ServingState?
    /// The session that the request belongs to.
    var route = SessionRoute.server
    /// The part of the memory for bodies that the content takes; nil if the content arrived at once.
    private(set) var bodyShare: MemoryBudget.Share?
    /// The webhooks to send when the request is answered.
    var webhooks: WebhookOrder?

    private let timeouts: MockServer.Timeouts
    private var received = MonotonicTime(nanoseconds: 0)
    /// The request's number among the loop's events while it is in progress.
    private var number: Int?
    /// The number of the request's record in the journal.
    private var record = 0
    /// Whether the deadline for the current head is set. It is absolute: later bytes do not extend it.
    private var isHeadTimed = false
    private var contentStart = MonotonicTime(nanoseconds: 0)

    /// Creates a request that is awaited starting at `now`.
    init(timeouts: MockServer.Timeouts, awaitedFrom now: MonotonicTime) {
        self.timeouts = timeouts
        limit(to: timeouts.idle, from: now)
    }

    // MARK: Time limits

    /// Limits the time for the head, once its first part has arrived.
    mutating func headHasBegun(at now: MonotonicTime) {
        guard !isHeadTimed else { return }
        isHeadTimed = true
        limit(to: timeouts.head, from: now)
    }

    /// Starts or restarts waiting for the content at `now`.
    mutating func contentBegins(at now: MonotonicTime) {
        contentStart = now
    }

    /// Limits the time for the content, of which `count` bytes have arrived. After a grace period, the average rate
    /// must be at least 1 KiB per second, so a sender cannot extend the limit by sending one byte at a time.
    mutating func limitContent(after count: Int) {
        limit(to: timeouts.content + UInt64(count) * 1_000_000, from: contentStart)
    }

    /// Records that the server holds `count` bytes of content while it waits for more. Returns `false` if it holds too
    /// much.
    mutating func hold(_ count: Int, in worker: LoopState) -> Bool {
        if bodyShare == nil { bodyShare = MemoryBudget.Share(of: worker.bodies) }
        return bodyShare?.grow(to: count) == true
    }

    /// Requires the current step to be done within `nanoseconds` after `now`.
    mutating func limit(to nanoseconds: UInt64, from now: MonotonicTime) {
        deadline = now.advanced(byNanoseconds: nanoseconds)
    }

    /// Removes the time limit from the current step.
    mutating func removeLimit() {
        deadline = nil
    }

    // MARK: Events

    /// Reports that the head is complete.
    mutating func receive(_ head: Span<UInt8>, at now: MonotonicTime, in worker: LoopState) {
        isHeadTimed = false
        received = now
        if number == nil { number = worker.events.received(head: head, session: route.id) }
    }

    /// Reports that an answer was found or has begun to arrive.
    mutating func answer(
        _ answer: JournalRing.Answer,
        to head: Span<UInt8>,
        content: Span<UInt8>,
        isContentComplete: Bool,
        by server: String? = nil,
        from peer: String,
        in worker: LoopState
    ) {
        guard let number else { return }
        record = worker.events.answered(
            number,
            answer,
            head: head,
            content: content,
            isContentComplete: isContentComplete,
            received: received.nanoseconds,
            peer: peer,
            source: worker.source(of: answer),
            session: route.number,
            server: server
        )
    }

    /// Keeps the answer of another server in the journal.
    func keep(_ answer: KeptAnswer, in worker: LoopState) {
        if number != nil { worker.events.keep(answer, record: record) }
    }

    /// Reports that the request is one to the admin API, and nothing more about it.
    mutating func withdraw(in worker: LoopState) {
        if let number { worker.events.withdrawn(number) }
        number = nil
    }

    /// Reports that the answer was written in full, and starts waiting for the next request.
    mutating func complete(at now: MonotonicTime, in worker: LoopState) {
        if let number {
            worker.events.completed(number, record: record, duration: now.nanoseconds - received.nanoseconds)
        }
        number = nil
        bodyShare = nil
        sendWebhooks(in: worker)
        limit(to: timeouts.idle, from: now)
    }

    /// Reports that the answer was cut off, by its fixture or by an error.
    mutating func abandon(in worker: LoopState) {
        if let number { worker.events.cutOff(number) }
        number = nil
        bodyShare = nil
        sendWebhooks(in: worker)
    }

    private mutating func sendWebhooks(in worker: LoopState) {
        guard let order = webhooks else { return }
        webhooks = nil
        worker.send(order)
    }
}
