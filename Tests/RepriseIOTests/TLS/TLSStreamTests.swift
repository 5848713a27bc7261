// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseIO

/// Behavior specific to a TLS stream: records, decrypted bytes that are unread, and its lifetime.
@Suite struct TLSStreamTests {
    /// The bytes don't depend on the sizes of records and of the pieces that the network delivers.
    @Test(arguments: [1, 2, 3, 5, 7, 16, 100, 1000], TLSVersion.allCases)
    func readsSameBytesForEveryPieceSize(pieceSize: Int, version: TLSVersion) async throws {
        try await EventLoop.with { loop in
            let pair = try TLSPair(version)
            let relay = try await Relay(to: pair.listen(on: loop).port, loop: loop, pieceSize: pieceSize)
            let client = try await pair.connect(to: relay.port)
            let bytes = (0..<(600 * pieceSize)).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }
            try await client.send(bytes)
            await client.finishWriting()
            #expect(try await client.readToEnd().bytes == bytes)
            #expect(client.ending == .finished)
        }
    }

    /// The socket doesn't become readable again for bytes that were already read from it, so no number of bytes may
    /// remain unread.
    @Test(arguments: [1, 65_536, 65_636, 262_144, 262_244, 1_048_676], [false, true])
    func readsBufferedBytesAfterPause(count: Int, pauses: Bool) async throws {
        try await EventLoop.with { loop in
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }
            let pair = try TLSPair()
            let (steps, step) = AsyncStream.makeStream(of: Step.self)
            let server = try await pair.listen(on: loop) {
                let handler = ScriptedHandler()
                handler.onReceive = { socket, bytes in
                    if pauses { socket.stopReading() }
                    step.yield(Step(socket: SendableSocket(socket), bytes: bytes))
                }
                handler.onEnd = { _ in step.finish() }
                return handler
            }
            let relay = try await Relay(to: server.port, loop: loop)
            let client = try await pair.connect(to: relay.port)
            // All bytes, including the closure alert, reach the server at once, and nothing follows them.
            try await relay.holdUntilEnd()
            try await client.send(bytes)
            await client.finishWriting()
            loop.execute { loop.schedule(Guard { step.finish() }, at: loop.now() + .seconds(60)) }
            var received: [UInt8] = []
            for await step in steps {
                received += step.bytes
                if pauses { try await loop.run { step.socket.socket.startReading() } }
            }
            #expect(received == bytes)
        }
    }

    /// Ends a stream that would otherwise wait forever.
    private final class Guard: TimerTarget {
        private let end: () -> Void

        init(_ end: @escaping () -> Void) {
            self.end = end
        }

        func timerFired(_ token: TimerToken) {
            end()
        }
    }

    private struct Step: Sendable {
        let socket: SendableSocket
        let bytes: [UInt8]
    }

    @Test(arguments: TLSVersion.allCases)
    func detectsAlteredRecord(_ version: TLSVersion) async throws {
        try await EventLoop.with { loop in
            let pair = try TLSPair(version)
            let (errors, reported) = AsyncStream.makeStream(of: TLSError.self)
            let server = try await pair.listen(on: loop) {
                let handler = ScriptedHandler()
                var isFirst = true
                handler.onReceive = { socket, _ in
                    if !isFirst { Issue.record("received an altered record") }
                    isFirst = false
                    _ = try? socket.send([1], from: 0)
                }
                handler.onTLSFailure = { socket, error in
                    socket.close()
                    reported.yield(error)
                }
                return handler
            }
            let relay = try await Relay(to: server.port, loop: loop)
            let client = try await pair.connect(to: relay.port)
            // Once the answer arrives, the server's session tickets have passed the relay.
            try await client.send("x")
            try await client.read(count: 1)
            try await relay.change { bytes in bytes[bytes.count - 1] ^= 1 }
            try await client.send("x")
            var found = errors.makeAsyncIterator()
            #expect(await found.next()?.kind == .record)
            // The server also sends an alert, which the relay alters.
            try await client.readToEnd()
            #expect(client.ending == .tls(.record))
        }
    }

    @Test func closeReleasesHandlerAndStream() async throws {
        try await EventLoop.with { loop in
            let (freed, streams) = (Locked(0), Locked<[WeakStream]>([]))
            let pair = try TLSPair()
            let server = try await pair.listen(on: loop) {
                let handler = ScriptedHandler()
                let witness = Witness { freed.withLock { $0 += 1 } }
                handler.onReceive = { socket, bytes in
                    let stream = WeakStream(socket.tls)
                    streams.withLock { $0.append(stream) }
                    withExtendedLifetime(witness) { socket.close() }
                }
                return handler
            }
            for _ in 0..<10 {
                let client = try await pair.connect(to: server.port)
                try await client.send("x")
                try await client.readToEnd()
            }
            try await loop.run {}
            #expect(freed.withLock { $0 } == 10)
            #expect(streams.withLock { $0.count } == 10)
            #expect(streams.withLock { $0.allSatisfy { $0.stream == nil } })
        }
    }

    @Test func leaksNoDescriptors() async throws {
        await #expect(processExitsWith: .success) {
            try await EventLoop.with { loop in
                let (good, bad) = (try TLSPair(), try TLSPair(names: ["another.test"]))
                let (server, other) = (try await good.listen(on: loop), try await bad.listen(on: loop))
                var counts: [Int] = []
                for _ in 0..<5 {
                    for _ in 0..<20 {
                        let client = try await good.connect(to: server.port)
                        try await client.send("x")
                        try await client.read(count: 1)
                        await client.finishWriting()
                        try await client.readToEnd()
                        await client.close()
                        await #expect(throws: TLSError.self) { try await bad.connect(to: other.port) }
                    }
                    counts.append(countDescriptors())
                }
                // The servers' ends of the last connections may stay open for a moment.
                #expect(counts[4] <= counts[0] + 2, "\(counts)")
            }
        }
    }

    private struct WeakStream: @unchecked Sendable {
        weak var stream: TLSStream?

        init(_ stream: TLSStream?) {
            self.stream = stream
        }
    }
}
