// SPDX-License-Identifier: Apache-2.0

internal import RepriseIO
internal import RepriseWire

/// One request, from the wait for its first byte to the last byte of its answer: its time limit, its record in the
/// journal and its line in the log.
struct ServedRequest {
    /// The absolute time by which the present step must be over; swept, not timed. Nil for no limit.
    private(set) var deadline: MonotonicTime?
    /// The fixtures that it must be answered from if its content is not kept: others might compare what was thrown away.
    var contentState: ServingState?

    private let timeouts: MockServer.Timeouts
    private var received = MonotonicTime(nanoseconds: 0)
    private var journalNumber = 0
    private var logLine: RequestLog.Line?
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

    // MARK: Journal and log

    /// The head is complete.
    mutating func receive(at now: MonotonicTime) {
        isHeadTimed = false
        received = now
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
        journalNumber = worker.journal.append(
            head: head,
            content: content,
            isContentComplete: isContentComplete,
            answer: answer,
            received: received.nanoseconds
        )
        logLine = worker.logLine(head, answer: answer, by: server)
    }

    /// The answer is written in full; the next request is awaited.
    mutating func complete(at now: MonotonicTime, in worker: LoopState) {
        worker.journal.complete(journalNumber, duration: now.nanoseconds - received.nanoseconds)
        if let logLine { worker.log(logLine, duration: now - received) }
        logLine = nil
        limit(to: timeouts.idle, from: now)
    }

    /// The answer is cut off, by the fixture or by the world.
    mutating func abandon(in worker: LoopState) {
        if let logLine { worker.log(logLine, duration: nil) }
        logLine = nil
    }
}
