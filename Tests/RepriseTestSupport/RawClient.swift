// SPDX-License-Identifier: Apache-2.0

public import RepriseIO

/// A peer that sends and receives bytes without interpreting HTTP: a client for server tests, or a connection
/// accepted by a ``ScriptedServer``.
///
/// All clients share one event loop, so ten thousand of them need only one thread. Only one task at a time may use a
/// client. If expected bytes do not arrive in time, the operation fails with a ``Failure`` that shows what was
/// received:
///
/// ```swift
/// let client = try await RawClient.connect(port: server.port)
/// try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
/// let head = try await client.read(until: "\r\n\r\n")
/// let rest = try await client.readToEnd()
/// #expect(client.ending == .finished)
/// ```
public final class RawClient: Sendable {
    static let loop: EventLoop = {
        ProcessLimits.raiseDescriptorLimit()
        do {
            return try EventLoop(name: "raw clients")
        } catch {
            fatalError("no event loop for the tests: \(error)")
        }
    }()

    private let connection: RawConnection

    init(connection: RawConnection) {
        self.connection = connection
    }

    deinit {
        let connection = connection
        connection.loop.execute { connection.close() }
    }

    /// Connects to a server. Fails if the connection fails or the time limit is exceeded.
    ///
    /// - Parameters:
    ///   - protection: The TLS settings, or nil for a plain connection.
    ///   - readsAtOnce: Whether the client reads continuously. If false, it reads from the socket only during its
    ///     read calls, like a slow reader. The default is true.
    public static func connect(
        host: String = "127.0.0.1",
        port: Int,
        protection: Protection? = nil,
        readsAtOnce: Bool = true,
        within limit: Duration = .seconds(180)
    ) async throws -> RawClient {
        let connection = RawConnection(loop: loop, protection: protection, readsAtOnce: readsAtOnce)
        let client = RawClient(connection: connection)
        try await client.run(limit) { .connect(host: host, port: port, $0) }
        return client
    }

    /// Starts TLS on a plain connection, for example after CONNECT.
    public func startTLS(_ protection: Protection, within limit: Duration = .seconds(180)) async throws {
        try await run(limit) { .secure(protection, $0) }
    }

    /// The TLS settings of a client and the expected host name of the server.
    public struct Protection: Sendable {
        let context: TLSContext
        let serverName: String

        /// Creates settings from a context for clients and a host name.
        public init(_ context: TLSContext, serverName: String) {
            self.context = context
            self.serverName = serverName
        }
    }

    /// The negotiated TLS version and application protocol, each nil if there is none.
    public var agreement: (version: TLSVersion?, applicationProtocol: String?) {
        get async { await connection.perform { $0.agreement } }
    }

    // MARK: Sending

    /// Sends bytes as fast as the server accepts them.
    public func send(_ bytes: [UInt8], within limit: Duration = .seconds(180)) async throws {
        try await send(bytes, inPiecesOf: max(bytes.count, 1), every: .zero, within: limit)
    }

    /// Sends a string as UTF-8.
    public func send(_ text: String, within limit: Duration = .seconds(180)) async throws {
        try await send(Array(text.utf8), within: limit)
    }

    /// Sends bytes in pieces, each with a separate system call, with a turn of the loop or a pause between them.
    public func send(
        _ bytes: [UInt8],
        inPiecesOf size: Int,
        every pause: Duration = .zero,
        within limit: Duration = .seconds(30)
    ) async throws {
        try await run(limit) { .send(bytes, pieceSize: size, pause: pause, $0) }
    }

    /// Sends FIN. The server can still send.
    public func finishWriting() async {
        await connection.perform { $0.finishWriting() }
    }

    /// Closes the connection.
    public func close() async {
        await connection.perform { $0.close() }
    }

    /// Closes the connection with RST.
    public func reset() async {
        await connection.perform { $0.reset() }
    }

    // MARK: Receiving

    /// Reads exactly `count` bytes.
    @discardableResult
    public func read(count: Int, within limit: Duration = .seconds(180)) async throws -> Received {
        try await run(limit) { .read(.count(count), $0) }
    }

    /// Reads all bytes up to and including `delimiter`.
    @discardableResult
    public func read(until delimiter: String, within limit: Duration = .seconds(180)) async throws -> Received {
        try await run(limit) { .read(.delimiter(Array(delimiter.utf8)), $0) }
    }

    /// Reads all bytes until the server finishes or resets the connection; see ``ending``.
    @discardableResult
    public func readToEnd(within limit: Duration = .seconds(180)) async throws -> Received {
        try await run(limit) { .read(.end, $0) }
    }

    /// Counts all bytes until the server finishes or resets the connection, and discards them.
    public func drain(within limit: Duration = .seconds(180)) async throws -> Int {
        let rest = try await run(limit) { .read(.drain, $0) }
        return await connection.perform { $0.drained } + rest.bytes.count
    }

    /// Returns the received bytes that have not been read yet, without waiting.
    public func readAvailable() async -> Received {
        await connection.perform { $0.takeAll() }
    }

    /// Fails if bytes or the end of the connection arrive within `duration`.
    public func expectSilence(for duration: Duration) async throws {
        do {
            let received = try await run(duration) { .read(.anything, $0) }
            throw Failure.notSilent(received, ending)
        } catch Failure.timedOut {
            return
        }
    }

    /// How the server ended the connection, or nil if it is still open.
    public var ending: Ending? { connection.outcome.withLock { $0 } }

    /// The ways in which a server can end a connection.
    public enum Ending: Sendable, Equatable {
        /// FIN.
        case finished
        /// RST.
        case reset
        /// A TLS failure.
        case tls(TLSError.Kind)
        /// Another error, with its number.
        case failed(code: Int32)
    }

    /// Received bytes and their arrival times.
    public struct Received: Sendable {
        /// The bytes.
        public var bytes: [UInt8] = []
        /// One entry for each read from the socket, in order.
        public var arrivals: [Arrival] = []

        /// The bytes as UTF-8.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// A read from the socket.
    public struct Arrival: Sendable {
        /// The time of the read.
        public let time: MonotonicTime
        /// The number of bytes read, counting only those that belong to the result.
        public internal(set) var count: Int
    }

    /// A failure to receive the expected bytes.
    public enum Failure: Error, CustomStringConvertible {
        /// The expected bytes did not arrive in time.
        case timedOut(String, received: [UInt8])
        /// The connection ended first.
        case ended(Ending, String, received: [UInt8])
        /// Bytes arrived when none were expected.
        case notSilent(Received, Ending?)

        /// A description of what was expected and what was received.
        public var description: String {
            switch self {
            case .timedOut(let awaited, let bytes): "timed out waiting for \(awaited); received \(Self.show(bytes))"
            case .ended(let ending, let awaited, let bytes):
                "the connection ended (\(ending)) while waiting for \(awaited); received \(Self.show(bytes))"
            case .notSilent(let received, let ending):
                "expected silence; received \(Self.show(received.bytes)), ending \(String(describing: ending))"
            }
        }

        private static func show(_ bytes: [UInt8]) -> String {
            let text = String(decoding: bytes.prefix(400), as: UTF8.self)
            return "\(bytes.count) bytes" + (bytes.isEmpty ? "" : ": \(text.debugDescription)")
        }
    }

    @discardableResult
    private func run(
        _ limit: Duration,
        _ operation: @escaping @Sendable (RawConnection.Continuation) -> RawConnection.Operation
    ) async throws -> Received {
        let connection = connection
        return try await Handover.wait { continuation in
            connection.loop.execute { connection.start(operation(continuation), within: limit) }
        }
    }
}
