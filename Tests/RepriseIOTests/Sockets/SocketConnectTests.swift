// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport
import Testing

@Suite struct SocketConnectTests {
    /// Connects on the loop and returns the handler's first callbacks.
    private func outcome(
        _ loop: EventLoop,
        port: Int,
        then action: @escaping @Sendable (Socket) -> Void = { _ in }
    ) async throws -> Result<String, SystemError> {
        try await withCheckedThrowingContinuation { continuation in
            loop.execute {
                let handler = ScriptedHandler()
                var events: [String] = []
                handler.onConnection = { _ in events.append("connected") }
                handler.onWritable = { socket in
                    events.append("writable")
                    socket.send("hello")
                }
                handler.onReceive = { socket, bytes in
                    events.append(String(decoding: bytes, as: UTF8.self))
                    continuation.resume(returning: .success(events.joined(separator: ",")))
                    socket.close()
                }
                handler.onFailure = { socket, error in
                    continuation.resume(returning: .failure(error))
                    socket.close()
                }
                do throws(SystemError) {
                    action(try Socket.connect(host: "127.0.0.1", port: port, loop: loop, handler: handler))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    @Test func becomesWritableOnlyAfterConnecting() async throws {
        try await EventLoop.with { loop in
            let server = try await TestServer(loop: loop) { EchoHandler() }
            let events = try await outcome(loop, port: server.port) { socket in
                let taken = try? socket.send(Array("too early".utf8), from: 0)
                #expect(taken == 0)
            }
            #expect(events == .success("connected,writable,hello"))
        }
    }

    @Test func reportsRefusedConnection() async throws {
        try await EventLoop.with { loop in
            let port = try ListeningSocket.bind(host: "127.0.0.1", port: 0)[0].port
            let events = try await outcome(loop, port: port)
            guard case .failure(let error) = events else {
                Issue.record("connected to \(events)")
                return
            }
            #expect(error.isConnectionRefused)
        }
    }

    @Test func canBeClosedBeforeConnecting() async throws {
        try await EventLoop.with { loop in
            let server = try await TestServer(loop: loop) { EchoHandler() }
            try await loop.run {
                let handler = ScriptedHandler()
                handler.onConnection = { _ in Issue.record("connected after close") }
                try Socket.connect(host: "localhost", port: server.port, loop: loop, handler: handler).close()
            }
            let client = try await RawClient.connect(port: server.port)
            try await client.send("x")
            try await client.read(count: 1)
        }
    }

    @Test(arguments: [("no such host", 80), ("127.0.0.1", 65_536)])
    func rejectsInvalidAddress(host: String, port: Int) async throws {
        await #expect(throws: SystemError.self) { try await RawClient.connect(host: host, port: port) }
    }
}
