// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseTestSupport
import RepriseText

/// A relay between a client and a server that forwards their bytes and can disturb them as a network does.
final class Relay: @unchecked Sendable {
    // Everything that changes after `init` is used only on the loop's thread.
    let loop: EventLoop
    private(set) var port = 0
    private var server: TestServer?
    private var ends: [RelayEnd] = []

    /// - Parameter pieceSize: The maximum number of bytes to forward in one turn of the loop.
    init(to target: Int, loop: EventLoop, pieceSize: Int = .max) async throws {
        self.loop = loop
        let server = try await TestServer(loop: loop) { self.makePair(to: target, pieceSize) }
        port = server.port
        self.server = server
    }

    /// Stops forwarding and sends FIN to both sides.
    func finishBothWays() async throws {
        try await loop.run {
            for end in self.ends { end.stop { $0.finishWriting() } }
        }
    }

    /// Forwards nothing until the sender has sent FIN, and then all bytes at once, without the FIN.
    func holdUntilEnd() async throws {
        try await loop.run {
            for end in self.ends { end.isHeld = true }
        }
    }

    /// Applies `body` to all bytes received from now on.
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
        // Give the receiver a turn before the next piece.
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
