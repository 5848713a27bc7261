// SPDX-License-Identifier: Apache-2.0

public import RepriseIO

/// A server that sends what a test tells it to, for tests of clients: it knows nothing of HTTP.
///
/// ```swift
/// let server = try await ScriptedServer.start()
/// async let response = client.get("http://127.0.0.1:\(server.port)/")
/// let connection = try await server.accept()
/// try await connection.read(until: "\r\n\r\n")
/// try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
/// ```
///
/// Or, where every connection gets the same:
///
/// ```swift
/// let server = try await ScriptedServer.start { connection in
///     while true {
///         try await connection.read(until: "\r\n\r\n")
///         try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
///     }
/// }
/// ```
///
/// It ends when it is let go of.
public final class ScriptedServer: Sendable {
    /// What plays one connection's part; when it returns or throws, the connection is closed.
    public typealias Script = @Sendable (RawClient) async throws -> Void

    /// The port that was free.
    public let port: Int
    private let acceptor: ScriptedAcceptor

    private init(port: Int, acceptor: ScriptedAcceptor) {
        self.port = port
        self.acceptor = acceptor
    }

    deinit {
        let acceptor = acceptor
        acceptor.loop.execute { acceptor.close() }
    }

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - host: the address to listen on.
    ///   - port: 0 for any that is free.
    ///   - tls: what makes it a server over TLS.
    ///   - readsAtOnce: false for connections that take nothing from their socket but while they are read.
    ///   - script: what is played on each connection; nil where the test calls ``accept(within:)``.
    public static func start(
        host: String = "127.0.0.1",
        port: Int = 0,
        tls: TLSContext? = nil,
        readsAtOnce: Bool = true,
        script: Script? = nil
    ) async throws -> ScriptedServer {
        let socket = try ListeningSocket.bind(host: host, port: port)[0]
        let acceptor = ScriptedAcceptor(loop: RawClient.loop, tls: tls, readsAtOnce: readsAtOnce, script: script)
        try await withCheckedThrowingContinuation { continuation in
            acceptor.loop.execute { continuation.resume(with: Result { try acceptor.listen(socket) }) }
        }
        return ScriptedServer(port: socket.port, acceptor: acceptor)
    }

    /// The next connection that was not accepted yet.
    public func accept(within limit: Duration = .seconds(180)) async throws -> RawClient {
        let acceptor = acceptor
        return try await Handover.wait { continuation in
            acceptor.loop.execute { acceptor.accept(continuation, within: limit) }
        }
    }

    /// How many connections there have been.
    public var acceptedConnections: Int { acceptor.accepted.withLock { $0 } }

    /// How many connections neither side has ended.
    public func openConnections() async -> Int {
        let acceptor = acceptor
        return await withCheckedContinuation { continuation in
            acceptor.loop.execute { continuation.resume(returning: acceptor.openCount) }
        }
    }

    /// Waits until so many connections are open; fails with ``Unexpected`` if that is not so in time.
    public func expectOpenConnections(_ count: Int, within limit: Duration = .seconds(180)) async throws {
        let acceptor = acceptor
        let _: RawClient? = try await Handover.wait { continuation in
            acceptor.loop.execute { acceptor.await(count, continuation, within: limit) }
        }
    }

    /// Listens no more, and keeps its port: who connects is refused. Connections that are there stay.
    public func stopListening() async {
        let acceptor = acceptor
        await withCheckedContinuation { continuation in
            acceptor.loop.execute {
                acceptor.stopListening()
                continuation.resume()
            }
        }
    }

    /// What did not happen in time.
    public enum Unexpected: Error {
        /// Nobody connected.
        case noConnection
        /// So many connections were open.
        case openConnections(Int)
    }
}
