// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport
import RepriseText

/// A server for tests. On the loop, `makeHandler` creates a handler for each connection. With `onFirstRead`,
/// connections start with ``Socket/readFirst()``, after which it is called.
final class TestServer: ListenerHandler, @unchecked Sendable {
    // Used on the loop's thread, except for the constants and the locked values.
    let loop: EventLoop
    let port: Int
    let accepted = Locked(0)
    let pauses = Locked<[SystemError]>([])
    private var listener: Listener?
    private let tls: TLSContext?
    private let onFirstRead: (@Sendable () -> Void)?
    private let makeHandler: @Sendable () -> any SocketHandler

    init(
        loop: EventLoop,
        socket: ListeningSocket? = nil,
        tls: TLSContext? = nil,
        onFirstRead: (@Sendable () -> Void)? = nil,
        makeHandler: @escaping @Sendable () -> any SocketHandler
    ) async throws {
        self.loop = loop
        self.tls = tls
        self.onFirstRead = onFirstRead
        // Not stored, so that the listener is its only owner.
        let socket = try socket ?? ListeningSocket.bind(host: "127.0.0.1", port: 0)[0]
        port = socket.port
        self.makeHandler = makeHandler
        try await loop.run { self.listener = try Listener(socket, loop: loop, handler: self) }
    }

    /// Stops accepting connections.
    func close() async throws {
        try await loop.run { self.listener?.close() }
    }

    func listener(_ listener: Listener, accepted descriptor: consuming SocketDescriptor) {
        accepted.withLock { $0 += 1 }
        // If no socket can be created, its descriptor closes the connection.
        let connection = try? Socket(descriptor, loop: loop, handler: makeHandler(), isReading: onFirstRead == nil)
        if let onFirstRead {
            connection?.readFirst()
            onFirstRead()
        }
        if let tls { try? connection?.acceptTLS(tls) }
    }

    func listener(_ listener: Listener, paused error: SystemError) {
        pauses.withLock { $0.append(error) }
    }
}

/// Sends back received bytes as fast as the client reads them.
final class EchoHandler: SocketHandler {
    private var queue: [UInt8] = []
    private var hasEnded = false

    func socket(_ socket: Socket, received bytes: Span<UInt8>) {
        queue.append(bytes: bytes)
        flush(socket)
    }

    func socketReachedEnd(_ socket: Socket) {
        hasEnded = true
        flush(socket)
    }

    func socketIsWritable(_ socket: Socket) {
        flush(socket)
    }

    func socket(_ socket: Socket, failed error: SystemError) {
        socket.close()
    }

    private func flush(_ socket: Socket) {
        do throws(SystemError) {
            let sent = try socket.send(queue, from: 0)
            queue.removeFirst(sent)
            if queue.isEmpty, hasEnded { socket.close() }
        } catch {
            socket.close()
        }
    }
}

/// A loopback address for one test alone, so that no other test's connection or server takes a port that the test has
/// released. On Linux only; other systems have a single address.
func loopback(_ number: Int) -> String {
    #if os(Linux)
        "127.0.0.\(number)"
    #else
        "127.0.0.1"
    #endif
}

extension EventLoop {
    /// Runs `body` on the loop and waits for its result.
    func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            execute { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    /// Runs `body` with a loop, and shuts the loop down afterward.
    static func with(_ body: (EventLoop) async throws -> Void) async throws {
        let loop = try EventLoop(name: "test")
        do {
            try await body(loop)
        } catch {
            await loop.shutDown()
            throw error
        }
        await loop.shutDown()
    }
}
