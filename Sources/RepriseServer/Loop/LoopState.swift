// SPDX-License-Identifier: Apache-2.0

private import Logging
internal import RepriseIO
internal import RepriseMatching
internal import RepriseRedaction
internal import RepriseText
internal import RepriseWire

/// What the connections of one loop share. Lives on the loop's thread; the server holds it in a ``LoopBound``.
final class LoopState: ListenerHandler {
    let loop: EventLoop
    /// What a request's head may say. Where requests are passed on, it may announce content of any length, for that is
    /// not held; see ``bodyLimit``.
    let limits: RequestParser.Limits
    /// How much content may be held in memory, in bytes.
    let bodyLimit: Int
    let timeouts: MockServer.Timeouts
    /// What is told of the loop's requests.
    var events: EventBus
    /// The way to the server that answers what no fixture does.
    private let upstream: UpstreamLink?
    /// Who the server is to clients that speak TLS.
    let tls: TLSContext?
    private(set) var isStopping = false

    private let shared: SharedState
    private let responder: Responder
    private let logger: Logger
    /// The fixtures as this loop last saw them.
    private var state: ServingState
    /// Where former fixtures came from, by generation and number, as far as the journal names them.
    private var formerSources: [Int: [Int: FixtureSource]] = [:]
    private(set) var connections: [Connection] = []
    private var listener: Listener?
    private var didStop: (() -> Void)?
    private var stopToken: TimerToken?

    init(
        loop: EventLoop,
        shared: SharedState,
        subscribers: sending [any EventSubscriber],
        tls: TLSContext?,
        configuration: MockServer.Configuration
    ) {
        self.loop = loop
        self.shared = shared
        state = shared.current
        limits = configuration.upstream == nil ? configuration.limits : configuration.limits.withoutBodyLimit
        bodyLimit = configuration.limits.body
        self.tls = tls
        upstream = configuration.upstream.map { UpstreamLink($0, loop: loop, isSecure: tls != nil) }
        timeouts = configuration.timeouts
        events = EventBus(
            journal: JournalRing(records: configuration.journalRecords, bytes: configuration.journalBytes),
            subscribers: subscribers
        )
        responder = Responder(configuration, upstream: upstream)
        logger = configuration.logger
    }

    // MARK: Connections

    var connectionCount: Int { connections.count }

    func listen(on socket: ListeningSocket) throws(SystemError) {
        listener = try Listener(socket, loop: loop, handler: self)
    }

    func listener(_ listener: Listener, accepted descriptor: consuming SocketDescriptor) {
        do throws(SystemError) {
            let connection = try Connection(descriptor, worker: self)
            connection.slot = connections.count
            connections.append(connection)
            loop.sweep.add(connection)
            if let tls { connection.secure(tls) }
        } catch {
            logger.warning("a connection could not be taken over: \(error)")
        }
    }

    func listener(_ listener: Listener, paused error: SystemError) {
        logger.warning("accepting pauses: \(error)")
    }

    func remove(_ connection: Connection) {
        loop.sweep.remove(connection)
        let last = connections.count - 1
        if connection.slot < last {
            connections[connection.slot] = connections[last]
            connections[connection.slot].slot = connection.slot
        }
        connections.removeLast()
        if isStopping, connections.isEmpty { finishStopping() }
    }

    // MARK: Answering

    /// The answer to a request that is complete.
    func answer(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        content: Span<UInt8>,
        isContentComplete: Bool,
        from former: ServingState?
    ) -> Answer {
        adoptChanges()
        let answer = responder.answer(
            bytes,
            head,
            content: content,
            isContentComplete: isContentComplete,
            state: former ?? state,
            isLast: isStopping
        )
        if let former, former.generation != state.generation, answer.journal.fixture >= 0 {
            let fixture = answer.journal.fixture
            formerSources[former.generation, default: [:]][fixture] = former.index.entries[fixture].source
        }
        return answer
    }

    /// How much of a request's content is worth keeping: all that is compared, the start of it for the journal. In the
    /// second case the request is to be answered from `state`: other fixtures might compare what was thrown away.
    func contentToKeep(_ bytes: Span<UInt8>, _ head: RequestHead) -> (count: Int, state: ServingState?) {
        adoptChanges()
        if upstream != nil { return (.max, nil) }
        return responder.comparesContent(bytes, head, state: state) ? (.max, nil) : (64 << 10, state)
    }

