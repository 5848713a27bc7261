// SPDX-License-Identifier: Apache-2.0

internal import RepriseText

/// A listener for a loop's events. It is called on the loop's thread between a request and its answer, so it must be
/// cheap, must not block, and must copy any bytes that it keeps.
///
/// A request is received, answered, and then completed or cut off. Requests of different connections overlap; their
/// numbers, which count up on each loop, distinguish them. All methods have empty default implementations.
protocol EventSubscriber: AnyObject {
    /// The head of a request was received, or the available part of it if the request is refused.
    ///
    /// - Parameter session: The session that the request belongs to; nil for the server itself.
    func received(_ request: Int, head: Span<UInt8>, session: SessionID?)
    /// An answer was found or has begun to arrive.
    func answered(_ request: Int, _ answer: AnswerEvent, head: Span<UInt8>, content: Span<UInt8>)
    /// The answer was written in full.
    func completed(_ request: Int, after duration: Duration)
    /// The answer ended early, because of the fixture or because the connection was lost.
    func cutOff(_ request: Int)
    /// The request goes to the admin API, so nothing more is reported about it.
    func withdrawn(_ request: Int)
    /// The server's fixtures, stubs, sequences, or recording changed.
    func changed(_ change: ServerChange)
}

extension EventSubscriber {
    func received(_ request: Int, head: Span<UInt8>, session: SessionID?) {}
    func answered(_ request: Int, _ answer: AnswerEvent, head: Span<UInt8>, content: Span<UInt8>) {}
    func completed(_ request: Int, after duration: Duration) {}
    func cutOff(_ request: Int) {}
    func withdrawn(_ request: Int) {}
    func changed(_ change: ServerChange) {}
}

/// The answer to a request, as reported to subscribers.
struct AnswerEvent: Sendable {
    /// The status; 0 if the connection ends without a response.
    var status: Int
    /// The source of the fixture; nil if no fixture answered.
    var fixture: FixtureSource?
    /// The one-based position of the answer in its sequence; 0 if the answer does not advance a sequence.
    var ordinal: Int
    /// The number of the session; 0 for the server itself.
    var session = 0
    /// The server, or the static file, that answers instead of a fixture; nil if this server answers.
    var server: String?
    var isMiss: Bool
}

/// A change of the server's behavior.
enum ServerChange: Sendable, Equatable {
    /// The server serves the reloaded fixtures.
    case reloaded(fixtures: Int)
    /// The fixtures could not be reloaded, so the server keeps serving the previous ones.
    case reloadFailed(FixtureProblems)
    /// All sequences and scenarios of the server or a session start over, and the stubs are restored.
    case reset(SessionID? = nil)
    /// The stubs changed.
    case stubs(StubsEvent)
    /// Traffic is recorded from now on.
    case recordingStarted(path: String)
    /// The recording has ended.
    case recordingFinished(path: String)
}

/// A change of the stubs, as reported to subscribers.
struct StubsEvent: Sendable, Equatable {
    /// What happened to the stubs.
    enum Change: String, Sendable {
        case added, replaced, removed
    }

    var change: Change
    var count: Int
    /// The identifiers of the first stubs.
    var ids: [String]
    /// The session in which the stubs changed; nil for the server itself.
    var session: SessionID?

    /// The maximum number of ``ids``.
    private static let idLimit = 100

    init(_ change: Change, _ ids: some Collection<String>, in session: SessionID?) {
        self.change = change
        count = ids.count
        self.ids = Array(ids.prefix(Self.idLimit))
        self.session = session
    }
}

/// Reports a loop's events to its journal and subscribers.
///
/// Every server has a journal, so it is called directly and not as a subscriber, which would be slower. Subscribers are
/// called in order. Without subscribers, reporting a request to them costs only one branch.
struct EventBus {
    private(set) var journal: JournalRing
    /// The metrics of the requests, which are counted even without subscribers.
    private(set) var metrics = LoopMetrics()
    private var subscribers: [any EventSubscriber]
    private(set) var hasSubscribers: Bool
    private var count = 0
    /// Wakes the tasks that wait for requests; nil if none wait.
    var requestSignal: RequestSignal?

    init(journal: JournalRing, subscribers: [any EventSubscriber]) {
        self.journal = journal
        self.subscribers = subscribers
        hasSubscribers = !subscribers.isEmpty
    }

    mutating func add(_ subscriber: any EventSubscriber) {
        subscribers.append(subscriber)
        hasSubscribers = true
    }

    mutating func removeSubscribers(where isRemoved: (any EventSubscriber) -> Bool) {
        subscribers.removeAll(where: isRemoved)
        hasSubscribers = !subscribers.isEmpty
    }

    func hasFeed(of queue: EventQueue) -> Bool { subscribers.contains { ($0 as? EventFeed)?.queue === queue } }

    /// Reports that the head of a request was received, or a part of it if the request is refused. Returns the
    /// request's number.
    mutating func received(head: Span<UInt8>, session: @autoclosure () -> SessionID? = nil) -> Int {
        count &+= 1
        if hasSubscribers {
            for subscriber in subscribers { subscriber.received(count, head: head, session: session()) }
        }
        return count
    }

    /// - Parameters:
    ///   - source: The source of the fixture.
    ///   - session: The number of the session; 0 for the server itself.
    ///   - server: The server that answers instead of a fixture.
    /// - Returns: The number of the request's record in the journal.
    mutating func answered(
        _ request: Int,
        _ answer: JournalRing.Answer,
        head: Span<UInt8>,
        content: Span<UInt8>,
        isContentComplete: Bool,
        received: UInt64,
        peer: String,
        source: @autoclosure () -> FixtureSource?,
        session: Int = 0,
        server: String?
    ) -> Int {
        metrics.count(.of(answer, server: server))
        if hasSubscribers {
            let event = AnswerEvent(
                status: answer.status,
                fixture: source(),
                ordinal: answer.ordinal,
                session: session,
                server: server,
                isMiss: answer.isMiss
            )
            for subscriber in subscribers { subscriber.answered(request, event, head: head, content: content) }
        }
        var answer = answer
        answer.isForwarded = server != nil
        defer { if let requestSignal { requestSignal.give() } }
        return journal.append(
            head: head,
            content: content,
            isContentComplete: isContentComplete,
            answer: answer,
            session: session,
            received: received,
            peer: peer
        )
    }

    mutating func keep(_ answer: KeptAnswer, record: Int) { journal.keep(answer, of: record) }

    func withdrawn(_ request: Int) {
        for subscriber in subscribers { subscriber.withdrawn(request) }
    }

    /// Reports that the answer was written in full, `duration` nanoseconds after the request was received.
    mutating func completed(_ request: Int, record: Int, duration: UInt64) {
        journal.complete(record, duration: duration)
        metrics.completed(nanoseconds: duration)
        guard hasSubscribers else { return }
        let duration = Duration.nanoseconds(Int64(clamping: duration))
        for subscriber in subscribers { subscriber.completed(request, after: duration) }
    }

    mutating func cutOff(_ request: Int) {
        metrics.countCutOff()
        for subscriber in subscribers { subscriber.cutOff(request) }
    }

    mutating func accepted() {
        metrics.countConnection()
    }

    func changed(_ change: ServerChange) {
        for subscriber in subscribers { subscriber.changed(change) }
    }
}
