// SPDX-License-Identifier: Apache-2.0

private import CRepriseLibevent

/// The bytes that a TLS socket has yet to send when it is closed.
///
/// When a plain socket is closed, the system has already taken all sent bytes. With TLS, some encrypted bytes may not
/// have fit into the system's buffer. The loop keeps this object alive until it has sent them.
final class LastBytes: LoopResource, TimerTarget {
    var slot = 0
    private let loop: EventLoop
    private var descriptor: Int32
    private var bytes: [UInt8]
    private var event: LoopEvent?
    private var limit = TimerToken.none
    private let patience: Duration

    /// Sends bytes as the system takes them, then closes the descriptor.
    ///
    /// - Parameter patience: How long to wait without the peer taking any bytes, before the rest is dropped. The
    ///   default is 30 seconds.
    static func send(
        _ bytes: [UInt8],
        through descriptor: consuming SocketDescriptor,
        on loop: EventLoop,
        patience: Duration = .seconds(30)
    ) {
        guard !bytes.isEmpty, !loop.hasEnded else { return }
        LastBytes(bytes, descriptor, loop, patience).sendMore()
    }

    private init(
        _ bytes: [UInt8],
        _ descriptor: consuming SocketDescriptor,
        _ loop: EventLoop,
        _ patience: Duration
    ) {
        self.loop = loop
        self.bytes = bytes
        self.patience = patience
        self.descriptor = descriptor.take()
        loop.add(self)
    }

    func close() {
        guard descriptor >= 0 else { return }
        event?.free()
        event = nil
        closeDescriptor(descriptor)
        descriptor = -1
        loop.cancel(limit)
        loop.remove(self)
    }

    func timerFired(_ token: TimerToken) {
        close()
    }

    fileprivate func sendMore() {
        let taken = unsafe bytes.withUnsafeBytes { unsafe shim_send(descriptor, $0.baseAddress, $0.count) }
        if taken < 0, errno != EAGAIN, errno != ENOBUFS, errno != EINTR { return close() }
        bytes.removeFirst(max(taken, 0))
        if bytes.isEmpty { return close() }
        guard taken > 0 || event == nil else { return }
        loop.cancel(limit)
        limit = loop.schedule(self, at: loop.now() + patience)
        awaitRoom()
    }

    private func awaitRoom() {
        guard event == nil else { return }
        do throws(SystemError) {
            event = try unsafe .waiting(.write, of: descriptor, on: loop, target: self, callback: thereIsRoom)
        } catch {
            close()
        }
    }
}

private func thereIsRoom(_: Int32, _: Int16, _ context: UnsafeMutableRawPointer?) {
    unsafe target(context, as: LastBytes.self)?.sendMore()
}
