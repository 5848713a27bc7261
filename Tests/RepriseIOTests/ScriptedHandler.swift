// SPDX-License-Identifier: Apache-2.0

import RepriseIO
import RepriseText

/// A handler made of closures, for tests of single callbacks.
class ScriptedHandler: SocketHandler {
    /// The callbacks of ``SocketHandler``.
    enum Callback: CaseIterable, Sendable {
        case received, end, writable, failed
    }

    var onReceive: (Socket, [UInt8]) -> Void = { _, _ in }
    var onEnd: (Socket) -> Void = { _ in }
    var onWritable: (Socket) -> Void = { _ in }
    var onFailure: (Socket, SystemError) -> Void = { socket, _ in socket.close() }
    var onConnection: (Socket) -> Void = { _ in }
    var onProtection: (Socket) -> Void = { _ in }
    var onTLSFailure: (Socket, TLSError) -> Void = { socket, _ in socket.close() }

    func socket(_ socket: Socket, received bytes: Span<UInt8>) {
        onReceive(socket, Array(bytes: bytes))
    }

    func socketReachedEnd(_ socket: Socket) {
        onEnd(socket)
    }

    func socketIsWritable(_ socket: Socket) {
        onWritable(socket)
    }

    func socket(_ socket: Socket, failed error: SystemError) {
        onFailure(socket, error)
    }

    func socketIsConnected(_ socket: Socket) {
        onConnection(socket)
    }

    func socketIsSecured(_ socket: Socket) {
        onProtection(socket)
    }

    func socket(_ socket: Socket, failed error: TLSError) {
        onTLSFailure(socket, error)
    }
}

extension Socket {
    /// Sends the bytes of an array from position `start` on.
    func send(_ bytes: [UInt8], from start: Int) throws(SystemError) -> Int {
        let rest = bytes[start...]
        return try send(rest.span)
    }

    /// Sends a text that is short enough to fit.
    func send(_ text: String) {
        _ = try? send(Array(text.utf8), from: 0)
    }
}
