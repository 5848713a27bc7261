// SPDX-License-Identifier: Apache-2.0

private import Logging
internal import RepriseConnections
internal import RepriseDocuments
internal import RepriseFixtures
internal import RepriseIO
internal import RepriseMatching
internal import RepriseRecording
internal import RepriseRedaction
internal import RepriseText
internal import RepriseWire

/// The state shared by all connections of one loop. Used only on the loop's thread; the server holds it in a
/// ``LoopBound``.
final class LoopState: ListenerHandler {
    let loop: EventLoop
    /// The limits for a request's head. If requests are forwarded, the head may announce content of any length,
    /// because that content is not held in memory; see ``bodyLimit``.
    let limits: RequestParser.Limits
    /// The last message of ``reportUnforwarded(_:)``.
    private var lastUnforwarded: [UInt8] = []
    /// The maximum number of content bytes to hold in memory.
    let bodyLimit: Int
    let timeouts: MockServer.Timeouts
    /// The journal and subscribers, which receive the loop's events.
    var events: EventBus
    /// Whether files are served as they are, before requests are forwarded.
    let hasStaticFolder: Bool
    /// The connection to the upstream of the configuration, if there is one.
    private let configuredUpstream: UpstreamLink?
    /// The connection to the server that is being recorded; nil if there is none.
    private var recordedUpstream: UpstreamLink?
    /// The way to the admin API; nil if there is none.
    let admin: AdminGate?
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
    private let threads: WorkerThreads
    private let largeThreads: WorkerThreads
    /// The request bodies that are held, on all loops.
    var bodies: MemoryBudget { shared.bodies }

    let stubProxies: StubProxies
    /// The forward proxy; nil if the server is not one.
    let proxy: LoopProxy?
    private let shared: SharedState
    let responder: Responder
    let encoder: HTTP1Encoder
    /// Makes the session of a connection, from the protocol that TLS negotiated; nil if it negotiated none.
    var makeSession: (Connection, String?) -> any ConnectionSession = { connection, _ in HTTP1Session(on: connection) }
    /// How much may be done for a request on this loop.
    let workLimit: WorkLimit
    let webhooks: WebhookSender?
    let eventStreams: EventStreams
    private let logger: Logger
    /// The fixtures as this loop last saw them.
    private(set) var state: ServingState
    /// The sources of previous fixtures that the journal still refers to.
    var previousSources = PreviousSources()
    private(set) var connections: [Connection] = []
    private var listener: Listener?
    var sessionListeners: [SessionID: Listener] = [:]
    /// What is served in the sessions that were used since the last change.
    var seen: [SessionID: ServingState] = [:]
    private var didStop: (() -> Void)?
    private var stopToken: TimerToken?
    private let recorder: CassetteRecorder?
    var tunnels = TunnelOutcomes()

    init(
        loop: EventLoop,
        shared: SharedState,
        subscribers: sending [any EventSubscriber],
        webhooks: WebhookSender? = nil,
        tls: TLSContext?,
        delay: HeadDelay? = nil,
        admin: AdminGate? = nil,
        proxy: ProxySettings? = nil,
        configuration: MockServer.Configuration
    ) {
        self.admin = admin
        self.loop = loop
        self.shared = shared
        self.webhooks = webhooks
        eventStreams = EventStreams(on: loop)
        state = shared.current
        let forwards = configuration.upstream != nil || proxy != nil
        limits = forwards ? configuration.limits.withoutBodyLimit : configuration.limits
        bodyLimit = min(configuration.limits.body, shared.bodies.limit)
        self.tls = tls
        configuredUpstream = configuration.upstream.map { UpstreamLink($0, loop: loop, isSecure: tls != nil) }
        hasStaticFolder = configuration.staticFolder != nil
        timeouts = configuration.timeouts
        events = EventBus(
            journal: JournalRing(records: configuration.journalRecords, bytes: configuration.journalBytes),
            subscribers: subscribers
        )
        stubProxies = StubProxies(loop: loop, isSecure: tls != nil)
        self.proxy = proxy.map { LoopProxy($0, host: configuration.host, loop: loop) }
        responder = Responder(configuration, delay: delay)
        encoder = HTTP1Encoder(configuration)
        workLimit = configuration.workLimit
        threads = configuration.workerThreads ?? shared.threads
        largeThreads = configuration.workerThreads ?? shared.largeThreads
        logger = configuration.logger
        recorder = configuration.recorder
    }

    // MARK: Connections

    var connectionCount: Int { connections.count }

    func listen(on socket: ListeningSocket) throws(SystemError) {
        listens(at: socket.port)
        if let address = IPAddress(socket.host) { proxy?.settings.addresses.withLock { _ = $0.insert(address) } }
        listener = try Listener(socket, loop: loop, handler: self)
    }

