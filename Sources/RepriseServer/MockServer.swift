// SPDX-License-Identifier: Apache-2.0

internal import Logging
public import RepriseFixtures
internal import RepriseIO
public import RepriseStubAnswers
internal import RepriseText

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A mock server in this process that serves recorded traffic and handwritten fixtures over HTTP/1.1.
///
/// ```swift
/// let server = try await MockServer.start(fixtures: URL(filePath: "Fixtures"))
/// let (data, _) = try await URLSession.shared.data(from: server.url.appending(path: "books/1"))
/// await server.stop()
/// ```
///
/// A process can run many servers; each has its own threads, port, and journal.
public final class MockServer: Sendable {
    /// The server's URL, such as `http://127.0.0.1:49152`. The scheme is `https` if the server uses TLS.
    public let url: URL
    /// The port that the server listens on.
    public let port: Int
    /// The configuration that the server was started with.
    public let configuration: Configuration
    /// The certificate, in PEM format, that clients must trust: that of the authority that issues the certificates of
    /// the server, or of hosts behind the proxy. Nil if the server uses neither TLS nor a proxy, or if you provided its
    /// certificate.
    public let certificateAuthority: [UInt8]?

    private let loops: [EventLoop]
    private let workers: [LoopBound<LoopState>]
    let control: ServerControl
    let admin: AdminGate
    private let logWriter: BackgroundWriter?
    private let webhookSender: WebhookSender
    private let stopping = Locked<Task<Void, Never>?>(nil)
    /// The watch of the fixtures' files; nil if they are not watched.
    private let watch = Locked<FixtureWatch?>(nil)

    /// Starts serving fixtures and stubs from memory.
    ///
    /// ```swift
    /// let set = try FixtureLoader.load(["Fixtures"])
    /// let server = try await MockServer.start(fixtures: set.fixtures, stubs: set.stubs)
    /// ```
    ///
    /// - Throws: ``StartError`` if the server cannot start.
    public static func start(
        fixtures: [Fixture] = [],
        stubs: [StubFixture] = [],
        port: Int = 0,
        configuration: Configuration = Configuration()
    ) async throws(StartError) -> MockServer {
        var configuration = configuration
        configuration.host = String(configuration.host[...].withoutBrackets)
        configuration.threads = max(1, configuration.threads)
        guard Self.url(host: configuration.host, port: 1) != nil else {
            throw StartError(invalidHost: configuration.host)
        }
        if let matcher = MatchingRules(configuration.matching, afterLast: configuration.afterLast).custom.first {
            throw StartError(unsupported: matcher)
        }
        try configuration.admin.check()
        try configuration.useRedactionOfFixtures()
        let fixtures = try configuration.bent(fixtures)
        if let folder = configuration.staticFolder {
            do throws(FixtureProblem) { _ = try StaticFolder(folder) } catch { throw StartError(staticFolder: error) }
            try configuration.checkThatNoKeyIsServed(from: folder)
        }
        if let upstream = configuration.upstream {
            if configuration.isInOwnNetwork, upstream.address.origin.reaches(host: configuration.host, port: port) {
                throw StartError(own: upstream.url)
            }
            do throws(TLSError) { try upstream.check() } catch { throw StartError(error, upstream: upstream.url) }
        }
        let identity = try configuration.tls.map { tls throws(StartError) in
            try ServingIdentity(tls, host: configuration.host)
        }
        if configuration.tls != nil, configuration.proxy != nil { throw StartError.secureProxy }
        let proxy = try configuration.proxy.map { proxy throws(StartError) in
            try ProxySettings(proxy, isInOwnNetwork: configuration.isInOwnNetwork)
        }
        var loops: [EventLoop] = []
        do throws(SystemError) {
            var sockets = configuration.sockets.take() ?? []
            if sockets.isEmpty {
                sockets = try ListeningSocket.bind(
                    host: configuration.host,
                    port: port,
                    count: configuration.threads
                )
            }
            for number in sockets.indices { loops.append(try EventLoop(name: "mockserver-\(number)")) }
            let server = MockServer(
                fixtures,
                stubs: stubs,
                port: sockets[0].port,
                loops: loops,
                identity: identity,
                proxy: proxy,
                configuration: configuration
            )
            for (worker, socket) in zip(server.workers, sockets) {
                try await worker.run { state throws(SystemError) in try state.listen(on: socket) }
            }
            await server.control.announceRecording()
            return server
        } catch {
            for loop in loops { await loop.shutDown() }
            throw StartError(error, host: configuration.host, port: port)
        }
    }

