// SPDX-License-Identifier: Apache-2.0

public import RepriseIO

/// A server for client tests that sends the bytes a test specifies. It does not interpret HTTP.
///
/// ```swift
/// let server = try await ScriptedServer.start()
/// async let response = client.get("http://127.0.0.1:\(server.port)/")
/// let connection = try await server.accept()
/// try await connection.read(until: "\r\n\r\n")
/// try await connection.send("HTTP/1.1 204 No Content\r\n\r\n")
/// ```
///
/// To treat every connection the same way, pass a script:
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
/// The server stops when it is released.
public final class ScriptedServer: Sendable {
    /// A script for one connection. The connection is closed when the script returns or throws an error.
    public typealias Script = @Sendable (RawClient) async throws -> Void

    /// The port on which the server listens.
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

    /// Starts listening.
    ///
    /// - Parameters:
    ///   - host: The address to listen on. The default is 127.0.0.1.
    ///   - port: The port, or 0 for any free port. The default is 0.
    ///   - tls: The TLS context, or nil for a plain server.
    ///   - readsAtOnce: Whether connections read continuously. If false, they read from the socket only during read
    ///     calls. The default is true.
    ///   - script: The script for each connection, or nil if the test calls ``accept(within:)``.
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

    /// Returns the next connection that has not been accepted yet.
    public func accept(within limit: Duration = .seconds(180)) async throws -> RawClient {
        let acceptor = acceptor
        return try await Handover.wait { continuation in
            acceptor.loop.execute { acceptor.accept(continuation, within: limit) }
        }
    }

    /// The number of connections accepted so far.
    public var acceptedConnections: Int { acceptor.accepted.withLock { $0 } }

    /// Returns the number of connections that neither side has ended.
    public func openConnections() async -> Int {
        let acceptor = acceptor
        return await withCheckedContinuation { continuation in
            acceptor.loop.execute { continuation.resume(returning: acceptor.openCount) }
        }
    }

    /// Waits until `count` connections are open. Throws ``Unexpected`` if that does not happen in time.
    public func expectOpenConnections(_ count: Int, within limit: Duration = .seconds(180)) async throws {
        let acceptor = acceptor
        let _: RawClient? = try await Handover.wait { continuation in
            acceptor.loop.execute { acceptor.await(count, continuation, within: limit) }
        }
    }

    /// Stops listening but keeps the port reserved, so that new connections are refused. Existing connections stay
    /// open.
    public func stopListening() async {
        let acceptor = acceptor
        await withCheckedContinuation { continuation in
            acceptor.loop.execute {
                acceptor.stopListening()
                continuation.resume()
            }
        }
    }

    /// An expected event that did not happen in time.
    public enum Unexpected: Error {
        /// No client connected.
        case noConnection
        /// The number of open connections was different.
        case openConnections(Int)
    }
}
