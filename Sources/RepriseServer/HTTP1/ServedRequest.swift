// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseWire

/// One request, from the wait for its first byte to the last byte of its answer: its time limit, and what is
/// told about it to the journal and to whoever else hears of events.
struct ServedRequest {
    /// The absolute time by which the present step must be over; swept, not timed. Nil for no limit.
    private(set) var deadline: MonotonicTime?
    /// The fixtures that it must be answered from if its content is not kept: others might compare what was thrown away.
    var contentState: ServingState?

    private let timeouts: MockServer.Timeouts
    private var received = MonotonicTime(nanoseconds: 0)
    /// Its number among the events of the loop, while it is in progress.
    private var number: Int?
    /// The number of its record in the journal.
    private var record = 0
    /// Whether the deadline of the head being read is set: it is absolute, later bytes do not move it.
    private var isHeadTimed = false
    private var contentStart = MonotonicTime(nanoseconds: 0)

    /// The request that is awaited from `now` on.
    init(timeouts: MockServer.Timeouts, awaitedFrom now: MonotonicTime) {
        self.timeouts = timeouts
        limit(to: timeouts.idle, from: now)
    }

    // MARK: Time limits

    /// A part of the head is here.
    mutating func headHasBegun(at now: MonotonicTime) {
        guard !isHeadTimed else { return }
        isHeadTimed = true
        limit(to: timeouts.head, from: now)
    }

    /// The content is awaited from `now` on, or again.
    mutating func contentBegins(at now: MonotonicTime) {
        contentStart = now
    }

    /// `count` bytes of the content have come. It must come at 1 KiB a second on average after a grace period: a limit
    /// that a sender of one byte at a time cannot push ahead of itself.
    mutating func limitContent(after count: Int) {
        limit(to: timeouts.content + UInt64(count) * 1_000_000, from: contentStart)
    }

    /// The present step must be over in so many nanoseconds.
    mutating func limit(to nanoseconds: UInt64, from now: MonotonicTime) {
        deadline = now.advanced(byNanoseconds: nanoseconds)
    }

    /// The present step may take as long as it likes.
    mutating func removeLimit() {
        deadline = nil
    }

    // MARK: Events

    /// The head is complete.
    mutating func receive(_ head: Span<UInt8>, at now: MonotonicTime, in worker: LoopState) {
        isHeadTimed = false
        received = now
        if number == nil { number = worker.events.received(head: head) }
    }

    /// An answer is found, or begins to come.
    mutating func answer(
        _ answer: JournalRing.Answer,
        to head: Span<UInt8>,
        content: Span<UInt8>,
        isContentComplete: Bool,
        by server: String? = nil,
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
            source: worker.source(of: answer),
            server: server
        )
    }

    /// The answer is written in full; the next request is awaited.
    mutating func complete(at now: MonotonicTime, in worker: LoopState) {
        if let number {
            worker.events.completed(number, record: record, duration: now.nanoseconds - received.nanoseconds)
        }
        number = nil
        limit(to: timeouts.idle, from: now)
    }

    /// The answer is cut off, by the fixture or by the world.
    mutating func abandon(in worker: LoopState) {
        if let number { worker.events.cutOff(number) }
        number = nil
    }
}