    /// Keeps the proxy from connecting to a port of the server itself.
    func listens(at port: Int) {
        proxy?.settings.ports.withLock { _ = $0.insert(port) }
    }

    func listener(_ listener: Listener, accepted descriptor: consuming SocketDescriptor) {
        accept(descriptor, listener: nil)
    }

    func accept(_ descriptor: consuming SocketDescriptor, listener: SessionListener?) {
        do throws(SystemError) {
            let connection = try Connection(descriptor, worker: self, listener: listener)
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

    /// The connection to the server that answers what nothing else does, if there is one.
    var upstream: UpstreamLink? { recordedUpstream ?? configuredUpstream }

    // MARK: Changes

    /// Adopts what is served now, if it changed.
    func adoptChanges() {
        if shared.version != state.version { adoptState() }
    }

    /// Adopts what is served now. Takes the same short time however many fixtures and journal records there are.
    private func adoptState() {
        let previous = state
        state = shared.current
        seen = [:]
        if state.recording?.recorder !== previous.recording?.recorder {
            recordedUpstream = state.recording.map { UpstreamLink($0, loop: loop, isSecure: tls != nil) }
        }
        // A journal record of a stub holds the stub.
        guard previous.generation != state.generation else { return }
        previousSources.append(previous)
        events.changed(.reloaded(fixtures: state.count))
    }

    /// Returns the threads for a request with a body of this size.
    func threads(forBodyOf size: Int) -> WorkerThreads { size > Self.largeBody ? largeThreads : threads }

    private static let largeBody = 1 << 20

    // MARK: Journal and log

    /// The journal at this moment, to be read on any thread.
    var journal: LoopJournal { journal(from: 0) }

    /// Returns the journal at this moment, from the request with `number` to the one before `end`.
    func journal(from number: Int, to end: Int = .max) -> LoopJournal {
        let requests = events.journal.snapshot(from: number, to: end)
        return LoopJournal(requests: requests, state: state, previousSources: previousSources)
    }

    /// Returns the source of the fixture that answers; nil if there is no such fixture.
    func source(of answer: JournalRing.Answer) -> FixtureSource? {
        if let stub = answer.stub { return stub.stub.source }
        guard answer.fixture >= 0 else { return nil }
        return answer.generation == state.generation
            ? state.source(of: answer.fixture) : previousSources[answer.generation, answer.fixture]?.source
    }

    /// Logs that a TLS handshake with a client failed.
    ///
    /// - Parameter tunnel: The origin that the client wants to reach through the proxy.
    func reportHandshake(_ error: TLSError, in tunnel: Origin? = nil) {
        guard let tunnel else { return logger.notice("a TLS handshake failed: \(error)") }
        report(
            tunnel,
            """
            a TLS handshake failed with a client of the proxy, for \(tunnel): \(error); let the client trust the \
            proxy's certificate authority, or pass on its connections unread with --pass \(tunnel.host)
            """,
            isRefusal: error.isAboutCertificate
        )
    }

    /// Logs that a tunnel was closed because its client used neither TLS nor HTTP.
    ///
    /// - Parameter isIdle: Whether the client sent nothing.
    func reportTunnel(to origin: Origin, isIdle: Bool) {
        report(
            origin,
            """
            a tunnel to \(origin.host):\(origin.port) was closed: expected TLS or HTTP from the client, found \
            \(isIdle ? "nothing" : "neither"); pass on such connections unread with --pass \(origin.host)
            """,
            isRefusal: !isIdle
        )
    }

    private func report(_ origin: Origin, _ failure: String, isRefusal: Bool) {
        logger.notice("\(failure)")
        tunnels.failed(origin, because: failure, isRefusal: isRefusal)
    }

    /// Logs an error that occurred while a response was written.
    func report(_ error: any Error) {
        logger.error("a response was cut off: \(error)")
    }

    /// Logs that `response` is sent because the fixture's own cannot be.
    func report(_ response: ServerResponse) {
        logger.error("\(String(decoding: response.content.dropLast(), as: UTF8.self))")
    }

    /// Logs that a request was not forwarded. The same message is logged only once in a row.
    func reportUnforwarded(_ response: ServerResponse) {
        guard response.content != lastUnforwarded else { return }
        lastUnforwarded = response.content
        report(response)
    }

    // MARK: Stopping

    /// Closes idle connections and finishes responses in flight, for at most `grace`. Calls `completion` when all
    /// connections are closed.
    func stop(grace: Duration, completion: @escaping () -> Void) {
        isStopping = true
        listener?.close()
        listener = nil
        for listener in sessionListeners.values { listener.close() }
        sessionListeners = [:]
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
        recorder?.noteCutOff()
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
