// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport
import Testing

@Suite struct SocketTests {
    /// More than the sockets' buffers hold.
    private static let block = [UInt8](repeating: 7, count: 16 << 20)

    @Test func echoesReceivedBytes() async throws {
        try await EventLoop.with { loop in
            let server = try await TestServer(loop: loop) { EchoHandler() }
            let client = try await RawClient.connect(port: server.port)
            try await client.send("hello\n")
            #expect(try await client.read(until: "\n").text == "hello\n")
            await client.finishWriting()
            #expect(try await client.readToEnd().bytes.isEmpty)
            #expect(client.ending == .finished)
        }
    }

    @Test(arguments: [false, true]) func firstReadReceivesBytesThatHaveArrived(closes: Bool) async throws {
        try await EventLoop.with { loop in
            let socket = try ListeningSocket.bind(host: "127.0.0.1", port: 0)[0]
            let client = try await RawClient.connect(port: socket.port)
            try await client.send("one\n")
            let calls = Locked<[String]>([])
            let server = try await TestServer(
                loop: loop,
                socket: socket,
                onFirstRead: { calls.withLock { $0.append("returned") } }
            ) {
                let handler = ScriptedHandler()
                handler.onReceive = { socket, bytes in
                    calls.withLock { $0.append(socket.hasUnreadInput ? "unread" : "received") }
                    socket.send("\(bytes.count)\n")
                    if closes { socket.close() }
                }
                return handler
            }
            #expect(try await client.read(until: "\n").text == "4\n")
            if closes {
                #expect(try await client.readToEnd().bytes.isEmpty)
                #expect(client.ending == .finished)
            } else {
                try await client.send("three\n")
                #expect(try await client.read(until: "\n").text == "6\n")
            }
            try await server.close()
            #expect(calls.withLock { $0 } == ["received", "returned"] + (closes ? [] : ["received"]))
        }
    }

    /// Far more than the sockets' buffers hold, so that both sides have to wait for each other.
    @Test func echoesMegabytesInOrder() async throws {
        try await EventLoop.with { loop in
            let server = try await TestServer(loop: loop) { EchoHandler() }
            let client = try await RawClient.connect(port: server.port)
            let bytes = (0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }
            try await client.send(bytes)
            await client.finishWriting()
            #expect(try await client.readToEnd().bytes == bytes)
        }
    }

    @Test func sendsPartiallyAndReportsWritableOnce() async throws {
        try await EventLoop.with { loop in
            let sends = Locked<[Int]>([])
            let room = Locked(0)
            let haveSent = Signal()
            let server = try await TestServer(loop: loop) {
                let handler = ScriptedHandler()
                handler.onReceive = { socket, _ in
                    guard let first = try? socket.send(Self.block, from: 0) else { return }
                    let second = (try? socket.send(Self.block, from: 0)) ?? -1
                    sends.withLock { $0 = [first, second] }
                    haveSent.set()
                }
                handler.onWritable = { socket in
                    room.withLock { $0 += 1 }
                    socket.finishWriting()
                }
                return handler
            }
            let client = try await RawClient.connect(port: server.port, readsAtOnce: false)
            try await client.send("go")
            // A client that reads concurrently could receive everything as fast as it is sent, so nothing would wait.
            await haveSent.wait()
            let count = try await client.drain()
            let taken = sends.withLock { $0 }
            #expect(taken[0] > 0 && taken[0] < Self.block.count)
            #expect(taken[1] >= 0)
            #expect(count == taken.reduce(0, +))
            #expect(room.withLock { $0 } == 1)
        }
    }

    @Test(arguments: ScriptedHandler.Callback.allCases)
    func canBeClosedInAnyCallback(_ callback: ScriptedHandler.Callback) async throws {
        try await EventLoop.with { loop in
            let server = try await TestServer(loop: loop) {
                let handler = ScriptedHandler()
                switch callback {
                case .received: handler.onReceive = { socket, _ in socket.close() }
                case .end: handler.onEnd = { $0.close() }
                case .writable:
                    handler.onReceive = { socket, _ in
                        // Repeats, in case the client reads as fast as the server sends.
                        while (try? socket.send(Self.block, from: 0)) == Self.block.count {}
                    }
                    handler.onWritable = { $0.close() }
                case .failed: handler.onFailure = { socket, _ in socket.close() }
                }
                return handler
            }
            for _ in 0..<20 {
                let client = try await RawClient.connect(port: server.port)
                try await client.send("x")
                switch callback {
                case .end: await client.finishWriting()
                case .failed: await client.reset()
                case .received, .writable: break
                }
                if callback != .failed { _ = try await client.drain() }
            }
        }
    }

    @Test func distinguishesEndFromReset() async throws {
        try await EventLoop.with { loop in
            let (ends, errors) = (Locked(0), Locked<[SystemError]>([]))
            let server = try await TestServer(loop: loop) {
                let handler = ScriptedHandler()
                handler.onReceive = { socket, _ in socket.send("x") }
                handler.onEnd = { socket in
                    ends.withLock { $0 += 1 }
                    socket.close()
                }
                handler.onFailure = { socket, error in
                    errors.withLock { $0.append(error) }
                    socket.close()
                }
                return handler
            }
            let orderly = try await RawClient.connect(port: server.port)
            await orderly.finishWriting()
            try await orderly.readToEnd()
            #expect(orderly.ending == .finished)
            #expect(ends.withLock { $0 } == 1)

            let abrupt = try await RawClient.connect(port: server.port)
            try await abrupt.send("x")
            try await abrupt.read(count: 1)
            await abrupt.reset()
            // Once the loop has served a later connection, it has seen the reset.
            let later = try await RawClient.connect(port: server.port)
            try await later.send("x")
            try await later.read(count: 1)
            #expect(errors.withLock { $0.map(\.isConnectionLost) } == [true])
            #expect(ends.withLock { $0 } == 1)
        }
    }

