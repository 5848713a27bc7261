// SPDX-License-Identifier: Apache-2.0

internal import EventIO
public import RepriseFixtures

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
    /// Where the server listens: `http://127.0.0.1:49152`.
    public let url: URL
    /// The port it listens on.
    public let port: Int
    /// How it was set up.
    public let configuration: Configuration

    private let loops: [EventLoop]
    private let workers: [LoopWorker]
    private let shared: SharedState
    private let phase = Locked(Phase.running)

    private enum Phase { case running, stopping }

    /// Starts to serve fixtures that are in memory.
    ///
    /// - Throws: ``StartError`` if the address cannot be listened on.
    public static func start(
        fixtures: [Fixture],
        port: Int = 0,
        configuration: Configuration = Configuration()
    ) async throws(StartError) -> MockServer {
        let server: MockServer
        do throws(SystemError) {
            server = try MockServer(fixtures: fixtures, port: port, configuration: configuration)
            try await server.listen()
        } catch {
            throw StartError(error, host: configuration.host, port: port)
        }
        return server
    }

    private let sockets: [ListeningSocket]

    private init(fixtures: [Fixture], port: Int, configuration: Configuration) throws(SystemError) {
        ProcessLimits.ignoreBrokenPipe()
        _ = ProcessLimits.raiseDescriptorLimit()
        sockets = try ListeningSocket.bind(host: configuration.host, port: port, count: configuration.threads)
        self.port = sockets[0].port
        self.configuration = configuration
        url = Self.url(host: configuration.host, port: sockets[0].port)
        let shared = SharedState(ServingState(fixtures, generation: 0, configuration: configuration))
        self.shared = shared
        var loops: [EventLoop] = []
        for number in sockets.indices { loops.append(try EventLoop(name: "mockserver-\(number)")) }
        self.loops = loops
        workers = loops.map { LoopWorker(loop: $0, shared: shared, configuration: configuration) }
    }

    private func listen() async throws(SystemError) {
        for (worker, socket) in zip(workers, sockets) {
            try await worker.listen(on: socket)
        }
    }

    private static func url(host: String, port: Int) -> URL {
        let name = host.contains(":") ? "[\(host)]" : host
        guard let url = URL(string: "http://\(name):\(port)") else {
            preconditionFailure("a host that can be listened on makes a URL: \(host)")
        }
        return url
    }

    /// What the server was asked since it started, as far as the journal's limits let it remember.
    public var journal: Journal {
        get async {
            var entries: [JournalEntry] = []
            var dropped = 0
            for worker in workers {
                let part = await worker.journal
                entries += part.entries
                dropped += part.dropped
            }
            // One loop's entries are in order already; a stable sort keeps requests of the same nanosecond in order.
            return Journal(entries: entries.sorted { $0.tick < $1.tick }, dropped: dropped)
        }
    }

    /// Serves other fixtures from now on and starts every sequence anew. No connection is dropped; a response in
    /// progress is finished as it was begun.
    public func reload(_ fixtures: [Fixture]) {
        shared.replace { ServingState(fixtures, generation: $0, configuration: configuration) }
    }

    /// Stops: no connection is accepted any more, idle ones are closed, responses in flight are finished.
    ///
    /// - Parameter grace: How long responses in flight may take; what is not written by then is cut off.
    public func stop(grace: Duration = .seconds(5)) async {
        let isFirst = phase.withLock { phase in
            defer { phase = .stopping }
            return phase == .running
        }
        guard isFirst else { return }
        await withTaskGroup(of: Void.self) { group in
            for worker in workers { group.addTask { await worker.stop(grace: grace) } }
        }
        for loop in loops { await loop.shutDown() }
    }
}
