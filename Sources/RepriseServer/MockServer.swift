// SPDX-License-Identifier: Apache-2.0

public import RepriseFixtures
internal import RepriseIO

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A mock server in this process: it serves recorded traffic and hand-made fixtures over HTTP/1.1.
///
/// ```swift
/// let server = try await MockServer.start(fixtures: URL(filePath: "Fixtures"))
/// let (data, _) = try await URLSession.shared.data(from: server.url.appending(path: "books/1"))
/// await server.stop()
/// ```
///
/// Many servers can run in one process; each has its own threads, port and journal.
public final class MockServer: Sendable {
    /// Where the server listens: `http://127.0.0.1:49152`, or https.
    public let url: URL
    /// The port it listens on.
    public let port: Int
    /// How it was set up.
    public let configuration: Configuration
    /// The certificate that https clients have to trust, in PEM; nil without TLS or with a certificate of one's own.
    public let certificateAuthority: [UInt8]?

    private let loops: [EventLoop]
    private let workers: [LoopBound<LoopState>]
    private let control: ServerControl
    private let logWriter: BackgroundWriter?
    private let stopping = Locked<Task<Void, Never>?>(nil)

    /// Starts to serve fixtures that are in memory.
    ///
    /// - Throws: ``StartError`` if the address cannot be listened on.
    public static func start(
        fixtures: [Fixture],
        port: Int = 0,
        configuration: Configuration = Configuration()
    ) async throws(StartError) -> MockServer {
        var configuration = configuration
        configuration.host = configuration.host.withoutBrackets
        configuration.threads = max(1, configuration.threads)
        guard Self.url(host: configuration.host, port: 1) != nil else {
            throw StartError(invalidHost: configuration.host)
        }
        if let matcher = MatchingRules(configuration.matching, afterLast: configuration.afterLast).custom.first {
            throw StartError(unsupported: matcher)
        }
        if let upstream = configuration.upstream {
            do throws(TLSError) { try upstream.check() } catch { throw StartError(error, upstream: upstream.url) }
        }
        let identity = try configuration.tls.map { tls throws(StartError) in
            try ServingIdentity(tls, host: configuration.host)
        }
        var loops: [EventLoop] = []
        do throws(SystemError) {
            let sockets = try ListeningSocket.bind(
                host: configuration.host,
                port: port,
                count: configuration.threads
            )
            for number in sockets.indices { loops.append(try EventLoop(name: "mockserver-\(number)")) }
            let server = MockServer(
                fixtures,
                port: sockets[0].port,
                loops: loops,
                identity: identity,
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
        port: Int,
        loops: [EventLoop],
        identity: ServingIdentity?,
        configuration: Configuration
    ) {
        let scheme = identity == nil ? "http" : "https"
        guard let url = Self.url(host: configuration.host, port: port, scheme: scheme) else {
            preconditionFailure("start(fixtures:port:configuration:) has seen that the host makes a URL")
        }
        self.url = url
        self.port = port
        self.configuration = configuration
        certificateAuthority = identity?.authority
        self.loops = loops
        let shared = SharedState(ServingState(fixtures, configuration: configuration))
        let logWriter = configuration.requestLog.map { _ in BackgroundWriter(.error) }
        self.logWriter = logWriter
        let workers = loops.map { loop in
            var subscribers: [any EventSubscriber] = []
            if let style = configuration.requestLog, let logWriter {
                subscribers.append(RequestLog(style, writer: logWriter))
            }
            let state = LoopState(
                loop: loop,
                shared: shared,
                subscribers: subscribers,
                tls: identity?.context,
                configuration: configuration
            )
            return LoopBound(state, on: loop)
        }
        self.workers = workers
        control = ServerControl(shared, loops: workers, configuration: configuration)
    }

    /// A server that is let go of without ``stop(grace:)`` ends at once: its threads would run for ever.
    deinit {
        let (workers, loops) = (workers, loops)
        Task.detached {
            for worker in workers { await worker.stop(grace: .zero) }
            for loop in loops { await loop.shutDown() }
        }
    }

    private static func url(host: String, port: Int, scheme: String = "http") -> URL? {
        // RFC 6874: the percent sign before an IPv6 zone is escaped in a URL.
        let name = host.contains(":") ? "[\(host.split(separator: "%").joined(separator: "%25"))]" : host
        return URL(string: "\(scheme)://\(name):\(port)")
    }

    /// What the server was asked since it started, as far as the journal's limits let it remember.
    public var journal: Journal {
        get async {
            var parts: [LoopJournal] = []
            for worker in workers { parts.append(await worker.run { $0.journal }) }
            return await Journal.merged(parts)
        }
    }

    /// How many connections are open.
    var connectionCount: Int {
        get async {
            var count = 0
            for worker in workers { count += await worker.run { $0.connectionCount } }
            return count
        }
    }

    /// Serves other fixtures from now on. No connection is dropped; a response in progress is finished as it was begun.
    /// When this returns, no request is answered from the former fixtures any more.
    ///
    /// A sequence goes on where it is if its requests and its answers are the same as before; one that changed starts
    /// anew. See ``reset()``.
    public func reload(fixtures: [Fixture]) async {
        await control.reload(fixtures)
    }

    /// Puts every sequence back to its first answer.
    public func reset() async {
        await control.reset()
    }

    /// Ends the recording and writes the cassette; after ``stop(grace:)``, so that nothing is missing.
    ///
    /// - Returns: what was recorded; nil without a recorder.
    package func finishRecording() async throws -> CassetteRecorder.Summary? {
        try await control.finishRecording()
    }

    /// Loads what is at `paths` as the command line names it, and serves it from now on.
    package func reload(_ paths: [String]) async throws(FixtureProblems) -> FixtureSet {
        try await control.reload(paths)
    }

    /// Stops: no connection is accepted any more, idle ones are closed, responses in flight are finished. Comes back when
    /// all is done, also where another call began it.
    ///
    /// - Parameter grace: How long responses in flight may take; what is not written by then is cut off.
    public func stop(grace: Duration = .seconds(5)) async {
        let task = stopping.withLock { task in
            if let task { return task }
            let first = Task { [workers, loops, logWriter] in
                await withTaskGroup(of: Void.self) { group in
                    for worker in workers { group.addTask { await worker.stop(grace: grace) } }
                }
                for loop in loops { await loop.shutDown() }
                logWriter?.finish(within: .seconds(1))
            }
            task = first
            return first
        }
        await task.value
    }
}

extension String {
    /// An IPv6 address may be written with the brackets that it has in a URL.
    fileprivate var withoutBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}
