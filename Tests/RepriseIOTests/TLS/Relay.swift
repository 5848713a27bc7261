// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport
import RepriseText

/// What stands between a client and a server, passes their bytes on, and can do to them what a network does.
final class Relay: @unchecked Sendable {
    // Touched on the loop's thread, but for what is constant.
    let loop: EventLoop
    private(set) var port = 0
    private var server: TestServer?
    private var ends: [RelayEnd] = []

    /// - Parameter pieceSize: so many bytes at most are passed on in one turn of the loop.
    init(to target: Int, loop: EventLoop, pieceSize: Int = .max) async throws {
        self.loop = loop
        let server = try await TestServer(loop: loop) { self.makePair(to: target, pieceSize) }
        port = server.port
        self.server = server
    }

    /// Passes nothing on any more and says FIN to both.
    func finishBothWays() async throws {
        try await loop.run {
            for end in self.ends { end.stop { $0.finishWriting() } }
        }
    }

    /// Passes nothing on until the sender has said FIN, and then all bytes at once, but not the FIN.
    func holdUntilEnd() async throws {
        try await loop.run {
            for end in self.ends { end.isHeld = true }
        }
    }

    /// Does something to all that comes from now on.
    func change(_ body: @escaping @Sendable (inout [UInt8]) -> Void) async throws {
        try await loop.run {
            for end in self.ends { end.change = body }
        }
    }

    private func makePair(to target: Int, _ pieceSize: Int) -> RelayEnd {
        let (near, far) = (RelayEnd(loop, pieceSize), RelayEnd(loop, pieceSize))
        near.other = far
        far.other = near
        far.socket = try? Socket.connect(host: "127.0.0.1", port: target, loop: loop, handler: far)
        ends += [near, far]
        return near
    }
}

/// One of a relay's two connections.
private final class RelayEnd: SocketHandler, @unchecked Sendable {
    weak var other: RelayEnd?
    var socket: Socket?
    var isHeld = false
    var change: (inout [UInt8]) -> Void = { _ in }
    private let loop: EventLoop
    private let pieceSize: Int
    private var queue: [UInt8] = []
    private var hasEnded = false
    private var isStopped = false
    private var isScheduled = false

    init(_ loop: EventLoop, _ pieceSize: Int) {
        self.loop = loop
        self.pieceSize = pieceSize
    }

    func stop(_ action: (Socket) -> Void) {
        isStopped = true
        if let socket { action(socket) }
    }

    func socketIsConnected(_ socket: Socket) {
        send()
    }

    func socket(_ socket: Socket, received bytes: Span<UInt8>) {
        self.socket = socket
        var bytes = Array(bytes: bytes)
        change(&bytes)
        other?.queue += bytes
        other?.send()
    }

    func socketReachedEnd(_ socket: Socket) {
        other?.hasEnded = true
        other?.send()
    }

    func socketIsWritable(_ socket: Socket) {
        send()
    }

    func socket(_ socket: Socket, failed error: SystemError) {
        socket.close()
        other?.stop { $0.reset() }
    }

    private func send() {
        guard !isStopped, !isScheduled, !isHeld || hasEnded, let socket else { return }
        do throws(SystemError) {
            let piece = queue.prefix(pieceSize)
            let taken = try socket.send(piece.span)
            queue.removeFirst(taken)
            if queue.isEmpty, hasEnded, !isHeld { return socket.finishWriting() }
            guard taken == piece.count, !queue.isEmpty else { return }
        } catch {
            return socket.close()
        }
        // The receiver has its turn before the next piece.
        isScheduled = true
        loop.schedule(self, at: loop.now())
    }
}

extension RelayEnd: TimerTarget {
    func timerFired(_ token: TimerToken) {
        isScheduled = false
        send()
    }
}
