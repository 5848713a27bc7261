// SPDX-License-Identifier: Apache-2.0

import RepriseTestSupport
import Testing

@testable import RepriseIO

/// A connection whose server end the test controls, and whose client reads only on request.
private final class HeldConnection: ListenerHandler, @unchecked Sendable {
    // Used only on the loop's thread.
    private var listener: Listener?
    private var descriptor: Int32 = -1
    private let accepted: AsyncStream<Void>.Continuation

    private init(_ accepted: AsyncStream<Void>.Continuation) {
        self.accepted = accepted
    }

    static func make(on loop: EventLoop) async throws -> (HeldConnection, RawClient) {
        let (acceptances, accepted) = AsyncStream.makeStream(of: Void.self)
        let held = HeldConnection(accepted)
        let socket = try ListeningSocket.bind(host: "127.0.0.1", port: 0)[0]
        try await loop.run { held.listener = try Listener(socket, loop: loop, handler: held) }
        let client = try await RawClient.connect(port: socket.port, readsAtOnce: false)
        for await _ in acceptances { break }
        return (held, client)
    }

    func listener(_ listener: Listener, accepted descriptor: consuming SocketDescriptor) {
        self.descriptor = descriptor.take()
        accepted.yield()
    }

    func listener(_ listener: Listener, paused error: SystemError) {}

    var number: Int32 { descriptor }

    func take() -> SocketDescriptor {
        defer { descriptor = -1 }
        return SocketDescriptor(owning: descriptor)
    }

    deinit {
        if descriptor >= 0 { _ = SocketDescriptor(owning: descriptor) }
    }
}

extension TLSWire {
    fileprivate func take(_ bytes: [UInt8]) -> Outcome {
        unsafe bytes.withUnsafeBytes { unsafe take($0) }
    }
}

@Suite struct TLSWireTests {
    private static let record = [UInt8](repeating: 7, count: 16 << 10)

    @Test func buffersWritesUpToLimit() async throws {
        try await EventLoop.with { loop in
            let (held, client) = try await HeldConnection.make(on: loop)
            let wire = TLSWire(descriptor: held.number)
            var sent = 0
            while wire.take(Self.record) == .bytes(Self.record.count) { sent += Self.record.count }
            // The record that reaches the limit is accepted whole.
            #expect(wire.unsent.count >= TLSWire.unsentLimit)
            #expect(wire.unsent.count < TLSWire.unsentLimit + Self.record.count)
            #expect(wire.take(Self.record) == .later)

            let count = sent
            async let received = client.read(count: count)
            while !wire.unsent.isEmpty { wire.flush() }
            #expect(try await received.bytes.count == count)
        }
    }

    @Test func reportsLostPeerWithoutSignal() async throws {
        try await EventLoop.with { loop in
            let (held, client) = try await HeldConnection.make(on: loop)
            let wire = TLSWire(descriptor: held.number)
            // Some bytes are pending when the peer resets.
            while wire.unsent.isEmpty { _ = wire.take(Self.record) }
            await client.reset()
            while wire.sendError == 0 { wire.flush() }
            #expect(SystemError(code: wire.sendError, call: "send").isConnectionLost)
            #expect(wire.unsent.isEmpty)
            #expect(wire.take(Self.record) == .failure)
        }
    }
}

@Suite struct LastBytesTests {
    @Test func givesUpOnStalledPeer() async throws {
        try await EventLoop.with { loop in
            let (held, client) = try await HeldConnection.make(on: loop)
            let count = 32 << 20
            try await loop.run {
                let bytes = [UInt8](repeating: 7, count: count)
                LastBytes.send(bytes, through: held.take(), on: loop, patience: .milliseconds(20))
            }
            while try await loop.run({ loop.resources.contains { $0 is LastBytes } }) { await Task.yield() }
            let received = try await client.readToEnd().bytes.count
            #expect(received > 0 && received < count)
        }
    }

    @Test func waitsForSlowPeer() async throws {
        try await EventLoop.with { loop in
            let (held, client) = try await HeldConnection.make(on: loop)
            let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 9) }
            try await loop.run {
                let all = bytes + bytes + bytes + bytes
                LastBytes.send(all, through: held.take(), on: loop, patience: .seconds(3600))
            }
            #expect(try await client.readToEnd(within: .seconds(20)).bytes == bytes + bytes + bytes + bytes)
            #expect(client.ending == .finished)
        }
    }

    @Test func closesImmediatelyWithoutBytes() async throws {
        try await EventLoop.with { loop in
            let (held, client) = try await HeldConnection.make(on: loop)
            try await loop.run { LastBytes.send([], through: held.take(), on: loop) }
            #expect(try await client.readToEnd().bytes.isEmpty)
            #expect(client.ending == .finished)
        }
    }
}
