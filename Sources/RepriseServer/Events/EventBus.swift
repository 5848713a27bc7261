// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A listener for a loop's events. Called on the loop's thread, between a request and its answer: it must be
/// cheap, must not block, and must copy what it wants to keep.
///
/// A request is received, answered, and then completed or cut off; requests of different connections overlap, and are
/// told apart by their numbers, which count up on each loop. What a subscriber does not care for it leaves out.
protocol EventSubscriber: AnyObject {
    /// The head of a request is here; or, of a request that is refused, what there is of it.
    func received(_ request: Int, head: Span<UInt8>)
    /// An answer is found, or begins to come.
    func answered(_ request: Int, _ answer: AnswerEvent, head: Span<UInt8>, content: Span<UInt8>)
    /// The answer is written in full.
    func completed(_ request: Int, after duration: Duration)
    /// The answer ended early: the fixture says so, or the connection is gone.
    func cutOff(_ request: Int)
    /// The server serves or records something else from now on.
    func changed(_ change: ServerChange)
}

extension EventSubscriber {
    func received(_ request: Int, head: Span<UInt8>) {}
    func answered(_ request: Int, _ answer: AnswerEvent, head: Span<UInt8>, content: Span<UInt8>) {}
    func completed(_ request: Int, after duration: Duration) {}
    func cutOff(_ request: Int) {}
    func changed(_ change: ServerChange) {}
}

/// What answers a request.
struct AnswerEvent {
    /// The status; 0 where the connection ends instead.
    var status: Int
    /// The fixture; nil where there was none.
    var fixture: FixtureSource?
    /// Which answer of its sequence it is, from 1 on; 0 where it takes none.
    var ordinal: Int
    /// The server that answers in the place of a fixture; nil for this one.
    var server: String?
    /// Whether nothing answers the request.
    var isMiss: Bool
}

/// A change of what a server does.
enum ServerChange: Sendable, Equatable {
    /// It serves other fixtures.
    case reloaded(fixtures: Int)
    /// All sequences begin anew.
    case reset
    /// What passes is recorded from now on.
    case recordingStarted(path: String)
    /// The recording is over.
    case recordingFinished(path: String)
}

/// Tells the journal and the subscribers of one loop what happens there.
///
/// The journal gets every request of every server, so it is called by its concrete type. Subscribers are called in turn;
/// without any, a request costs one branch.
struct EventBus {
    private(set) var journal: JournalRing
    private let subscribers: [any EventSubscriber]
    private let hasSubscribers: Bool
    private var count = 0

    init(journal: JournalRing, subscribers: [any EventSubscriber]) {
        self.journal = journal
        self.subscribers = subscribers
        hasSubscribers = !subscribers.isEmpty
    }

    /// The head of a request is here, or what there is of one that is refused; returns the request's number.
    mutating func received(head: Span<UInt8>) -> Int {
        count &+= 1
        if hasSubscribers { for subscriber in subscribers { subscriber.received(count, head: head) } }
        return count
    }

    /// An answer is found, or begins to come.
    ///
    /// - Parameters:
    ///   - source: where the fixture was written.
    ///   - server: the server that answers in the place of a fixture.
    /// - Returns: the number of the request's record in the journal.
    mutating func answered(
        _ request: Int,
        _ answer: JournalRing.Answer,
        head: Span<UInt8>,
        content: Span<UInt8>,
        isContentComplete: Bool,
        received: UInt64,
        source: @autoclosure () -> FixtureSource?,
        server: String?
    ) -> Int {
        if hasSubscribers {
            let event = AnswerEvent(
                status: answer.status,
                fixture: source(),
                ordinal: answer.ordinal,
                server: server,
                isMiss: answer.isMiss
            )
            for subscriber in subscribers { subscriber.answered(request, event, head: head, content: content) }
        }
        return journal.append(
            head: head,
            content: content,
            isContentComplete: isContentComplete,
            answer: answer,
            received: received
        )
    }

    /// The answer is written in full; it took so many nanoseconds.
    mutating func completed(_ request: Int, record: Int, duration: UInt64) {
        journal.complete(record, duration: duration)
        guard hasSubscribers else { return }
        let duration = Duration.nanoseconds(Int64(clamping: duration))
        for subscriber in subscribers { subscriber.completed(request, after: duration) }
    }

    /// The answer ended early.
    func cutOff(_ request: Int) {
        for subscriber in subscribers { subscriber.cutOff(request) }
    }

    /// The server does something else from now on.
    func changed(_ change: ServerChange) {
        for subscriber in subscribers { subscriber.changed(change) }
    }
}
