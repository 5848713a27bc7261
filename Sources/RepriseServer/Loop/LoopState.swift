// SPDX-License-Identifier: Apache-2.0

private import Logging
internal import RepriseFixtures
internal import RepriseIO
internal import RepriseMatching
internal import RepriseRedaction
internal import RepriseStubMatching
internal import RepriseText
internal import RepriseWire

/// The state shared by all connections of one loop. Used only on the loop's thread; the server holds it in a
/// ``LoopBound``.
final class LoopState: ListenerHandler {
    let loop: EventLoop
    /// The limits for a request's head. If requests are forwarded, the head may announce content of any length,
    /// because that content is not held in memory; see ``bodyLimit``.
    let limits: RequestParser.Limits
    /// The maximum number of content bytes to hold in memory.
    let bodyLimit: Int
    let timeouts: MockServer.Timeouts
    /// The journal and subscribers, which receive the loop's events.
    var events: EventBus
    /// Whether files are served as they are, before requests are forwarded.
    private let hasStaticFolder: Bool
    /// The connection to the upstream, if there is one.
    private let upstream: UpstreamLink?
    /// The way to the admin API; nil if there is none.
    private let admin: AdminDoor?
    /// The TLS context for clients; nil serves plain HTTP.
    let tls: TLSContext?
    private(set) var isStopping = false
    /// The files that are being sent, on all loops.
    var files: OpenFiles { shared.files }
    /// The Date line of the server's own answers.
    let date = DateLine()
    /// Holds a response while it is written and sent. Kept, so that responses need no memory of their own.
    var scratch: [UInt8] = []

    /// The threads for what would hold up the loop.
    let threads: WorkerThreads

    private let stubProxies: StubProxies
    private let shared: SharedState
    private let responder: Responder
    /// How much may be done for a request on this loop.
    private let workLimit: WorkLimit
    private let webhooks: WebhookSender?
    private let logger: Logger
    /// The fixtures as this loop last saw them.
    private(set) var state: ServingState
    /// The sources of previous fixtures that the journal still refers to.
    var previousSources = PreviousSources()
    private(set) var connections: [Connection] = []
    private var listener: Listener?
    /// The listeners of sessions.
    var doors: [SessionID: Listener] = [:]
    /// What is served in the sessions that were used since the last change.
    var seen: [SessionID: ServingState] = [:]
    private var didStop: (() -> Void)?
    private var stopToken: TimerToken?

    init(
        loop: EventLoop,
        shared: SharedState,
        subscribers: sending [any EventSubscriber],
        webhooks: WebhookSender? = nil,
        tls: TLSContext?,
        delay: HeadDelay? = nil,
        admin: AdminDoor? = nil,
        configuration: MockServer.Configuration
    ) {
        self.admin = admin
        self.loop = loop
        self.shared = shared
        self.webhooks = webhooks
        state = shared.current
        limits = configuration.upstream == nil ? configuration.limits : configuration.limits.withoutBodyLimit
        bodyLimit = configuration.limits.body
        self.tls = tls
        upstream = configuration.upstream.map { UpstreamLink($0, loop: loop, isSecure: tls != nil) }
        hasStaticFolder = configuration.staticFolder != nil
        timeouts = configuration.timeouts
        events = EventBus(
            journal: JournalRing(records: configuration.journalRecords, bytes: configuration.journalBytes),
            subscribers: subscribers
        )
        stubProxies = StubProxies(loop: loop, isSecure: tls != nil)
        responder = Responder(configuration, delay: delay)
        workLimit = configuration.workLimit
        threads = configuration.workerThreads ?? shared.threads
        logger = configuration.logger
    }

    // MARK: Connections

    var connectionCount: Int { connections.count }

    func listen(on socket: ListeningSocket) throws(SystemError) {
        listener = try Listener(socket, loop: loop, handler: self)
    }

    func listener(_ listener: Listener, accepted descriptor: consuming SocketDescriptor) {
        accept(descriptor, door: nil)
    }

    func accept(_ descriptor: consuming SocketDescriptor, door: SessionDoor?) {
        do throws(SystemError) {
            let connection = try Connection(descriptor, worker: self, door: door)
            connection.slot = connections.count
            connections.append(connection)
            events.accepted()
            loop.sweep.add(connection)
            if let tls { connection.secure(tls) } else { connection.start() }
        } catch {
            logger.warning("could not set up a connection: \(error)")
        }
    }

