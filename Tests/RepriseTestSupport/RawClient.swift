// SPDX-License-Identifier: Apache-2.0

public import RepriseIO

/// A peer that sends and receives bytes and knows nothing of HTTP: a client for tests of servers, or what a
/// ``ScriptedServer`` has accepted.
///
/// All clients share one event loop, so that ten thousand of them need one thread. One task at a time uses a client.
/// Whatever does not come in time fails with a ``Failure`` that shows what did come:
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

    /// Connects, or fails as `connect` does or when the time is over.
    ///
    /// - Parameter readsAtOnce: false for a client that takes nothing from the socket until its first read, as a slow
    ///   reader does; between its reads it does not take anything either.
    /// - Parameter protection: what TLS needs to know, for a client that speaks it.
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

    /// Whom a client trusts, and who the server has to be.
    public struct Protection: Sendable {
        let context: TLSContext
        let serverName: String

        /// A context for clients, and a host.
        public init(_ context: TLSContext, serverName: String) {
            self.context = context
            self.serverName = serverName
        }
    }

    /// What TLS agreed on; nil without it.
    public var agreement: (version: TLSVersion?, applicationProtocol: String?) {
        get async { await connection.perform { $0.agreement } }
    }

    // MARK: Sending

    /// Sends bytes, as fast as the server takes them.
    public func send(_ bytes: [UInt8], within limit: Duration = .seconds(180)) async throws {
        try await send(bytes, inPiecesOf: max(bytes.count, 1), every: .zero, within: limit)
    }

    /// Sends a text as UTF-8.
    public func send(_ text: String, within limit: Duration = .seconds(180)) async throws {
        try await send(Array(text.utf8), within: limit)
    }

    /// Sends bytes in pieces, each with its own system call and a turn of the loop or a pause in between.
    public func send(
        _ bytes: [UInt8],
        inPiecesOf size: Int,
        every pause: Duration = .zero,
        within limit: Duration = .seconds(30)
    ) async throws {
        try await run(limit) { .send(bytes, pieceSize: size, pause: pause, $0) }
    }

    /// Sends FIN; the server can still send.
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

    /// Exactly `count` bytes.
    @discardableResult
    public func read(count: Int, within limit: Duration = .seconds(180)) async throws -> Received {
        try await run(limit) { .read(.count(count), $0) }
    }

    /// All bytes up to and including `delimiter`.
    @discardableResult
    public func read(until delimiter: String, within limit: Duration = .seconds(180)) async throws -> Received {
        try await run(limit) { .read(.delimiter(Array(delimiter.utf8)), $0) }
    }

    /// All bytes until the server finishes or resets the connection; ``ending`` tells which.
    @discardableResult
    public func readToEnd(within limit: Duration = .seconds(180)) async throws -> Received {
        try await run(limit) { .read(.end, $0) }
    }

    /// Counts all bytes until the server finishes or resets the connection, and keeps none of them.
    public func drain(within limit: Duration = .seconds(180)) async throws -> Int {
        let rest = try await run(limit) { .read(.drain, $0) }
        return await connection.perform { $0.drained } + rest.bytes.count
    }

    /// What has come in and was not read yet, without waiting.
    public func readAvailable() async -> Received {
        await connection.perform { $0.takeAll() }
    }

    /// Proves silence: fails if bytes or an end arrive within `duration`.
    public func expectSilence(for duration: Duration) async throws {
        do {
            let received = try await run(duration) { .read(.anything, $0) }
            throw Failure.notSilent(received, ending)
        } catch Failure.timedOut {
            return
        }
    }

    /// How the server ended the connection; nil while it has not.
    public var ending: Ending? { connection.outcome.withLock { $0 } }

    /// How a server can end a connection.
    public enum Ending: Sendable, Equatable {
        /// FIN.
        case finished
        /// RST.
        case reset
        /// A failure of TLS.
        case tls(TLSError.Kind)
        /// Another error, by number.
        case failed(code: Int32)
    }

    /// Bytes, and when they came.
    public struct Received: Sendable {
        /// The bytes.
        public var bytes: [UInt8] = []
        /// One entry for each read from the socket, in order.
        public var arrivals: [Arrival] = []

        /// The bytes as UTF-8.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// One read from the socket.
    public struct Arrival: Sendable {
        /// When it was.
        public let time: MonotonicTime
        /// How many bytes it brought, as far as they belong to what was asked for.
        public internal(set) var count: Int
    }

    /// Why a client did not get what it waited for.
    public enum Failure: Error, CustomStringConvertible {
        /// It did not come in time.
        case timedOut(String, received: [UInt8])
        /// The connection ended first.
        case ended(Ending, String, received: [UInt8])
        /// Something came that should not.
        case notSilent(Received, Ending?)

        /// What was waited for, and what came instead.
        public var description: String {
            switch self {
            case .timedOut(let wish, let bytes): "timed out waiting for \(wish); received \(Self.show(bytes))"
            case .ended(let ending, let wish, let bytes):
                "the connection ended (\(ending)) while waiting for \(wish); received \(Self.show(bytes))"
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