    /// What answers a request whatever its content is: where there are no fixtures to compare it with.
    func sourceForAll(_ head: RequestHead) -> (any ResponseSource)? {
        adoptChanges()
        guard let upstream, state.index.entries.isEmpty, head.form != .authority, head.form != .asterisk else {
            return nil
        }
        return Forwarding(to: upstream)
    }

    /// Whether answering reads from other sockets, and so into the loop's buffer, where the request may lie.
    var readsWhileAnswering: Bool { upstream != nil }

    /// What a request says about how its response must be written.
    func client(_ bytes: Span<UInt8>, _ head: RequestHead) -> PlanSerializer.Client {
        responder.client(bytes, head, isLast: isStopping)
    }

    /// The script for an answer of the server's own.
    func own(_ response: OwnResponse, _ bytes: Span<UInt8>, _ head: RequestHead, isLast: Bool) -> WireScript {
        responder.script(response, bytes, head, isLast: isLast || isStopping)
    }

    /// The script for a refusal, after which the connection closes; see ``Responder/refusal(_:_:_:)``.
    func refusal(_ response: OwnResponse, _ bytes: Span<UInt8>, _ head: RequestHead?) -> WireScript {
        responder.refusal(response, bytes, head)
    }

    /// Sees what changed, if anything did.
    func adoptChanges() {
        if shared.generation != state.generation { adoptState() }
    }

    private func adoptState() {
        let journal = events.journal.snapshot
        var sources: [Int: FixtureSource] = [:]
        for fixture in journal.fixtures(of: state.generation) {
            sources[fixture] = state.index.entries[fixture].source
        }
        formerSources[state.generation] = sources
        state = shared.current
        let oldest = journal.oldestGeneration ?? state.generation
        formerSources = formerSources.filter { $0.key >= oldest }
        events.changed(.reloaded(fixtures: state.index.entries.count))
    }

    // MARK: Journal and log

    /// The journal as it is now, to be read elsewhere.
    var journal: LoopJournal {
        LoopJournal(requests: events.journal.snapshot, state: state, formerSources: formerSources)
    }

    /// The fixture that answers.
    func source(of answer: JournalRing.Answer) -> FixtureSource? {
        guard answer.fixture >= 0 else { return nil }
        return answer.generation == state.generation
            ? state.index.entries[answer.fixture].source : formerSources[answer.generation]?[answer.fixture]
    }

    /// A client and the server did not agree on TLS.
    func reportHandshake(_ error: TLSError) {
        logger.notice("a TLS handshake failed: \(error)")
    }

    /// Something went wrong while a response was written.
    func report(_ error: any Error) {
        logger.error("a response was cut off: \(error)")
    }

    // MARK: Stopping

    /// Closes what is idle and finishes what is in flight, for `grace` at most; `completion` is called when all is done.
    func stop(grace: Duration, completion: @escaping () -> Void) {
        isStopping = true
        listener?.close()
        listener = nil
        for connection in connections { connection.stop() }
        guard !connections.isEmpty else { return completion() }
        didStop = completion
        stopToken = loop.schedule(StopTimer(self), at: loop.now() + grace)
    }

    private func finishStopping() {
        if let stopToken { loop.cancel(stopToken) }
        stopToken = nil
        didStop?()
        didStop = nil
    }

    fileprivate func closeAll() {
        while let connection = connections.last { connection.close() }
    }
}

extension LoopBound<LoopState> {
    /// Stops the loop's share of the server; returns once everything is done.
    func stop(grace: Duration) async {
        await withCheckedContinuation { stopped in
            loop.execute { self.value.stop(grace: grace) { stopped.resume() } }
        }
    }
}

/// The end of the time that responses in flight are given.
private final class StopTimer: TimerTarget {
    private let state: LoopState

    init(_ state: LoopState) {
        self.state = state
    }

    func timerFired(_ token: TimerToken) {
        state.closeAll()
    }
}

extension RequestParser.Limits {
    fileprivate var withoutBodyLimit: RequestParser.Limits {
        RequestParser.Limits(target: target, headerSection: headerSection, fields: fields, body: .max)
    }
}