    private init(
        _ fixtures: [Fixture],
        stubs: [StubFixture],
        port: Int,
        loops: [EventLoop],
        identity: ServingIdentity?,
        proxy: ProxySettings?,
        configuration: Configuration
    ) {
        let scheme = identity == nil ? "http" : "https"
        guard let url = Self.url(host: configuration.host, port: port, scheme: scheme) else {
            preconditionFailure("start(fixtures:port:configuration:) checks that the host makes a valid URL")
        }
        var configuration = configuration
        if configuration.admin.isEnabled { configuration.tool.server = configuration.serverOptions(url.absoluteString) }
        self.url = url
        self.port = port
        self.configuration = configuration
        certificateAuthority = identity?.authority ?? proxy?.authority
        self.loops = loops
        let shared = SharedState(
            ServingState(fixtures, stubs: stubs, configuration: configuration),
            bodyBytes: configuration.bodyBytes
        )
        let logWriter = configuration.requestLog.map { _ in BackgroundWriter(.error) }
        self.logWriter = logWriter
        let webhookSender = WebhookSender(configuration, writer: logWriter)
        self.webhookSender = webhookSender
        let delay = HeadDelay(configuration.latency, seed: configuration.seed)
        let admin = AdminGate(configuration)
        self.admin = admin
        let workers = loops.map { loop in
            var subscribers: [any EventSubscriber] = []
            if let style = configuration.requestLog, let logWriter {
                subscribers.append(RequestLog(style, configuration.redaction, writer: logWriter, loop: loop))
            }
            let state = LoopState(
                loop: loop,
                shared: shared,
                subscribers: subscribers,
                webhooks: webhookSender,
                tls: identity?.context,
                delay: delay,
                admin: configuration.admin.isEnabled ? admin : nil,
                proxy: proxy,
                configuration: configuration
            )
            return LoopBound(state, on: loop)
        }
        self.workers = workers
        control = ServerControl(shared, loops: workers, url: url.absoluteString, configuration: configuration)
        let shutDown = configuration.shutDown
        admin.open(
            AdminAPI(
                control: control,
                folder: AdminFolder(configuration.tool.paths),
                configuration: configuration,
                start: .now,
                shutDown: { [weak self] in
                    if let shutDown { return shutDown() }
                    guard let self else { return }
                    Task { await self.stop() }
                },
                identifiers: JournalIdentifiers(),
                authority: certificateAuthority
            )
        )
    }

    /// Stops the server if ``stop(grace:)`` was not called. Its threads would otherwise run forever.
    deinit {
        admin.close()
        let (workers, loops, webhookSender, control) = (workers, loops, webhookSender, control)
        let watch = watch.withLock { $0 }
        Task.detached {
            await watch?.stop()
            for worker in workers { await worker.stop(grace: .zero) }
            await webhookSender.stop(at: .now)
            for loop in loops { await loop.shutDown() }
            await control.finishStartedRecording()
        }
    }

    private static func url(host: String, port: Int, scheme: String = "http") -> URL? {
        // The percent sign before an IPv6 zone is escaped in a URL (RFC 6874).
        let name = host.contains(":") ? "[\(host.split(separator: "%").joined(separator: "%25"))]" : host
        return URL(string: "\(scheme)://\(name):\(port)")
    }

    /// The requests received since the server started, within the journal's limits.
    public var journal: Journal {
        get async {
            await control.journal()
        }
    }

    /// The webhooks that were sent since the server started, oldest first, and at most the newest 1,000. Waits for the
    /// webhooks that are pending, including their delays.
    public var webhooks: [WebhookEntry] {
        get async {
            // A client may have its response before the loop has ordered the webhooks.
            for worker in workers { await worker.run { _ in } }
            return await webhookSender.entries
        }
    }

    /// Whether browsers may not use the admin API now, because they would need a token, and there is none.
    package var refusesBrowsers: Bool {
        let admin = configuration.admin
        return admin.isEnabled && admin.token == nil
            && (admin.requiresTokenFromBrowsers || control.shared.current.servesForeignPages)
    }

    /// Replaces the fixtures and stubs. No connection is dropped, and a response in progress does not change. After
    /// this method returns, no request is answered from the previous fixtures and stubs.
    ///
    /// A sequence keeps its position if its requests and answers are unchanged; otherwise it starts over. See
    /// ``reset()``. The edits in ``Configuration/bends`` apply again.
    ///
    /// - Throws: `FixtureProblems` if one of the edits cannot apply. The current fixtures then stay in use.
    public func reload(fixtures: [Fixture], stubs: [StubFixture] = []) async throws(FixtureProblems) {
        try await control.reload(FixtureSet(fixtures: fixtures, stubs: stubs))
    }

    /// Resets every sequence to its first answer, every scenario to its first state, and the stubs to those that were
    /// loaded last: added stubs are removed, and removed or changed stubs are restored.
    public func reset() async {
        await control.resetToFiles()
    }

    /// Ends the recording and writes the cassette. Call it after ``stop(grace:)``, so that the recording is complete.
    ///
    /// - Returns: What was recorded; nil without a recorder.
    package func finishRecording() async throws -> CassetteRecorder.Summary? {
        try await control.finishRecording()
    }

    /// Loads the fixtures at `paths`, as the command line names them, and replaces the current ones.
    ///
    /// - Parameter isWanted: Whether the fixtures are still wanted when they are loaded; if not, they are not served.
    package func reload(
        _ paths: [String],
        ifStill isWanted: @Sendable () -> Bool = { true }
    ) async throws(FixtureProblems) -> FixtureSet {
        try await control.reload(paths, ifStill: isWanted)
    }

    func keep(_ watch: FixtureWatch) {
        self.watch.withLock { $0 = watch }
    }

    /// Stops the server: accepts no more connections, closes idle ones, and finishes responses in flight. Returns
    /// when the server has stopped, even if another call started stopping it.
    ///
    /// - Parameter grace: How long responses in flight and pending webhooks may take. Any that are unfinished by then
    ///   are cut off or dropped.
    public func stop(grace: Duration = .seconds(5)) async {
        let task = stopping.withLock { task in
            if let task { return task }
            let watch = watch.withLock { $0 }
            let first = Task { [workers, loops, logWriter, webhookSender, control] in
                let end = ContinuousClock.now + grace
                await watch?.stop()
                await withTaskGroup(of: Void.self) { group in
                    for worker in workers { group.addTask { await worker.stop(grace: grace) } }
                }
                await webhookSender.stop(at: end)
                for loop in loops { await loop.shutDown() }
                await control.finishStartedRecording()
                logWriter?.finish(within: .seconds(1))
            }
            task = first
            return first
        }
        await task.value
    }
}