    @Test func reportsFailureOnceWithoutClose() async throws {
        try await EventLoop.with { loop in
            let events = Locked<[String]>([])
            let server = try await TestServer(loop: loop) {
                let handler = ScriptedHandler()
                handler.onReceive = { socket, _ in socket.send("x") }
                handler.onEnd = { _ in events.withLock { $0.append("end") } }
                handler.onFailure = { _, _ in events.withLock { $0.append("failure") } }
                return handler
            }
            let abrupt = try await RawClient.connect(port: server.port)
            try await abrupt.send("x")
            try await abrupt.read(count: 1)
            await abrupt.reset()
            let later = try await RawClient.connect(port: server.port)
            for _ in 0..<3 {
                try await later.send("x")
                try await later.read(count: 1)
            }
            #expect(events.withLock { $0 } == ["failure"])
        }
    }

    @Test func resetsConnection() async throws {
        try await EventLoop.with { loop in
            let server = try await TestServer(loop: loop) {
                let handler = ScriptedHandler()
                handler.onReceive = { socket, _ in
                    socket.send("partial")
                    socket.reset()
                    socket.reset()
                    socket.close()
                }
                return handler
            }
            let client = try await RawClient.connect(port: server.port)
            try await client.send("x")
            try await client.readToEnd()
            #expect(client.ending == .reset)
        }
    }

    @Test func readsAfterFinishingWriting() async throws {
        try await EventLoop.with { loop in
            let received = Locked<[UInt8]>([])
            let (end, finish) = AsyncStream.makeStream(of: Void.self)
            let server = try await TestServer(loop: loop) {
                let handler = ScriptedHandler()
                handler.onReceive = { socket, bytes in
                    socket.send("bye")
                    socket.finishWriting()
                    received.withLock { $0 += bytes }
                }
                handler.onEnd = { socket in
                    socket.close()
                    finish.yield()
                    finish.finish()
                }
                return handler
            }
            let client = try await RawClient.connect(port: server.port)
            try await client.send("1")
            #expect(try await client.readToEnd().text == "bye")
            try await client.send("2")
            await client.finishWriting()
            for await _ in end { break }
            #expect(received.withLock { $0 } == Array("12".utf8))
        }
    }

    @Test func readsNothingWhileStopped() async throws {
        try await EventLoop.with { loop in
            let sockets = Locked<[SendableSocket]>([])
            let server = try await TestServer(loop: loop) {
                let handler = ScriptedHandler()
                handler.onReceive = { socket, bytes in
                    socket.stopReading()
                    socket.stopReading()
                    let box = SendableSocket(socket)
                    sockets.withLock { $0.append(box) }
                    socket.send(String(decoding: bytes, as: UTF8.self))
                }
                return handler
            }
            let client = try await RawClient.connect(port: server.port)
            try await client.send("1")
            try await client.read(count: 1)
            try await client.send("2")
            try await client.expectSilence(for: .milliseconds(30))
            try await loop.run { sockets.withLock { $0[0] }.socket.startReading() }
            #expect(try await client.read(count: 1).text == "2")
        }
    }

    @Test func sendsNothingAfterClose() async throws {
        try await EventLoop.with { loop in
            let errors = Locked<[SystemError]>([])
            let server = try await TestServer(loop: loop) {
                let handler = ScriptedHandler()
                handler.onReceive = { socket, _ in
                    socket.close()
                    socket.startReading()
                    socket.stopReading()
                    socket.finishWriting()
                    do throws(SystemError) {
                        _ = try socket.send([1], from: 0)
                    } catch {
                        errors.withLock { $0.append(error) }
                    }
                }
                return handler
            }
            let client = try await RawClient.connect(port: server.port)
            try await client.send("x")
            #expect(try await client.readToEnd().bytes.isEmpty)
            // The client sees the end while the handler is still running.
            try await loop.run {}
            #expect(errors.withLock { $0.count } == 1)
        }
    }

    @Test func closeReleasesHandler() async throws {
        try await EventLoop.with { loop in
            let freed = Locked(0)
            let server = try await TestServer(loop: loop) {
                let handler = ScriptedHandler()
                let witness = Witness { freed.withLock { $0 += 1 } }
                handler.onReceive = { socket, _ in withExtendedLifetime(witness) { socket.close() } }
                return handler
            }
            let client = try await RawClient.connect(port: server.port)
            try await client.send("x")
            try await client.readToEnd()
            try await loop.run {}
            #expect(freed.withLock { $0 } == 1)
        }
    }

    @Test func closesWithLoop() async throws {
        let loop = try EventLoop(name: "test")
        let freed = Locked(0)
        let server = try await TestServer(loop: loop) {
            let handler = ScriptedHandler()
            let witness = Witness { freed.withLock { $0 += 1 } }
            handler.onReceive = { socket, _ in withExtendedLifetime(witness) { socket.send("x") } }
            return handler
        }
        let client = try await RawClient.connect(port: server.port)
        try await client.send("x")
        try await client.read(count: 1)
        await loop.shutDown()
        #expect(try await client.readToEnd().bytes.isEmpty)
        #expect(freed.withLock { $0 } == 1)
    }
}

/// Calls a closure when it is freed.
final class Witness {
    private let freed: () -> Void

    init(_ freed: @escaping () -> Void) {
        self.freed = freed
    }

    deinit {
        freed()
    }
}

/// Carries a socket to its loop's thread, where it is used.
struct SendableSocket: @unchecked Sendable {
    let socket: Socket

    init(_ socket: Socket) {
        self.socket = socket
    }
}
