// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport
import Testing

@Suite struct TLSSocketTests {
    /// More than the sockets' buffers hold.
    private static let block: [UInt8] = {
        // A prime number of bytes, so that no two records are the same.
        let pattern = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }
        var block: [UInt8] = []
        while block.count < 16 << 20 { block += pattern }
        return block
    }()

    @Test(arguments: TLSVersion.allCases)
    func echoesReceivedBytes(_ version: TLSVersion) async throws {
        try await EventLoop.with { loop in
            let pair = try TLSPair(version)
            let client = try await pair.connect(to: pair.listen(on: loop).port)
            #expect(await client.agreement == (version, "http/1.1"))
            try await client.send("hello\n")
            #expect(try await client.read(until: "\n").text == "hello\n")
            await client.finishWriting()
            #expect(try await client.readToEnd().bytes.isEmpty)
            #expect(client.ending == .finished)
        }
    }

    /// Far more than the sockets' buffers hold, so that both sides have to wait for each other.
    @Test(arguments: TLSVersion.allCases)
    func echoesMegabytesInOrder(_ version: TLSVersion) async throws {
        try await EventLoop.with { loop in
            let pair = try TLSPair(version)
            let client = try await pair.connect(to: pair.listen(on: loop).port)
            let bytes = Array(Self.block[..<(8 << 20)])
            try await client.send(bytes)
            await client.finishWriting()
            #expect(try await client.readToEnd().bytes == bytes)
            #expect(client.ending == .finished)
        }
    }

    @Test func sendsPartiallyAndReportsWritableOnce() async throws {
        try await EventLoop.with { loop in
            let (sends, room, haveSent) = (Locked<[Int]>([]), Locked(0), Signal())
            let pair = try TLSPair()
            let server = try await pair.listen(on: loop) {
                let handler = ScriptedHandler()
                handler.onReceive = { socket, _ in
                    guard let first = try? socket.send(Self.block, from: 0) else { return }
                    let second = (try? socket.send(Self.block, from: first)) ?? -1
                    sends.withLock { $0 = [first, second] }
                    haveSent.set()
                }
                handler.onWritable = { socket in
                    room.withLock { $0 += 1 }
                    socket.finishWriting()
                }
                return handler
            }
            let client = try await pair.connect(to: server.port, readsAtOnce: false)
            try await client.send("go")
            // A client that reads concurrently could receive everything as fast as it is sent.
            await haveSent.wait()
            let received = try await client.readToEnd().bytes
            let taken = sends.withLock { $0 }
            #expect(taken[0] > 0 && taken[0] < Self.block.count)
            #expect(taken[1] == 0)
            #expect(received == Array(Self.block.prefix(taken[0])))
            #expect(room.withLock { $0 } == 1)
            #expect(client.ending == .finished)
        }
    }

    /// Accepted bytes and the closure alert arrive even if the system had no room for them when the socket closed.
    @Test(arguments: [false, true])
    func deliversAcceptedBytesAfterClose(finishesFirst: Bool) async throws {
        try await EventLoop.with { loop in
            let taken = Locked(0)
            let pair = try TLSPair()
            let server = try await pair.listen(on: loop) {
                let handler = ScriptedHandler()
                handler.onReceive = { socket, _ in
                    let count = (try? socket.send(Self.block, from: 0)) ?? -1
                    taken.withLock { $0 = count }
                    if finishesFirst { socket.finishWriting() }
                    socket.close()
                }
                return handler
            }
            let client = try await pair.connect(to: server.port)
            try await client.send("go")
            let received = try await client.readToEnd().bytes
            // Less than the block, so there was no room and one record was pending.
            #expect(received.count == taken.withLock { $0 } && received.count < Self.block.count)
            #expect(received.elementsEqual(Self.block.prefix(received.count)))
            #expect(client.ending == .finished)
        }
    }

    /// A client that doesn't read receives only what the system buffered. Nothing stays pending when the loop ends.
    @Test func loopShutdownDropsPendingBytes() async throws {
        let loop = try EventLoop(name: "test")
        let pair = try TLSPair()
        let taken = Locked(0)
        let (closings, closed) = AsyncStream.makeStream(of: Void.self)
        let server = try await pair.listen(on: loop) {
            let handler = ScriptedHandler()
            handler.onReceive = { socket, _ in
                let count = (try? socket.send(Self.block, from: 0)) ?? -1
                taken.withLock { $0 = count }
                socket.close()
                closed.yield()
            }
            return handler
        }
        let client = try await pair.connect(to: server.port, readsAtOnce: false)
        try await client.send("go")
        for await _ in closings { break }
        await loop.shutDown()
        let received = try await client.readToEnd().bytes
        #expect(received == Array(Self.block.prefix(received.count)))
        #expect(received.count < taken.withLock { $0 })
        #expect(client.ending == .tls(.closedWithoutNotice))
    }

    enum Callback: CaseIterable, Sendable {
        case secured, received, end, writable, failed, systemFailed
    }

    @Test(arguments: Callback.allCases)
    func canBeClosedInAnyCallback(_ callback: Callback) async throws {
        try await EventLoop.with { loop in
            let pair = try TLSPair()
            let (closings, closed) = AsyncStream.makeStream(of: Void.self)
            let server = try await pair.listen(on: loop) {
                let handler = ScriptedHandler()
                let close = { (socket: Socket) in
                    socket.close()
                    closed.yield()
                }
                switch callback {
                case .secured: handler.onProtection = close
                case .received: handler.onReceive = { socket, _ in close(socket) }
                case .end: handler.onEnd = close
                case .writable:
                    handler.onReceive = { socket, _ in
                        while (try? socket.send(Self.block, from: 0)) == Self.block.count {}
                    }
                    handler.onWritable = close
                case .failed: handler.onTLSFailure = { socket, _ in close(socket) }
                case .systemFailed: handler.onFailure = { socket, _ in close(socket) }
                }
                return handler
            }
            var events = closings.makeAsyncIterator()
            for _ in 0..<5 {
                if callback == .failed {
                    let client = try await RawClient.connect(port: server.port)
                    try await client.send("no TLS")
                    await events.next()
                    continue
                }
                let client = try await pair.connect(to: server.port)
                try? await client.send("x")
                switch callback {
                case .end: await client.finishWriting()
                case .systemFailed: await client.reset()
                case .secured, .received, .writable, .failed: break
                }
                if callback != .systemFailed { _ = try await client.drain() }
                await events.next()
            }
        }
    }

    @Test func becomesWritableOnlyAfterHandshake() async throws {
        try await EventLoop.with { loop in
            let pair = try TLSPair()
            let events: [String] = try await pair.outcome(loop, port: pair.listen(on: loop).port) { handler, finish in
                var events: [String] = []
                handler.onStart = { socket in
                    #expect((try? socket.send([1], from: 0)) == 0)
                    #expect(!socket.isSecured && socket.negotiatedVersion == nil)
                }
                handler.onProtection = { socket in
                    events.append("secured")
                    #expect(socket.isSecured && socket.negotiatedVersion == .tls13)
                }
                handler.onWritable = { socket in
                    events.append("writable")
                    socket.send("hello")
                }
                handler.onReceive = { socket, bytes in
                    socket.close()
                    finish(events + [String(decoding: bytes, as: UTF8.self)])
                }
            }
            #expect(events == ["secured", "writable", "hello"])
        }
    }

    @Test func distinguishesEndTruncationAndReset() async throws {
        try await EventLoop.with { loop in
            let pair = try TLSPair()
            let (ends, errors) = AsyncStream.makeStream(of: String.self)
            let server = try await pair.listen(on: loop) {
                let handler = ScriptedHandler()
                handler.onReceive = { socket, _ in socket.send("x") }
                handler.onEnd = { socket in
                    errors.yield("end")
                    socket.close()
                }
                handler.onFailure = { socket, error in
                    errors.yield("reset: \(error.isConnectionLost)")
                    socket.close()
                }
                handler.onTLSFailure = { socket, error in
                    errors.yield("\(error.kind)")
                    socket.close()
                }
                return handler
            }
            var events = ends.makeAsyncIterator()

            let orderly = try await pair.connect(to: server.port)
            await orderly.finishWriting()
            try await orderly.readToEnd()
            #expect(orderly.ending == .finished)
            #expect(await events.next() == "end")

            let abrupt = try await pair.connect(to: server.port)
            try await abrupt.send("x")
            try await abrupt.read(count: 1)
            await abrupt.reset()
            #expect(await events.next() == "reset: true")

            let relay = try await Relay(to: server.port, loop: loop)
            let cut = try await pair.connect(to: relay.port)
            try await cut.send("x")
            try await cut.read(count: 1)
            try await relay.finishBothWays()
            #expect(await events.next() == "closedWithoutNotice")
            try await cut.readToEnd()
            #expect(cut.ending == .tls(.closedWithoutNotice))
        }
    }

    @Test func readsAfterFinishingWriting() async throws {
        try await EventLoop.with { loop in
            let received = Locked<[UInt8]>([])
            let (end, finish) = AsyncStream.makeStream(of: Void.self)
            let pair = try TLSPair()
            let server = try await pair.listen(on: loop) {
                let handler = ScriptedHandler()
                handler.onReceive = { socket, bytes in
                    socket.send("bye")
                    socket.finishWriting()
                    #expect(throws: SystemError.self) { try socket.send([1], from: 0) }
                    received.withLock { $0 += bytes }
                }
                handler.onEnd = { socket in
                    socket.close()
                    finish.yield()
                    finish.finish()
                }
                return handler
            }
            let client = try await pair.connect(to: server.port)
            try await client.send("1")
            #expect(try await client.readToEnd().text == "bye")
            try await client.send("2")
            await client.finishWriting()
            for await _ in end { break }
            #expect(received.withLock { $0 } == Array("12".utf8))
        }
    }

    @Test func finishesWritingAfterHandshake() async throws {
        try await EventLoop.with { loop in
            let pair = try TLSPair()
            let event: String = try await pair.outcome(loop, port: pair.listen(on: loop).port) { handler, finish in
                handler.onStart = { $0.finishWriting() }
                handler.onEnd = { socket in
                    socket.close()
                    finish("end")
                }
            }
            #expect(event == "end")
        }
    }

    @Test func resetsConnection() async throws {
        try await EventLoop.with { loop in
            let pair = try TLSPair()
            let server = try await pair.listen(on: loop) {
                let handler = ScriptedHandler()
                handler.onReceive = { socket, _ in
                    socket.send("partial")
                    socket.reset()
                    socket.close()
                }
                return handler
            }
            let client = try await pair.connect(to: server.port)
            try await client.send("x")
            try await client.readToEnd()
            #expect(client.ending == .reset)
        }
    }

    @Test func closesWithLoop() async throws {
        let loop = try EventLoop(name: "test")
        let freed = Locked(0)
        let pair = try TLSPair()
        let server = try await pair.listen(on: loop) {
            let handler = ScriptedHandler()
            let witness = Witness { freed.withLock { $0 += 1 } }
            handler.onReceive = { socket, _ in withExtendedLifetime(witness) { socket.send("x") } }
            return handler
        }
        let client = try await pair.connect(to: server.port)
        try await client.send("x")
        try await client.read(count: 1)
        await loop.shutDown()
        #expect(try await client.readToEnd().bytes.isEmpty)
        #expect(client.ending == .finished)
        #expect(freed.withLock { $0 } == 1)
    }
}