    func listener(_ listener: Listener, paused error: SystemError) {
        logger.warning("accepting connections is paused: \(error)")
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

    /// Returns the answer to a complete request, which was received at `now`.
    func answer(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        content: Span<UInt8>,
        isContentComplete: Bool,
        from previous: ServingState?,
        route: SessionRoute,
        at now: MonotonicTime,
        peer: () -> String
    ) -> Answer {
        adoptChanges()
        guard let served = previous ?? state(for: route) else {
            let id = route.id ?? SessionID("")
            return responder.own(.noSession(id), bytes, head, isLast: isStopping, date: date.line(at: now))
        }
        let answer = responder.answer(
            bytes,
            head,
            content: content,
            isContentComplete: isContentComplete,
            state: served,
            isLast: isStopping,
            date: { date.line(at: now) },
            peer: peer,
            limit: workLimit
        )
        if let previous { keepSource(of: answer, from: previous) }
        return answer
    }

    /// Keeps the source of a fixture for the journal if the answer comes from previous fixtures.
    private func keepSource(of answer: Answer, from state: ServingState) {
        let journal = answer.journal
        guard state.generation != self.state.generation, journal.fixture >= 0, journal.stub == nil else { return }
        previousSources.append(journal.fixture, of: state)
    }

    /// Returns a request that was received at `now`, to be answered on another thread.
    func backgroundRequest(
        _ turn: StubLookup.Turn?,
        _ bytes: [UInt8],
        _ head: RequestHead,
        content: [UInt8],
        isContentComplete: Bool,
        from previous: ServingState?,
        route: SessionRoute,
        at now: MonotonicTime,
        peer: String
    ) -> BackgroundRequest {
        BackgroundRequest(
            responder: responder,
            state: previous ?? state(for: route) ?? state,
            head: bytes,
            parsedHead: head,
            content: content,
            isContentComplete: isContentComplete,
            turn: turn,
            isLast: isStopping,
            date: date.line(at: now),
            peer: peer
        )
    }

    /// Returns an answer that was found on another thread, for this loop as it is now.
    func adopt(_ answer: Answer, to request: BackgroundRequest) -> Answer {
        adoptChanges()
        keepSource(of: answer, from: request.state)
        guard isStopping, !request.isLast else { return answer }
        let head = request.head[...]
        let client = client(head.span, request.parsedHead)
        switch answer {
        case .block(_, let answers, let played), .tailoredBlock(_, let answers, let played):
            let date = date.line(at: loop.now())
            return .script(answers.script(of: played.fixture, to: client, date: date), played)
        case .script, .forwarded, .unfinished: return answer
        }
    }

    /// Returns the source that forwards a request.
    ///
    /// - Throws: If the URL that a stub gives is invalid.
    func source(of forwarded: AnsweringServer) throws(UpstreamError) -> any ResponseSource {
        switch forwarded {
        case .upstream:
            guard let upstream else { preconditionFailure("only a server with an upstream forwards to it") }
            return Forwarding(to: upstream)
        case .stub(let target, let delay, let played):
            return try stubProxies.source(for: target, delay: delay, played: played)
        }
    }

    /// Sends webhooks, whose request is answered.
    func send(_ order: WebhookOrder) {
        webhooks?.send(order)
    }

    /// Returns how much of a request's content to keep: all of it if it is compared, otherwise the start of it for
    /// the journal. In the second case, the request must be answered from the returned `state`, because other
    /// fixtures might compare the discarded content.
    func contentToKeep(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        _ route: SessionRoute
    ) -> (count: Int, state: ServingState?) {
        adoptChanges()
        if upstream != nil { return (.max, nil) }
        guard let served = state(for: route) else { return (64 << 10, nil) }
        return responder.comparesContent(bytes, head, state: served) ? (.max, nil) : (64 << 10, served)
    }

    /// Returns the source that answers a request regardless of its content: the admin API, or the upstream if neither
    /// fixtures nor static files can answer instead.
    func sourceForAll(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        _ route: SessionRoute,
        peer: () -> String
    ) -> (any ResponseSource)? {
        if let source = adminSource(bytes, head, route, peer) { return source }
        adoptChanges()
        guard let upstream, let served = state(for: route), served.count == 0,
            head.form != .authority, head.form != .asterisk,
            !hasStaticFolder || !(head.isHead(in: bytes) || bytes.text(head.method) == "GET")
        else {
            return nil
        }
        return Forwarding(to: upstream)
    }

    /// Returns the source that answers a request to the admin API; nil for other requests.
    func adminSource(
        _ bytes: Span<UInt8>,
        _ head: RequestHead,
        _ route: SessionRoute,
        _ peer: () -> String
    ) -> AdminSource? {
        guard let admin, AdminDoor.isTarget(bytes, head) else { return nil }
        if let id = route.id {
            adoptChanges()
            guard let session = state.sessions[id] else { return nil }
            _ = session.uses.take()
        }
        return AdminSource(admin, on: self, peer: peer(), session: route.id)
    }

    /// Whether answering reads from other sockets, and therefore into the loop's buffer, which may hold the request.
    var readsWhileAnswering: Bool { upstream != nil || state.stubs.hasProxies || state.hasHadSessions }

    /// Returns how the response to a request must be written, according to the request.
    func client(_ bytes: Span<UInt8>, _ head: RequestHead) -> PlanSerializer.Client {
        responder.client(bytes, head, isLast: isStopping)
    }

    /// Returns the script for one of the server's own answers.
    func own(_ response: OwnResponse, _ bytes: Span<UInt8>, _ head: RequestHead, isLast: Bool) -> WireScript {
        responder.script(response, bytes, head, isLast: isLast || isStopping, date: date.line(at: loop.now()))
    }

    /// Returns the script for a refusal, after which the connection closes. See ``Responder/refusal(_:_:_:date:)``.
    func refusal(_ response: OwnResponse, _ bytes: Span<UInt8>, _ head: RequestHead?) -> WireScript {
        responder.refusal(response, bytes, head, date: date.line(at: loop.now()))
    }

    /// Adopts what is served now, if it changed.
    func adoptChanges() {
        if shared.version != state.version { adoptState() }
    }

    /// Adopts what is served now. Takes the same short time however many fixtures and journal records there are.
    private func adoptState() {
        let previous = state
        state = shared.current
        seen = [:]
        // A journal record of a stub holds the stub.
        guard previous.generation != state.generation else { return }
        previousSources.append(previous)
        events.changed(.reloaded(fixtures: state.count))
    }

    // MARK: Journal and log

    /// The journal at this moment, to be read on any thread.
    var journal: LoopJournal {
        LoopJournal(requests: events.journal.snapshot, state: state, previousSources: previousSources)
    }

    /// Returns the source of the fixture that answers; nil if there is no such fixture.
    func source(of answer: JournalRing.Answer) -> FixtureSource? {
        if let stub = answer.stub { return stub.source }
        guard answer.fixture >= 0 else { return nil }
        return answer.generation == state.generation
            ? state.source(of: answer.fixture) : previousSources[answer.generation, answer.fixture]?.source
    }

    /// Logs that a TLS handshake with a client failed.
    func reportHandshake(_ error: TLSError) {
        logger.notice("a TLS handshake failed: \(error)")
    }

    /// Logs an error that occurred while a response was written.
    func report(_ error: any Error) {
        logger.error("a response was cut off: \(error)")
    }

    /// Logs that `response` is sent because the fixture's own cannot be.
    func report(_ response: OwnResponse) {
        logger.error("\(String(decoding: response.content.dropLast(), as: UTF8.self))")
    }

    // MARK: Stopping

    /// Closes idle connections and finishes responses in flight, for at most `grace`. Calls `completion` when all
    /// connections are closed.
    func stop(grace: Duration, completion: @escaping () -> Void) {
        isStopping = true
        listener?.close()
        listener = nil
        for listener in doors.values { listener.close() }
        doors = [:]
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
    /// Stops this loop's part of the server. Returns when its connections are closed.
    func stop(grace: Duration) async {
        await withCheckedContinuation { stopped in
            loop.execute { self.value.stop(grace: grace) { stopped.resume() } }
        }
    }
}

/// Closes all connections when the grace period is over.
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
